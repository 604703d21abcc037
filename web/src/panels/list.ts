import type { PanelInfo } from './panel.js';

/** THE list of panels, in the order of their tabs; the first is the one that a plain address shows. */
export const panels: readonly PanelInfo[] = [
  { key: 'cite', title: 'Cite', prefix: 'report', load: () => import('./cite.js') },
  { key: 'curves', title: 'Curves', wasFirst: true, load: () => import('./curves.js') },
  { key: 'tradeoff', title: 'Trade-off', load: () => import('./tradeoff.js') },
  { key: 'compose', title: 'Compose', load: () => import('./compose.js') },
  {
    key: 'monte-carlo',
    title: 'Monte Carlo',
    prefix: 'mc',
    load: () => import('./monte-carlo.js'),
  },
  {
    key: 'shuffle-model',
    title: 'Shuffle model',
    prefix: 'shuffle',
    load: () => import('./shuffle-model.js'),
  },
  {
    key: 'initialisation',
    title: 'Random start',
    prefix: 'start',
    load: () => import('./initialisation.js'),
  },
  { key: 'mixtures', title: 'Mixtures', load: () => import('./mixtures.js') },
  { key: 'papers', title: 'Papers', load: () => import('./papers.js') },
  { key: 'embed', title: 'Embed', load: () => import('./embed.js') },
];
