import type { Interval } from '../generated/schema.js';
import type { Relation, Verdict } from './shape.js';

export interface Printed {
  value: number;
  /** Of the last digit. */
  unit: number;
}

/** A number as a paper prints it, and what its last digit is worth. */
export function readPrinted(text: string): Printed {
  const [top = '', bottom] = text.split('/');
  if (bottom !== undefined) return { value: Number(top) / Number(bottom), unit: 0 };
  const [mantissa = '', exponent = '0'] = text.split('e');
  const decimals = mantissa.split('.')[1]?.length ?? 0;
  const unit = Number(`1e${String(Number(exponent) - decimals)}`);
  const value = Number(text);
  if (!Number.isFinite(value) || !(unit > 0)) throw new Error(`${text} is no number`);
  return { value, unit };
}

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** What a paper prints, all its digits kept, as a person writes it: 1.18 × 10⁻⁵. */
export function showPrinted(text: string): string {
  const [mantissa = '', exponent] = text.split('e');
  if (exponent === undefined) return text;
  const digits = exponent.replace('-', '⁻').replace(/\d/g, (d) => superscripts[Number(d)] ?? d);
  return mantissa === '1' ? `10${digits}` : `${mantissa} × 10${digits}`;
}

/** Round-off in what is compared, relative: of decimal digits read and of an engine's exact ends. */
const slack = 1e-12;

/**
 * Whether what the paper prints holds for what we found.
 *
 * `<=` and `>=` hold when our own end on that side proves them as printed: a claim that we cannot
 * prove differs, be it refuted or only out of our reach. A rounded number holds when our interval
 * meets the numbers that round to it (`=`: half a unit of the last digit around it; `about`: a whole
 * one), and stays within a unit, two for `about`: a wide interval agrees with nothing.
 * `exactly` is no rounding at all, but for the engine's own.
 */
export function verdictOf(found: Interval, relation: Relation, printed: string): Verdict {
  const { value, unit } = readPrinted(printed);
  const lower = found.lower ?? -Infinity;
  const upper = found.upper ?? Infinity;
  const room = slack * Math.abs(value);
  const near = (half: number, most: number) =>
    lower <= value + half + room &&
    upper >= value - half - room &&
    lower >= value - most - room &&
    upper <= value + most + room;
  const holds = {
    '<=': () => upper <= value + room,
    '>=': () => lower >= value - room,
    '=': () => near(unit / 2, unit),
    about: () => near(unit, 2 * unit),
    exactly: () => near(0, 1e-9 * Math.abs(value)),
  };
  return holds[relation]() ? 'agree' : 'differ';
}
