import type { Axis } from '../../../wasm/papers/index.js';
import { asPower, format } from '../../../wasm/words/numbers.js';
import { linear, logarithmic, roundEnd, roundNumbers, tickRoom } from './mapping.js';

interface Tick {
  value: number;
  x: number;
  label: string;
}

export interface Scale {
  at(value: number): number;
  invert(x: number): number;
  ticks: readonly Tick[];
  logarithmic?: boolean;
  least: number;
  most: number;
}

/** The reader's choice; without one the values decide. */
export type AxisKind = 'linear' | 'log' | undefined;

/** Labels of a decade, from dense to sparse: where there is less than one decade, more of them. */
const few = [1, 1.5, 2, 3, 4, 5, 7];
const densities = [[1, 2, 5], [1, 3], [1]];

/** A logarithmic axis between two positive numbers, drawn from pixel `start` to pixel `end`. */
export function logScale(least: number, most: number, start: number, end: number): Scale {
  const scale = logarithmic([least, most], [start, end]);
  const room = tickRoom(end - start, end > start ? apart.across : apart.up);
  const [first, last] = [Math.floor(Math.log10(least)), Math.floor(Math.log10(most))];
  const decades = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const valuesOf = (factors: readonly number[]) =>
    decades
      .flatMap((exponent) => factors.map((factor) => Number(`${factor}e${exponent}`)))
      .filter((value) => value >= least * (1 - 1e-9) && value <= most * (1 + 1e-9));
  const choices = (most < 10 * least ? [few, ...densities] : densities).map(valuesOf);
  let values = choices.find(({ length }) => length <= room) ?? [];
  if (values.length === 0) {
    const step = Math.ceil(decades.length / room);
    values = valuesOf([1]).filter((value) => Math.round(Math.log10(value)) % step === 0);
  }
  if (values.length < 2)
    values = choices.find(({ length }) => length > 1) ?? roundNumbers([least, most], room);
  const powers = values.some((value) => value < 1e-3 || value >= 1e6);
  const at = (value: number) => scale.at(Math.min(10 * most, Math.max(least / 10, value)));
  return {
    at,
    invert: (pixel) => Math.min(most, Math.max(least, scale.invert(pixel))),
    ticks: values.map((value) => ({
      value,
      x: scale.at(value),
      label: value === 1 ? '1' : tickText(value, powers),
    })),
    least,
    most,
  };
}

/** A tick's label; all of an axis are written in one way, with powers of ten or without. */
const tickText = (value: number, powers: boolean): string =>
  powers && value !== 0 ? asPower(value.toExponential()) : format(value, { side: 'given' });

/** The next of 1, 2, 5, 10, ... below or above. */
export function roundOut(value: number, side: 'down' | 'up'): number {
  const decade = Math.floor(Math.log10(value));
  const steps = [1, 2, 5, 10].map((factor) => Number(`${factor}e${decade}`));
  if (side === 'up') return steps.find((step) => step >= value * (1 - 1e-9)) ?? value;
  return steps.findLast((step) => step <= value * (1 + 1e-9)) ?? value;
}

/** A linear axis, its values clamped far beyond its ends, so that coordinates stay finite. */
function linearScale(from: number, to: number, start: number, end: number, room: number): Scale {
  const scale = linear([from, to], [start, end]);
  const beyond = 100 * (to - from);
  const numbers = roundNumbers([from, to], room);
  const small = numbers.some((value) => value !== 0 && value < 1e-3);
  return {
    at: (value) => scale.at(Math.min(to + beyond, Math.max(from - beyond, value))),
    invert: (place) => Math.min(to, Math.max(from, scale.invert(place))),
    ticks: numbers.map((value) => ({ value, x: scale.at(value), label: tickText(value, small) })),
    least: from,
    most: to,
  };
}

/** The least distance between ticks of a linear axis, in pixels. */
const apart = { across: 64, up: 34 };

/** An axis that a paper's figure is drawn on. */
export function plotScale(axis: Axis, start: number, end: number, kind: keyof typeof apart): Scale {
  const room = tickRoom(end - start, apart[kind]);
  return axis.scale === 'log'
    ? logScale(axis.from, axis.to, start, end)
    : linearScale(axis.from, axis.to, start, end, room);
}

/** The axis is logarithmic where the largest value exceeds the least by more than this factor. */
const linearSpan = 40;

/** A linear axis from 0 where that shows all values, else a logarithmic one from below the least. */
export function epsilonScale(
  values: readonly number[],
  left: number,
  right: number,
  kind?: AxisKind,
): Scale {
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
  const scale = linearScale(0, end, left, right, count);
  return { ...scale, at: (value) => scale.at(Math.min(value, end)) };
}
