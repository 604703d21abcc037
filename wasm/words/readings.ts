/** The readings of a trade-off curve: one list for the command, its explorations and the page. */

import { showEstimate, showGiven, showInterval, showSafe } from './numbers.js';
import type { Band, GaussianBelow, Interval } from '../generated/schema.js';

/** The default false positive rates at which true positives are read. */
export const usualRates = [1e-3, 1e-2];

interface AttackReading {
  name: string;
  /** Undefined for an estimate, which has no two ends. */
  interval: (band: Band) => Interval | undefined;
  text: (band: Band) => string;
}

const between = (name: string, interval: AttackReading['interval']): AttackReading => ({
  name,
  interval,
  text: (band) => {
    const ends = interval(band);
    return ends ? showInterval(ends) : '';
  },
});

/** The readings of a band, the same for all bands of one answer. */
export function readingsOf({ attackRates, guesses }: Band): AttackReading[] {
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

/** A row for each reading, a column for each band. */
export function readingRows(bands: readonly Band[]): string[][] {
  const [first] = bands;
  if (!first) return [];
  return readingsOf(first).map(({ name, text }) => [name, ...bands.map(text)]);
}

/** How the Gaussian below relates to the run. */
export const gaussianWords = ({ misfit, resolution }: GaussianBelow): string =>
  `Wherever both error rates are at least ${showGiven(resolution)}, the Gaussian trade-off lies below the run’s, by at most about ${showSafe(misfit, 'up')}.`;
