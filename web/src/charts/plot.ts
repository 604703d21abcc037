import { scaleLinear, scaleLog } from 'd3-scale';
import { area, curveLinear, curveMonotoneX, line } from 'd3-shape';
import type { Interval } from '../../../wasm/generated/schema.js';
import { formatGiven, powerOfTen } from '../words/format.js';
import { placeLabels } from './curve-geometry.js';
import type { Box, Label } from './curve-geometry.js';

export interface PlotAxis {
  label: string;
  scale: 'linear' | 'log';
  from: number;
  to: number;
}

export interface PlotTick {
  value: number;
  at: number;
  label: string;
}

export interface PlotScale {
  at(value: number): number;
  invert(place: number): number;
  ticks: readonly PlotTick[];
}

export interface PlotPoint {
  x: number;
  y: Interval;
}

/** Pixels between ticks, at the least. */
const apart = { across: 64, up: 34 };

function linearScale({ from, to }: PlotAxis, start: number, end: number, room: number): PlotScale {
  const scale = scaleLinear([from, to], [start, end]);
  const [least, most] = [Math.min(start, end), Math.max(start, end)];
  return {
    at: (value) => Math.min(most + 1, Math.max(least - 1, scale(value))),
    invert: (place) => scale.invert(place),
    ticks: scale
      .ticks(Math.max(2, room))
      .map((value) => ({ value, at: scale(value), label: formatGiven(value) })),
  };
}

/** Labelled in powers of ten, as many as there is room for. */
function logScale({ from, to }: PlotAxis, start: number, end: number, room: number): PlotScale {
  const scale = scaleLog([from, to], [start, end]);
  const [low, high] = [Math.ceil(Math.log10(from) - 1e-9), Math.floor(Math.log10(to) + 1e-9)];
  const step = [1, 2, 5, 10, 20].find((size) => (high - low) / size <= room) ?? 50;
  const ticks: PlotTick[] = [];
  for (let exponent = high; exponent >= low; exponent -= step) {
    const value = 10 ** exponent;
    const label = exponent === 0 ? '1' : exponent === 1 ? '10' : powerOfTen(exponent);
    ticks.push({ value, at: scale(value), label });
  }
  // A little beyond both ends, so that a line leaves the plot instead of lying on its edge.
  const clamped = (value: number) => Math.min(to * 10, Math.max(from / 10, value));
  return { at: (value) => scale(clamped(value)), invert: (place) => scale.invert(place), ticks };
}

export function plotScale(
  axis: PlotAxis,
  start: number,
  end: number,
  kind: keyof typeof apart,
): PlotScale {
  const room = Math.max(2, Math.floor(Math.abs(end - start) / apart[kind]));
  return axis.scale === 'log'
    ? logScale(axis, start, end, room)
    : linearScale(axis, start, end, room);
}

/** The end that a line is drawn along: what is proved from above, else what is from below. */
export const mainEnd = ({ y }: PlotPoint): number => y.upper ?? y.lower ?? 0;

/** Whether both ends are proved, and far enough apart to be seen. */
const isBand = (points: readonly PlotPoint[], y: PlotScale) =>
  points.every(({ y: value }) => value.lower !== null && value.upper !== null) &&
  points.some((point) => Math.abs(y.at(mainEnd(point)) - y.at(point.y.lower ?? 0)) > 1.5);

export interface PlotPaths {
  /** '' when the ends coincide to the eye, or one is missing. */
  band: string;
  main: string;
  lower: string;
}

/** A line's edges and what lies between them; `smooth` for a line known at few points. */
export function plotPaths(
  points: readonly PlotPoint[],
  x: PlotScale,
  y: PlotScale,
  smooth: boolean,
): PlotPaths {
  const bend = smooth ? curveMonotoneX : curveLinear;
  const px = (point: PlotPoint) => x.at(point.x);
  const low = (point: PlotPoint) => y.at(point.y.lower ?? 0);
  const high = (point: PlotPoint) => y.at(mainEnd(point));
  const edge = (of: (point: PlotPoint) => number) =>
    line<PlotPoint>(px, of).curve(bend)([...points]) ?? '';
  if (!isBand(points, y)) return { band: '', main: edge(high), lower: '' };
  const band = area<PlotPoint>(px, low, high).curve(bend)([...points]);
  return { band: band ?? '', main: edge(high), lower: edge(low) };
}

export interface NamedLine {
  name: string;
  points: readonly PlotPoint[];
}

/** A place for each line's name beside it; rising lines are placed as their mirror image. */
export function plotLabels(
  lines: readonly NamedLine[],
  x: PlotScale,
  y: PlotScale,
  frame: Box,
): Map<string, Label> {
  const rises = lines.some(({ points }) => {
    const [first, last] = [points[0], points.at(-1)];
    return first !== undefined && last !== undefined && mainEnd(first) < mainEnd(last);
  });
  const sum = 2 * frame.x + frame.width;
  const turned = (place: number) => (rises ? sum - place : place);
  const sign = rises ? -1 : 1;
  const labels = placeLabels(
    lines.map(({ name, points }) => {
      const mapped = points.map((point) => ({
        epsilon: sign * point.x,
        delta: { ...point.y, upper: mainEnd(point) },
      }));
      return { name, text: name, points: rises ? mapped.reverse() : mapped };
    }),
    {
      at: (value) => turned(x.at(sign * value)),
      invert: (place) => sign * x.invert(turned(place)),
      ticks: [],
      breakX: undefined,
      most: Infinity,
    },
    { ...y, ticks: [], floor: 0 },
    frame,
  );
  if (!rises) return labels;
  return new Map(
    [...labels].map(([name, label]) => [
      name,
      { ...label, x: turned(label.x), anchor: label.anchor === 'start' ? 'end' : 'start' },
    ]),
  );
}
