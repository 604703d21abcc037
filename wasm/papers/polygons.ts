/** Trade-off functions as lines of a plot. */

import type { Band, ErrorRates } from '../generated/schema.js';
import type { SeriesPoint } from './shape.js';

/** A polygon's height, between its vertices. */
function heightAt(polygon: readonly ErrorRates[], x: number): number {
  const after = polygon.findIndex(({ falsePositiveRate }) => falsePositiveRate >= x);
  const right = polygon[after];
  if (!right) return 0;
  const left = polygon[after - 1];
  const width = left ? right.falsePositiveRate - left.falsePositiveRate : 0;
  if (!left || width === 0) return right.falseNegativeRate;
  const share = (x - left.falsePositiveRate) / width;
  return left.falseNegativeRate + share * (right.falseNegativeRate - left.falseNegativeRate);
}

/** At most so many vertices are drawn, evenly chosen: more than a plot has pixels is of no use. */
const mostVertices = 400;

/** A band's two polygons as one line; one polygon is proved from below alone. */
export function lineOf({ lower, upper }: Pick<Band, 'lower' | 'upper'>): SeriesPoint[] {
  const all = [...lower, ...upper].map(({ falsePositiveRate }) => falsePositiveRate);
  const places = [...new Set(all)].sort((a, b) => a - b);
  const step = Math.max(1, Math.ceil(places.length / mostVertices));
  const kept = places.filter((_, index) => index % step === 0 || index === places.length - 1);
  return kept.map((x) => ({
    x,
    y: {
      lower: heightAt(lower, x),
      upper: upper.length > 0 ? heightAt(upper, x) : null,
      kind: upper.length > 0 ? 'certified' : 'bound',
    },
  }));
}
