import { formatGiven, formatPower } from '../../../wasm/number-words.js';
import { linear, roundEnd, roundNumbers } from './mapping.js';

/** Where the axis turns from linear to logarithmic. */
export const breakAt = 10;
/** Just above the break a logarithmic tail would hold next to nothing. */
const linearUpTo = 13;

export interface Tick {
  value: number;
  x: number;
  label: string;
}

/** An axis: from values to pixels and back. */
export interface Scale {
  at(value: number): number;
  invert(x: number): number;
  ticks: readonly Tick[];
  /** Where a break between two ways of scaling is drawn, if there is one. */
  breakX: number | undefined;
  least: number;
  most: number;
}

/** The epsilon axis that forest plot and curves share: linear to 10, logarithmic above. */
export type EpsilonScale = Scale;

/** 20, 50, 100, ... up to `most`. */
function beyondBreak(most: number): number[] {
  const values: number[] = [];
  for (let decade = 10; decade <= most; decade *= 10) {
    for (const factor of [2, 5, 10]) if (decade * factor <= most) values.push(decade * factor);
  }
  return values;
}

/** The next of 20, 50, 100, ...: the axis ends on a tick. */
function roundUp(most: number): number {
  const decade = 10 ** Math.floor(Math.log10(most));
  return decade * ([1, 2, 5].find((factor) => decade * factor >= most) ?? 10);
}

/** Half the width of a label, with air. */
const halfWidth = ({ label }: Tick) => 4 + 3.5 * label.length;

/** Drops labels that would touch, the roundest kept. */
function spaced(ticks: readonly Tick[]): Tick[] {
  const rank = ({ value }: Tick) => (Number.isInteger(Math.log10(value)) ? 0 : 1);
  const kept: Tick[] = [];
  for (const tick of [...ticks].sort((a, b) => rank(a) - rank(b) || a.value - b.value)) {
    if (kept.every((other) => Math.abs(other.x - tick.x) >= halfWidth(tick) + halfWidth(other)))
      kept.push(tick);
  }
  return kept.sort((a, b) => a.x - b.x);
}

export function epsilonScale(largest: number, left: number, right: number): EpsilonScale {
  const width = Math.max(1, right - left);
  const most = largest > 0 && Number.isFinite(largest) ? largest : 1;
  if (most <= linearUpTo) {
    const count = Math.max(3, Math.min(8, Math.floor(width / 70)));
    const end = roundEnd(most * 1.04, count);
    const scale = linear([0, end], [left, right]);
    const values = roundNumbers([0, end], count);
    // One way of writing for all labels of an axis.
    const format = values.some((value) => value !== 0 && value < 1e-3) ? formatPower : formatGiven;
    return {
      at: (value) => scale.at(Math.min(value, end)),
      invert: (x) => Math.min(end, Math.max(0, scale.invert(x))),
      ticks: values.map((value) => ({ value, x: scale.at(value), label: format(value) })),
      breakX: undefined,
      least: 0,
      most: end,
    };
  }
  const end = roundUp(most);
  const turn = left + 0.6 * width;
  const perDecade = (right - turn) / Math.log10(end / breakAt);
  const at = (value: number) => {
    if (value <= breakAt) return left + ((turn - left) * Math.max(0, value)) / breakAt;
    return turn + perDecade * Math.log10(Math.min(value, end) / breakAt);
  };
  const tick = (value: number): Tick => ({ value, x: at(value), label: formatGiven(value) });
  const below = (width > 420 ? [0, 2, 4, 6, 8, 10] : [0, 5, 10]).map(tick);
  const beyond = spaced(
    beyondBreak(end)
      .map(tick)
      .filter(({ x }) => x - turn >= 30),
  );
  return {
    at,
    invert: (x) => {
      if (x <= turn) return Math.max(0, (breakAt * (x - left)) / (turn - left));
      return Math.min(end, breakAt * 10 ** ((x - turn) / perDecade));
    },
    ticks: [...below, ...beyond],
    breakX: turn,
    least: 0,
    most: end,
  };
}
