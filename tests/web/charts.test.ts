import { describe, expect, test } from 'vitest';
import { crossing, interpolate } from '../../web/src/charts/curve-geometry.js';
import { linePaths } from '../../web/src/charts/lines.js';
import type { Point } from '../../web/src/charts/point.js';
import { epsilonScale, logScale, roundOut } from '../../web/src/charts/scale.js';
import { placeNames, roomForNames, spread } from '../../web/src/charts/line-names.js';
import { curvesCsv, curvesJson } from '../../web/src/export/curves.js';
import { csv } from '../../wasm/words/csv.js';
import { facesLike, wrapped } from '../../web/src/export/files.js';
import { markPlaces } from '../../web/src/charts/lines.js';

describe.each([0.003, 0.6, 6.65, 12.9, 13.1, 40, 900, 5e5])('scale up to %s', (largest) => {
  const scale = epsilonScale([largest / 8, largest], 10, 610);

  test('charts: rises, holds its largest value, and inverts', () => {
    let before = -1;
    for (const share of [0, 0.01, 0.1, 0.3, 0.7, 0.9, 1]) {
      const x = scale.at(share * largest);
      expect(x).toBeGreaterThan(before);
      expect(scale.invert(x)).toBeCloseTo(share * largest, 6);
      before = x;
    }
    expect(before).toBeLessThanOrEqual(610);
  });

  test('charts: is linear where all values can be seen so, else logarithmic as a whole', () => {
    expect(scale.logarithmic).toBeUndefined();
    const wide = epsilonScale([largest / 1000, 0, largest, Infinity], 10, 610);
    expect(wide.logarithmic).toBe(true);
    expect(wide.at(0)).toBe(10);
    const [low, middle, high] = [largest / 100, largest / 10, largest].map((value) =>
      wide.at(value),
    );
    expect((high ?? 0) - (middle ?? 0)).toBeCloseTo((middle ?? 0) - (low ?? 0), 6);
    expect(wide.ticks.length).toBeGreaterThan(2);
  });

  test('charts: ticks stand inside and their labels apart', () => {
    const { ticks } = scale;
    expect(ticks.length).toBeGreaterThanOrEqual(3);
    ticks.forEach((tick, index) => {
      expect(tick.x).toBeLessThanOrEqual(610.001);
      expect(scale.at(tick.value)).toBeCloseTo(tick.x, 6);
      const next = ticks[index + 1];
      if (next)
        expect(next.x - tick.x).toBeGreaterThan(3.5 * (tick.label.length + next.label.length));
    });
  });
});

test('charts: with nothing to show the axis still stands', () => {
  expect(epsilonScale([0], 0, 100).ticks.length).toBeGreaterThan(1);
  expect(epsilonScale([Infinity], 0, 100).ticks).toEqual(epsilonScale([1], 0, 100).ticks);
});

test('charts: delta’s axis is labelled in powers of ten, at most a label a line', () => {
  const scale = logScale(1e-30, 1, 400, 0);
  expect(scale.ticks.at(-1)?.label).toBe('1');
  expect(scale.ticks.at(-2)?.label).toMatch(/^10⁻/);
  expect(scale.ticks.length).toBeLessThanOrEqual(12);
  expect(scale.at(1e-30)).toBeCloseTo(400);
  expect(scale.invert(scale.at(1e-9))).toBeCloseTo(1e-9);
  // Zero has no place on a logarithmic axis: it lies below the plot, not nowhere.
  expect(scale.at(0)).toBeGreaterThan(400);
});

const falling = (rate: number, spread = 1): Point[] =>
  Array.from({ length: 9 }, (_, index) => {
    const delta = Math.exp(-rate * index);
    return { x: index, y: { lower: delta / spread, upper: delta, kind: 'certified' } };
  });

test('charts: a curve whose ends coincide has one edge, another a band', () => {
  const x = epsilonScale([8], 0, 400);
  const y = logScale(1e-9, 1, 300, 0);
  expect(linePaths(falling(1), x, y, true)).toMatchObject({ band: '', lower: '' });
  const wide = linePaths(falling(1, 10), x, y, true);
  expect(wide.band).toMatch(/^M[\d.]/);
  expect(wide.lower).not.toBe(wide.upper);
  const open = falling(1).map((point) => ({ ...point, y: { ...point.y, lower: 0 } }));
  expect(linePaths(open, x, y, true).band).toBe('');
  for (const path of Object.values(wide)) expect(path).not.toMatch(/NaN|Infinity/);
});

test('charts: a rising curve is crossed, too; where nothing is proved it leaves the plot', () => {
  const rising = falling(1)
    .map(({ x, y }) => ({ x: 8 - x, y }))
    .reverse();
  expect(crossing(rising, Math.exp(-2.5))).toBeCloseTo(5.5);
  const open = rising.map(({ x, y }) => ({ x, y: { ...y, upper: x > 6 ? null : y.upper } }));
  const paths = linePaths(open, logScale(1, 8, 50, 650), logScale(1e-4, 1, 310, 10), true);
  for (const path of Object.values(paths)) expect(path).not.toMatch(/NaN|Infinity/);
  expect(interpolate(rising, -1)).toBeUndefined();
});

test.each([
  [0.175, 2.8],
  [1, 5e6],
  [1e-9, 1e-3],
  [40, 47],
])(
  'charts: a logarithmic axis from %s to %s has ticks inside it, and goes there and back',
  (least, most) => {
    for (const [start, end] of [
      [50, 650],
      [310, 10],
    ] as const) {
      const scale = logScale(least, most, start, end);
      expect(scale.ticks.length).toBeGreaterThanOrEqual(2);
      expect(scale.ticks.length).toBeLessThanOrEqual(11);
      for (const { value, x, label } of scale.ticks) {
        expect(value).toBeGreaterThanOrEqual(least * 0.999);
        expect(value).toBeLessThanOrEqual(most * 1.001);
        expect(scale.invert(x) / value).toBeCloseTo(1, 9);
        expect(label).toMatch(/^[\d.,×⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+$/);
      }
      expect(scale.at(0)).toBeTypeOf('number');
      expect(Number.isFinite(scale.at(Infinity))).toBe(true);
    }
  },
);

test('charts: an axis ends on round numbers', () => {
  expect([roundOut(0.183, 'down'), roundOut(0.183, 'up')]).toEqual([0.1, 0.2]);
  expect([roundOut(5, 'down'), roundOut(5, 'up'), roundOut(51, 'up')]).toEqual([5, 5, 100]);
});

test('charts: what is read between points is an estimate, at a point the point itself', () => {
  const points = falling(1);
  expect(interpolate(points, 3)).toEqual(points[3]?.y);
  const between = interpolate(points, 3.5);
  expect(between?.kind).toBe('estimate');
  expect(between?.upper).toBeCloseTo(Math.exp(-3.5));
  expect(interpolate(points, 9)).toBeUndefined();
  expect(crossing(points, Math.exp(-2.5))).toBeCloseTo(2.5);
  expect(crossing(points, 1e-30)).toBeUndefined();
});

describe('charts: names of curves', () => {
  const frame = { left: 50, right: 650, top: 10, bottom: 310 };
  const ground = { x: epsilonScale([8], 50, 650), y: logScale(1e-9, 1, 310, 10), frame };
  const named = (name: string, points: readonly Point[]) => ({ name, text: name, points });

  test('stand beside falling curves, each in a row of its own, on the side that has room', () => {
    const curves = [2, 2.7, 4, 8].map((rate) => named(`rate ${rate}`, falling(rate)));
    const places = placeNames(curves, ground);
    // The leftmost curve, which falls fastest, has the highest row.
    expect([...places.keys()]).toEqual(['rate 8', 'rate 4', 'rate 2.7', 'rate 2']);
    const rows = [...places.values()];
    rows.slice(1).forEach(({ y }, index) => {
      expect(y - (rows[index]?.y ?? 0)).toBeGreaterThanOrEqual(16);
    });
    const heightAt = (points: readonly Point[], x: number) =>
      ground.y.at(interpolate(points, ground.x.invert(x))?.upper ?? NaN);
    // Half a line's height above the curve where the name begins, the steep ones beside it.
    for (const { name, points } of curves) {
      const { x = NaN, y = NaN } = places.get(name) ?? {};
      const edge = ground.x.at(crossing(points, ground.y.invert(y)) ?? NaN);
      expect(Math.abs(x - edge)).toBeLessThan(20);
      expect(heightAt(points, x) - y).toBeGreaterThan(7.5);
    }
    const long = placeNames([named('a name of many words, so long', falling(1.2))], ground);
    expect(long.get('a name of many words, so long')?.anchor).toBe('end');
    const narrow = { ...ground, frame: { ...frame, right: 350 } };
    expect(placeNames(curves, narrow).size).toBe(0);
  });

  test('stand right of the drawing where the curves get there, in the order of their ends', () => {
    const curves = [0.02, 0.01, 0.3].map((rate) => named(`rate ${rate}`, falling(rate)));
    const right = { ...ground, x: logScale(0.5, 8, 50, 650), y: logScale(0.05, 1, 310, 10) };
    const room = roomForNames(curves, 650);
    const places = placeNames(curves, right, room);
    const byHeight = [...places].sort(([, a], [, b]) => a.y - b.y).map(([name]) => name);
    expect(byHeight).toEqual(['rate 0.01', 'rate 0.02', 'rate 0.3']);
    const heights = [...places.values()].map(({ y }) => y).sort((a, b) => a - b);
    heights.slice(1).forEach((y, index) => {
      expect(y - (heights[index] ?? 0)).toBeGreaterThanOrEqual(16);
    });
    for (const { x, end } of places.values()) {
      expect(x).toBeGreaterThan(650);
      expect(end?.x).toBe(650);
    }
    expect(roomForNames(curves, 300)).toBe(0);
  });

  test('move apart by as little as the order from top to bottom allows', () => {
    const blocks = [0, 5, 95].map((top) => ({ top, height: 10 }));
    expect(spread(blocks, 0, 100)).toEqual([0, 10, 90]);
  });
});

test('charts: an axis of less than a decade has ticks enough to be read', () => {
  for (const [least, most] of [
    [0.33, 1.13],
    [6.4, 6.7],
  ] as const) {
    const { ticks } = logScale(least, most, 310, 10);
    expect(ticks.length).toBeGreaterThan(2);
    for (const { label } of ticks) expect(label.length).toBeLessThan(6);
  }
});

test('export: a figure names faces that other programs have', () => {
  expect(facesLike("ui-serif, 'Source Serif 4 Variable', serif")).toMatch(/^'Times New Roman', /);
  expect(facesLike("-apple-system, 'Source Sans 3 Variable', sans-serif")).toMatch(/^Arial, /);
});

test('export: curves carry their runs, the version and the link', () => {
  const run = { phases: [{ noiseMultiplier: 1 }] };
  const y = { lower: null, upper: 0.5, kind: 'bound' } as const;
  const file = {
    caption: 'ε vs noise',
    version: '1.2.3',
    link: 'https://example.org/#v1',
    kind: 'epsilon-noise',
    x: 'noiseMultiplier',
    y: 'epsilon',
    curves: [{ name: 'poisson', run, points: [{ x: 1, y }] }],
  };
  expect(curvesCsv(file).split('\n')).toEqual([
    '# ε vs noise',
    '# Honest Epsilon 1.2.3; https://example.org/#v1',
    '# poisson: {"phases":[{"noiseMultiplier":1}]}',
    'sampler,noise_multiplier,epsilon_lower,epsilon_upper,kind',
    'poisson,1,,0.5,bound',
    '',
  ]);
  expect(JSON.parse(curvesJson(file))).toEqual(file);
});

test('export: cells that need quotes have them, missing ends stay empty', () => {
  expect(
    csv(
      ['a\nb'],
      ['x', 'y'],
      [
        ['p,q', null],
        ['"', 1e-30],
      ],
    ),
  ).toBe('# a b\nx,y\n"p,q",\n"""",1e-30\n');
});

describe('charts: a printed figure', () => {
  const frame = { left: 40, right: 340, top: 20, bottom: 220 };
  const line = [
    { x: 40, y: 20 },
    { x: 340, y: 220 },
  ];

  test('marks stand on their line, inside the frame, and apart from those of other lines', () => {
    const all = [0, 1, 2].map((index) => markPlaces(line, frame, [index, 3]));
    for (const marks of all) {
      expect(marks.length).toBeGreaterThan(2);
      for (const { x, y } of marks) {
        expect(y).toBeCloseTo(20 + (200 / 300) * (x - 40), 6);
        expect(x).toBeGreaterThan(frame.left);
        expect(y).toBeLessThan(frame.bottom);
      }
    }
    const places = all
      .flat()
      .map(({ x }) => x)
      .sort((a, b) => a - b);
    places.slice(1).forEach((x, index) => {
      expect(x - (places[index] ?? 0)).toBeGreaterThan(8);
    });
  });

  test('a line that leaves the frame has marks only inside', () => {
    const away = markPlaces([...line, { x: 5000, y: 9000 }], frame, [0, 1]);
    expect(away.length).toBeGreaterThan(2);
    for (const { x, y } of away)
      expect([x <= frame.right, y <= frame.bottom]).toEqual([true, true]);
    expect(markPlaces([{ x: 0, y: 0 }], frame, [0, 1])).toEqual([]);
  });

  test('a caption breaks into lines that fit, and loses no word', () => {
    const text = 'epsilon is proved for shuffled batches, and incomprehensibilities stay whole';
    const lines = wrapped(text, 20, ({ length }) => length);
    expect(lines.join(' ')).toBe(text);
    for (const one of lines) expect(one.length <= 20 || !one.includes(' ')).toBe(true);
    expect(lines.length).toBeLessThan(7);
    const broken = wrapped('a run of ten at δ = 10⁻⁵ and ε ≤ 2', 16, ({ length }) => length);
    expect(broken).toEqual(['a run of ten at', 'δ = 10⁻⁵ and', 'ε ≤ 2']);
    expect(wrapped('', 20, ({ length }) => length)).toEqual([]);
  });
});

test('charts: the reader’s kind of axis holds whatever the values are', () => {
  expect(epsilonScale([1, 2], 10, 610, 'log').logarithmic).toBe(true);
  const straight = epsilonScale([0.001, 1000], 10, 610, 'linear');
  expect(straight.logarithmic).toBeUndefined();
  expect(straight.least).toBe(0);
});
