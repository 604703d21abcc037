import type { AxisKind, Scale } from './scale.js';
import { logScale, roundOut, tickText } from './log-scale.js';
import { linear, roundEnd, roundNumbers, tickRoom } from './mapping.js';

export type EpsilonScale = Scale;

/** The axis is logarithmic where the largest value exceeds the least by more than this factor. */
const linearSpan = 40;

/** A linear axis from 0 where that shows all values, else a logarithmic one from below the least. */
export function epsilonScale(
  values: readonly number[],
  left: number,
  right: number,
  kind?: AxisKind,
): EpsilonScale {
  const width = Math.max(1, right - left);
  const positive = values.filter((value) => value > 0 && value < Infinity);
  const most = positive.length > 0 ? Math.max(...positive) : 1;
  const least = Math.min(most, ...positive);
  if (kind === 'log' || (kind === undefined && most > linearSpan * least)) {
    const ends = [roundOut(least / 1.2, 'down'), roundOut(1.05 * most, 'up')] as const;
    const scale = logScale(...ends, left, right);
    // Zero and values next to it lie on the left edge.
    const at = (value: number) => scale.at(Math.min(ends[1], Math.max(ends[0], value)));
    return { ...scale, at, logarithmic: true };
  }
  const count = tickRoom(width, 70);
  const end = roundEnd(most * 1.04, count);
  const scale = linear([0, end], [left, right]);
  const numbers = roundNumbers([0, end], count);
  const small = numbers.some((value) => value !== 0 && value < 1e-3);
  return {
    at: (value) => scale.at(Math.min(value, end)),
    invert: (x) => Math.min(end, Math.max(0, scale.invert(x))),
    ticks: numbers.map((value) => ({ value, x: scale.at(value), label: tickText(value, small) })),
    least: 0,
    most: end,
  };
}
