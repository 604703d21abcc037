import fc from 'fast-check';
import { expect, test } from 'vitest';
import { linear, logarithmic, roundEnd, roundNumbers } from '../../web/src/charts/mapping.js';

const positive = fc.double({ min: 1e-9, max: 1e9, noNaN: true });

test('a mapping goes from ends to ends, and back', () => {
  fc.assert(
    fc.property(positive, positive, fc.double({ min: 0, max: 1, noNaN: true }), (a, b, share) => {
      fc.pre(Math.abs(a / b - 1) > 1e-6);
      const value = a + (b - a) * share;
      for (const scale of [linear([a, b], [400, 40]), logarithmic([a, b], [400, 40])]) {
        expect(scale.at(a)).toBeCloseTo(400, 6);
        expect(scale.at(b)).toBeCloseTo(40, 6);
        expect(Math.abs(scale.invert(scale.at(value)) - value)).toBeLessThan(1e-9 * Math.max(a, b));
      }
    }),
  );
  expect(linear([2, 2], [0, 10]).at(2)).toBe(5);
});

test('round numbers are few, even, and written without round-off', () => {
  expect(roundNumbers([0, 1], 5)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
  expect(roundNumbers([0, 0.0003], 3)).toEqual([0, 0.0001, 0.0002, 0.0003]);
  expect(roundNumbers([-1, 1], 4)).toEqual([-1, -0.5, 0, 0.5, 1]);
  expect(roundNumbers([1, 1], 4)).toEqual([1]);
  fc.assert(
    fc.property(positive, fc.integer({ min: 2, max: 12 }), (most, count) => {
      const end = roundEnd(most, count);
      const numbers = roundNumbers([0, end], count);
      expect(end).toBeGreaterThanOrEqual(most * (1 - 1e-9));
      expect(end).toBeLessThan(3 * most);
      const [last = NaN, before = NaN] = numbers.toReversed();
      expect(last).toBeLessThanOrEqual(end);
      expect(end - last).toBeLessThan(last - before);
      expect(numbers.length).toBeLessThanOrEqual(2 * count + 2);
      expect(numbers.length).toBeGreaterThan(count / 3);
    }),
  );
});
