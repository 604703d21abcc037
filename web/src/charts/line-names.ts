import { lowerOf, upperOf } from './curve-geometry.js';
import type { Box, Point } from './curve-geometry.js';
import type { Scale } from './epsilon-scale.js';

/** A curve that is to have its name beside its line. */
export interface Labelled {
  name: string;
  text: string;
  /** What it is called where there is no room for `text`. */
  short?: string;
  /** A line below the name, where there is room for it. */
  note?: string | undefined;
  points: readonly Point[];
}

interface Pixel {
  x: number;
  y: number;
}

/** A name's place: that of its first line's start or end, in the middle of its height. */
export interface Label extends Pixel {
  anchor: 'start' | 'end';
  lines: readonly string[];
  /** Where the curve ends, for a name that had to move away from it. */
  end?: Pixel;
}

/** What a drawing is laid out by. */
interface Ground {
  x: Scale;
  y: Scale;
  frame: Box;
}

/** A name's size in pixels: a line's height, the width of a letter, and its distance from the curve. */
const nameSize = { height: 16, letter: 6, gap: 9 };
/** How far above or below its place on the curve a name may stand. */
const rises = [0, 8, 14, 22, 30];
const widthOf = (lines: readonly string[]) =>
  nameSize.letter * Math.max(0, ...lines.map(({ length }) => length));
const heightOf = (lines: readonly unknown[]) => nameSize.height * lines.length;

const linesOf = ({ text, note }: Pick<Labelled, 'text' | 'note'>) =>
  note === undefined ? [text] : [text, note];

// --- Right of the drawing

/** From the frame to a name right of it: the line that joins the two. */
const leader = 14;
/** A drawing narrower than this has no room for names beside it. */
const leastWidth = 400;

/** How much room names right of a drawing take; 0 where it is too narrow for them. */
export function roomForNames(
  curves: readonly Pick<Labelled, 'text' | 'note'>[],
  width: number,
): number {
  const room = leader + 8 + Math.max(0, ...curves.map((curve) => widthOf(linesOf(curve))));
  return width - room < leastWidth ? 0 : room;
}

/** How high a curve is at the frame's right edge, if it gets there. */
function rightEnd(points: readonly Point[], { x, y, frame }: Ground): number | undefined {
  const last = points.at(-1);
  if (!last || x.at(last.x) < frame.x + frame.width - leader) return undefined;
  const ends = [last.y.upper, last.y.lower]
    .filter((end) => end !== null && end > 0 && end < Infinity)
    .map((end) => y.at(end ?? 0));
  const inside = ends.map((end) => Math.min(frame.y + frame.height, Math.max(frame.y, end)));
  if (inside[0] === undefined || inside[0] !== ends[0]) return undefined;
  return inside.reduce((sum, end) => sum + end, 0) / inside.length;
}

/** Blocks from top to bottom where they want to be, moved down, then up, until none overlaps another. */
export function spread(
  blocks: readonly { top: number; height: number }[],
  from: number,
  to: number,
): number[] {
  let least = from;
  const down = blocks.map(({ top, height }) => {
    const moved = Math.max(top, least);
    least = moved + height;
    return moved;
  });
  let most = to;
  return down
    .toReversed()
    .map((top, index) => {
      most = Math.min(top, most - (blocks.at(-1 - index)?.height ?? 0));
      return most;
    })
    .reverse();
}

/** Names right of the drawing, each beside the end of its curve, for the curves that end there. */
function namesBeside(curves: readonly Labelled[], ground: Ground): Map<string, Label> {
  const { frame } = ground;
  const half = nameSize.height / 2;
  const blocks = curves
    .flatMap((curve) => {
      const end = rightEnd(curve.points, ground);
      const lines = linesOf(curve);
      return end === undefined
        ? []
        : [{ name: curve.name, lines, end, top: end - half, height: heightOf(lines) }];
    })
    .sort((a, b) => a.end - b.end);
  if (heightOf(blocks.flatMap(({ lines }) => lines)) > frame.height) return new Map();
  const tops = spread(blocks, frame.y - half, frame.y + frame.height + half);
  const right = frame.x + frame.width;
  return new Map(
    blocks.map(({ name, lines, end }, index) => [
      name,
      {
        ...{ x: right + leader + 4, y: (tops[index] ?? end) + half, anchor: 'start', lines },
        end: { x: right, y: end },
      },
    ]),
  );
}

// --- Inside the drawing

const overlap = (a: Box, b: Box) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

/** A curve's edge on the drawing, from the left. */
interface PixelEdge {
  x: readonly number[];
  y: readonly number[];
}

const edgeIn = (
  points: readonly Point[],
  { x, y }: Ground,
  end: (point: Point) => number,
): PixelEdge => ({
  x: points.map((point) => x.at(point.x)),
  y: points.map((point) => y.at(end(point))),
});

/** Where a line through these points first has `at` along one axis: the other coordinate. */
function between(
  along: readonly number[],
  across: readonly number[],
  at: number,
): number | undefined {
  let before = along[0] ?? 0;
  for (let i = 1; i < along.length; ++i) {
    const after = along[i] ?? 0;
    if ((before - at) * (after - at) <= 0) {
      const share = before === after ? 1 : (at - before) / (after - before);
      const from = across[i - 1] ?? 0;
      return from + share * ((across[i] ?? 0) - from);
    }
    before = after;
  }
  return undefined;
}

/** Places along an edge, by height where it is steep and by width where it is shallow. */
function pixelsAlong(edge: PixelEdge, { frame }: Ground): Pixel[] {
  return shares.flatMap((share) => {
    const down = frame.y + frame.height * share;
    const across = frame.x + frame.width * share;
    const [x, y] = [between(edge.y, edge.x, down), between(edge.x, edge.y, across)];
    return [
      ...(x === undefined ? [] : [{ x, y: down }]),
      ...(y === undefined ? [] : [{ x: across, y }]),
    ];
  });
}

/** Places all over the band between a curve's two edges, closer together than a name is high. */
function pixelsBetween(upper: PixelEdge, lower: PixelEdge, { frame }: Ground): Pixel[] {
  return shares.flatMap((share) => {
    const across = frame.x + frame.width * share;
    const ends = [between(upper.x, upper.y, across), between(lower.x, lower.y, across)];
    if (ends.includes(undefined)) return [];
    const [from = 0, to = 0] = ends
      .map((end = 0) => Math.min(frame.y + frame.height, Math.max(frame.y, end)))
      .sort((a, b) => a - b);
    const steps = Math.ceil((to - from) / bandStep);
    return Array.from({ length: steps + 1 }, (_, step) => ({
      x: across,
      y: from + ((to - from) * step) / Math.max(1, steps),
    }));
  });
}

const shares = Array.from({ length: 129 }, (_, index) => index / 128);
const bandStep = 8;

const widened = (box: Box, by: number): Box => ({
  x: box.x - by,
  y: box.y - by,
  width: box.width + 2 * by,
  height: box.height + 2 * by,
});

// Math.hypot guards against overflow, and takes twenty times as long.
const lengthOf = (x: number, y: number) => Math.sqrt(x * x + y * y);

const distanceTo = (box: Box, { x, y }: Pixel) =>
  lengthOf(
    Math.max(box.x - x, 0, x - box.x - box.width),
    Math.max(box.y - y, 0, y - box.y - box.height),
  );

/** Pixels, and where they are, so that a box is compared with those around it alone. */
class Pixels {
  private static readonly cell = 32;
  readonly all: readonly Pixel[];
  private readonly cells = new Map<number, Pixel[]>();

  constructor(all: readonly Pixel[]) {
    this.all = all;
    for (const pixel of all) {
      const key = Pixels.keyOf(Pixels.along(pixel.x), Pixels.along(pixel.y));
      const there = this.cells.get(key);
      if (there) there.push(pixel);
      else this.cells.set(key, [pixel]);
    }
  }

  /** Whether any of them, as wide and high as a pixel is, reaches into a box. */
  meets(box: Box): boolean {
    const { x, y, width, height } = widened(box, 0.5);
    const isInside = (at: Pixel) => at.x > x && at.x < x + width && at.y > y && at.y < y + height;
    for (let i = Pixels.along(x); i <= Pixels.along(x + width); ++i) {
      for (let j = Pixels.along(y); j <= Pixels.along(y + height); ++j) {
        if (this.cells.get(Pixels.keyOf(i, j))?.some(isInside)) return true;
      }
    }
    return false;
  }

  distanceTo(box: Box): number {
    let least = Infinity;
    for (const pixel of this.all) least = Math.min(least, distanceTo(box, pixel));
    return least;
  }

  private static along(at: number): number {
    return Math.floor(at / Pixels.cell);
  }

  private static keyOf(column: number, row: number): number {
    return column * 65536 + row;
  }
}

const isIn = ({ x, y }: Pixel, frame: Box) =>
  x >= frame.x && x <= frame.x + frame.width && y >= frame.y && y <= frame.y + frame.height;

/** The rightmost point of a curve that is inside the frame. */
const endOf = (edge: readonly Pixel[], frame: Box): Pixel =>
  edge
    .filter((pixel) => isIn(pixel, frame))
    .reduce((last, pixel) => (pixel.x >= last.x ? pixel : last), { x: 0, y: 0 });

const within = (box: Box, frame: Box) =>
  box.x >= frame.x + 2 &&
  box.x + box.width <= frame.x + frame.width &&
  box.y >= frame.y &&
  box.y + box.height <= frame.y + frame.height;

/** A block of names, one below the other. */
interface NamePlace {
  x: number;
  /** The middle of its first line. */
  y: number;
  anchor: 'start' | 'end';
  box: Box;
  /** How far from the curve's end it stands. */
  away: number;
}

/** Every place beside a curve for a block, those near its end first. */
function* placesBeside(
  { x, y, end }: DrawnEdge,
  lines: readonly string[],
  { frame }: Ground,
): Generator<NamePlace> {
  const [width, height] = [widthOf(lines), heightOf(lines)];
  const levels = Array.from(
    { length: 41 },
    (_, index) => frame.y + height / 2 + ((frame.height - height) * index) / 40,
  ).sort((a, b) => Math.abs(a - end.y) - Math.abs(b - end.y));
  const falls = (y[0] ?? 0) <= (y.at(-1) ?? 0);
  for (const level of levels) {
    const beside = between(y, x, level);
    if (beside === undefined) continue;
    const away = distance({ x: beside, y: level }, end);
    for (const rise of rises) {
      for (const anchor of ['start', 'end'] as const) {
        // A falling curve leaves room above its right side and below its left side.
        const up = (anchor === 'start') === falls ? -1 : 1;
        for (const middle of rise === 0 ? [level] : [level + up * rise, level - up * rise]) {
          const at = beside + (anchor === 'start' ? nameSize.gap : -nameSize.gap);
          const left = anchor === 'start' ? at : at - width;
          const box = { x: left, y: middle - height / 2, width, height };
          yield { x: at, y: box.y + nameSize.height / 2, anchor, box, away };
        }
      }
    }
  }
}

/** An edge, places along it, and its rightmost one inside the frame. */
interface DrawnEdge extends PixelEdge {
  pixels: Pixels;
  end: Pixel;
}

/** A curve as it is drawn; its lower edge is empty where something has no lower end. */
interface DrawnCurve {
  curve: Labelled;
  upper: DrawnEdge;
  lower: DrawnEdge;
  band: Pixels;
}

function drawnEdge(
  points: readonly Point[],
  ground: Ground,
  end: (point: Point) => number,
): DrawnEdge {
  const edge = edgeIn(points, ground, end);
  const pixels = new Pixels(pixelsAlong(edge, ground));
  return { ...edge, pixels, end: endOf(pixels.all, ground.frame) };
}

function drawnOn(curve: Labelled, ground: Ground): DrawnCurve {
  const { points } = curve;
  const isBand = points.every(({ y }) => y.lower !== null);
  const upper = drawnEdge(points, ground, upperOf);
  const lower = drawnEdge(isBand ? points : [], ground, lowerOf);
  return { curve, upper, lower, band: new Pixels(pixelsBetween(upper, lower, ground)) };
}

/** In pixels: how long the end of a curve is, and how near another one has to be to run along it. */
const tail = { length: 60, apart: 6 };
const distance = (a: Pixel, b: Pixel) => lengthOf(a.x - b.x, a.y - b.y);

/** Whether one curve runs along another, so far from where it ends. */
function runsAlong(
  { upper: { pixels, end } }: DrawnCurve,
  { upper: other }: DrawnCurve,
  { frame }: Ground,
  length: number,
): boolean {
  const last = pixels.all.filter((pixel) => isIn(pixel, frame) && distance(pixel, end) < length);
  return last.every((pixel) => other.pixels.all.some((one) => distance(pixel, one) < tail.apart));
}

/** Curves that the eye cannot tell apart, at their ends or from end to end. */
interface Group {
  curves: DrawnCurve[];
  isWhole: boolean;
}

function grouped(drawn: readonly DrawnCurve[], ground: Ground): Group[] {
  const groups: DrawnCurve[][] = [];
  const share = (a: DrawnCurve, b: DrawnCurve, length: number) =>
    runsAlong(a, b, ground, length) && runsAlong(b, a, ground, length);
  for (const curve of drawn) {
    const group = groups.find(([first]) => first && share(first, curve, tail.length));
    if (group) group.push(curve);
    else groups.push([curve]);
  }
  return groups.map((group) => ({
    curves: group,
    isWhole: group.every((one) => group[0] && share(group[0], one, Infinity)),
  }));
}

/** The first result that is not undefined. */
function firstOf<Entry, Result>(
  entries: readonly Entry[],
  of: (entry: Entry) => Result | undefined,
): Result | undefined {
  for (const entry of entries) {
    const result = of(entry);
    if (result !== undefined) return result;
  }
  return undefined;
}

/** How the names of a group may be written, the fullest way first. */
const waysToName = (group: readonly Labelled[]): string[][][] => [
  group.map(linesOf),
  group.map(({ text }) => [text]),
  group.map(({ text, short }) => [short ?? text]),
];

/** What names inside the drawing keep clear of, and those placed so far. */
interface Layout {
  ground: Ground;
  curves: readonly DrawnCurve[];
  nameless: Pixels;
  taken: Box[];
  labels: Map<string, Label>;
}

const edgesOf = (drawn: readonly DrawnCurve[]): Pixels[] =>
  drawn.flatMap(({ upper, lower }) => [upper.pixels, lower.pixels]);

/** A test for a place of a group's names: clear of all else, and `clear` times as far from other curves. */
function roomFor(
  group: readonly DrawnCurve[],
  others: readonly DrawnCurve[],
  { ground, curves, nameless, taken }: Layout,
) {
  const edges = edgesOf(curves);
  return ({ box }: NamePlace, clear: number) =>
    within(box, ground.frame) &&
    !taken.some((other) => overlap(box, other)) &&
    !group.some(({ band }) => band.meets(box)) &&
    !nameless.meets(widened(box, 1)) &&
    !edges.some((edge) => edge.meets(widened(box, 2))) &&
    !others.some(({ upper }) => upper.pixels.meets(widened(box, clear * nameSize.gap)));
}

const nearest = (edges: readonly Pixels[], box: Box) =>
  Math.min(...edges.map((edge) => edge.distanceTo(box)));

/** The same test, made once an entry. */
function remembered<Entry extends object>(test: (entry: Entry) => boolean) {
  const known = new Map<Entry, boolean>();
  return (entry: Entry): boolean => {
    const result = known.get(entry) ?? test(entry);
    known.set(entry, result);
    return result;
  };
}

/** Places the names of curves that run together, within one of `reaches` of their end; whether it could. */
function placeInside(
  group: readonly DrawnCurve[],
  reaches: readonly number[],
  layout: Layout,
): boolean {
  const [first] = group;
  if (!first) return false;
  const { ground, curves, nameless, taken, labels } = layout;
  const named = group.map(({ curve }) => curve);
  const others = curves.filter((one) => !group.includes(one));
  const own = edgesOf(group);
  const foreign = edgesOf(others);
  const isFree = roomFor(group, others, layout);
  // A name is taken for that of the nearest line; of a nameless one only where it must be.
  const found = firstOf(waysToName(named), (names) => {
    const sides = [
      { edge: first.upper, clear: 1 },
      { edge: first.lower, clear: 2 },
    ].map(({ edge, clear }) => ({
      places: [...placesBeside(edge, names.flat(), ground)],
      isFree: remembered((one: NamePlace) => isFree(one, clear)),
    }));
    return firstOf([[nameless, ...foreign], foreign], (farther) =>
      firstOf(reaches, (farthest) =>
        firstOf(sides, ({ places, isFree }) => {
          const place = places.find(
            (one) =>
              one.away <= farthest &&
              isFree(one) &&
              nearest(own, one.box) <= nearest(farther, one.box),
          );
          return place && { place, names };
        }),
      ),
    );
  });
  if (!found) return false;
  const { place, names } = found;
  taken.push(widened(place.box, 4));
  named.forEach(({ name }, index) => {
    const { x, anchor } = place;
    const y = place.y + heightOf(names.slice(0, index).flat());
    labels.set(name, { x, y, anchor, lines: names[index] ?? [] });
  });
  return true;
}

/**
 * A place for each curve's name as near to its end as there is room: clear of the other curves, of its
 * own band, and of the other names. Those of curves that share their end stand below each other there. A
 * curve without such a place goes unnamed: the key names it. No name crosses the `nameless` curve.
 */
function namesInside(
  curves: readonly Labelled[],
  isNamed: (name: string) => boolean,
  ground: Ground,
  nameless: readonly Point[],
): Map<string, Label> {
  const drawn = curves.map((curve) => drawnOn(curve, ground));
  const layout: Layout = {
    ground,
    curves: drawn,
    nameless: drawnEdge(nameless, ground, upperOf).pixels,
    taken: [],
    labels: new Map(),
  };
  const anywhere = [tail.length, Infinity];
  const unnamed = drawn.filter(({ curve }) => !isNamed(curve.name));
  for (const { curves: group, isWhole } of grouped(unnamed, ground)) {
    // Away from their end, names of curves that part there would be those of one.
    if (!placeInside(group, isWhole ? anywhere : [tail.length], layout) && !isWhole)
      for (const one of group) placeInside([one], anywhere, layout);
  }
  return layout.labels;
}

/** Names of curves: right of the drawing where there is `room` and they end there, the others inside. */
export function placeNames(
  curves: readonly Labelled[],
  ground: Ground,
  { room = 0, nameless = [] }: { room?: number; nameless?: readonly Point[] } = {},
): Map<string, Label> {
  const beside = room === 0 ? new Map<string, Label>() : namesBeside(curves, ground);
  const inside = namesInside(curves, (name) => beside.has(name), ground, nameless);
  return new Map([...beside, ...inside]);
}
