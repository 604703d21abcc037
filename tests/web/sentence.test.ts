import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Answer, Interval } from '../../wasm/generated/schema.js';
import {
  foundSentence,
  foundText,
  nothingFound,
  otherDrawSentence,
  reportedSentence,
  setting,
  sizesSentence,
  targetPhrase,
  thereSentence,
  verdict,
} from '../../web/src/words/sentence.js';
import type { Doing, Piece } from '../../web/src/words/sentence.js';
import { runs } from '../fuzz/runs.js';
import { readEnds, readPrinted } from '../printed.js';
import { makeAnswer } from './fake-engine.js';

const certified = (lower: number, upper: number): Interval => ({ lower, upper, kind: 'certified' });
const answer = (sampler: Answer['sampler'], epsilon: Interval): Answer =>
  makeAnswer(sampler, epsilon, 1e-5);
const text = (pieces: readonly Piece[]) =>
  pieces.map(({ lead, text }) => `${lead ?? ''}${text}`).join('');

const once: Doing = {
  sampler: 'shuffle',
  epochs: 1,
  redrawn: true,
  participations: 1,
  phases: 1,
  releases: 0,
};
const shuffle = answer('shuffle', certified(6.528, 6.652));
const poisson = answer('poisson', certified(0.6072, 0.6074));

test('sentence: says what was done, what Poisson would say, and the truth', () => {
  expect(text(verdict(once, shuffle, poisson, shuffle, 1e-5))).toBe(
    'You shuffle once per epoch. Poisson accounting would say ε = 0.607; the truth lies in [6.52, 6.66] at δ = 10⁻⁵.',
  );
});

test('sentence: a Poisson run is told what shuffling would have cost', () => {
  const own: Doing = { ...once, sampler: 'poisson' };
  expect(text(verdict(own, poisson, poisson, shuffle, 1e-5))).toBe(
    'You draw Poisson batches. The true ε is 0.607 at δ = 10⁻⁵. Had you shuffled instead, it would lie in [6.52, 6.66].',
  );
});

test('sentence: says so when Poisson accounting would be right', () => {
  const own = answer('balls-and-bins', certified(0.6071, 0.6074));
  const doing: Doing = { ...once, sampler: 'balls-and-bins' };
  expect(text(verdict(doing, own, poisson, shuffle, 1e-5))).toContain(
    'Poisson accounting says the same: ε = 0.607 at',
  );
});

test('sentence: a one-sided bound is not told as the truth', () => {
  const own = answer('shuffle', { lower: 0, upper: 6.652, kind: 'bound' });
  expect(text(verdict(once, own, poisson, own, 1e-5))).toContain('the truth is at most 6.66');
  const open = answer('shuffle', { lower: 3, upper: null, kind: 'bound' });
  expect(text(verdict(once, open, poisson, open, 1e-5))).toContain('the truth is at least 3.00');
});

test('sentence: each number knows whose it is', () => {
  const numbers = verdict(once, shuffle, poisson, shuffle, 1e-5).filter(({ number }) => number);
  expect(numbers.map(({ number }) => number?.sampler)).toEqual(['poisson', 'shuffle']);
});

test('sentence: a reported epsilon is refuted, proved, or neither', () => {
  expect(reportedSentence(1, shuffle)).toContain('too small');
  expect(reportedSentence(7, shuffle)).toContain('holds');
  expect(reportedSentence(6.6, shuffle)).toContain('neither proved nor refuted');
});

test('sentence: several phases and other releases are told as what they are', () => {
  const mixed = answer('composition', certified(3.21, 3.32));
  const two: Doing = { ...once, sampler: 'composition', phases: 2, releases: 0 };
  expect(text(verdict(two, mixed, poisson, shuffle, 1e-5))).toBe(
    'You train in 2 phases. Poisson accounting would say ε = 0.607; the truth lies in [3.21, 3.32] at δ = 10⁻⁵.',
  );
  const thrice: Doing = { ...once, sampler: 'balls-and-bins', participations: 3 };
  expect(text(verdict(thrice, mixed, undefined, undefined, 1e-5))).toContain(
    'You put each record into 3 random batches of every epoch. The truth',
  );
  const beside = (releases: number) =>
    text(verdict({ ...once, releases }, shuffle, poisson, shuffle, 1e-5));
  expect(beside(1)).toContain('You shuffle once per epoch, beside another release. ');
  expect(beside(3)).toContain('You shuffle once per epoch, beside 3 other releases. ');
});

test('sentence: an estimate is told as one, and no bound as none', () => {
  const estimate = answer('shuffle', { lower: 2, upper: 2, kind: 'estimate' });
  expect(text(verdict(once, estimate, undefined, estimate, 1e-5))).toContain(
    'The truth is estimated at 2.00',
  );
  const none = answer('shuffle', { lower: null, upper: null, kind: 'bound' });
  expect(text(verdict(once, none, none, none, 1e-5))).toBe(
    'You shuffle once per epoch. Nothing is known about the truth at δ = 10⁻⁵.',
  );
  const bound = answer('shuffle', { lower: null, upper: 3, kind: 'bound' });
  expect(text(verdict(once, bound, none, bound, 1e-5))).toContain('The truth is at most 3.00');
});

const asked = { phases: [], epsilon: 2, delta: 1e-5 };

test.each([
  [
    { field: 'noiseMultiplier', value: 1.26831 },
    asked,
    undefined,
    'Noise multiplier 1.269 meets ε = 2 at δ = 10⁻⁵ for Poisson batches.',
    '1.269',
  ],
  [
    { field: 'epochs', value: 12 },
    asked,
    3,
    '12 epochs in phase 3 meet ε = 2 at δ = 10⁻⁵ for Poisson batches.',
    '12',
  ],
  [
    { field: 'samplingProbability', value: 0.0123459 },
    asked,
    undefined,
    'Sampling probability 0.01234 meets ε = 2 at δ = 10⁻⁵ for Poisson batches.',
    '0.01234',
  ],
  [
    { field: 'delta', value: 2.34561e-7 },
    { phases: [], epsilon: 2 },
    undefined,
    'δ = 2.346×10⁻⁷ is met at ε = 2 for Poisson batches.',
    '2.346e-7',
  ],
  [
    { field: 'maxBatchSize', value: 97 },
    { phases: [], epsilon: 2, capDelta: 1e-9 },
    undefined,
    'Maximum batch size 97 adds at most δ = 10⁻⁹ at ε = 2 for Poisson batches.',
    '97',
  ],
] as const)(
  'sentence: what was found, %o, is cut to the safe side',
  (solution, query, phase, said, typed) => {
    expect(text(foundSentence(solution, { ...query, phases: [] }, 'poisson', phase))).toBe(said);
    expect(foundText(solution)).toBe(typed);
  },
);

test('sentence: the target of a search, and why nothing meets it', () => {
  const query = { phases: [], epsilon: 2, delta: 1e-5 };
  expect(targetPhrase({ ...query, solveFor: 'noise' })).toBe('To meet ε = 2 at δ = 10⁻⁵');
  expect(targetPhrase({ ...query, solveFor: 'delta' })).toBe('At ε = 2');
  expect(targetPhrase({ ...query, solveFor: 'cap', capDelta: 1e-8 })).toBe(
    'To add at most δ = 10⁻⁸ at ε = 2',
  );
  const unreachable = 'solveFor "epochs" must have a solution; got none: even with batchSize 1 so';
  expect(nothingFound(unreachable)).toBe('None: even with batch size 1 so.');
  expect(nothingFound('The engine was closed.')).toBe('The engine was closed.');
});

test('sentence: what the value found comes to', () => {
  expect(thereSentence(answer('poisson', certified(1.9981, 2)))).toBe(
    'There ε lies in [1.998, 2.000].',
  );
  const byDelta = {
    ...answer('poisson', certified(2, 2)),
    delta: certified(2.2e-7, 2.3456e-7),
  };
  expect(thereSentence(byDelta)).toBe('There δ lies in [2.200×10⁻⁷, 2.346×10⁻⁷].');
  expect(thereSentence(answer('poisson', { lower: null, upper: 2, kind: 'bound' }))).toBe(
    'There ε ≤ 2.000.',
  );
});

test('sentence: what the other way to draw would change', () => {
  expect(otherDrawSentence(false, shuffle)).toBe(
    'One draw kept for all epochs: ε would lie in [6.52, 6.66].',
  );
  const bound = answer('shuffle', { lower: null, upper: 30.53, kind: 'bound' });
  expect(otherDrawSentence(false, bound)).toContain('ε would be at most 30.6.');
  expect(otherDrawSentence(true, poisson)).toBe('A fresh draw each epoch: ε would be 0.607.');
});

test('sentence: how large batches get', () => {
  expect(sizesSentence({ mean: 60, p99: 79, largest: 100, capProbability: 0 })).toBe(
    'Batches hold 60 records on average; at most one in a hundred holds more than 79, and in 999 of 1,000 runs none more than 100.',
  );
  expect(sizesSentence({ mean: 60, p99: 79, largest: 100, capProbability: 2.5e-7 })).toContain(
    'with probability at most 2.50×10⁻⁷.',
  );
});

test('sentence: the setting names its numbers', () => {
  const derived = {
    steps: 14062,
    samplingProbability: 256 / 60000,
    stepsPerEpoch: 235,
    epochs: 60,
  };
  expect(setting({ phases: [{ noiseMultiplier: 1.1 }] }, derived)).toBe(
    'σ = 1.1, 14,062 steps, q = 0.004267',
  );
  expect(setting({ phases: [{ noiseMultiplier: 1.1 }, { mu: 1 }] }, { steps: 1 })).toBe(
    '2 phases and releases, 1 step',
  );
});

test('sentence: every end that is told holds the computed one', (context) => {
  const end = fc.oneof(
    fc.double({ min: 1e-12, max: 1e6, noNaN: true }),
    fc.integer({ min: 1, max: 9999 }).map((units) => units / 1000 + 1e-9),
  );
  const check = (words: string, { lower, upper }: Interval) => {
    const [span] = /\[[^\]]*\]/.exec(words) ?? [];
    const ends = span === undefined ? {} : readEnds(span);
    const least = /at least ([^ ]+?)\.?(?: |$)/.exec(words)?.[1];
    const most = /at most ([^ ]+?)\.?(?: |$)/.exec(words)?.[1];
    const said = {
      lower: least === undefined ? ends.lower : readPrinted(least),
      upper: most === undefined ? ends.upper : readPrinted(most),
    };
    if (said.lower !== undefined) expect(said.lower, words).toBeLessThanOrEqual(lower ?? Infinity);
    if (said.upper !== undefined) expect(said.upper, words).toBeGreaterThanOrEqual(upper ?? 0);
    return said.lower !== undefined || said.upper !== undefined;
  };
  let told = 0;
  fc.assert(
    fc.property(end, end, fc.constantFrom('both', 'lower', 'upper'), (a, b, which) => {
      const interval: Interval = {
        lower: which === 'upper' ? 0 : Math.min(a, b),
        upper: which === 'lower' ? null : Math.max(a, b),
        kind: which === 'both' ? 'certified' : 'bound',
      };
      const own = answer('shuffle', interval);
      const sentences = [
        text(verdict(once, own, undefined, own, 1e-5)),
        text(verdict({ ...once, sampler: 'poisson' }, own, own, undefined, 1e-5)),
        otherDrawSentence(false, own),
        reportedSentence(1e-13, own),
        reportedSentence(1e7, own),
        thereSentence({ ...own, delta: { lower: 1e-5, upper: 1e-5, kind: 'certified' } }),
      ];
      for (const words of sentences) if (check(words, interval)) told += 1;
    }),
    runs(3000, context),
  );
  expect(told).toBeGreaterThan(10000);
});
