/** What a citation key stands for. Keys are those of the core's catalog. */
export interface Reference {
  authors: string;
  title: string;
  where: string;
  /** Where it is read: an arXiv number, or a DOI. */
  arxiv?: string;
  doi?: string;
}

export const references: Readonly<Record<string, Reference>> = {
  HP24: {
    authors: 'Chua, Ghazi, Kamath, Kumar, Manurangsi, Sinha, Zhang',
    title: 'How Private are DP-SGD Implementations?',
    where: 'ICML 2024',
    arxiv: '2403.17673',
  },
  AP24: {
    authors: 'Lebeda, Regehr, Kamath, Steinke',
    title: 'Avoiding Pitfalls for Privacy Accounting of Subsampled Mechanisms under Composition',
    where: 'SaTML 2025',
    arxiv: '2405.20769',
  },
  BB25: {
    authors: 'Chua, Ghazi, Harrison, Kamath, Kumar, Leeman, Manurangsi, Sinha, Zhang',
    title: 'Balls-and-Bins Sampling for DP-SGD',
    where: 'AISTATS 2025',
    arxiv: '2412.16802',
  },
  CD22: {
    authors: 'Doroshenko, Ghazi, Kamath, Kumar, Manurangsi',
    title: 'Connect the Dots: Tighter Discrete Approximations of Privacy Loss Distributions',
    where: 'PETS 2022',
    arxiv: '2207.04380',
  },
  BW18: {
    authors: 'Balle, Wang',
    title:
      'Improving the Gaussian Mechanism for Differential Privacy: Analytical Calibration and Optimal Denoising',
    where: 'ICML 2018',
    arxiv: '1805.06530',
  },
  CG24: {
    authors: 'Chua, Ghazi, Kamath, Kumar, Manurangsi, Sinha, Zhang',
    title: 'Scalable DP-SGD: Shuffling vs. Poisson Subsampling',
    where: 'NeurIPS 2024',
    arxiv: '2411.04205',
  },
  FS25: {
    authors: 'Feldman, Shenfeld',
    title: 'Privacy Amplification by Random Allocation',
    where: 'NeurIPS 2025',
    arxiv: '2502.08202',
  },
  GA24: {
    authors: 'Ganesh',
    title:
      'Tight Group-Level DP Guarantees for DP-SGD with Sampling via Mixture of Gaussians Mechanisms',
    where: '2024',
    arxiv: '2401.10294',
  },
  GA25: {
    authors: 'Ganesh',
    title: 'Tighter Privacy Analysis for Truncated Poisson Sampling',
    where: '2025',
    arxiv: '2508.15089',
  },
  DR14: {
    authors: 'Dwork, Roth',
    title: 'The Algorithmic Foundations of Differential Privacy',
    where: 'Foundations and Trends in Theoretical Computer Science 2014',
    doi: '10.1561/0400000042',
  },
  KOV15: {
    authors: 'Kairouz, Oh, Viswanath',
    title: 'The Composition Theorem for Differential Privacy',
    where: 'ICML 2015',
    arxiv: '1311.0776',
  },
  BS16: {
    authors: 'Bun, Steinke',
    title: 'Concentrated Differential Privacy: Simplifications, Extensions, and Lower Bounds',
    where: 'TCC 2016',
    arxiv: '1605.02065',
  },
  CKS20: {
    authors: 'Canonne, Kamath, Steinke',
    title: 'The Discrete Gaussian for Differential Privacy',
    where: 'NeurIPS 2020',
    arxiv: '2004.00010',
  },
  DRS22: {
    authors: 'Dong, Roth, Su',
    title: 'Gaussian Differential Privacy',
    where: 'Journal of the Royal Statistical Society B 2022',
    arxiv: '1905.02383',
  },
};
