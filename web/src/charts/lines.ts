import { area, curveLinear, curveMonotoneX, line } from 'd3-shape';
import { nothing, svg, type TemplateResult } from 'lit';
import { lowerOf, upperOf, type Point } from './point.js';
import type { Label } from './line-names.js';
import type { Scale } from './scale.js';
import type { Frame } from './axes.js';
import { mark } from './glyphs.js';

/** A line's edges and the band between them; '' for those that are not drawn. */
export interface Paths {
  band: string;
  upper: string;
  lower: string;
}

/** Whether both ends are proved, and far enough apart to be seen. */
const isBand = (points: readonly Point[], y: Scale) =>
  points.every(({ y: { lower } }) => lower !== null) &&
  points.some((point) => {
    const lower = lowerOf(point);
    return lower > 0 && Math.abs(y.at(upperOf(point)) - y.at(lower)) > 1.5;
  });

/** A line's edges and what lies between them; `smooth` for a line known at few points. */
export function linePaths(points: readonly Point[], x: Scale, y: Scale, smooth: boolean): Paths {
  const bend = smooth ? curveMonotoneX : curveLinear;
  const across = (point: Point) => x.at(point.x);
  const low = (point: Point) => y.at(lowerOf(point));
  const high = (point: Point) => y.at(upperOf(point));
  const edge = (of: typeof low) => line<Point>(across, of).curve(bend)([...points]) ?? '';
  if (!isBand(points, y)) return { band: '', upper: edge(high), lower: '' };
  const band = area<Point>(across, low, high).curve(bend)([...points]) ?? '';
  return { band, upper: edge(high), lower: edge(low) };
}

/** Points of a line that is drawn along its upper end, or along the lower one where there is no other. */
export const mainEnds = (points: readonly Point[]): Point[] =>
  points.map((point) => ({
    x: point.x,
    y: { ...point.y, upper: point.y.upper ?? point.y.lower ?? 0 },
  }));

/** A line's band and edges, in the colour of the group around them. */
export const strokes = ({ band, upper, lower }: Paths): TemplateResult<2> => svg`
  ${band ? svg`<path class="band" d=${band}></path>` : nothing}
  ${lower ? svg`<path class="edge" d=${lower}></path>` : nothing}
  ${upper ? svg`<path class="edge" d=${upper}></path>` : nothing}`;

/** Names beside their lines, in the colour of the class that `classOf` gives them. */
export const lineNames = (
  labels: ReadonlyMap<string, Label>,
  classOf: (name: string) => string,
): TemplateResult<2>[] =>
  [...labels].map(
    ([
      name,
      {
        x,
        y,
        anchor,
        lines: [text, note],
        end,
      },
    ]) => {
      const noted =
        note === undefined ? nothing : svg`<tspan class="line-note" x=${x} dy="14">${note}</tspan>`;
      return svg`<g class=${`line-name ${classOf(name)}`}>${
        end === undefined
          ? nothing
          : svg`<path class="leader" d=${`M${end.x + 3} ${end.y}L${x - 4} ${y}`}></path>`
      }<text data-label=${[text, note].filter(Boolean).join(' ')} class="line-label" x=${x} y=${y + 4.5} text-anchor=${anchor}>${text}${noted}</text></g>`;
    },
  );

/** Marks on a line, and pixels between them along it. */
const mostMarks = 5;
const markStep = 4;
const markRadius = 4;

/** Places along a line inside the frame, staggered so that lines close together keep their marks apart. */
export function markPlaces(
  line: readonly { x: number; y: number }[],
  { left, right, top, bottom }: Frame,
  [index, count]: readonly [number, number],
): { x: number; y: number }[] {
  const inside = line.flatMap((to, end) => {
    const from = line[end - 1] ?? to;
    const steps = Math.ceil(Math.min(1e4, Math.hypot(to.x - from.x, to.y - from.y)) / markStep);
    return Array.from({ length: steps }, (_, step) => {
      const share = (step + 1) / steps;
      return { x: from.x + share * (to.x - from.x), y: from.y + share * (to.y - from.y) };
    }).filter(
      ({ x, y }) =>
        Math.min(x - left, right - x) >= markRadius && Math.min(y - top, bottom - y) >= markRadius,
    );
  });
  const marks = Math.min(mostMarks, Math.floor((inside.length * markStep) / 40));
  return Array.from(
    { length: marks },
    (_, which) => (which + (index + 0.5) / count) / marks,
  ).flatMap((share) => inside[Math.floor(share * inside.length)] ?? []);
}

/** Marks along a line, whose colour may be lost on paper or to the reader's eye. */
export const lineMarks = (
  sampler: string,
  points: readonly Point[],
  { x, y, frame }: { x: Scale; y: Scale; frame: Frame },
  place: readonly [number, number],
): TemplateResult<2>[] => {
  const line = points
    .map((point) => ({ x: x.at(point.x), y: y.at(point.y.upper ?? point.y.lower ?? 0) }))
    .filter((pixel) => Number.isFinite(pixel.x) && Number.isFinite(pixel.y));
  return markPlaces(line, frame, place).map(
    (at) => svg`<g data-mark=${`${at.x} ${at.y}`}>${mark(sampler, at.x, at.y, markRadius)}</g>`,
  );
};

/** The cross-hair, which no export keeps; it rests until the reader moves it. */
export const crossLine = (x: number, { top, bottom }: Frame, resting = false): TemplateResult<2> =>
  svg`<line class=${resting ? 'cross resting' : 'cross'} data-passing x1=${x} x2=${x} y1=${top} y2=${bottom}></line>`;
