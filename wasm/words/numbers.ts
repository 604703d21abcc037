/**
 * How numbers are written, everywhere: the page, its charts, the element, the report, the command. A
 * lower end is rounded down and an upper end up, so that what is printed is proved like what was
 * computed; an estimate is rounded to nearest.
 */

import type { Interval, IntervalKind } from '../generated/schema.js';
import { superscript } from './superscripts.js';

/**
 * Where rounding goes: `down` for a lower end, `up` for an upper end, `nearest` for numbers that
 * prove nothing.
 */
export type Side = 'down' | 'up' | 'nearest';

/** Digits d₁d₂d₃…, read as d₁.d₂d₃… × 10^exponent. */
interface Decimal {
  negative: boolean;
  digits: string;
  exponent: number;
}

/** How a decimal is set: whether thousands are set apart, and from which power on it is one of ten. */
interface Typography {
  grouped: boolean;
  powersFrom: number;
}

const onPages: Typography = { grouped: true, powersFrom: 5 };
/** In a terminal and in a report, from which numbers are copied. */
const inText: Typography = { grouped: false, powersFrom: 7 };

const noBound = 'no bound';

/** 10⁻⁵ */
export const powerOfTen = (exponent: number): string => `10${superscript(exponent)}`;

const parts = (exponential: string): { mantissa: string; exponent: number } => {
  const [mantissa = '0', exponent = '0'] = exponential.split('e');
  return { mantissa: mantissa.replace(/[-.]/g, ''), exponent: Number(exponent) };
};

/**
 * A finite number to so many digits. `toExponential` rounds the exact value to nearest; where that
 * went to the wrong side, the last digit is moved by one. Nothing is multiplied, so nothing rounds.
 */
function rounded(value: number, digits: number, side: Side): Decimal {
  const text = value.toExponential(digits - 1);
  const { mantissa, exponent } = parts(text);
  const nearest = Number(text);
  const decimal = { negative: value < 0, digits: mantissa, exponent };
  const wrong = side === 'down' ? nearest > value : side === 'up' && nearest < value;
  if (!wrong) return decimal;
  // Away from zero, or towards it.
  const units = BigInt(mantissa) + (decimal.negative === (side === 'down') ? 1n : -1n);
  const moved = String(units);
  if (moved.length > digits) {
    return { ...decimal, digits: moved.slice(0, digits), exponent: exponent + 1 };
  }
  // Below a power of ten the next number with as many digits ends in nines.
  return moved.length < digits || units === 0n
    ? { ...decimal, digits: '9'.repeat(digits), exponent: exponent - 1 }
    : { ...decimal, digits: moved };
}

/** All digits that it takes to read the same number back. */
const inFull = (value: number): Decimal => {
  const { mantissa, exponent } = parts(value.toExponential());
  return { negative: value < 0, digits: mantissa, exponent };
};

const numberOf = ({ negative, digits, exponent }: Decimal): number =>
  Number(`${negative ? '-' : ''}${digits.slice(0, 1)}.${digits.slice(1)}e${exponent}`);

function asPower({ negative, digits, exponent }: Decimal): string {
  const mantissa = digits.length > 1 ? `${digits.slice(0, 1)}.${digits.slice(1)}` : digits;
  const power = powerOfTen(exponent);
  return `${negative ? '−' : ''}${mantissa === '1' ? power : `${mantissa}×${power}`}`;
}

function set(decimal: Decimal, { grouped, powersFrom }: Typography): string {
  const { negative, digits, exponent } = decimal;
  if (exponent >= powersFrom || exponent < -3) return asPower(decimal);
  const sign = negative ? '−' : '';
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  const plain = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  const whole = grouped ? plain.replace(/\B(?=(\d{3})+$)/g, ',') : plain;
  const fraction = digits.slice(exponent + 1);
  return `${sign}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

function written(value: number, digits: number, side: Side, typography: Typography): string {
  if (value === 0) return '0';
  if (!Number.isFinite(value)) return value < 0 ? '−∞' : '∞';
  return set(rounded(value, digits, side), typography);
}

/** A number on the page: 6.53, 0.0610, 1,250, 2.54×10⁻¹³. */
export const formatNumber = (value: number, side: Side, digits = 3): string =>
  written(value, digits, side, onPages);

/** An end in a table, where a missing one is a dash. */
export const formatEnd = (value: number | null, side: Side, digits: number): string =>
  value === null ? '–' : formatNumber(value, side, digits);

/** A given number with more digits than these is shown to four. */
const mostGiven = 6;

/** The digits of a given number that are shown, and whether more were cut. */
function given(value: number): { shown: Decimal; cut: boolean } {
  const full = inFull(value);
  const counts = Number.isInteger(value) && Math.abs(value) < 1e9;
  const cut = full.digits.length > mostGiven && !counts;
  if (!cut) return { shown: full, cut };
  const shown = rounded(value, 4, 'nearest');
  return { shown: { ...shown, digits: shown.digits.replace(/(?<=.)0+$/, '') }, cut };
}

/** A number as it was given or chosen, without digits that say nothing: 14,062; 0.7; 10⁻⁵. */
export function formatGiven(value: number): string {
  if (value === 0 || !Number.isFinite(value)) return written(value, 1, 'nearest', onPages);
  return set(given(value).shown, { ...onPages, powersFrom: 9 });
}

/** Whether all digits of a given number are shown. */
export const isShownWhole = (value: number): boolean =>
  !Number.isFinite(value) || !given(value).cut;

/** "δ = 10⁻⁵", or "δ ≈ 1.667×10⁻⁵" where not all digits are shown. */
export const givenAs = (name: string, value: number): string =>
  `${name} ${isShownWhole(value) ? '=' : '≈'} ${formatGiven(value)}`;

/** 2×10⁻⁴, 10⁻⁵ */
export const formatPower = (value: number): string =>
  value === 0 ? '0' : asPower(given(value).shown);

/** A given number in text, in full, with real powers of ten: 0.1, 60000, 10⁻⁵, 2.5×10⁻⁷. */
export function showGiven(value: number): string {
  if (value === 0 || !Number.isFinite(value)) return written(value, 1, 'nearest', inText);
  return set(inFull(value), inText);
}

/** The same to so many digits, rounded to nearest: 1.5, not 1.500. */
export const showRounded = (value: number, digits: number): string =>
  showGiven(Number(value.toPrecision(digits)));

/** An estimate. */
export const showEstimate = (value: number, digits = 4): string =>
  `≈ ${written(value, digits, 'nearest', inText)}`;

/** A number to four digits, on the side that keeps a promise: 1.2683 -> 1.269 upwards. */
export const showSafe = (value: number, side: 'down' | 'up', digits = 4): string =>
  Number.isInteger(value) ? showGiven(value) : written(value, digits, side, inText);

/** All digits, so that the same number reads back. */
export const exact = (value: number | null): string => {
  if (value === null) return noBound;
  return String(value)
    .replace(/^-/, '−')
    .replace(/e([+-]?\d+)$/, (_, power: string) => `×${powerOfTen(Number(power))}`);
};

/** An interval with all its digits, in words: where an end is missing, nothing is proved. */
export function span({ lower, upper, kind }: Interval): string {
  if (lower === null && upper === null) return noBound;
  if (kind === 'estimate') return `about ${exact(upper ?? lower)}`;
  if (lower === upper) return exact(lower);
  if (lower === null) return `at most ${exact(upper)}`;
  if (upper === null) return `at least ${exact(lower)}`;
  return `from ${exact(lower)} to ${exact(upper)}`;
}

export type Shape = 'point' | 'interval' | 'at-least' | 'at-most' | 'about' | 'nothing';

/** The shape of an interval, given that the quantity is never negative. */
export function shapeOf({ lower, upper, kind }: Interval, digits = 3): Shape {
  const hasLower = lower !== null && lower > 0;
  const hasUpper = upper !== null && upper < Infinity;
  if (kind === 'estimate') return hasUpper ? 'about' : 'nothing';
  if (hasUpper && upper === 0) return 'point';
  if (hasLower && hasUpper) {
    // All numbers between two that round to the same digits have these digits, too.
    const [first, last] = [lower, upper].map((end) => formatNumber(end, 'nearest', digits));
    return first === last ? 'point' : 'interval';
  }
  if (hasLower) return 'at-least';
  return hasUpper ? 'at-most' : 'nothing';
}

/** An interval's shape and its ends, rounded outwards; to nearest where one number stands for all. */
export function shownEnds(
  interval: Interval,
  digits = 3,
): { shape: Shape; lower: string; upper: string } {
  const shape = shapeOf(interval, digits);
  const alone = shape === 'point' || shape === 'about';
  const end = (value: number | null, side: Side) =>
    formatNumber(value ?? 0, alone ? 'nearest' : side, digits);
  return { shape, lower: end(interval.lower, 'down'), upper: end(interval.upper, 'up') };
}

/**
 * [6.52, 6.66], rounded outwards; one number where all digits shown are proved, since both ends round
 * to them; ≥ or ≤ where one end is missing.
 */
export function formatInterval(interval: Interval, digits = 3): string {
  const { shape, lower, upper } = shownEnds(interval, digits);
  switch (shape) {
    case 'point':
      return upper;
    case 'interval':
      return `[${lower}, ${upper}]`;
    case 'at-least':
      return `≥ ${lower}`;
    case 'at-most':
      return `≤ ${upper}`;
    case 'about':
      return `≈ ${upper}`;
    case 'nothing':
      return noBound;
  }
}

/**
 * A found value to four digits, cut to the side that keeps its promise: as people write it, and as
 * a field takes it. Whole numbers stay as they are.
 */
export function formatSafe(value: number, side: 'up' | 'down'): { shown: string; typed: string } {
  if (Number.isInteger(value)) {
    return { shown: set(inFull(value), { ...onPages, powersFrom: 21 }), typed: String(value) };
  }
  const cut = rounded(value, 4, side);
  const digits = cut.exponent < -3 ? cut.digits : cut.digits.replace(/(?<=.)0+$/, '');
  return {
    shown: set({ ...cut, digits }, { ...onPages, powersFrom: 9 }),
    typed: String(numberOf(cut)),
  };
}

/** Upper minus lower end, relative to the upper one; undefined if an end is missing. */
export function relativeWidth({ lower, upper }: Interval): number | undefined {
  if (lower === null || upper === null || upper === Infinity) return undefined;
  if (upper === lower) return 0;
  // A lower end of 0 is not a bound: no epsilon or delta is less.
  return lower === 0 ? undefined : (upper - lower) / upper;
}

export function formatWidth(interval: Interval): string {
  if (interval.kind === 'estimate') return '–';
  const width = relativeWidth(interval);
  if (width === undefined) return 'open';
  if (width === 0) return 'exact';
  if (width >= 0.01) return `${formatNumber(100 * width, 'up', 2)}%`;
  return formatNumber(width, 'up', 2);
}

type Sign = '' | '=' | '≈' | '≤' | '≥' | '∈';

/**
 * An interval's two ends in text, rounded outwards, with just enough digits to see its width. A
 * single proved end is shown as a bound, and an end that proves nothing as an estimate.
 */
function signed({ lower, upper, kind }: Interval): readonly [Sign, string] {
  const end = (value: number, side: Side, digits = 4) => written(value, digits, side, inText);
  if (kind === 'estimate' && (lower ?? upper) !== null)
    return ['≈', end(upper ?? lower ?? 0, 'nearest')];
  if (lower !== null && lower === upper) return ['=', showGiven(lower)];
  if (upper === null)
    return lower !== null && lower > 0 ? ['≥', end(lower, 'down')] : ['', noBound];
  if (lower === null) return ['≤', end(upper, 'up')];
  let digits = 4;
  if (lower > 0) {
    const agree = -Math.log10((upper - lower) / upper);
    digits = Math.min(6, Math.max(4, Math.ceil(agree) + 2));
  }
  return ['∈', `[${end(lower, 'down', digits)}, ${end(upper, 'up', digits)}]`];
}

/** 4, [6.52, 6.66], ≤ 7, no bound */
export function showInterval(value: Interval): string {
  const [sign, text] = signed(value);
  return sign === '=' || sign === '∈' ? text : `${sign} ${text}`.trim();
}

/** ε = 4, ε ∈ [6.52, 6.66], ε ≤ 7, no bound on ε. */
export function claim(name: string, value: Interval): string {
  const [sign, text] = signed(value);
  return sign === '' ? `${text} on ${name}` : `${name} ${sign} ${text}`;
}

/** A kind as readers know it. */
export const kindNames: Readonly<Record<IntervalKind, string>> = {
  certified: 'proved',
  bound: 'one-sided bound',
  confidence: 'confidence',
  estimate: 'estimate',
};

/** The kind of the ends that say something; '' where neither does. */
export const worthOf = (value: Interval): IntervalKind | '' =>
  showInterval(value) === noBound ? '' : value.kind;

/** The same in a reader's words. */
export function kindOf(value: Interval): string {
  const worth = worthOf(value);
  return worth === '' ? '' : kindNames[worth];
}

/** The same behind a claim. */
export function withWorth(text: string, value: Interval, gap = ' '): string {
  const kind = kindOf(value);
  return kind === '' ? text : `${text}${gap}(${kind})`;
}
