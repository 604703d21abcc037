/**
 * How numbers are written, everywhere: the page, its charts, the element, the report, the command. A
 * guarantee is rounded up and a lower end down, so that what is printed is proved like what was
 * computed; an estimate is rounded to nearest, and what a reader gave is shown as it was given.
 */

import type { Interval } from '../generated/schema.js';
import { superscript } from './superscripts.js';

/** Where rounding goes: up for an upper end, down for a lower one, nearest for what proves nothing. */
type Rounding = 'up' | 'down' | 'nearest';

export type Side = Rounding | 'given';

export interface Setting {
  /** Significant digits; four where nothing else is said. */
  digits?: number | undefined;
  /** Text is copied into programs: thousands of a given number are not set apart. */
  medium?: 'page' | 'text' | undefined;
}

export const inText = { medium: 'text' } as const;

/** Digits d₁d₂d₃…, read as d₁.d₂d₃… × 10^exponent. */
interface Decimal {
  negative: boolean;
  digits: string;
  exponent: number;
}

const decimalOf = (exponential: string): Decimal => {
  const [mantissa = '0', exponent = '0'] = exponential.split('e');
  const negative = mantissa.startsWith('-');
  return { negative, digits: mantissa.replace(/[-.]/g, ''), exponent: Number(exponent) };
};

/**
 * A finite number to so many digits. `toExponential` rounds the exact value to nearest; where that
 * went to the wrong side, the last digit is moved by one. Nothing is multiplied, so nothing rounds.
 */
function rounded(value: number, digits: number, side: Rounding): Decimal {
  const text = value.toExponential(digits - 1);
  const decimal = decimalOf(text);
  const nearest = Number(text);
  if (!(side === 'down' ? nearest > value : side === 'up' && nearest < value)) return decimal;
  // Away from zero, or towards it.
  const units = BigInt(decimal.digits) + (decimal.negative === (side === 'down') ? 1n : -1n);
  const moved = String(units);
  if (moved.length > digits)
    return { ...decimal, digits: moved.slice(0, digits), exponent: decimal.exponent + 1 };
  // Below a power of ten the next number with as many digits ends in nines.
  return moved.length < digits || units === 0n
    ? { ...decimal, digits: '9'.repeat(digits), exponent: decimal.exponent - 1 }
    : { ...decimal, digits: moved };
}

/** 1.5e-7 -> 1.5×10⁻⁷, 1e-5 -> 10⁻⁵ */
export function asPower(exponential: string): string {
  const [mantissa = '', exponent = ''] = exponential.split('e');
  const power = `10${superscript(Number(exponent))}`;
  return mantissa === '1' ? power : `${mantissa}×${power}`;
}

function set({ negative, digits, exponent }: Decimal, powersFrom: number, { medium }: Setting) {
  const sign = negative ? '−' : '';
  if (exponent >= powersFrom || exponent < -3)
    return sign + asPower(`${digits.replace(/^.(?=.)/, '$&.')}e${exponent}`);
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  const plain = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  const whole = medium === 'text' ? plain : plain.replace(/\B(?=(\d{3})+$)/g, ',');
  const fraction = digits.slice(exponent + 1);
  return `${sign}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

/** From these powers of ten on a number is written as one: four digits are never filled up with zeros. */
const powersFrom = { rounded: 4, given: 9 };
const mostGiven = 6;

/** In full where that is short, as one over a whole number, or else marked as cut. */
function asGiven(value: number, setting: Setting): string {
  const full = decimalOf(value.toExponential());
  if (full.digits.length <= mostGiven || (Number.isInteger(value) && Math.abs(value) < 1e9))
    return set(full, powersFrom.given, setting);
  const inverse = Math.round(1 / value);
  if (Math.abs(inverse) < 1e9 && 1 / inverse === value) return `1/${asGiven(inverse, setting)}`;
  return `≈ ${set(rounded(value, 4, 'nearest'), powersFrom.given, setting)}`;
}

/** A number on its side: 7.432, 1252, 2.541×10⁻¹³, 0 where it is exactly that; – where it is missing. */
export function format(value: number | null, setting: Setting & { side: Side }): string {
  const { side, digits = 4 } = setting;
  if (value === null || Number.isNaN(value)) return '–';
  if (value === 0) return '0';
  if (!Number.isFinite(value)) return value < 0 ? '−∞' : '∞';
  if (side === 'given') return asGiven(value, setting);
  return set(rounded(value, digits, side), powersFrom.rounded, inText);
}

/** A number as a reader gave it, – where none was given. */
export const given = (value: number | null | undefined, setting?: Setting): string =>
  format(value ?? null, { ...setting, side: 'given' });

/** A given number, or on the side that keeps a claim true where it is too long to be shown whole. */
export function formatSafely(value: number, side: Side, setting?: Setting): string {
  const text = given(value, setting);
  return text.startsWith('≈') ? format(value, { ...setting, side }) : text;
}

/** "δ = 10⁻⁵", or "δ ≈ 1.181×10⁻⁵" where not all digits are shown. */
export function givenAs(name: string, value: number, setting?: Setting): string {
  const text = given(value, setting);
  return text.startsWith('≈') ? `${name} ${text}` : `${name} = ${text}`;
}

type Shape = 'zero' | 'interval' | 'at-least' | 'at-most' | 'about' | 'nothing';

/** An interval's shape, given that the quantity is never negative, and its ends, rounded outwards. */
export function endsOf({ lower, upper, kind }: Interval, setting: Setting = {}) {
  const hasLower = lower !== null && lower > 0;
  const hasUpper = upper !== null && upper < Infinity;
  const shapeOf = (): Shape => {
    if (kind === 'estimate') return hasUpper ? 'about' : 'nothing';
    if (hasUpper && upper === 0) return 'zero';
    if (hasUpper) return hasLower ? 'interval' : 'at-most';
    return hasLower ? 'at-least' : 'nothing';
  };
  return {
    shape: shapeOf(),
    lower: format(lower, { ...setting, side: 'down' }),
    upper: format(upper, { ...setting, side: kind === 'estimate' ? 'nearest' : 'up' }),
  };
}

/** [5.313, 7.432]; ≤ or ≥ where one end is proved; one number only where it is both ends. */
export function formatInterval(interval: Interval, setting: Setting = {}): string {
  const { shape, lower, upper } = endsOf(interval, setting);
  const whole = lower === upper ? upper : `[${lower}, ${upper}]`;
  return {
    zero: '0',
    interval: whole,
    'at-least': `≥ ${lower}`,
    'at-most': `≤ ${upper}`,
    about: `≈ ${upper}`,
    nothing: 'no bound',
  }[shape];
}

/** "ε ≤ 7.432": what may be promised, or the little that is known where nothing may. */
export function claim(name: string, interval: Interval, setting: Setting = {}): string {
  const { shape, upper } = endsOf(interval, setting);
  if (shape === 'nothing') return `no bound on ${name}`;
  if (shape === 'interval') return `${name} ≤ ${upper}`;
  return `${name} ${shape === 'zero' ? '= 0' : formatInterval(interval, setting)}`;
}

/** The digits to which both ends agree; undefined where they do not exist or differ by a percent. */
export function exactDigits({ lower, upper, kind }: Interval): number | undefined {
  if (kind === 'estimate') return undefined;
  const gap = (upper ?? Infinity) / (lower ?? 0) - 1;
  const agree = Math.floor(-Math.log10(Math.max(1e-15, gap)));
  return agree >= 2 ? agree : undefined;
}

/** How far the upper end is above the lower one: "40 %", "3.42 times", "10 digits" where they agree. */
export function formatGap(interval: Interval): string {
  const { lower, upper, kind } = interval;
  if (kind === 'estimate') return '–';
  if (upper === 0) return 'exact';
  const ratio = (upper ?? Infinity) / (lower ?? 0);
  if (ratio === Infinity) return 'open';
  const digits = exactDigits(interval);
  if (digits !== undefined) return `${digits} digits`;
  return ratio < 2
    ? `${String(Math.ceil(100 * (ratio - 1)))} %`
    : `${format(ratio, { side: 'up' })} times`;
}
