/** What is read off a trade-off curve: one list for the command, its explorations and the page. */

import { showEstimate, showGiven, showInterval, showSafe } from './numbers.js';
import type { Band, GaussianBelow, Interval } from '../generated/schema.js';

/** Where true positives are read off when nobody says otherwise. */
export const usualRates = [1e-3, 1e-2];

export interface Reading {
  name: string;
  /** Nothing where the number has no two ends: an estimate in words. */
  interval: (band: Band) => Interval | undefined;
  text: (band: Band) => string;
}

const between = (name: string, interval: Reading['interval']): Reading => ({
  name,
  interval,
  text: (band) => {
    const ends = interval(band);
    return ends ? showInterval(ends) : '';
  },
});

/** What was asked of this band, and of all that were asked with it. */
export function readingsOf({ attackRates, guesses }: Band): Reading[] {
  return [
    between('advantage', ({ advantage }) => advantage),
    ...attackRates.map(({ falsePositiveRate }, i) =>
      between(
        `true positives at false positive rate ${showGiven(falsePositiveRate)}`,
        (band) => band.attackRates[i]?.truePositiveRate,
      ),
    ),
    ...guesses.map(({ prior }, i) =>
      between(
        `accuracy of the best attack, prior ${showGiven(prior)}`,
        (band) => band.guesses[i]?.success,
      ),
    ),
    between('μ of the Gaussian below', ({ gaussian }) => gaussian.mu),
    {
      name: 'largest gap to that Gaussian',
      interval: () => undefined,
      text: ({ gaussian }) => showEstimate(gaussian.misfit, 2),
    },
  ];
}

/** A row for whatever was read off, a column for each band. */
export function readingRows(bands: readonly Band[]): string[][] {
  const [first] = bands;
  if (!first) return [];
  return readingsOf(first).map(({ name, text }) => [name, ...bands.map(text)]);
}

/** What the Gaussian below has to do with the run. */
export const gaussianWords = ({ misfit, resolution }: GaussianBelow): string =>
  `Wherever both error rates are at least ${showGiven(resolution)}, the Gaussian trade-off lies below the run’s, by at most about ${showSafe(misfit, 'up')}.`;
