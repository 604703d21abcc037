/** The papers behind citation keys, as core/REFERENCES.md lists them. */
export interface Reference {
  /** With initials, separated by commas. */
  authors: string;
  title: string;
  conference?: string;
  journal?: string;
  year: number;
  /** Where it is read: an arXiv number, or a DOI. */
  arxiv?: string;
  doi?: string;
  /** This project’s own and not yet peer-reviewed: the section of the methods page that proves it. */
  section?: string;
}

export const references: Readonly<Record<string, Reference>> = {
  HP24: {
    authors: 'L. Chua, B. Ghazi, P. Kamath, R. Kumar, P. Manurangsi, A. Sinha, C. Zhang',
    title: 'How Private are DP-SGD Implementations?',
    conference: 'ICML',
    year: 2024,
    arxiv: '2403.17673',
  },
  AP24: {
    authors: 'C. J. Lebeda, M. Regehr, G. Kamath, T. Steinke',
    title: 'Avoiding Pitfalls for Privacy Accounting of Subsampled Mechanisms under Composition',
    conference: 'SaTML',
    year: 2025,
    arxiv: '2405.20769',
  },
  BB25: {
    authors:
      'L. Chua, B. Ghazi, C. Harrison, E. Leeman, P. Kamath, R. Kumar, P. Manurangsi, A. Sinha, C. Zhang',
    title: 'Balls-and-Bins Sampling for DP-SGD',
    conference: 'AISTATS',
    year: 2025,
    arxiv: '2412.16802',
  },
  CD22: {
    authors: 'V. Doroshenko, B. Ghazi, P. Kamath, R. Kumar, P. Manurangsi',
    title: 'Connect the Dots: Tighter Discrete Approximations of Privacy Loss Distributions',
    conference: 'PETS',
    year: 2022,
    arxiv: '2207.04380',
  },
  BW18: {
    authors: 'B. Balle, Y.-X. Wang',
    title:
      'Improving the Gaussian Mechanism for Differential Privacy: Analytical Calibration and Optimal Denoising',
    conference: 'ICML',
    year: 2018,
    arxiv: '1805.06530',
  },
  CG24: {
    authors: 'L. Chua, B. Ghazi, P. Kamath, R. Kumar, P. Manurangsi, A. Sinha, C. Zhang',
    title: 'Scalable DP-SGD: Shuffling vs. Poisson Subsampling',
    conference: 'NeurIPS',
    year: 2024,
    arxiv: '2411.04205',
  },
  FS25: {
    authors: 'V. Feldman, M. Shenfeld',
    title: 'Privacy Amplification by Random Allocation',
    conference: 'NeurIPS',
    year: 2025,
    arxiv: '2502.08202',
  },
  GA24: {
    authors: 'A. Ganesh',
    title:
      'Tight Group-Level DP Guarantees for DP-SGD with Sampling via Mixture of Gaussians Mechanisms',
    year: 2024,
    arxiv: '2401.10294',
  },
  GA25: {
    authors: 'A. Ganesh',
    title: 'Tighter Privacy Analysis for Truncated Poisson Sampling',
    year: 2025,
    arxiv: '2508.15089',
  },
  DR14: {
    authors: 'C. Dwork, A. Roth',
    title: 'The Algorithmic Foundations of Differential Privacy',
    journal: 'Foundations and Trends in Theoretical Computer Science',
    year: 2014,
    doi: '10.1561/0400000042',
  },
  KOV15: {
    authors: 'P. Kairouz, S. Oh, P. Viswanath',
    title: 'The Composition Theorem for Differential Privacy',
    conference: 'ICML',
    year: 2015,
    arxiv: '1311.0776',
  },
  BS16: {
    authors: 'M. Bun, T. Steinke',
    title: 'Concentrated Differential Privacy: Simplifications, Extensions, and Lower Bounds',
    conference: 'TCC',
    year: 2016,
    arxiv: '1605.02065',
  },
  CKS20: {
    authors: 'C. L. Canonne, G. Kamath, T. Steinke',
    title: 'The Discrete Gaussian for Differential Privacy',
    conference: 'NeurIPS',
    year: 2020,
    arxiv: '2004.00010',
  },
  MTZ19: {
    authors: 'I. Mironov, K. Talwar, L. Zhang',
    title: 'Renyi Differential Privacy of the Sampled Gaussian Mechanism',
    year: 2019,
    arxiv: '1908.10530',
  },
  BDLS20: {
    authors: 'Z. Bu, J. Dong, Q. Long, W. J. Su',
    title: 'Deep Learning with Gaussian Differential Privacy',
    journal: 'Harvard Data Science Review',
    year: 2020,
    arxiv: '1911.11607',
  },
  DRS22: {
    authors: 'J. Dong, A. Roth, W. J. Su',
    title: 'Gaussian Differential Privacy',
    journal: 'Journal of the Royal Statistical Society B',
    year: 2022,
    arxiv: '1905.02383',
  },
  ZDW22: {
    authors: 'Y. Zhu, J. Dong, Y.-X. Wang',
    title: 'Optimal Accounting of Differential Privacy via Characteristic Function',
    conference: 'AISTATS',
    year: 2022,
    arxiv: '2106.08567',
  },
  WS23: {
    authors: 'C. Wang, B. Su, J. Ye, R. Shokri, W. J. Su',
    title:
      'Unified Enhancement of Privacy Bounds for Mixture Mechanisms via f-Differential Privacy',
    conference: 'NeurIPS',
    year: 2023,
    arxiv: '2310.19973',
  },
  FMT21: {
    authors: 'V. Feldman, A. McMillan, K. Talwar',
    title:
      'Hiding Among the Clones: A Simple and Nearly Optimal Analysis of Privacy Amplification by Shuffling',
    conference: 'FOCS',
    year: 2021,
    arxiv: '2012.12803',
  },
  FMT23: {
    authors: 'V. Feldman, A. McMillan, K. Talwar',
    title:
      'Stronger Privacy Amplification by Shuffling for Rényi and Approximate Differential Privacy',
    conference: 'SODA',
    year: 2023,
    arxiv: '2208.04591',
  },
  FS26: {
    authors: 'V. Feldman, M. Shenfeld',
    title: 'Efficient Privacy Loss Accounting for Subsampling and Random Allocation',
    conference: 'ICML',
    year: 2026,
    arxiv: '2602.17284',
  },
  Mir17: {
    authors: 'I. Mironov',
    title: 'Renyi Differential Privacy',
    conference: 'CSF',
    year: 2017,
    arxiv: '1702.07476',
  },
  WBK19: {
    authors: 'Y.-X. Wang, B. Balle, S. P. Kasiviswanathan',
    title: 'Subsampled Renyi Differential Privacy and Analytical Moments Accountant',
    conference: 'AISTATS',
    year: 2019,
    arxiv: '1808.00087',
  },
  Can22: {
    authors: 'C. L. Canonne',
    title: 'A short note on an inequality between KL and TV',
    year: 2022,
    arxiv: '2202.07198',
  },
  Hig02: {
    authors: 'N. J. Higham',
    title: 'Accuracy and Stability of Numerical Algorithms',
    journal: 'SIAM',
    year: 2002,
    doi: '10.1137/1.9780898718027',
  },
  TW14: {
    authors: 'L. N. Trefethen, J. A. C. Weideman',
    title: 'The Exponentially Convergent Trapezoidal Rule',
    journal: 'SIAM Review',
    year: 2014,
    doi: '10.1137/130932132',
  },
  HL54: {
    authors: 'J. L. Hodges, E. L. Lehmann',
    title: 'Matching in Paired Comparisons',
    journal: 'Annals of Mathematical Statistics',
    year: 1954,
    doi: '10.1214/aoms/1177728684',
  },
  Hoe63: {
    authors: 'W. Hoeffding',
    title: 'Probability Inequalities for Sums of Bounded Random Variables',
    journal: 'Journal of the American Statistical Association',
    year: 1963,
    doi: '10.1080/01621459.1963.10500830',
  },
  MP09: {
    authors: 'A. Maurer, M. Pontil',
    title: 'Empirical Bernstein Bounds and Sample Variance Penalization',
    conference: 'COLT',
    year: 2009,
    arxiv: '0907.3740',
  },
  AK06: {
    authors: 'S. Asmussen, D. P. Kroese',
    title: 'Improved Algorithms for Rare Event Simulation with Heavy Tails',
    journal: 'Advances in Applied Probability',
    year: 2006,
    doi: '10.1239/aap/1151337084',
  },
  MT00: {
    authors: 'G. Marsaglia, W. W. Tsang',
    title: 'A Simple Method for Generating Gamma Variables',
    journal: 'ACM Transactions on Mathematical Software',
    year: 2000,
    doi: '10.1145/358407.358414',
  },
  PS22: {
    authors: 'N. Papernot, T. Steinke',
    title: 'Hyperparameter Tuning with Renyi Differential Privacy',
    conference: 'ICLR',
    year: 2022,
    arxiv: '2110.03620',
  },
  KRW24: {
    authors: 'A. Koskela, R. Redberg, Y.-X. Wang',
    title: 'Privacy Profiles for Private Selection',
    conference: 'ICML',
    year: 2024,
    arxiv: '2402.06701',
  },
  CCG23: {
    authors:
      'C. A. Choquette-Choo, A. Ganesh, R. McKenna, H. B. McMahan, K. Rush, A. Thakurta, Z. Xu',
    title: '(Amplified) Banded Matrix Factorization: A unified approach to private training',
    conference: 'NeurIPS',
    year: 2023,
    arxiv: '2306.08153',
  },
  ATMR21: {
    authors: 'G. Andrew, O. Thakkar, H. B. McMahan, S. Ramaswamy',
    title: 'Differentially Private Learning with Adaptive Clipping',
    conference: 'NeurIPS',
    year: 2021,
    arxiv: '1905.03871',
  },
  CKP24: {
    authors: 'G. Cherubin, B. Köpf, A. Paverd, S. Tople, L. Wutschitz, S. Zanella-Béguelin',
    title: 'Closed-Form Bounds for DP-SGD against Record-level Inference',
    conference: 'USENIX Security',
    year: 2024,
    arxiv: '2402.14397',
  },
  KGK24: {
    authors: 'B. Kulynych, J. F. Gomez, G. Kaissis, F. P. Calmon, C. Troncoso',
    title: 'Attack-Aware Noise Calibration for Differential Privacy',
    conference: 'NeurIPS',
    year: 2024,
    arxiv: '2407.02191',
  },
  KGK25: {
    authors:
      'B. Kulynych, J. F. Gomez, G. Kaissis, J. Hayes, B. Balle, F. P. Calmon, J. L. Raisaro',
    title:
      'Unifying Re-Identification, Attribute Inference, and Data Reconstruction Risks in Differential Privacy',
    conference: 'NeurIPS',
    year: 2025,
    arxiv: '2507.06969',
  },
  SNJ23: {
    authors: 'T. Steinke, M. Nasr, M. Jagielski',
    title: 'Privacy Auditing with One (1) Training Run',
    conference: 'NeurIPS',
    year: 2023,
    arxiv: '2305.08846',
  },
  MMC25: {
    authors: 'S. Mahloujifar, L. Melis, K. Chaudhuri',
    title: 'Auditing f-Differential Privacy in One Run',
    conference: 'ICML',
    year: 2025,
    arxiv: '2410.22235',
  },
  EFM19: {
    authors: 'Ú. Erlingsson, V. Feldman, I. Mironov, A. Raghunathan, K. Talwar, A. Thakurta',
    title: 'Amplification by Shuffling: From Local to Central Differential Privacy via Anonymity',
    conference: 'SODA',
    year: 2019,
    arxiv: '1811.12469',
  },
  BBGN19: {
    authors: 'B. Balle, J. Bell, A. Gascón, K. Nissim',
    title: 'The Privacy Blanket of the Shuffle Model',
    conference: 'CRYPTO',
    year: 2019,
    arxiv: '1903.02837',
  },
  SCW25: {
    authors: 'P. Su, H. Cheng, P. Wang',
    title: 'Decomposition-Based Optimal Bounds for Privacy Amplification via Shuffling',
    year: 2025,
    arxiv: '2504.07414',
  },
  DE26: {
    authors: 'M. van Dijk, M. B. Ertan',
    title:
      'Trade-off Functions for DP-SGD with Subsampling based on Random Shuffling: Tight Upper and Lower Bounds',
    year: 2026,
    arxiv: '2605.06259',
  },
  HE26: {
    authors: 'The authors of Honest Epsilon',
    title: 'Clones of the Zeroed Record: An Upper End for Shuffled Batches',
    year: 2026,
    section: 'clones',
  },
  SMDS11: {
    authors: 'J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw',
    title: 'Parallel Random Numbers: As Easy as 1, 2, 3',
    conference: 'SC',
    year: 2011,
    doi: '10.1145/2063384.2063405',
  },
};

/** How texts name a paper: [HP24], or [HP24, Thm 4.1]. */
export const citationForm = /\[([A-Z][A-Za-z]*\d\d)(?:,\s+([^\]]+))?\]/g;

/** "ICML 2024", "Not yet peer-reviewed 2026" */
export const whereOf = ({ conference, journal, year, section }: Reference): string =>
  [conference ?? journal ?? (section === undefined ? undefined : 'Not yet peer-reviewed'), year]
    .filter((part) => part !== undefined)
    .join(' ');

/** Its name where it is read, and its address there. `methods`: the methods page, where there is one. */
export function linkOf(
  { arxiv, doi, section }: Reference,
  methods?: string,
): { name: string; address: string | undefined } {
  if (arxiv !== undefined)
    return { address: `https://arxiv.org/abs/${arxiv}`, name: `arXiv:${arxiv}` };
  if (doi !== undefined) return { address: `https://doi.org/${doi}`, name: `doi:${doi}` };
  const address =
    methods === undefined || section === undefined ? undefined : `${methods}#${section}`;
  return { address, name: 'proof in the documentation of Honest Epsilon' };
}

/** The keys that texts name, in the order of their first mention. */
export const citedIn = (texts: readonly string[]): string[] => [
  ...new Set(texts.flatMap((text) => [...text.matchAll(citationForm)].map(([, key = '']) => key))),
];

/** "Chua et al. 2024", as prose names a paper. */
export function nameOf({ authors, year, section }: Reference): string {
  if (section !== undefined) return `${authors.replace(/^The authors of /, '')}, ${year}`;
  const people = authors.split(', ').map((name) => name.replace(/^([A-Z][a-z]?\.-?\s?)+/, ''));
  const [first = '', second, ...more] = people;
  if (second === undefined) return `${first} ${year}`;
  return more.length > 0 ? `${first} et al. ${year}` : `${first} and ${second} ${year}`;
}
