import fc from 'fast-check';
import { reportedVerdict } from '../../wasm/words/claims.js';
import { expect, test } from 'vitest';
import type { Answer, Interval } from '../../wasm/generated/schema.js';
import {
  briefly,
  deltaSentence,
  foundSentence,
  foundText,
  headline,
  setting,
  sizesSentence,
  targetPhrase,
  thereSentence,
  unmetReason,
  unmetSentence,
} from '../../web/src/words/sentence.js';
import type { Doing, Piece } from '../../web/src/words/sentence.js';
import { certified } from '../certified.js';
import { runs } from '../fuzz/runs.js';
import { readPrinted } from '../printed.js';
import { makeAnswer } from './fake-engine.js';

const answer = (sampler: Answer['sampler'], epsilon: Interval): Answer =>
  makeAnswer(sampler, epsilon, 1e-5);
const text = (pieces: readonly Piece[]) =>
  pieces.map(({ lead, text }) => `${lead ?? ''}${text}`).join('');

const once: Doing = {
  sampler: 'shuffle',
  epochs: 1,
  redrawn: true,
  participations: 1,
  replacement: false,
  clients: false,
  phases: 1,
  releases: 0,
};
const shuffle = answer('shuffle', certified(6.528, 6.652));
const poisson = answer('poisson', certified(0.6072, 0.6074));

test('sentence: the claim comes first, then what Poisson accounting would give', () => {
  expect(text(headline(once, shuffle, poisson, shuffle, 1e-5))).toBe(
    'ε ≤ 6.652 at δ = 10⁻⁵ is proved for shuffled batches; the true value is at least 6.528. Poisson accounting would give ε ≤ 0.6074, which does not apply to this run.',
  );
  expect(briefly(headline(once, shuffle, poisson, shuffle, 1e-5))).toBe('ε ≤ 6.652 at δ = 10⁻⁵');
});

test('sentence: what is not yet peer-reviewed is marked at its number, and told with what holds without', () => {
  const own: Answer = { ...shuffle, published: certified(6.528, 15.7812) };
  const note =
    '† By a theorem of ours, not yet peer-reviewed; published theorems alone give ε ≤ 15.79.';
  const pieces = headline(once, own, poisson, own, 1e-5);
  expect(briefly(pieces)).toBe(
    briefly(headline(once, shuffle, poisson, shuffle, 1e-5)).replace(' at', '† at'),
  );
  expect(text(pieces)).toMatch(/Poisson accounting would give.* † By/);
  expect(pieces.filter((piece) => piece.note).map(({ text }) => text)).toEqual([` ${note}`]);
  const asPoisson: Doing = { ...once, sampler: 'poisson' };
  expect(text(headline(asPoisson, poisson, poisson, own, 1e-5))).toMatch(
    /Shuffled batches would have ε ≤ 6\.652†.* † By/,
  );
  const solution = { field: 'noiseMultiplier', value: 1.27 };
  const asked = { phases: [], epsilon: 2, delta: 1e-5, solveFor: 'noise' as const };
  const found = foundSentence(solution, asked, 'shuffle', undefined, own);
  expect(briefly(found)).toContain('1.270† meets');
  expect(text(found)).toContain(note);
  expect(thereSentence(own, solution)).toContain('6.652†');
  const delta = { ...own, published: certified(1e-6, 2.0001e-5) };
  expect(text(deltaSentence(delta))).toContain('published theorems alone give δ ≤ 2.001×10⁻⁵.');
  const unmarked = [
    text(headline(once, shuffle, poisson, shuffle, 1e-5)),
    text(foundSentence(solution, asked, 'shuffle', undefined, shuffle)),
    thereSentence(shuffle, solution),
    text(deltaSentence(shuffle)),
  ];
  expect(unmarked.join(' ')).not.toContain('†');
});

test('sentence: a search is told as such, its lower end as the worst score’s, with one run beside', () => {
  const oneRun = certified(1.1, 1.1);
  const own: Answer = {
    ...answer('poisson', certified(1.637, 1.651)),
    methodCode: 'search',
    tuning: { runs: 10.0000000001, gamma: 0.1, eta: 1, oneRun },
  };
  const doing: Doing = { ...once, sampler: 'poisson' };
  expect(text(headline(doing, own, undefined, undefined, 1e-5))).toBe(
    'ε ≤ 1.651 at δ = 10⁻⁵ is proved for publishing the best of several runs (number of runs: geometric, mean 10) with Poisson batches; for the worst selection rule it is at least 1.637. A single run has ε ≤ 1.100, exact to four digits.',
  );
});

test('sentence: a Poisson run is told what shuffling would have cost', () => {
  const own: Doing = { ...once, sampler: 'poisson' };
  expect(text(headline(own, poisson, poisson, shuffle, 1e-5))).toBe(
    'ε ≤ 0.6074 at δ = 10⁻⁵ is proved for Poisson batches; the true value is at least 0.6072. Shuffled batches would have ε ≤ 6.652, at least 6.528.',
  );
  const exact = answer('poisson', certified(0.920169, 0.92017));
  expect(text(headline(own, exact, exact, undefined, 1e-5))).toBe(
    'ε ≤ 0.9202 at δ = 10⁻⁵ is proved for Poisson batches, exact to four digits.',
  );
});

test('sentence: says so when Poisson accounting would be right', () => {
  const own = answer('balls-and-bins', certified(0.6071, 0.6074));
  const doing: Doing = { ...once, sampler: 'balls-and-bins' };
  expect(text(headline(doing, own, poisson, shuffle, 1e-5))).toContain(
    'Poisson accounting gives the same: ε ≤ 0.6074.',
  );
});

test('sentence: a one-sided bound is not told as the truth', () => {
  const own = answer('shuffle', { lower: 0, upper: 6.652, kind: 'bound' });
  expect(text(headline(once, own, poisson, own, 1e-5))).toMatch(
    /^ε ≤ 6\.652 at δ = 10⁻⁵ is proved for shuffled batches\. /,
  );
  const open = answer('shuffle', { lower: 3, upper: null, kind: 'bound' });
  expect(text(headline(once, open, poisson, open, 1e-5))).toMatch(
    /^ε ≥ 3\.000 .*; no upper end is\./,
  );
});

test('sentence: each number knows whose it is', () => {
  const numbers = headline(once, shuffle, poisson, shuffle, 1e-5).filter(({ number }) => number);
  expect(numbers.map(({ number }) => number?.sampler)).toEqual(['shuffle', 'poisson']);
});

test('sentence: the epochs and the draw are in the batches’ name', () => {
  const of = (change: Partial<Doing>) =>
    text(headline({ ...once, ...change }, shuffle, undefined, undefined, 1e-5));
  expect(of({ epochs: 10 })).toContain(' is proved for reshuffled batches;');
  expect(of({ epochs: 10, redrawn: false })).toContain(
    ' for batches shuffled once and reused in every epoch;',
  );
  expect(of({ sampler: 'without-replacement' })).toContain(' for fixed-size batches;');
});

test('sentence: beside other releases the lower end is that of the worst of them', () => {
  expect(text(headline({ ...once, releases: 1 }, shuffle, poisson, shuffle, 1e-5))).toContain(
    'and another release; ε is at least 6.528 if the release leaks as much as stated. Poisson',
  );
  expect(
    text(
      headline(
        { ...once, sampler: 'composition', phases: 0, releases: 1 },
        shuffle,
        undefined,
        undefined,
        1e-5,
      ),
    ),
  ).toBe(
    'ε ≤ 6.652 at δ = 10⁻⁵ is proved for this release; ε is at least 6.528 if the release leaks as much as stated.',
  );
});

test('sentence: several phases and other releases are told as what they are', () => {
  const mixed = answer('composition', certified(3.21, 3.32));
  const two: Doing = { ...once, sampler: 'composition', phases: 2, releases: 0 };
  expect(text(headline(two, mixed, poisson, shuffle, 1e-5))).toBe(
    'ε ≤ 3.320 at δ = 10⁻⁵ is proved for these 2 phases; the true value is at least 3.210. Poisson accounting would give ε ≤ 0.6074, which does not apply to this run.',
  );
  const thrice: Doing = { ...once, sampler: 'balls-and-bins', participations: 3 };
  expect(text(headline(thrice, mixed, undefined, undefined, 1e-5))).toContain(
    'is proved for balls-and-bins batches with 3 participations per epoch; the true value',
  );
  const again: Doing = { ...once, sampler: 'without-replacement', replacement: true };
  expect(text(headline(again, mixed, undefined, undefined, 1e-5))).toContain(
    'is proved for fixed-size batches sampled with replacement; the true value',
  );
  const beside = (releases: number) =>
    text(headline({ ...once, releases }, shuffle, poisson, shuffle, 1e-5));
  expect(beside(1)).toMatch(/^ε ≤ 6\.652 .* for shuffled batches and another release; /);
  expect(beside(3)).toMatch(
    / for shuffled batches and 3 other releases; .* if the releases leak as much as stated\. /,
  );
});

test('sentence: an estimate is told as one, and no bound as none', () => {
  const estimate = answer('shuffle', { lower: 2, upper: 2, kind: 'estimate' });
  expect(text(headline(once, estimate, undefined, estimate, 1e-5))).toContain(
    'ε ≈ 2.000 at δ = 10⁻⁵ is estimated, not proved, for shuffled batches.',
  );
  const none = answer('shuffle', { lower: null, upper: null, kind: 'bound' });
  expect(text(headline(once, none, none, none, 1e-5))).toBe(
    'Nothing is proved about ε for shuffled batches at δ = 10⁻⁵.',
  );
  const bound = answer('shuffle', { lower: null, upper: 3, kind: 'bound' });
  expect(text(headline(once, bound, none, bound, 1e-5))).toMatch(/^ε ≤ 3\.000 at/);
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
    'At ε = 2, δ ≤ 2.346×10⁻⁷ for Poisson batches.',
    '2.346e-7',
  ],
  [
    { field: 'maxBatchSize', value: 97 },
    { phases: [], epsilon: 2, capDelta: 1e-9 },
    undefined,
    'Maximum batch size 97 adds at most δ = 10⁻⁹ at ε = 2 for Poisson batches.',
    '97',
  ],
  [
    { field: 'noiseMultiplier', value: 1.7 },
    { phases: [], target: 'true-positive-rate', targetValue: 0.05, targetAt: 0.01, delta: 1e-5 },
    undefined,
    'Noise multiplier 1.700 meets true positive rate of the best attack ≤ 0.05 at a false positive rate of 0.01 for Poisson batches.',
    '1.7',
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
  const inference = { target: 'inference', targetValue: 0.2, targetAt: 0.1 } as const;
  expect(targetPhrase({ phases: [], solveFor: 'noise', ...inference })).toBe(
    'To meet success of attribute inference or reconstruction ≤ 0.2 from baseline 0.1',
  );
  expect(text(unmetSentence({ phases: [], solveFor: 'epochs', ...inference }, 'poisson'))).toBe(
    'No number of epochs meets success of attribute inference or reconstruction ≤ 0.2 from baseline 0.1 for Poisson batches.',
  );
});

test('sentence: why nothing meets the target is said once, in the page’s signs', () => {
  const text =
    'Nothing meets the target: even with epochs 1, epsilon exceeds 0.01 at delta 1e-5 (raise the target, or change another field)';
  expect(unmetReason(text)).toBe(
    'Even with epochs 1, ε exceeds 0.01 at δ = 10⁻⁵; raise the target, or change another field.',
  );
});

test('sentence: a run of no steps is said to be one', () => {
  const none = answer('shuffle', certified(0, 0));
  const own = { ...none, derived: { ...none.derived, steps: 0, epochs: 0 } };
  expect(text(headline(once, own, undefined, undefined, 1e-5))).toBe(
    'ε = 0 at δ = 10⁻⁵: a run of no steps reveals nothing.',
  );
});

test('sentence: what the value found comes to', () => {
  const noise = { field: 'noiseMultiplier', value: 1.27 } as const;
  expect(thereSentence(answer('poisson', certified(1.9981, 2)), noise)).toBe(
    'At this noise multiplier, ε ≤ 2.000, at least 1.998.',
  );
  const byDelta = {
    ...answer('poisson', certified(2, 2)),
    delta: certified(2.2e-7, 2.3456e-7),
  };
  expect(thereSentence(byDelta, { field: 'epochs', value: 3 })).toBe(
    'At this number of epochs, δ ≤ 2.346×10⁻⁷, at least 2.200×10⁻⁷.',
  );
  const bound = answer('poisson', { lower: null, upper: 2, kind: 'bound' });
  expect(thereSentence(bound, { field: 'delta', value: 1e-5 })).toBe('There, ε ≤ 2.000.');
});

test('sentence: how large batches get', () => {
  expect(sizesSentence({ mean: 60, p99: 79, largest: 100, capProbability: 0 })).toBe(
    'Batches hold 60 records on average; 99 % hold at most 79; in 99.9 % of runs none exceeds 100.',
  );
  expect(sizesSentence({ mean: 60, p99: 79, largest: 100, capProbability: 0 }, 'client')).toContain(
    'hold 60 clients on average',
  );
  expect(sizesSentence({ mean: 60, p99: 79, largest: 100, capProbability: 2.5e-7 })).toContain(
    'with probability at most 2.500×10⁻⁷.',
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
    'σ = 1.1, 14,062 steps, q ≈ 0.004267',
  );
  expect(setting({ phases: [{ noiseMultiplier: 1.6, noiseEnd: 1.1 }] }, derived)).toMatch(
    /^σ = 1\.6 to 1\.1, /,
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
    const least = /(?:at least|ε ≥) ([^ ]+?)[.,]?(?: |$)/.exec(words)?.[1];
    const most = /(?:at most|ε ≤) ([^ ]+?)[.,]?(?: |$)/.exec(words)?.[1];
    const said = {
      lower: least === undefined ? undefined : readPrinted(least),
      upper: most === undefined ? undefined : readPrinted(most),
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
        text(headline(once, own, undefined, own, 1e-5)),
        text(headline({ ...once, sampler: 'poisson' }, own, own, undefined, 1e-5)),
        reportedVerdict({ reported: 1e-13, answer: own, poisson: undefined, releases: 0 }),
        reportedVerdict({ reported: 1e7, answer: own, poisson: undefined, releases: 0 }),
        thereSentence(
          { ...own, delta: { lower: 1e-5, upper: 1e-5, kind: 'certified' } },
          { field: 'steps', value: 3 },
        ),
      ];
      for (const words of sentences) if (check(words, interval)) told += 1;
    }),
    runs(1200, context),
  );
  expect(told).toBeGreaterThan(4000);
});
