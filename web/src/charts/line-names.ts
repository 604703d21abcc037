import type { Frame } from './axes.js';
import { lowerOf, upperOf, type Point } from './point.js';
import type { Scale } from './scale.js';

export interface Labelled {
  name: string;
  text: string;
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
  /** Where the curve ends, for a name that is joined to it. */
  end?: Pixel;
}

/** What a drawing is laid out by. */
interface Ground {
  x: Scale;
  y: Scale;
  frame: Frame;
}

/** A name's size in pixels: a line's height, the width of a letter, and its distance from the curve. */
const nameSize = { height: 16, letter: 6, gap: 9 };
/** From the frame to a name right of it: the line that joins the two. */
const leader = 14;
/** A drawing narrower than this has no room for names: the key has them. */
const leastWidth = 400;

const widthOf = (lines: readonly string[]) =>
  nameSize.letter * Math.max(0, ...lines.map(({ length }) => length));
const heightOf = (lines: readonly unknown[]) => nameSize.height * lines.length;
const linesOf = ({ text, note }: Pick<Labelled, 'text' | 'note'>) =>
  note === undefined ? [text] : [text, note];

/** How much room names right of a drawing take; 0 where it is too narrow for them. */
export function roomForNames(
  curves: readonly Pick<Labelled, 'text' | 'note'>[],
  width: number,
): number {
  const room = leader + 8 + Math.max(0, ...curves.map((curve) => widthOf(linesOf(curve))));
  return width - room < leastWidth ? 0 : room;
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

function rightEnd(points: readonly Point[], { x, y, frame }: Ground): number | undefined {
  const last = points.at(-1);
  if (!last || x.at(last.x) < frame.right - leader) return undefined;
  const [upper, lower] = [y.at(upperOf(last)), y.at(lowerOf(last))];
  const inside = (end: number) => end >= frame.top && end <= frame.bottom;
  if (!inside(upper)) return undefined;
  return inside(lower) ? (upper + lower) / 2 : upper;
}

/** Names right of the drawing, each beside the end of its curve, for the curves that end there. */
function namesBeside(curves: readonly Labelled[], ground: Ground): [string, Label][] {
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
  if (heightOf(blocks.flatMap(({ lines }) => lines)) > frame.bottom - frame.top) return [];
  const tops = spread(blocks, frame.top - half, frame.bottom + half);
  const right = frame.right;
  return blocks.map(({ name, lines, end }, index) => [
    name,
    {
      ...{ x: right + leader + 4, y: (tops[index] ?? end) + half, anchor: 'start', lines },
      end: { x: right, y: end },
    },
  ]);
}

/** Where a curve's upper edge crosses a height inside the frame, and how steeply it falls there. */
function crossingAt(points: readonly Point[], { x, y, frame }: Ground, height: number) {
  for (const [index, to] of points.entries()) {
    const from = points[index - 1];
    if (!from) continue;
    const [start, end] = [y.at(upperOf(from)), y.at(upperOf(to))];
    if ((start - height) * (end - height) > 0 || start === end) continue;
    const [left, right] = [x.at(from.x), x.at(to.x)];
    const slope = (end - start) / (right - left);
    const at = left + (height - start) / slope;
    return at >= frame.left && at <= frame.right ? { at, slope } : undefined;
  }
  return undefined;
}

/** Names along falling curves, each in a row of its own: the leftmost curve's name is the highest. */
function namesAlong(curves: readonly Labelled[], ground: Ground): [string, Label][] {
  const { frame } = ground;
  const placed = (curve: Labelled, height: number) => crossingAt(curve.points, ground, height);
  const middle = frame.bottom / 2;
  const sorted = curves.toSorted(
    (a, b) => (placed(a, middle)?.at ?? Infinity) - (placed(b, middle)?.at ?? Infinity),
  );
  return sorted.flatMap((curve, index): [string, Label][] => {
    const y = frame.bottom * (0.15 + (0.6 * (index + 0.5)) / sorted.length);
    const crossed = placed(curve, y);
    if (!crossed) return [];
    const { at, slope } = crossed;
    // A flat curve would run through its name.
    const lift = Math.max(0, nameSize.height / 2 - Math.abs(slope) * nameSize.gap);
    const fits = at + nameSize.gap + widthOf([curve.text]) < frame.right;
    const x = fits ? at + nameSize.gap : at - nameSize.gap;
    const side = fits ? -1 : 1;
    return [
      [curve.name, { x, y: y + side * lift, anchor: fits ? 'start' : 'end', lines: [curve.text] }],
    ];
  });
}

/** A place for each curve's name, where there is one: the key has all of them. */
export function placeNames(
  curves: readonly Labelled[],
  ground: Ground,
  room = 0,
): Map<string, Label> {
  if (room > 0) return new Map(namesBeside(curves, ground));
  if (ground.frame.right - ground.frame.left < leastWidth) return new Map();
  return new Map(namesAlong(curves, ground));
}
