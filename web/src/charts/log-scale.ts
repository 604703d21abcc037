import { asPower, format } from '../../../wasm/words/numbers.js';
import type { Scale } from './scale.js';
import { logarithmic, roundNumbers, tickRoom } from './mapping.js';

/** Labels of a decade, from dense to sparse: where there is less than one decade, more of them. */
const few = [1, 1.5, 2, 3, 4, 5, 7];
const densities = [[1, 2, 5], [1, 3], [1]];

/** A logarithmic axis between two positive numbers, drawn from pixel `start` to pixel `end`. */
export function logScale(least: number, most: number, start: number, end: number): Scale {
  const scale = logarithmic([least, most], [start, end]);
  const room = tickRoom(end - start, end > start ? 64 : 34);
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
    values = valuesOf([1]).filter((_, index) => index % step === 0);
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
export const tickText = (value: number, powers: boolean): string =>
  powers && value !== 0 ? asPower(value.toExponential()) : format(value, { side: 'given' });

/** The next of 1, 2, 5, 10, ... below or above. */
export function roundOut(value: number, side: 'down' | 'up'): number {
  const decade = Math.floor(Math.log10(value));
  const steps = [1, 2, 5, 10].map((factor) => Number(`${factor}e${decade}`));
  if (side === 'up') return steps.find((step) => step >= value * (1 - 1e-9)) ?? value;
  return steps.findLast((step) => step <= value * (1 + 1e-9)) ?? value;
}
