import { expect, test } from 'vitest';
import {
  batchWords,
  figureOf,
  kindOf,
  markNote,
  markOf,
  markWords,
  nearness,
  provedOf,
  publishedWords,
  reportedVerdict,
  restsOnOwnProofs,
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

test('claims: the mark stands where an upper end rests on a theorem of this project', () => {
  const published = certified(1, 15.788);
  expect(markOf({})).toBe('');
  expect(markOf({ ownProofs: false })).toBe('');
  for (const proved of [{ published }, { ownProofs: true }]) expect(markOf(proved)).toBe('†');
  const target = { name: 'gdp', value: certified(1, 2), limit: 2 };
  const met = (ownProofs: boolean) => restsOnOwnProofs({ target: { ...target, ownProofs } });
  expect([met(true), met(false)]).toEqual([true, false]);
  expect(markNote({ ownProofs: true })).toBe('† By a theorem of ours, not yet peer-reviewed.');
  expect(markWords({ published })).toMatch(/; published theorems alone give ε ≤ 15\.79$/);
  expect(publishedWords(certified(0, 0.5), 'δ')).toMatch(/ δ ≤ 0\.5000$/);
  expect(publishedWords(certified(0, 1), 'δ')).toMatch(/ no δ$/);
  expect(publishedWords(certified(0, 1.5), 'ε')).toMatch(/ ε ≤ 1\.500$/);
  expect(publishedWords({ lower: 1, upper: null, kind: 'bound' }, 'ε')).toMatch(/ no ε$/);
});

test('claims: what another accounting would promise, and with which sign', () => {
  expect(figureOf(undefined)).toBeUndefined();
  expect(figureOf(poisson)).toEqual({ lead: 'ε ≤ ', text: '1.661' });
  const none = { lower: 1, upper: null, kind: 'bound' as const };
  expect(figureOf({ ...poisson, epsilon: none })).toBeUndefined();
  const estimate = { lower: 2, upper: 2, kind: 'estimate' as const };
  expect(figureOf({ ...poisson, epsilon: estimate })?.lead).toBe('ε ≈ ');
});

test('claims: other releases take the lower end, not an estimate', () => {
  expect(provedOf(certified(1, 2), 0).lower).toBe(1);
  expect(provedOf(certified(1, 2), 1)).toEqual({ lower: null, upper: 2, kind: 'certified' });
  expect(provedOf({ lower: 2, upper: 2, kind: 'estimate' }, 1).lower).toBe(2);
});

test('claims: a number stands to the ends as proof allows', () => {
  expect(standingOf(6.5, own.epsilon)).toBe('too-small');
  expect(standingOf(6.6, own.epsilon)).toBe('open');
  expect(standingOf(6.65, own.epsilon)).toBe('holds');
  expect(standingOf(1, { lower: null, upper: 2, kind: 'bound' })).toBe('open');
  expect(standingOf(3, { lower: 2, upper: 2, kind: 'estimate' })).toBe('open');
  expect(standingOf(3, { lower: 2, upper: 2.5, kind: 'confidence' })).toBe('open');
  expect(standingOf(2, certified(2, 3))).toBe('open');
  expect(standingOf(3, certified(2, 3))).toBe('holds');
  expect(standingOf(9, { lower: 2, upper: null, kind: 'bound' })).toBe('open');
  expect(standingOf(2, { lower: null, upper: 2, kind: 'bound' })).toBe('holds');
});

test('claims: a reported epsilon is judged, and held against Poisson accounting', () => {
  expect(verdict(1.2)).toBe(
    'ε = 1.2 was reported. That is too small: ε is proved to be at least 6.530. Poisson accounting of this run gives ε ≤ 1.661.',
  );
  for (const printed of [1.66, 1.7]) {
    expect(verdict(printed)).toContain('Poisson accounting gives this number; it does not apply');
  }
  expect(verdict(1.6)).toContain('gives ε ≤ 1.661.');
  // Another number would read as if it refuted what holds.
  expect(verdict(20)).toBe(
    'ε = 20 was reported. That is a valid but loose bound: ε is proved to be at most 6.650†.',
  );
  const larger = { ...poisson, epsilon: certified(7.0001, 7.0002) };
  expect(verdict(7, { poisson: larger })).toMatch(/ Poisson accounting gives this number\.$/);
  expect(verdict(6.6)).toContain('It may or may not hold: it lies between the proved ends.');
  // Digits are cut to the side on which the claim stays true.
  const between = { ...own, epsilon: certified(6.52888, 6.65112) };
  expect(verdict(1.2, { answer: between })).toContain('at least 6.528.');
  expect(verdict(7, { answer: between })).toContain('at most 6.652†.');
});

test('claims: what Rényi accounting gives is told, too: it is what libraries print', () => {
  const both = { ...poisson, rdp: { lower: null, upper: 2.1042, kind: 'bound' as const } };
  expect(verdict(1.2, { poisson: both })).toContain(
    'Poisson accounting of this run gives ε ≤ 1.661 (2.105 by Rényi accounting).',
  );
  expect(verdict(2.1, { poisson: both })).toContain(
    'Poisson accounting by Rényi divergences gives this number; it does not apply',
  );
});

test('claims: a report without Poisson accounting, or whose is no number, is judged alone', () => {
  const alone = 'ε = 1.2 was reported. That is too small: ε is proved to be at least 6.530.';
  expect(verdict(1.2, { poisson: undefined })).toBe(alone);
  const none = { lower: 1, upper: null, kind: 'bound' as const };
  expect(verdict(1.2, { poisson: { ...poisson, epsilon: none } })).toBe(alone);
  // To the digits that were printed, ends included.
  const at = (lower: number, upper: number) => ({ ...poisson, epsilon: certified(lower, upper) });
  expect(verdict(1.25, { poisson: at(1.255, 1.3) })).toContain(
    'Poisson accounting gives this number',
  );
  expect(verdict(1.25, { poisson: at(1.1, 1.245) })).toContain(
    'Poisson accounting gives this number',
  );
  expect(verdict(1.25, { poisson: at(1.256, 1.3) })).toContain('gives ε ≤ 1.300.');
  // The same number twice is one.
  const same = {
    ...poisson,
    rdp: { lower: null, upper: poisson.epsilon.upper, kind: 'bound' as const },
  };
  expect(verdict(1.2, { poisson: same })).toContain('gives ε ≤ 1.661.');
  const sure = { ...own, epsilon: { lower: 6, upper: 7, kind: 'confidence' as const } };
  expect(verdict(9, { answer: sure })).toContain('An estimate can neither confirm nor refute it.');
});

test('claims: Poisson accounting of other neighbours is said to be so', () => {
  expect(verdict(1.2, { poisson: { ...poisson, adjacency: 'add-remove' } })).toContain(
    'gives ε ≤ 1.661, for add/remove neighbours.',
  );
});

test('claims: other releases may be more private than stated, so that nothing is refuted', () => {
  expect(verdict(1.2, { releases: 1 })).toContain(
    'It may or may not hold: it lies between the proved ends.',
  );
  expect(verdict(7, { releases: 1 })).toContain('That holds');
});

test('claims: an estimate neither proves nor refutes', () => {
  const estimate = { ...own, epsilon: { lower: 6, upper: 6, kind: 'estimate' as const } };
  for (const reported of [1, 9]) {
    expect(verdict(reported, { answer: estimate })).toContain('An estimate can neither');
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
  expect(kindOf({ lower: 1, upper: 2, kind: 'confidence' })).toBe('confidence');
  expect(kindOf(certified(0, 2))).toBe('proved');
  expect(bound(0, 0)).toBe('proved');
  expect(withKind('ε ≤ 2.000', certified(1, 2))).toBe('ε ≤ 2.000 (proved)');
  expect(withKind('no bound on ε', { lower: null, upper: null, kind: 'bound' })).toBe(
    'no bound on ε',
  );
});

test('claims: how near the truth is said from below, or by the digits that agree', () => {
  expect(nearness(certified(5.3134, 7.432))).toBe('at least 5.313');
  expect(nearness(certified(6.6524878, 6.6524879))).toBe('exact to four digits');
  expect(nearness(certified(0, 7))).toBe('');
  expect(nearness(certified(2, 2.00019))).toBe('exact to four digits');
  expect(nearness(certified(2, 2.00021))).toBe('at least 2.000');
});
