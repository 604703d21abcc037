import type { Interval } from '../../../wasm/generated/schema.js';

const superscripts: Readonly<Record<string, string>> = {
  '-': '⁻',
  '0': '⁰',
  '1': '¹',
  '2': '²',
  '3': '³',
  '4': '⁴',
  '5': '⁵',
  '6': '⁶',
  '7': '⁷',
  '8': '⁸',
  '9': '⁹',
};

export function superscript(exponent: number): string {
  return String(exponent).replace(/[-\d]/g, (character) => superscripts[character] ?? character);
}

/** 10⁻⁵ */
export const powerOfTen = (exponent: number) => `10${superscript(exponent)}`;

const minus = (text: string) => text.replace('-', '−');

function group(digits: string): string {
  const [whole = '', fraction] = digits.split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/** Three significant digits as people write them: 6.53, 0.0610, 1,250, 2.54×10⁻¹³. */
export function formatNumber(value: number, digits = 3): string {
  if (value === 0) return '0';
  if (value === Infinity) return '∞';
  const [mantissa = '', exponentText = '0'] = value.toExponential(digits - 1).split('e');
  const exponent = Number(exponentText);
  if (exponent >= 5 || exponent < -3) return `${minus(mantissa)}×${powerOfTen(exponent)}`;
  const decimals = Math.max(0, digits - 1 - exponent);
  return minus(group(Number(`${mantissa}e${exponentText}`).toFixed(decimals)));
}

/** A number as it was given or chosen, without digits that say nothing: 14,062; 0.7; 10⁻⁵. */
export function formatGiven(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e9) return minus(group(String(value)));
  if (Math.abs(value) >= 1e9 || Math.abs(value) < 1e-3) return formatPower(value);
  return minus(group(String(Number(value.toPrecision(4)))));
}

/** 2×10⁻⁴, 10⁻⁵ */
export function formatPower(value: number): string {
  if (value === 0) return '0';
  const [mantissa = '', exponent = '0'] = Number(value.toPrecision(3)).toExponential().split('e');
  const power = powerOfTen(Number(exponent));
  return mantissa === '1' ? power : `${minus(mantissa)}×${power}`;
}

/** All digits, so that the same number reads back. */
export const exact = (value: number | null) =>
  value === null
    ? 'no bound'
    : minus(String(value).replace(/e([+-]?\d+)$/, (_, e: string) => `×${powerOfTen(Number(e))}`));

/** An interval with all its digits, in words: what a missing end says is that nothing is proved. */
export function span({ lower, upper, kind }: Interval): string {
  if (lower === null && upper === null) return 'no bound';
  if (kind === 'estimate') return `about ${exact(upper ?? lower)}`;
  if (lower === upper) return exact(lower);
  if (lower === null) return `at most ${exact(upper)}`;
  if (upper === null) return `at least ${exact(lower)}`;
  return `from ${exact(lower)} to ${exact(upper)}`;
}

export type Shape = 'point' | 'interval' | 'at-least' | 'at-most' | 'about' | 'nothing';

/** What an interval says, given that the quantity itself is never negative. */
export function shapeOf({ lower, upper, kind }: Interval, digits = 3): Shape {
  const hasLower = lower !== null && lower > 0;
  const hasUpper = upper !== null && upper < Infinity;
  if (kind === 'estimate') return hasUpper ? 'about' : 'nothing';
  if (hasUpper && upper === 0) return 'point';
  if (hasLower && hasUpper) {
    return formatNumber(lower, digits) === formatNumber(upper, digits) ? 'point' : 'interval';
  }
  if (hasLower) return 'at-least';
  return hasUpper ? 'at-most' : 'nothing';
}

/** [6.53, 6.65]; one number when both ends agree to the digits shown; ≥ or ≤ when one is missing. */
export function formatInterval(interval: Interval, digits = 3): string {
  const { lower, upper } = interval;
  switch (shapeOf(interval, digits)) {
    case 'point':
      return formatNumber(upper ?? 0, digits);
    case 'interval':
      return `[${formatNumber(lower ?? 0, digits)}, ${formatNumber(upper ?? 0, digits)}]`;
    case 'at-least':
      return `≥ ${formatNumber(lower ?? 0, digits)}`;
    case 'at-most':
      return `≤ ${formatNumber(upper ?? 0, digits)}`;
    case 'about':
      return `≈ ${formatNumber(upper ?? 0, digits)}`;
    case 'nothing':
      return 'no bound';
  }
}

/**
 * A found value to four digits, cut to the side that keeps its promise: as people write it, and as
 * a field takes it. Whole numbers stay as they are.
 */
export function formatSafe(value: number, side: 'up' | 'down'): { shown: string; typed: string } {
  if (Number.isInteger(value)) return { shown: formatGiven(value), typed: String(value) };
  let typed = Number(value.toPrecision(4));
  const [, power = '0'] = value.toExponential(3).split('e');
  const unit = Number(`1e${Number(power) - 3}`);
  if (side === 'up' && typed < value) typed = Number((typed + unit).toPrecision(4));
  if (side === 'down' && typed > value) typed = Number((typed - unit).toPrecision(4));
  const shown = typed < 1e-3 ? formatNumber(typed, 4) : formatGiven(typed);
  return { shown, typed: String(typed) };
}

/** Upper minus lower, relative to the upper end; nothing when an end is missing. */
export function relativeWidth({ lower, upper }: Interval): number | undefined {
  if (lower === null || upper === null || upper === Infinity) return undefined;
  if (upper === lower) return 0;
  // A lower end of 0 is no bound: no epsilon or delta is less.
  return lower === 0 ? undefined : (upper - lower) / upper;
}

export function formatWidth(interval: Interval): string {
  if (interval.kind === 'estimate') return '–';
  const width = relativeWidth(interval);
  if (width === undefined) return 'open';
  if (width === 0) return 'exact';
  if (width >= 0.01) return `${formatNumber(100 * width, 2)}%`;
  return formatNumber(width, 2);
}
