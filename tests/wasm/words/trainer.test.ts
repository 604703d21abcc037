import { expect, test } from 'vitest';
import { isPlain, trainerWords } from '../../../wasm/words/trainer.js';

test('trainer: what a phase says of its trainer is in the quotation, and short programs leave it to us', () => {
  const said = [
    [{}, []],
    [
      { noiseMultiplier: 1.6, noiseEnd: 1.1 },
      ['changed by the same factor from epoch to epoch, to σ = 1.1 in the last'],
    ],
    [
      { noiseMultiplier: 1.6, noiseEnd: 1.1, noiseSchedule: 'linear' },
      ['changed by the same amount from epoch to epoch, to σ = 1.1 in the last'],
    ],
    [{ countNoise: 10 }, ['an adaptive clipping norm with count noise 10']],
    [{ samplingWorkers: 4 }, ['4 workers that each draw from the whole dataset']],
    [{ bands: 8 }, ['8 groups of records in turn, noise of as many bands']],
    [{ bands: 8, privacyUnit: 'client' }, ['8 groups of clients in turn, noise of as many bands']],
    [
      { matrix: 'square-root', bands: 16 },
      ['noise correlated by the square root matrix, 16 bands'],
    ],
    [
      { bufferWeights: [0.4, 0.1], bufferDecays: [0.5, 0.9] },
      ['noise correlated by a BLT matrix of weights 0.4, 0.1 and decays 0.5, 0.9'],
    ],
    [{ matrixColumn: [1, 0.5] }, ['noise correlated by a matrix of first column 1, 0.5']],
  ] as const;
  for (const [phase, words] of said) {
    expect(trainerWords(phase)).toEqual(words);
    expect(isPlain(phase)).toBe(words.length === 0);
  }
});
