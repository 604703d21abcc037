import type { Interval } from '../../../wasm/generated/schema.js';
import { lowerOf, upperOf, type Point } from './point.js';

type Along = (x: number) => number;
const asItIs: Along = (x) => x;

/** A value between computed points, as the plot draws it: for reading, not proved. */
export function interpolate(
  points: readonly Point[],
  at: number,
  place: Along = asItIs,
): Interval | undefined {
  const after = points.findIndex(({ x }) => x >= at);
  const right = points[after];
  if (!right) return undefined;
  const left = points[after - 1];
  if (!left || right.x === at) return right.x === at ? right.y : undefined;
  const share = (place(at) - place(left.x)) / (place(right.x) - place(left.x));
  const between = (a: number, b: number) => (a > 0 && b > 0 ? a ** (1 - share) * b ** share : 0);
  return {
    lower: between(lowerOf(left), lowerOf(right)),
    upper: between(upperOf(left), upperOf(right)),
    kind: 'estimate',
  };
}

/** Where a curve first passes a value, by its upper edge. */
export function crossing(points: readonly Point[], value: number): number | undefined {
  for (let index = 1; index < points.length; ++index) {
    const [left, right] = [points[index - 1], points[index]];
    if (!left || !right) continue;
    const [from, to] = [upperOf(left), upperOf(right)];
    if (Math.min(from, to) <= value && value <= Math.max(from, to)) {
      if (from === to || Math.min(from, to) <= 0 || Math.max(from, to) === Infinity) return right.x;
      const share = Math.log(from / value) / Math.log(from / to);
      return left.x + share * (right.x - left.x);
    }
  }
  return undefined;
}
