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

/** Key, authors, title, where and when, in a journal or at a conference, and where it is read. */
const bibliography = `
HP24 | L. Chua, B. Ghazi, P. Kamath, R. Kumar, P. Manurangsi, A. Sinha, C. Zhang | How Private are DP-SGD Implementations? | ICML 2024 | arXiv:2403.17673
AP24 | C. J. Lebeda, M. Regehr, G. Kamath, T. Steinke | Avoiding Pitfalls for Privacy Accounting of Subsampled Mechanisms under Composition | SaTML 2025 | arXiv:2405.20769
BB25 | L. Chua, B. Ghazi, C. Harrison, E. Leeman, P. Kamath, R. Kumar, P. Manurangsi, A. Sinha, C. Zhang | Balls-and-Bins Sampling for DP-SGD | AISTATS 2025 | arXiv:2412.16802
CD22 | V. Doroshenko, B. Ghazi, P. Kamath, R. Kumar, P. Manurangsi | Connect the Dots: Tighter Discrete Approximations of Privacy Loss Distributions | PETS 2022 | arXiv:2207.04380
BW18 | B. Balle, Y.-X. Wang | Improving the Gaussian Mechanism for Differential Privacy: Analytical Calibration and Optimal Denoising | ICML 2018 | arXiv:1805.06530
CG24 | L. Chua, B. Ghazi, P. Kamath, R. Kumar, P. Manurangsi, A. Sinha, C. Zhang | Scalable DP-SGD: Shuffling vs. Poisson Subsampling | NeurIPS 2024 | arXiv:2411.04205
FS25 | V. Feldman, M. Shenfeld | Privacy Amplification by Random Allocation | NeurIPS 2025 | arXiv:2502.08202
GA24 | A. Ganesh | Tight Group-Level DP Guarantees for DP-SGD with Sampling via Mixture of Gaussians Mechanisms | 2024 | arXiv:2401.10294
GA25 | A. Ganesh | Tighter Privacy Analysis for Truncated Poisson Sampling | 2025 | arXiv:2508.15089
DR14 | C. Dwork, A. Roth | The Algorithmic Foundations of Differential Privacy | _Foundations and Trends in Theoretical Computer Science_ 2014 | doi:10.1561/0400000042
KOV15 | P. Kairouz, S. Oh, P. Viswanath | The Composition Theorem for Differential Privacy | ICML 2015 | arXiv:1311.0776
BS16 | M. Bun, T. Steinke | Concentrated Differential Privacy: Simplifications, Extensions, and Lower Bounds | TCC 2016 | arXiv:1605.02065
CKS20 | C. L. Canonne, G. Kamath, T. Steinke | The Discrete Gaussian for Differential Privacy | NeurIPS 2020 | arXiv:2004.00010
MTZ19 | I. Mironov, K. Talwar, L. Zhang | Renyi Differential Privacy of the Sampled Gaussian Mechanism | 2019 | arXiv:1908.10530
BDLS20 | Z. Bu, J. Dong, Q. Long, W. J. Su | Deep Learning with Gaussian Differential Privacy | _Harvard Data Science Review_ 2020 | arXiv:1911.11607
DRS22 | J. Dong, A. Roth, W. J. Su | Gaussian Differential Privacy | _Journal of the Royal Statistical Society B_ 2022 | arXiv:1905.02383
ZDW22 | Y. Zhu, J. Dong, Y.-X. Wang | Optimal Accounting of Differential Privacy via Characteristic Function | AISTATS 2022 | arXiv:2106.08567
WS23 | C. Wang, B. Su, J. Ye, R. Shokri, W. J. Su | Unified Enhancement of Privacy Bounds for Mixture Mechanisms via f-Differential Privacy | NeurIPS 2023 | arXiv:2310.19973
FMT21 | V. Feldman, A. McMillan, K. Talwar | Hiding Among the Clones: A Simple and Nearly Optimal Analysis of Privacy Amplification by Shuffling | FOCS 2021 | arXiv:2012.12803
FMT23 | V. Feldman, A. McMillan, K. Talwar | Stronger Privacy Amplification by Shuffling for Rényi and Approximate Differential Privacy | SODA 2023 | arXiv:2208.04591
FS26 | V. Feldman, M. Shenfeld | Efficient Privacy Loss Accounting for Subsampling and Random Allocation | ICML 2026 | arXiv:2602.17284
Mir17 | I. Mironov | Renyi Differential Privacy | CSF 2017 | arXiv:1702.07476
WBK19 | Y.-X. Wang, B. Balle, S. P. Kasiviswanathan | Subsampled Renyi Differential Privacy and Analytical Moments Accountant | AISTATS 2019 | arXiv:1808.00087
Can22 | C. L. Canonne | A short note on an inequality between KL and TV | 2022 | arXiv:2202.07198
Hig02 | N. J. Higham | Accuracy and Stability of Numerical Algorithms | _SIAM_ 2002 | doi:10.1137/1.9780898718027
TW14 | L. N. Trefethen, J. A. C. Weideman | The Exponentially Convergent Trapezoidal Rule | _SIAM Review_ 2014 | doi:10.1137/130932132
HL54 | J. L. Hodges, E. L. Lehmann | Matching in Paired Comparisons | _Annals of Mathematical Statistics_ 1954 | doi:10.1214/aoms/1177728684
Hoe63 | W. Hoeffding | Probability Inequalities for Sums of Bounded Random Variables | _Journal of the American Statistical Association_ 1963 | doi:10.1080/01621459.1963.10500830
MP09 | A. Maurer, M. Pontil | Empirical Bernstein Bounds and Sample Variance Penalization | COLT 2009 | arXiv:0907.3740
AK06 | S. Asmussen, D. P. Kroese | Improved Algorithms for Rare Event Simulation with Heavy Tails | _Advances in Applied Probability_ 2006 | doi:10.1239/aap/1151337084
MT00 | G. Marsaglia, W. W. Tsang | A Simple Method for Generating Gamma Variables | _ACM Transactions on Mathematical Software_ 2000 | doi:10.1145/358407.358414
PS22 | N. Papernot, T. Steinke | Hyperparameter Tuning with Renyi Differential Privacy | ICLR 2022 | arXiv:2110.03620
DMP24 | K. Dvijotham, H. B. McMahan, K. Pillutla, T. Steinke, A. Thakurta | Efficient and Near-Optimal Noise Generation for Streaming Differential Privacy | FOCS 2024 | arXiv:2404.16706
DDR20 | J. Dong, D. Durfee, R. Rogers | Optimal Differential Privacy Composition for Exponential Mechanisms | ICML 2020 | arXiv:1909.13830
CR21 | M. Cesar, R. Rogers | Bounding, Concentrating, and Truncating: Unifying Privacy Loss Composition for Data Analytics | ALT 2021 | arXiv:2004.07223
KRW24 | A. Koskela, R. Redberg, Y.-X. Wang | Privacy Profiles for Private Selection | ICML 2024 | arXiv:2402.06701
CCG23 | C. A. Choquette-Choo, A. Ganesh, R. McKenna, H. B. McMahan, K. Rush, A. Thakurta, Z. Xu | (Amplified) Banded Matrix Factorization: A unified approach to private training | NeurIPS 2023 | arXiv:2306.08153
CGH24 | C. A. Choquette-Choo, A. Ganesh, S. Haque, T. Steinke, A. Thakurta | Near-Exact Privacy Amplification for Matrix Mechanisms | ICLR 2025 | arXiv:2410.06266
RV14 | R. Rhodes, V. Vargas | Gaussian Multiplicative Chaos and Applications: A Review | _Probability Surveys_ 2014 | arXiv:1305.6221
HUU23 | M. Henzinger, J. Upadhyay, S. Upadhyay | Almost Tight Error Bounds on Differentially Private Continual Counting | SODA 2023 | arXiv:2211.05006
ATMR21 | G. Andrew, O. Thakkar, H. B. McMahan, S. Ramaswamy | Differentially Private Learning with Adaptive Clipping | NeurIPS 2021 | arXiv:1905.03871
CKP24 | G. Cherubin, B. Köpf, A. Paverd, S. Tople, L. Wutschitz, S. Zanella-Béguelin | Closed-Form Bounds for DP-SGD against Record-level Inference | USENIX Security 2024 | arXiv:2402.14397
KGK24 | B. Kulynych, J. F. Gomez, G. Kaissis, F. P. Calmon, C. Troncoso | Attack-Aware Noise Calibration for Differential Privacy | NeurIPS 2024 | arXiv:2407.02191
KGK25 | B. Kulynych, J. F. Gomez, G. Kaissis, J. Hayes, B. Balle, F. P. Calmon, J. L. Raisaro | Unifying Re-Identification, Attribute Inference, and Data Reconstruction Risks in Differential Privacy | NeurIPS 2025 | arXiv:2507.06969
SNJ23 | T. Steinke, M. Nasr, M. Jagielski | Privacy Auditing with One (1) Training Run | NeurIPS 2023 | arXiv:2305.08846
JUO20 | M. Jagielski, J. Ullman, A. Oprea | Auditing Differentially Private Machine Learning: How Private is Private SGD? | NeurIPS 2020 | arXiv:2006.07709
CP34 | C. J. Clopper, E. S. Pearson | The Use of Confidence or Fiducial Limits Illustrated in the Case of the Binomial | _Biometrika_ 1934 | doi:10.1093/biomet/26.4.404
MMC25 | S. Mahloujifar, L. Melis, K. Chaudhuri | Auditing f-Differential Privacy in One Run | ICML 2025 | arXiv:2410.22235
EFM19 | Ú. Erlingsson, V. Feldman, I. Mironov, A. Raghunathan, K. Talwar, A. Thakurta | Amplification by Shuffling: From Local to Central Differential Privacy via Anonymity | SODA 2019 | arXiv:1811.12469
BBGN19 | B. Balle, J. Bell, A. Gascón, K. Nissim | The Privacy Blanket of the Shuffle Model | CRYPTO 2019 | arXiv:1903.02837
SCW25 | P. Su, H. Cheng, P. Wang | Decomposition-Based Optimal Bounds for Privacy Amplification via Shuffling | 2025 | arXiv:2504.07414
DE26 | M. van Dijk, M. B. Ertan | Trade-off Functions for DP-SGD with Subsampling based on Random Shuffling: Tight Upper and Lower Bounds | 2026 | arXiv:2605.06259
HE26 | The authors of Honest Epsilon | Clones of the Zeroed Record: An Upper End for Shuffled Batches | 2026 | #clones
SMDS11 | J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw | Parallel Random Numbers: As Easy as 1, 2, 3 | SC 2011 | doi:10.1145/2063384.2063405
`;

function referenceOf(line: string): [string, Reference] {
  const [key = '', authors = '', title = '', published = '', read = ''] = line.split(' | ');
  const [, journal, conference, year] = /^(?:_(.*)_ |(.*) )?(\d+)$/.exec(published) ?? [];
  const [, arxiv, doi, section] = /^(?:arXiv:(.*)|doi:(.*)|#(.*))$/.exec(read) ?? [];
  const places = Object.entries({ conference, journal, arxiv, doi, section });
  const known = Object.fromEntries(places.filter(([, place]) => place !== undefined));
  return [key, { authors, title, year: Number(year), ...known }];
}

export const references: Readonly<Record<string, Reference>> = Object.fromEntries(
  bibliography.trim().split('\n').map(referenceOf),
);

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
