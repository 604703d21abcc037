import { describe, expect, test } from 'vitest';
import type { Band } from '../../wasm/generated/schema.js';
import { gaussianWords, readingRows } from '../../wasm/words/readings.js';
import type { Row } from '../../web/src/state/rows.js';
import { attacks, errorWords } from '../../web/src/words/attack.js';
import { certified } from '../certified.js';

/** The band of an attack that gains this much over guessing, read off at one rate and prior. */
const bandOf = (advantage: number): Band => ({
  lower: [
    { falsePositiveRate: 0, falseNegativeRate: 1 - advantage },
    { falsePositiveRate: 1 - advantage, falseNegativeRate: 0 },
  ],
  upper: [],
  advantage: certified(advantage, advantage),
  attackRates: [{ falsePositiveRate: 0.001, truePositiveRate: certified(0.0012341, 0.0014349) }],
  guesses: [{ prior: 0.25, success: certified(0.5, 0.6) }],
  gaussian: { mu: certified(0.2, 0.3), misfit: 0.0123, resolution: 1e-6 },
});

const row = (name: Row['name'], noiseMultiplier = 1): Row => ({
  name,
  query: {
    phases: [
      {
        sampler: name === 'composition' ? 'poisson' : name,
        ...{ noiseMultiplier, steps: 10, samplingProbability: 0.1 },
      },
    ],
  },
});

describe('what is read off', () => {
  test('is one list: a row each, rounded outwards, a column a band', () => {
    const bands = [bandOf(0.125), bandOf(0.25)];
    expect(readingRows(bands)).toEqual([
      ['advantage', '0.1250', '0.2500'],
      [
        'true positive rate at false positive rate 0.001',
        ...Array<string>(2).fill('[0.001234, 0.001435]'),
      ],
      ['accuracy of the best attack, prior 0.25', ...Array<string>(2).fill('[0.5000, 0.6000]')],
      ['tightest μ-GDP guarantee', ...Array<string>(2).fill('[0.2000, 0.3000]')],
      ['largest distance to it', ...Array<string>(2).fill('≈ 0.012')],
    ]);
    expect(readingRows([])).toEqual([]);
  });

  test('the Gaussian’s misfit is rounded up', () => {
    const words = gaussianWords({ mu: certified(1, 1), misfit: 0.012341, resolution: 1e-6 });
    expect(words).toContain(
      'at least as private as this Gaussian; the two curves differ by at most about 0.01235 (the regret).',
    );
  });
});

describe('the two errors', () => {
  test('change places with the direction', () => {
    const query = row('poisson').query;
    const [remove, add] = [errorWords(query, 'remove'), errorWords(query, 'add')];
    expect(remove.falsePositive).toBe(
      'the attack claims that the record was used, but it had its gradients zeroed.',
    );
    expect(add).toEqual({
      falsePositive: remove.falseNegative,
      falseNegative: remove.falsePositive,
    });
    expect(errorWords(query, 'symmetric').falsePositive).toContain('or the reverse');
  });

  test('speak of the run’s neighbours, and of a person who has several records', () => {
    const said = (phase: object) =>
      attacks.map(
        (attack) =>
          errorWords({ phases: [{ ...row('poisson').query.phases[0], ...phase }] }, attack)
            .falsePositive,
      );
    for (const words of said({ adjacency: 'add-remove' })) expect(words).toMatch(/was not used/);
    for (const words of said({ adjacency: 'substitution' })) expect(words).toContain('by another');
    for (const words of said({ recordsPerUser: 3 })) expect(words).toContain('they ');
    for (const words of said({ recordsPerUser: 3, privacyUnit: 'client' }))
      expect(words).toContain('the person’s clients ');
  });
});
