import { describe, expect, test } from 'vitest';
import { linePaths } from '../../web/src/charts/lines.js';
import { plotScale } from '../../web/src/charts/scale.js';
import {
  falseNegatives,
  tradeoffPoints,
  truePositives,
} from '../../web/src/charts/tradeoff-geometry.js';

const rates = (...pairs: [number, number][]) =>
  pairs.map(([falsePositiveRate, falseNegativeRate]) => ({ falsePositiveRate, falseNegativeRate }));

const lower = rates([0, 1], [0, 0.6], [0.2, 0.2], [1, 0]);
const upper = rates([0, 1], [0.25, 0.25], [1, 0]);
const both = { lower, upper };
const scale = (kind: 'linear' | 'log') =>
  plotScale({ label: '', scale: kind, from: kind === 'log' ? 1e-6 : 0, to: 1 }, 0, 400, 'across');

describe('tradeoff-geometry', () => {
  test('at a vertex what is there, and where a polygon falls straight down its foot', () => {
    expect(falseNegatives(both, 0)).toEqual({ lower: 0.6, upper: 1, kind: 'certified' });
    expect(falseNegatives(both, 1)).toEqual({ lower: 0, upper: 0, kind: 'certified' });
    expect(falseNegatives(both, 0.2).lower).toBe(0.2);
    expect(truePositives(both, 1)).toEqual({ lower: 1, upper: 1, kind: 'certified' });
  });

  test('between vertices the chord, each end on its own side of it', () => {
    const tenth = falseNegatives(both, 0.1);
    expect(tenth.lower).toBeCloseTo(0.4, 14);
    expect(tenth.lower).toBeLessThan(0.4);
    expect(tenth.upper).toBeCloseTo(0.7, 14);
    expect(tenth.upper).toBeGreaterThan(0.7);
    const found = truePositives(both, 0.1);
    expect(found.lower).toBeLessThan(0.3);
    expect(found.upper).toBeGreaterThan(0.6);
  });

  test('without an upper polygon one end is open, until everything is called present', () => {
    const bound = { lower, upper: [] };
    expect(falseNegatives(bound, 0.2)).toEqual({ lower: 0.2, upper: null, kind: 'bound' });
    expect(truePositives(bound, 0.2).lower).toBeNull();
    expect(falseNegatives(bound, 1)).toEqual({ lower: 0, upper: 0, kind: 'certified' });
  });

  test.each(['linear', 'log'] as const)('points are in order, %s, and hold the corners', (kind) => {
    const x = scale(kind);
    const points = tradeoffPoints(both, x, 40);
    const places = points.map((point) => point.x);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places).toContain(0.2);
    expect(places).toContain(0.25);
    for (const { y } of points) expect(y.lower).toBeLessThanOrEqual(y.upper ?? 1);
  });

  test('a band where both sides are proved, else one edge', () => {
    const [x, y] = [scale('linear'), scale('linear')];
    const full = linePaths(tradeoffPoints(both, x, 40), x, y, false);
    expect([full.band, full.lower, full.upper].every((path) => path.startsWith('M'))).toBe(true);
    const same = linePaths(tradeoffPoints({ lower: upper, upper }, x, 40), x, y, false);
    expect([same.band, same.lower]).toEqual(['', '']);
  });
});
