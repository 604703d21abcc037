import { expect, test } from 'vitest';
import {
  exact,
  formatGiven,
  formatInterval,
  formatNumber,
  formatSafe,
  formatWidth,
  span,
} from '../../web/src/words/format.js';

test.each([
  [6.5283, '6.53'],
  [0.60973, '0.610'],
  [0, '0'],
  [9.996, '10.0'],
  [1212.06, '1,210'],
  [99999, '1.00×10⁵'],
  [5.998e8, '6.00×10⁸'],
  [0.0123456, '0.0123'],
  [2.54095e-13, '2.54×10⁻¹³'],
  [1e-5, '1.00×10⁻⁵'],
  [1e-300, '1.00×10⁻³⁰⁰'],
  [Infinity, '∞'],
])('words: %s is written %s', (value, text) => {
  expect(formatNumber(value)).toBe(text);
});

test.each([
  [14062, '14,062'],
  [0.7, '0.7'],
  [256 / 60000, '0.004267'],
  [1e-5, '10⁻⁵'],
  [3e-6, '3×10⁻⁶'],
  [1e12, '10¹²'],
])('words: a given %s is written %s', (value, text) => {
  expect(formatGiven(value)).toBe(text);
});

test('words: an interval is one number only when both ends agree to the digits shown', () => {
  const kind = 'certified';
  expect(formatInterval({ lower: 6.528, upper: 6.652, kind })).toBe('[6.53, 6.65]');
  expect(formatInterval({ lower: 6.6521, upper: 6.6524, kind })).toBe('6.65');
  expect(formatInterval({ lower: 0, upper: 0, kind })).toBe('0');
});

test('words: a missing end is said, never filled in', () => {
  expect(formatInterval({ lower: 2, upper: null, kind: 'bound' })).toBe('≥ 2.00');
  expect(formatInterval({ lower: 0, upper: 2, kind: 'bound' })).toBe('≤ 2.00');
  expect(formatInterval({ lower: null, upper: null, kind: 'bound' })).toBe('no bound');
  expect(formatWidth({ lower: 0, upper: 2, kind: 'certified' })).toBe('open');
});

test('words: a width is a share of the upper end', () => {
  expect(formatWidth({ lower: 6, upper: 8, kind: 'certified' })).toBe('25%');
  expect(formatWidth({ lower: 0.9999, upper: 1, kind: 'certified' })).toBe('1.0×10⁻⁴');
  expect(formatWidth({ lower: 1, upper: 1, kind: 'certified' })).toBe('exact');
});

test('words: all digits are given where all are asked for', () => {
  expect(exact(6.652476518233512)).toBe('6.652476518233512');
  expect(exact(1.25e-13)).toBe('1.25×10⁻¹³');
  expect(exact(null)).toBe('no bound');
});

test('words: an estimate is never told as proved', () => {
  const estimate = { lower: 2, upper: 2, kind: 'estimate' } as const;
  expect(formatInterval(estimate)).toBe('≈ 2.00');
  expect(formatWidth(estimate)).toBe('–');
  expect(span(estimate)).toBe('about 2');
});

test('words: a span says which end is proved', () => {
  expect(span({ lower: 1, upper: 2, kind: 'certified' })).toBe('from 1 to 2');
  expect(span({ lower: null, upper: 2, kind: 'bound' })).toBe('at most 2');
  expect(span({ lower: 1, upper: null, kind: 'bound' })).toBe('at least 1');
  expect(span({ lower: null, upper: null, kind: 'bound' })).toBe('no bound');
});

test.each([
  [1.26831, 'up', '1.269'],
  [1.26831, 'down', '1.268'],
  [9.99951, 'up', '10'],
  [0.00012, 'up', '0.00012'],
  [1.00001e-9, 'up', '1.001e-9'],
  [12345.6, 'down', '12340'],
  [60000, 'up', '60000'],
] as const)('words: %d cut %swards is typed %s', (value, side, typed) => {
  const safe = formatSafe(value, side);
  expect(safe.typed).toBe(typed);
  if (side === 'up') expect(Number(typed)).toBeGreaterThanOrEqual(value);
  else expect(Number(typed)).toBeLessThanOrEqual(value);
});
