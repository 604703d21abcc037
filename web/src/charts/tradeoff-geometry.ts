import type { Band, ErrorRates, Interval } from '../../../wasm/generated/schema.js';
import type { Point } from './point.js';
import type { Scale } from './scale.js';

/** What is proved of a trade-off function: a polygon below, and one above where there is one. */
export type Polygons = Pick<Band, 'lower' | 'upper'>;

/** More than the round-off of a chord, or of a difference from 1. */
const roundOff = 2 ** -50;

/**
 * A polygon's false negative rate. Its function is convex, so between two vertices the chord is as
 * good a bound as they are, but for its round-off; where it falls straight down, the foot counts.
 */
function rateAt(polygon: readonly ErrorRates[], at: number, slack: number): number | null {
  const before = polygon.findLast(({ falsePositiveRate }) => falsePositiveRate <= at);
  const after = polygon.find(({ falsePositiveRate }) => falsePositiveRate > at);
  if (!before) return null;
  if (!after || before.falsePositiveRate === at) return before.falseNegativeRate;
  const gap = after.falsePositiveRate - before.falsePositiveRate;
  const share = (at - before.falsePositiveRate) / gap;
  const fall = after.falseNegativeRate - before.falseNegativeRate;
  return Math.min(1, Math.max(0, before.falseNegativeRate + share * fall + slack));
}

const interval = (lower: number | null, upper: number | null): Interval => ({
  lower,
  upper,
  kind: lower === null || upper === null ? 'bound' : 'certified',
});

export function falseNegatives({ lower, upper }: Polygons, at: number): Interval {
  // An attack that always says yes has no false negatives.
  const most = at >= 1 ? 0 : rateAt(upper, at, roundOff);
  return interval(rateAt(lower, at, -roundOff), most);
}

/** 1 - rate; exact from a half on. */
function rest(rate: number | null, slack: number): number | null {
  if (rate === null) return null;
  return rate === 0 || rate >= 0.5 ? 1 - rate : Math.min(1, Math.max(0, 1 - rate + slack));
}

export function truePositives(polygons: Polygons, at: number): Interval {
  const { lower, upper } = falseNegatives(polygons, at);
  return interval(rest(upper, -roundOff), rest(lower, roundOff));
}

/** Vertices, and what a bent axis needs between them. */
export function tradeoffPoints(polygons: Polygons, x: Scale, pixels: number): Point[] {
  const [from, to] = [x.at(x.least), x.at(x.most)];
  const between = Array.from({ length: pixels + 1 }, (_, i) =>
    x.invert(from + ((to - from) * i) / pixels),
  );
  const vertices = [...polygons.lower, ...polygons.upper]
    .map(({ falsePositiveRate }) => falsePositiveRate)
    .filter((rate) => rate >= x.least && rate <= x.most);
  const places = [...new Set([...between, ...vertices])].sort((a, b) => a - b);
  return places.map((place) => ({ x: place, y: falseNegatives(polygons, place) }));
}
