import { curveLinear, curveMonotoneX } from 'd3-shape';
import type { Axis } from '../../../wasm/papers/index.js';
import type { Point } from './point.js';
import { pathsOf, type Paths } from './lines.js';
import { tickRoom } from './mapping.js';
import { linearScale, logScale, type Scale } from './scale.js';

/** The least distance between ticks of a linear axis, in pixels. */
const apart = { across: 64, up: 34 };

/** An axis that a paper's figure is drawn on. */
export function plotScale(axis: Axis, start: number, end: number, kind: keyof typeof apart): Scale {
  const room = tickRoom(end - start, apart[kind]);
  return axis.scale === 'log'
    ? logScale(axis.from, axis.to, start, end)
    : linearScale(axis.from, axis.to, start, end, room);
}

/** The end that a line is drawn along: the upper one, or the lower one where there is no other. */
const mainEnd = ({ y }: Point): number => y.upper ?? y.lower ?? 0;

/** Whether both ends are proved, and far enough apart to be seen. */
const isBand = (points: readonly Point[], y: Scale) =>
  points.every(({ y: value }) => value.lower !== null && value.upper !== null) &&
  points.some((point) => Math.abs(y.at(mainEnd(point)) - y.at(point.y.lower ?? 0)) > 1.5);

/** A line's edges and what lies between them; `smooth` for a line known at few points. */
export const plotPaths = (points: readonly Point[], x: Scale, y: Scale, smooth: boolean): Paths =>
  pathsOf(points, (point) => x.at(point.x), {
    low: (point) => y.at(point.y.lower ?? 0),
    high: (point) => y.at(mainEnd(point)),
    isBand: isBand(points, y),
    bend: smooth ? curveMonotoneX : curveLinear,
  });

/** Points along the edge that a line is drawn along: its name stands there. */
export const mainEnds = (points: readonly Point[]): Point[] =>
  points.map((point) => ({ x: point.x, y: { ...point.y, upper: mainEnd(point) } }));
