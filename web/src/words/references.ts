/** What a citation key stands for. Keys are those of the core's catalog. */
export interface Reference {
  authors: string;
  title: string;
  where: string;
  arxiv: string;
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
};
