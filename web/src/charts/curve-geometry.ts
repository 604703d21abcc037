import { area, curveMonotoneX, line } from 'd3-shape';
import type { Interval } from '../../../wasm/generated/schema.js';
import { powerOfTen } from '../../../wasm/words/numbers.js';
import type { Scale, Tick } from './epsilon-scale.js';
import { logarithmic } from './mapping.js';
import type { Paths } from './lines.js';

/** A value of a curve, with its two ends. */
export interface Point {
  x: number;
  y: Interval;
}

export interface DeltaScale extends Scale {
  floor: number;
}

/** A logarithmic axis from 1 down to `floor`, labelled in powers of ten. */
export function deltaScale(floor: number, top: number, bottom: number): DeltaScale {
  const scale = logarithmic([1, floor], [top, bottom]);
  const decades = Math.floor(1e-9 - Math.log10(floor));
  const room = Math.max(2, Math.floor((bottom - top) / 34));
  const step = [1, 2, 3, 5, 10].find((size) => decades / size <= room) ?? Math.ceil(decades / room);
  const ticks: Tick[] = [];
  for (let exponent = 0; exponent <= decades; exponent += step) {
    const value = 10 ** -exponent;
    ticks.push({ value, x: scale.at(value), label: exponent === 0 ? '1' : powerOfTen(-exponent) });
  }
  // A little below the floor, so that a curve leaves the plot instead of lying on its axis.
  const least = floor / 10;
  return {
    at: (value) => scale.at(Math.min(1, Math.max(least, value))),
    invert: (y) => Math.min(1, Math.max(floor, scale.invert(y))),
    ticks,
    least: floor,
    most: 1,
    floor,
  };
}

// Where nothing is proved, an edge leaves the plot.
const upperOf = ({ y }: Point) => y.upper ?? Infinity;
const lowerOf = ({ y }: Point) => y.lower ?? 0;

/** Whether both sides are proved, and far enough apart to be seen as a band. */
const isWide = (points: readonly Point[]) =>
  points.some((point) => lowerOf(point) > 0 && upperOf(point) > 1.02 * lowerOf(point));

export function curvePaths(points: readonly Point[], x: Scale, y: Scale): Paths {
  const px = (point: Point) => x.at(point.x);
  const edge = (value: (point: Point) => number) =>
    line<Point>(px, (point) => y.at(value(point))).curve(curveMonotoneX)([...points]) ?? '';
  if (!isWide(points)) return { band: '', upper: edge(upperOf), lower: '' };
  const band = area<Point>(
    px,
    (point) => y.at(lowerOf(point)),
    (point) => y.at(upperOf(point)),
  ).curve(curveMonotoneX)([...points]);
  return { band: band ?? '', upper: edge(upperOf), lower: edge(lowerOf) };
}

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

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Labelled {
  name: string;
  text: string;
  /** What it is called where there is no room for `text`. */
  short?: string;
  points: readonly Point[];
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

const overlap = (a: Box, b: Box) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

export interface Label {
  x: number;
  y: number;
  anchor: 'start' | 'end';
  text: string;
}

/** Curves that the eye cannot tell apart, from `floor` up to where they start. */
function coincide(a: Labelled, b: Labelled, x: Scale, heights: readonly number[]): boolean {
  const gaps = heights.flatMap((height) => {
    const [first, second] = [crossing(a.points, height), crossing(b.points, height)];
    return first === undefined || second === undefined
      ? []
      : [Math.abs(x.at(first) - x.at(second))];
  });
  return gaps.length > 2 && Math.max(...gaps) < 4;
}

interface Pixel {
  x: number;
  y: number;
}

/** What a drawing is laid out by. */
interface Ground {
  x: Scale;
  y: Scale;
  frame: Box;
}

/** Points along a line, by height where it is steep and by width where it is shallow. */
function pixelsAlong(points: readonly Point[], { x, y, frame }: Ground): Pixel[] {
  return shares.flatMap((share) => {
    const found: Pixel[] = [];
    const down = frame.y + frame.height * share;
    const beside = crossing(points, y.invert(down));
    if (beside !== undefined) found.push({ x: x.at(beside), y: down });
    const across = frame.x + frame.width * share;
    const value = interpolate(points, x.invert(across), (value) => x.at(value))?.upper;
    if (value !== undefined && value !== null) found.push({ x: across, y: y.at(value) });
    return found;
  });
}

/** Points all over what lies between a line's two ends, closer than a name is high. */
function pixelsBetween(points: readonly Point[], { x, y, frame }: Ground): Pixel[] {
  return shares.flatMap((share) => {
    const across = frame.x + frame.width * share;
    const { lower, upper } =
      interpolate(points, x.invert(across), (value) => x.at(value)) ?? noEnds;
    if (lower === null || upper === null) return [];
    const ends = [y.at(lower), y.at(upper)].sort((a, b) => a - b);
    const [from = 0, to = 0] = ends.map((end) =>
      Math.min(frame.y + frame.height, Math.max(frame.y, end)),
    );
    const steps = Math.ceil((to - from) / bandStep);
    return Array.from({ length: steps + 1 }, (_, step) => ({
      x: across,
      y: from + ((to - from) * step) / Math.max(1, steps),
    }));
  });
}

const shares = Array.from({ length: 129 }, (_, index) => index / 128);
const bandStep = 8;
const noEnds = { lower: null, upper: null };

const widened = (box: Box, by: number): Box => ({
  x: box.x - by,
  y: box.y - by,
  width: box.width + 2 * by,
  height: box.height + 2 * by,
});

const meets = (pixels: readonly Pixel[], box: Box) =>
  pixels.some(({ x, y }) => overlap({ x: x - 0.5, y: y - 0.5, width: 1, height: 1 }, box));

const within = (box: Box, frame: Box) =>
  box.x >= frame.x + 2 &&
  box.x + box.width <= frame.x + frame.width &&
  box.y >= frame.y &&
  box.y + box.height <= frame.y + frame.height;

/** Of a name, in pixels: its height, a letter's width, and how far it keeps from its line. */
const nameSize = { height: 16, letter: 6.4, gap: 9 };

interface Place {
  label: Label;
  box: Box;
}

/** Every place beside a line for a name, the best first: names read best in the upper third. */
function* placesBeside(points: readonly Point[], text: string, ground: Ground): Generator<Place> {
  const { x, y, frame } = ground;
  const { height, letter, gap } = nameSize;
  const width = letter * text.length;
  const levels = Array.from({ length: 41 }, (_, index) => index / 40)
    .sort((a, b) => Math.abs(a - 0.3) - Math.abs(b - 0.3))
    .map((share) => frame.y + 10 + (frame.height - 20) * share);
  const [start, stop] = [points[0], points.at(-1)];
  const falls = !start || !stop || upperOf(start) >= upperOf(stop);
  for (const rise of [0, 6, 10, 14]) {
    for (const level of levels) {
      const beside = crossing(points, y.invert(level));
      if (beside === undefined) continue;
      for (const anchor of ['start', 'end'] as const) {
        // A falling line leaves room above its right side and below its left side.
        const middle = (anchor === 'start') === falls ? level - rise : level + rise;
        const at = anchor === 'start' ? x.at(beside) + gap : x.at(beside) - gap;
        const left = anchor === 'start' ? at : at - width;
        const box = { x: left, y: middle - height / 2, width, height };
        yield { label: { x: at, y: middle, anchor, text }, box };
      }
    }
  }
}

/** The other edge of a band, as a line. */
const lowerEdge = (points: readonly Point[]): Point[] =>
  points.map(({ x, y }) => ({ x, y: { ...y, upper: y.lower } }));

/**
 * A place for each curve's name beside its line, nearer to it than to any other line, outside its own
 * band, and clear of the other names. Curves that coincide share one name, and a short name stands
 * where the whole one does not fit. A curve without such a place goes unnamed here: the key names it.
 * No name crosses the `nameless` line.
 */
export function placeLabels(
  curves: readonly Labelled[],
  x: Scale,
  y: Scale,
  frame: Box,
  nameless: readonly Point[] = [],
): Map<string, Label> {
  const ground = { x, y, frame };
  const heights = Array.from({ length: 9 }, (_, index) =>
    y.invert(frame.y + (frame.height * (index + 1)) / 10),
  );
  const groups: Labelled[][] = [];
  for (const curve of curves) {
    const group = groups.find(([first]) => first && coincide(first, curve, x, heights));
    if (group) group.push(curve);
    else groups.push([curve]);
  }
  const lines = groups.map(([first]) => pixelsAlong(first?.points ?? [], ground));
  const crossed = pixelsAlong(nameless, ground);
  const taken: Box[] = [];
  const places = new Map<string, Label>();
  groups.forEach((group, own) => {
    const [first] = group;
    if (!first) return;
    const bands = group.flatMap(({ points }) => pixelsBetween(points, ground));
    const isFree = ({ box }: Place) =>
      within(box, frame) &&
      !taken.some((other) => overlap(box, other)) &&
      !meets(bands, box) &&
      !meets(crossed, widened(box, 1)) &&
      lines.every(
        (line, index) => !meets(line, widened(box, index === own ? 2 : 2 * nameSize.gap)),
      );
    const texts = [group.map(({ text }) => text), group.map(({ text, short }) => short ?? text)];
    for (const text of new Set(texts.map((names) => names.join(', ')))) {
      for (const edge of [first.points, lowerEdge(first.points)]) {
        const place = [...placesBeside(edge, text, ground)].find(isFree);
        if (!place) continue;
        taken.push(widened(place.box, 4));
        places.set(first.name, place.label);
        return;
      }
    }
  });
  return places;
}
