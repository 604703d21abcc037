import { expect, test } from 'vitest';
import type { Answer, Interval, SamplerName } from '../../wasm/generated/schema.js';
import { reportedSentence, setting, verdict } from '../../web/src/words/sentence.js';
import type { Doing, Piece } from '../../web/src/words/sentence.js';
import { makeAnswer } from './fake-engine.js';

const certified = (lower: number, upper: number): Interval => ({ lower, upper, kind: 'certified' });
const answer = (sampler: SamplerName, epsilon: Interval): Answer =>
  makeAnswer(sampler, epsilon, 1e-5);
const text = (pieces: readonly Piece[]) =>
  pieces.map(({ lead, text }) => `${lead ?? ''}${text}`).join('');

const once: Doing = { sampler: 'shuffle', epochs: 1, redrawn: true };
const shuffle = answer('shuffle', certified(6.528, 6.652));
const poisson = answer('poisson', certified(0.6072, 0.6074));

test('sentence: says what was done, what Poisson would say, and the truth', () => {
  expect(text(verdict(once, shuffle, poisson, shuffle, 1e-5))).toBe(
    'You shuffle once per epoch. Poisson accounting would say ε = 0.607; the truth lies in [6.53, 6.65] at δ = 10⁻⁵.',
  );
});

test('sentence: a Poisson run is told what shuffling would have cost', () => {
  const own: Doing = { sampler: 'poisson', epochs: 1, redrawn: true };
  expect(text(verdict(own, poisson, poisson, shuffle, 1e-5))).toBe(
    'You draw Poisson batches. The true ε is 0.607 at δ = 10⁻⁵. Had you shuffled instead, it would lie in [6.53, 6.65].',
  );
});

test('sentence: says so when Poisson accounting would be right', () => {
  const own = answer('balls-and-bins', certified(0.6071, 0.6074));
  const doing: Doing = { sampler: 'balls-and-bins', epochs: 1, redrawn: true };
  expect(text(verdict(doing, own, poisson, shuffle, 1e-5))).toContain(
    'Poisson accounting says the same: ε = 0.607 at',
  );
});

test('sentence: a one-sided bound is not told as the truth', () => {
  const own = answer('shuffle', { lower: 0, upper: 6.652, kind: 'bound' });
  expect(text(verdict(once, own, poisson, own, 1e-5))).toContain('the truth is at most 6.65');
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

test('sentence: the setting names its numbers', () => {
  expect(setting(1.1, 14062, 256 / 60000)).toBe('σ = 1.1, 14,062 steps, q = 0.004267');
});
