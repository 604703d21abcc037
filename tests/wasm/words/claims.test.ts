import { expect, test } from 'vitest';
import {
  batchWords,
  kindOf,
  nearness,
  reportedVerdict,
  standingOf,
  withKind,
} from '../../../wasm/words/claims.js';
import type { Answer } from '../../../wasm/generated/schema.js';
import { samplers } from '../../../wasm/generated/schema.js';
import { certified } from '../../certified.js';
import { facts } from '../report-facts.js';

const own: Answer = facts.answer;
const poisson: Answer = {
  ...own,
  sampler: 'poisson',
  epsilon: certified(1.6601, 1.6602),
  rdp: { lower: null, upper: null, kind: 'bound' },
};
const verdict = (reported: number, change: Partial<Parameters<typeof reportedVerdict>[0]> = {}) =>
  reportedVerdict({ reported, answer: own, poisson, releases: 0, ...change });

test('claims: every sampler’s batches have a name', () => {
  expect(Object.keys(batchWords).sort()).toEqual(samplers.map(({ name }) => name).sort());
});

test('claims: a number stands to the ends as proof allows', () => {
  expect(standingOf(6.5, own.epsilon)).toBe('too-small');
  expect(standingOf(6.6, own.epsilon)).toBe('open');
  expect(standingOf(6.65, own.epsilon)).toBe('holds');
  expect(standingOf(1, { lower: null, upper: 2, kind: 'bound' })).toBe('open');
  expect(standingOf(3, { lower: 2, upper: 2, kind: 'estimate' })).toBe('open');
  expect(standingOf(3, { lower: 2, upper: 2.5, kind: 'confidence' })).toBe('open');
});

test('claims: a reported epsilon is judged, and held against Poisson accounting', () => {
  expect(verdict(1.2)).toBe(
    'ε = 1.2 was reported for this run. That is too small: ε is proved to be at least 6.530. Poisson accounting of this run gives ε ≤ 1.661, not 1.2.',
  );
  for (const printed of [1.66, 1.7]) {
    expect(verdict(printed)).toContain('It is what Poisson accounting gives, which does not apply');
  }
  expect(verdict(1.6)).toContain('gives ε ≤ 1.661, not 1.6.');
  // Another number would read as if it refuted what holds.
  expect(verdict(20)).toBe(
    'ε = 20 was reported for this run. That holds: ε is proved to be at most 6.650†.',
  );
  const larger = { ...poisson, epsilon: certified(7.0001, 7.0002) };
  expect(verdict(7, { poisson: larger })).toMatch(/ It is what Poisson accounting gives\.$/);
  expect(verdict(6.6)).toContain('It is neither proved nor refuted.');
  // Digits are cut to the side on which the claim stays true.
  const between = { ...own, epsilon: certified(6.52888, 6.65112) };
  expect(verdict(1.2, { answer: between })).toContain('at least 6.528.');
  expect(verdict(7, { answer: between })).toContain('at most 6.652†.');
});

test('claims: what Rényi accounting gives is told, too: it is what libraries print', () => {
  const both = { ...poisson, rdp: { lower: null, upper: 2.1042, kind: 'bound' as const } };
  expect(verdict(1.2, { poisson: both })).toContain(
    'Poisson accounting of this run gives ε ≤ 1.661 (2.105 by Rényi divergences), not 1.2.',
  );
  expect(verdict(2.1, { poisson: both })).toContain(
    'It is what Poisson accounting by Rényi divergences gives, which does not apply',
  );
});

test('claims: Poisson accounting of other neighbours is said to be so', () => {
  expect(verdict(1.2, { poisson: { ...poisson, adjacency: 'add-remove' } })).toContain(
    'gives ε ≤ 1.661, for add/remove neighbours, not 1.2.',
  );
});

test('claims: other releases may be more private than stated, so that nothing is refuted', () => {
  expect(verdict(1.2, { releases: 1 })).toContain('It is neither proved nor refuted.');
  expect(verdict(7, { releases: 1 })).toContain('That holds');
});

test('claims: an estimate neither proves nor refutes', () => {
  const estimate = { ...own, epsilon: { lower: 6, upper: 6, kind: 'estimate' as const } };
  for (const reported of [1, 9]) {
    expect(verdict(reported, { answer: estimate })).toContain('An estimate neither');
  }
});

test('claims: the kind is that of the ends that are proved', () => {
  const bound = (lower: number | null, upper: number | null) =>
    kindOf({ lower, upper, kind: 'bound' });
  expect(bound(null, 2)).toBe('upper bound');
  expect(bound(0, 2)).toBe('upper bound');
  expect(bound(1, null)).toBe('lower bound');
  expect(bound(1, 2)).toBe('proved');
  expect(bound(null, null)).toBeUndefined();
  expect(kindOf(certified(1, 2))).toBe('proved');
  expect(kindOf({ lower: 2, upper: 2, kind: 'estimate' })).toBe('estimate');
  expect(withKind('ε ≤ 2.000', certified(1, 2))).toBe('ε ≤ 2.000 (proved)');
  expect(withKind('no bound on ε', { lower: null, upper: null, kind: 'bound' })).toBe(
    'no bound on ε',
  );
});

test('claims: how near the truth is said from below, or by the digits that agree', () => {
  expect(nearness(certified(5.3134, 7.432))).toBe('at least 5.313');
  expect(nearness(certified(6.6524878, 6.6524879))).toBe('exact to four digits');
  expect(nearness(certified(0, 7))).toBe('');
});
