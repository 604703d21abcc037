/** What is read off trade-off curves and samples, as the command and the page name it. */

import { format, formatInterval, given } from './numbers.js';
import type { Band, GaussianBelow, Interval, MonteCarloEstimate } from '../generated/schema.js';

export const usualRates = [1e-3, 1e-2];

/** The heading of samples' means: without an upper end, what was sampled is one attack's delta. */
export const meanHeading = (estimates: readonly MonteCarloEstimate[]): string =>
  estimates.some(({ delta }) => delta.upper === null) ? 'static attack, mean' : 'mean';

/** What the best attack achieves: a row for each reading, its name first, a column for each band. */
export function readingRows(bands: readonly Band[]): string[][] {
  const [first] = bands;
  if (!first) return [];
  const row = (name: string, interval: (band: Band) => Interval | undefined) => [
    name,
    ...bands.map((band) => {
      const ends = interval(band);
      return ends ? formatInterval(ends) : '';
    }),
  ];
  return [
    row('advantage', ({ advantage }) => advantage),
    ...first.attackRates.map(({ falsePositiveRate }, i) =>
      row(
        `true positive rate at false positive rate ${given(falsePositiveRate)}`,
        ({ attackRates }) => attackRates[i]?.truePositiveRate,
      ),
    ),
    ...first.guesses.map(({ prior }, i) =>
      row(
        `accuracy of the best attack, prior ${given(prior)}`,
        ({ guesses }) => guesses[i]?.success,
      ),
    ),
    row('tightest μ-GDP guarantee', ({ gaussian }) => gaussian.mu),
    [
      'largest distance to it',
      ...bands.map(
        ({ gaussian }) => `≈ ${format(gaussian.misfit, { side: 'nearest', digits: 2 })}`,
      ),
    ],
  ];
}

/** How the Gaussian below relates to the run. */
export const gaussianWords = ({ misfit, resolution }: GaussianBelow): string =>
  `At error rates of ${given(resolution)} and above, the run is at least as private as this Gaussian; the two curves differ by at most about ${format(misfit, { side: 'up' })} (the regret).`;
