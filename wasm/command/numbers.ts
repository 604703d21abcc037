import type { Interval, IntervalKind } from '../generated/schema.js';

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';

function superscript(exponent: number): string {
  const digits = String(Math.abs(exponent)).replace(/\d/g, (d) => superscripts[Number(d)] ?? d);
  return exponent < 0 ? `⁻${digits}` : digits;
}

/** `mantissa` (one digit, a point, the rest) times ten to `exponent`, as a person writes it. */
function compose(digits: string, exponent: number): string {
  if (exponent >= -3 && exponent < 7) {
    if (exponent < 0) return `0.${'0'.repeat(-exponent - 1)}${digits}`;
    const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
    const fraction = digits.slice(exponent + 1);
    return fraction === '' ? whole : `${whole}.${fraction}`;
  }
  const mantissa = digits.length > 1 ? `${digits.slice(0, 1)}.${digits.slice(1)}` : digits;
  return mantissa === '1' ? `10${superscript(exponent)}` : `${mantissa}×10${superscript(exponent)}`;
}

/** A number given by a person, in full, with real powers of ten: 0.1, 60000, 10⁻⁵, 2.5×10⁻⁷. */
export function showGiven(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? '∞' : String(value);
  if (value === 0) return '0';
  const [digits = '0', exponent = '0'] = Math.abs(value).toExponential().split('e');
  return (value < 0 ? '−' : '') + compose(digits.replace('.', ''), Number(exponent));
}

export type Side = 'down' | 'up';

/** A positive number to so many digits, never on the wrong side of the exact one. */
function rounded(value: number, digits: number, side: Side): string {
  if (value === 0) return '0';
  const [mantissa = '0', power = '0'] = value.toExponential(digits - 1).split('e');
  let units = BigInt(mantissa.replace('.', ''));
  let exponent = Number(power);
  const nearest = Number(`${mantissa}e${power}`);
  if (side === 'down' && nearest > value) units -= 1n;
  if (side === 'up' && nearest < value) units += 1n;
  let text = String(units);
  if (text.length > digits) {
    text = text.slice(0, digits);
    exponent += 1;
  } else if (text.length < digits) {
    text += '9';
    exponent -= 1;
  }
  return compose(text, exponent);
}

/** A positive number to four digits, on the side that keeps a promise: 1.2683 -> 1.269 upwards. */
export function showSafe(value: number, side: Side): string {
  return Number.isInteger(value) ? showGiven(value) : rounded(value, 4, side);
}

const noBound = 'no bound';

/**
 * An interval's two ends, rounded outwards (what is printed still holds the truth), with as many
 * digits as it takes to see its width and no more. One proved end is told as such, and what proves
 * nothing as an estimate.
 */
export function showInterval({ lower, upper, kind }: Interval): string {
  if (lower === null && upper === null) return noBound;
  if (kind === 'estimate') return `≈ ${rounded(upper ?? lower ?? 0, 4, 'up')}`;
  if (lower !== null && lower === upper) return showGiven(lower);
  if (lower === null) return `≤ ${rounded(upper ?? 0, 4, 'up')}`;
  if (upper === null && lower > 0) return `≥ ${rounded(lower, 4, 'down')}`;
  if (upper === null) return noBound;
  let digits = 4;
  if (lower > 0) {
    const agree = -Math.log10((upper - lower) / upper);
    digits = Math.min(6, Math.max(4, Math.ceil(agree) + 2));
  }
  return `[${rounded(lower, digits, 'down')}, ${rounded(upper, digits, 'up')}]`;
}

/** ε = 4, ε ∈ [6.53, 6.65], ε ≤ 7, no bound on ε. */
export function claim(name: string, value: Interval): string {
  const text = showInterval(value);
  if (text === noBound) return `${noBound} on ${name}`;
  if (/^[≤≥≈]/.test(text)) return `${name} ${text}`;
  return `${name} ${text.startsWith('[') ? '∈' : '='} ${text}`;
}

/** What the ends are worth; where neither says anything, nothing is certified either. */
export const worthOf = (value: Interval): IntervalKind | '' =>
  showInterval(value) === noBound ? '' : value.kind;

/** The same behind a claim. */
export function withWorth(text: string, value: Interval, gap = ' '): string {
  const worth = worthOf(value);
  return worth === '' ? text : `${text}${gap}(${worth})`;
}
