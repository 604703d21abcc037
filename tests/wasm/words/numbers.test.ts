import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  exact,
  formatEnd,
  formatGiven,
  formatInterval,
  formatNumber,
  formatSafe,
  formatWidth,
  givenAs,
  shapeOf,
  showGiven,
  showInterval,
  showSafe,
  span,
} from '../../../wasm/words/numbers.js';
import type { Interval } from '../../../wasm/generated/schema.js';
import { runs } from '../../fuzz/runs.js';
import { readEnds, readPrinted } from '../../printed.js';

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
  expect(formatNumber(value, 'nearest')).toBe(text);
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
  expect(formatInterval({ lower: 6.5284, upper: 6.6522, kind })).toBe('[6.52, 6.66]');
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

test('words: what conditions a claim is said to be cut where it is', () => {
  expect(givenAs('δ', 1e-5)).toBe('δ = 10⁻⁵');
  expect(givenAs('ε', 0.123456)).toBe('ε = 0.123456');
  expect(givenAs('δ', 1 / 60000)).toBe('δ ≈ 1.667×10⁻⁵');
});

test('words: an estimate is rounded to nearest, not upwards', () => {
  expect(showInterval({ lower: 15.7827, upper: 15.7827, kind: 'estimate' })).toBe('≈ 15.78');
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

test('words: a printed lower end is not above the number, a printed upper end not below', (context) => {
  fc.assert(
    fc.property(anyEnd, digitsOf, (value, digits) => {
      for (const write of [formatNumber, formatEnd, showSafe]) {
        expect(readPrinted(write(value, 'down', digits))).toBeLessThanOrEqual(value);
        expect(readPrinted(write(value, 'up', digits))).toBeGreaterThanOrEqual(value);
      }
      // The two are neighbours: nothing lies between them that has as few digits.
      const [below, above] = (['down', 'up'] as const).map((side) =>
        readPrinted(formatNumber(value, side, digits)),
      );
      if (Math.abs(value) > 1e-300 && Math.abs(value) < 1e300)
        expect((above ?? 0) - (below ?? 0)).toBeLessThanOrEqual(
          Math.abs(value) * 10 ** (1 - digits) * (1 + 1e-9),
        );
    }),
    runs(20000, context),
  );
});

test('words: a found value, shown or typed, keeps its side', (context) => {
  fc.assert(
    fc.property(positive, (value) => {
      const up = formatSafe(value, 'up');
      const down = formatSafe(value, 'down');
      for (const text of [up.typed, readPrinted(up.shown)])
        expect(Number(text)).toBeGreaterThanOrEqual(value);
      for (const text of [down.typed, readPrinted(down.shown)])
        expect(Number(text)).toBeLessThanOrEqual(value);
    }),
    runs(10000, context),
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

test('words: every printed interval holds the computed one', (context) => {
  fc.assert(
    fc.property(anyInterval, digitsOf, (interval, digits) => {
      const { lower, upper } = interval;
      for (const text of [formatInterval(interval, digits), showInterval(interval)]) {
        const ends = readEnds(text);
        if (ends.lower !== undefined)
          expect(ends.lower, text).toBeLessThanOrEqual(lower ?? Infinity);
        if (ends.upper !== undefined)
          expect(ends.upper, text).toBeGreaterThanOrEqual(upper ?? -Infinity);
      }
      // One number stands for both ends only where both have its digits.
      if (shapeOf(interval, digits) === 'point' && upper !== 0)
        for (const each of [lower, upper])
          expect(formatNumber(each ?? 0, 'nearest', digits)).toBe(formatInterval(interval, digits));
    }),
    runs(20000, context),
  );
});

test('words: all digits are all digits', (context) => {
  fc.assert(
    fc.property(anyEnd, (value) => {
      expect(readPrinted(exact(value))).toBe(value === 0 ? 0 : value);
      expect(readPrinted(showGiven(value))).toBe(value === 0 ? 0 : value);
    }),
    runs(5000, context),
  );
});
