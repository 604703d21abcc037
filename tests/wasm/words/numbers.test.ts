import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  asPower,
  claim,
  exactDigits,
  format,
  formatGap,
  formatInterval,
  formatSafely,
  givenAs,
} from '../../../wasm/words/numbers.js';
import type { Interval, IntervalKind } from '../../../wasm/generated/schema.js';
import { parseNumber } from '../../../wasm/words/number-forms.js';
import { runs } from '../../fuzz/runs.js';
import { readEnds, readPrinted } from '../../printed.js';

const interval = (
  lower: number | null,
  upper: number | null,
  kind: IntervalKind = 'certified',
): Interval => ({ lower, upper, kind });

test.each([
  [7.4316, 'up', '7.432'],
  [7.4316, 'down', '7.431'],
  [7.4316, 'nearest', '7.432'],
  [7.432, 'up', '7.432'],
  [0, 'up', '0'],
  [2, 'up', '2.000'],
  [9.9999, 'up', '10.00'],
  [9.9999, 'down', '9.999'],
  [9.9991, 'up', '10.00'],
  [0.99999, 'up', '1.000'],
  [1251.2, 'up', '1252'],
  [12345, 'up', '1.235×10⁴'],
  [1e6, 'up', '1.000×10⁶'],
  [0.0123451, 'down', '0.01234'],
  [2.00001e-7, 'up', '2.001×10⁻⁷'],
  [1e-300, 'down', '1.000×10⁻³⁰⁰'],
  [1e9, 'down', '1.000×10⁹'],
  [-0.06123, 'up', '−0.06123'],
  [Infinity, 'up', '∞'],
  [-Infinity, 'down', '−∞'],
  [null, 'up', '–'],
] as const)('words: %s, %s, is written %s', (value, side, text) => {
  expect(format(value, { side })).toBe(text);
});

test.each([
  [14062, '14,062'],
  [1281167, '1,281,167'],
  [0.7, '0.7'],
  [0.123456, '0.123456'],
  [1e-5, '10⁻⁵'],
  [3e-6, '3×10⁻⁶'],
  [1e12, '10¹²'],
  [999999999, '999,999,999'],
  [1234567891, '≈ 1.235×10⁹'],
  [1 / 1234567, '1/1,234,567'],
  [1 / 1234567891, '≈ 8.100×10⁻¹⁰'],
  [1 / 60000, '1/60,000'],
  [1 / 3, '1/3'],
  [256 / 60000, '≈ 0.004267'],
  [1.1807618932977067e-5, '≈ 1.181×10⁻⁵'],
  [0, '0'],
  [Infinity, '∞'],
])('words: a given %s is written %s', (value, text) => {
  expect(format(value, { side: 'given' })).toBe(text);
});

test('words: a given number that is cut never stands behind an equals sign', () => {
  expect(givenAs('δ', 1e-5)).toBe('δ = 10⁻⁵');
  expect(givenAs('δ', 1 / 60000)).toBe('δ = 1/60,000');
  expect(givenAs('δ', 1.1807618932977067e-5)).toBe('δ ≈ 1.181×10⁻⁵');
  expect(formatSafely(0.123456, 'up')).toBe('0.123456');
  expect(formatSafely(1.1807618932977067e-5, 'up')).toBe('1.181×10⁻⁵');
  expect(formatSafely(1.1807618932977067e-5, 'down')).toBe('1.180×10⁻⁵');
});

test('words: ends agree to as many digits as their quotient tells, where both are there', () => {
  expect(exactDigits(interval(1, 1.009))).toBe(2);
  expect(exactDigits(interval(1, 1.011))).toBeUndefined();
  expect(exactDigits(interval(1, 1))).toBe(15);
  expect(exactDigits(interval(1, 1, 'estimate'))).toBeUndefined();
  for (const [lower, upper] of [
    [null, 1],
    [1, null],
    [null, null],
    [0, 0],
  ] as const)
    expect(exactDigits(interval(lower, upper))).toBeUndefined();
});

test('words: text has no thousands set apart', () => {
  expect(format(60000, { side: 'given', medium: 'text' })).toBe('60000');
});

test('words: a power of ten alone', () => {
  expect(asPower('1e-5')).toBe('10⁻⁵');
  expect(asPower('2.5e-7')).toBe('2.5×10⁻⁷');
});

test('words: an interval is rounded outwards, and a missing end is never filled in', () => {
  expect(formatInterval(interval(5.3134, 7.4316))).toBe('[5.313, 7.432]');
  expect(formatInterval(interval(6.65248, 6.65249))).toBe('[6.652, 6.653]');
  expect(formatInterval(interval(2, 2))).toBe('2.000');
  expect(formatInterval(interval(0, 0))).toBe('0');
  expect(formatInterval(interval(2, null, 'bound'))).toBe('≥ 2.000');
  expect(formatInterval(interval(0, 2, 'bound'))).toBe('≤ 2.000');
  expect(formatInterval(interval(null, 3.00001))).toBe('≤ 3.001');
  expect(formatInterval(interval(0, null))).toBe('no bound');
  expect(formatInterval(interval(null, null, 'bound'))).toBe('no bound');
  expect(formatInterval(interval(0, Infinity))).toBe('no bound');
});

test('words: an estimate is never told as proved', () => {
  const estimate = interval(15.7827, 15.7827, 'estimate');
  expect(formatInterval(estimate)).toBe('≈ 15.78');
  expect(claim('ε', estimate)).toBe('ε ≈ 15.78');
  expect(formatGap(estimate)).toBe('–');
  expect(formatInterval(interval(null, null, 'estimate'))).toBe('no bound');
});

test('words: a claim is a bound, even where both ends are the same number', () => {
  expect(claim('ε', interval(5.3134, 7.4316))).toBe('ε ≤ 7.432');
  expect(claim('ε', interval(2, 2))).toBe('ε ≤ 2.000');
  expect(claim('ε', interval(0, 0))).toBe('ε = 0');
  expect(claim('ε', interval(3, null))).toBe('ε ≥ 3.000');
  expect(claim('ε', interval(null, null))).toBe('no bound on ε');
});

test('words: one ratio says how far the ends are apart', () => {
  expect(formatGap(interval(2, 4))).toBe('2.000 times');
  expect(formatGap(interval(2, 3.99))).toBe('100 %');
  for (const [lower, upper] of [
    [null, 2],
    [1, null],
    [null, null],
    [1, Infinity],
    [0, 2],
  ] as const)
    expect(formatGap(interval(lower, upper))).toBe('open');
  expect(formatGap(interval(0, 0))).toBe('exact');
  expect(formatGap(interval(5.313, 7.432))).toBe('40 %');
  expect(formatGap(interval(2, 6.84))).toBe('3.420 times');
  expect(formatGap(interval(0.99, 1))).toBe('2 %');
  expect(formatGap(interval(0.9999, 1))).toBe('3 digits');
  expect(formatGap(interval(6.652487890329, 6.652487890328 + 1e-9))).toBe('9 digits');
  expect(formatGap(interval(0, 2))).toBe('open');
  expect(formatGap(interval(0, 0))).toBe('exact');
  expect(exactDigits(interval(1, 1))).toBe(15);
});

// Every magnitude, and the numbers next to powers of ten and to few digits, where rounding carries.
const digitsOf = fc.integer({ min: 1, max: 8 });
const near = fc
  .tuple(fc.integer({ min: 1, max: 99999 }), fc.integer({ min: -323, max: 303 }))
  .chain(([units, power]) => {
    const value = Number(`${units}e${power}`);
    const step = Math.max(5e-324, value * 2 ** -52);
    return fc.constantFrom(value, value - step, value + step, value * (1 - 1e-7));
  });
const anyEnd = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.double({ min: -100, max: 100, noNaN: true }),
  near,
);
const positive = anyEnd.map(Math.abs);
const medium = fc.constantFrom('page', 'text');

test('words: a printed lower end is not above the number, a printed upper end not below', (context) => {
  fc.assert(
    fc.property(anyEnd, digitsOf, medium, (value, digits, medium) => {
      const on = (side: 'down' | 'up') => readPrinted(format(value, { side, digits, medium }));
      expect(on('down')).toBeLessThanOrEqual(value);
      expect(on('up')).toBeGreaterThanOrEqual(value);
      // The two are neighbours: nothing lies between them that has as few digits.
      if (Math.abs(value) > 1e-300 && Math.abs(value) < 1e300)
        expect(on('up') - on('down')).toBeLessThanOrEqual(
          Math.abs(value) * 10 ** (1 - digits) * (1 + 1e-9),
        );
    }),
    runs(8000, context),
  );
});

test('words: what is printed reads back as typed, on its side', (context) => {
  fc.assert(
    fc.property(positive, (value) => {
      expect(parseNumber(format(value, { side: 'up' }))).toBeGreaterThanOrEqual(value);
      expect(parseNumber(format(value, { side: 'down' }))).toBeLessThanOrEqual(value);
    }),
    runs(4000, context),
  );
});

test('words: a given number is shown in full, or marked', (context) => {
  fc.assert(
    fc.property(
      fc.oneof(positive, fc.integer({ min: 1, max: 1e9 - 1 })),
      medium,
      (value, medium) => {
        const text = format(value, { side: 'given', medium });
        if (text.startsWith('≈ ')) expect(Number.isInteger(value) && value < 1e9).toBe(false);
        else expect(parseNumber(text)).toBe(value);
      },
    ),
    runs(4000, context),
  );
});

const end = fc.option(positive, { nil: null });
const anyInterval = fc
  .tuple(end, end, fc.double({ min: 0, max: 1, noNaN: true }), fc.boolean())
  .map(([a, b, share, close]): Interval => {
    if (a === null || b === null) return { lower: a, upper: b, kind: 'bound' };
    const other = close ? a * (1 + share ** 8) : b;
    return { lower: Math.min(a, other), upper: Math.max(a, other), kind: 'certified' };
  });

describe('words: every printed interval', () => {
  test('holds the computed one', (context) => {
    fc.assert(
      fc.property(anyInterval, digitsOf, (interval, digits) => {
        const { lower, upper } = interval;
        const ends = readEnds(formatInterval(interval, { digits }));
        if (ends.lower !== undefined) expect(ends.lower).toBeLessThanOrEqual(lower ?? Infinity);
        if (ends.upper !== undefined) expect(ends.upper).toBeGreaterThanOrEqual(upper ?? -Infinity);
        // The claim's number is the interval's upper end.
        if (ends.upper !== undefined && upper !== 0)
          expect(readPrinted(claim('ε', interval, { digits }).slice(4))).toBe(ends.upper);
      }),
      runs(8000, context),
    );
  });
});
