import type { PanelInfo } from './panel.js';

/** Groups of panels that are not about the reader's run; the header links to them. */
const elsewhere = { papers: 'Papers', others: 'Other mechanisms' } as const;

/** THE list of panels, in the order of their tabs; the first is the one that a plain address shows. */
export const panels: readonly PanelInfo[] = [
  { key: 'cite', title: 'Cite', prefix: 'report', load: () => import('./cite.js') },
  { key: 'curves', title: 'Curves', wasFirst: true, load: () => import('./curves.js') },
  { key: 'tradeoff', title: 'Attacks', load: () => import('./tradeoff.js') },
  {
    key: 'monte-carlo',
    title: 'Check by sampling',
    prefix: 'mc',
    load: () => import('./monte-carlo.js'),
  },
  { key: 'embed', title: 'Embed', load: () => import('./embed.js') },
  { key: 'papers', title: 'Papers', group: elsewhere.papers, load: () => import('./papers.js') },
  {
    key: 'shuffle-model',
    title: 'Shuffle model',
    group: elsewhere.others,
    prefix: 'shuffle',
    load: async () => (await import('./explorables.js')).shuffleModel,
  },
  {
    key: 'initialisation',
    title: 'Random start',
    group: elsewhere.others,
    prefix: 'start',
    load: async () => (await import('./explorables.js')).initialisation,
  },
  {
    key: 'mixtures',
    title: 'Mixtures',
    group: elsewhere.others,
    load: async () => (await import('./explorables.js')).mixtures,
  },
];
