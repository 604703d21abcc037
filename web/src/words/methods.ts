import { html } from 'lit';

/** The page that explains the methods; nothing lies beside the single file. */
export const methodsPage = import.meta.env.MODE === 'standalone' ? undefined : './methods.html';

/** Where methods.html explains what an answer names as its method: the engine's words, an anchor. */
export const methodAnchors: Readonly<Record<string, string>> = {
  'Gaussian closed form': 'deterministic',
  'closed form': 'poisson',
  'privacy loss distribution, tilted FFT': 'pld',
  'moment functions, contour integral': 'contour',
  'moment function of an epoch, contour integral': 'contour-bins',
  'mixture over participations, Chernoff': 'tiny-noise',
  'upper: both one-step curves glued to one dominating pair, composed; lower: one of them, composed':
    'glued',
  'upper: deterministic batches': 'shuffle',
  'lower: best threshold; upper: deterministic batches': 'shuffle',
  'lower: best threshold and best event; upper: deterministic batches': 'shuffle',
  "lower: attack on each epoch's largest coordinate and sum, or balls-and-bins, composed; upper: deterministic batches":
    'shuffle-epochs',
  'lower: best threshold or balls-and-bins; upper: deterministic batches': 'stopped',
  'lower: best threshold or balls-and-bins; upper: clones': 'stopped',
  'lower: best threshold; upper: clones': 'clones',
  'lower: best threshold and best event; upper: clones': 'clones',
  "lower: attack on each epoch's largest coordinate and sum, or balls-and-bins, composed; upper: clones":
    'clones',
  'lower: balls-and-bins, which reveals less; upper: deterministic batches': 'shuffle-bins',
  'lower: balls-and-bins, which reveals less; upper: clones': 'clones',
  'upper: clones': 'clones',
  'exact integral by FFT': 'balls-and-bins',
  'exact integral over the bins by FFT': 'balls-and-bins',
  "one epoch's proved curve as a privacy loss distribution, composed by tilted FFT": 'bins-epochs',
  'upper: k rounds of one in floor(T / k), composed; lower: the largest and the sum':
    'participations',
  'upper: by way of the run without the record; lower: zero-out neighbours': 'bins-substitution',
  'upper: deterministic batches; lower: a single record': 'single-record',
  'upper: group privacy, record by record; lower: a single record': 'single-record',
  'largest loss': 'largest-loss',
  'Rényi divergences, the best order': 'renyi',
  'central limit theorem': 'gdp',
  "best of a random number of runs, by one run's trade-off curve": 'search',
  'right guesses at canaries, one run': 'audit',
  'finite sum over the clones': 'shuffle-model',
  'finite sum over the clones as a privacy loss distribution, tilted FFT': 'shuffle-rounds',
  "expectation over the start, between Jensen's inequality and chords": 'initialisation',
  'zeros of the difference of densities': 'mixtures',
  none: 'refine',
};

/** A method's name, leading to what explains it. */
export function explained(method: string, page: string | undefined) {
  const anchor = methodAnchors[method];
  if (page === undefined || anchor === undefined) return method;
  return html`<a href=${`${page}#${anchor}`}>${method}</a>`;
}
