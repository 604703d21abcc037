import type { Interval } from '../generated/schema.js';
import { superscript } from '../words/superscripts.js';
import type { Claim, Relation, Verdict } from './shape.js';

export interface Printed {
  value: number;
  /** Of the last digit. */
  unit: number;
}

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

/** A printed number with all its digits, as people write it: 1.18 × 10⁻⁵. */
export function showPrinted(text: string): string {
  const [mantissa = '', exponent] = text.split('e');
  if (exponent === undefined) return text;
  const power = `10${superscript(exponent)}`;
  return mantissa === '1' ? power : `${mantissa} × ${power}`;
}

const signs: Readonly<Record<Relation, string>> = {
  '=': '=',
  about: '≈',
  exactly: '=',
  '<=': '≤',
  '>=': '≥',
};

/** What a paper states: ≤ 1.18 × 10⁻⁵. */
export const statedWords = ({ relation, printed }: Pick<Claim, 'relation' | 'printed'>): string =>
  `${signs[relation]} ${showPrinted(printed)}`;

/** Round-off in what is compared, relative: of decimal digits read and of an engine's exact ends. */
const slack = 1e-12;

const words: Readonly<Record<Verdict, string>> = {
  agree: 'agrees',
  'paper-looser': 'paper is looser (still valid)',
  'paper-rounded': 'paper is rounded the wrong way',
  'paper-wrong': 'paper’s number is wrong',
  'ours-looser': 'ours is looser',
};

/** A number that is held against a guess is wrong for that guess alone. */
export const verdictWords = (verdict: Verdict, { guess }: Pick<Claim, 'guess'>): string =>
  verdict === 'paper-wrong' && guess !== undefined ? `does not fit ${guess}` : words[verdict];

export const verdicts = Object.keys(words) as Verdict[];

type Stated = Pick<Claim, 'relation' | 'printed' | 'ownMethod'>;

/**
 * How a printed number compares with what was found.
 *
 * A bound (`<=`, `>=`) holds when our own end on that side proves it as printed, and is looser when that
 * end is better by more than the last digit: it may have been rounded outwards. A rounded number holds
 * when our interval meets the numbers that round to it (`=`: half a unit of the last digit around it;
 * `about`: a whole one), and stays within a unit, two for `about`: a wide interval agrees with nothing.
 * `exactly` is no rounding at all, but for the engine's own. An interval that holds no number that would do
 * refutes the paper; where ours cannot tell, its own method's value may.
 */
export function verdictOf(found: Interval, { relation, printed, ownMethod }: Stated): Verdict {
  const { value, unit } = readPrinted(printed);
  const room = slack * Math.abs(value);
  const half = { '=': unit / 2, about: unit, exactly: 0, '<=': 0, '>=': 0 }[relation];
  const most =
    relation === 'about' ? 2 * unit : relation === 'exactly' ? 1e-9 * Math.abs(value) : unit;
  // An estimate proves nothing of a bound; a number that is held against it only meets it or does not.
  const bound = relation === '<=' || relation === '>=';
  const proves = !bound || found.kind !== 'estimate';
  const lower = (proves ? found.lower : null) ?? -Infinity;
  const upper = (proves ? found.upper : null) ?? Infinity;
  const least = relation === '<=' ? -Infinity : value - half - room;
  const largest = relation === '>=' ? Infinity : value + half + room;
  // A single digit is a round number, not one that was rounded.
  const rounds = (from: number, to: number) =>
    bound && Math.abs(value) >= 10 * unit && from >= value - unit / 2 && to <= value + unit / 2;
  const against = (from: number, to: number): Verdict =>
    rounds(from, to) ? 'paper-rounded' : 'paper-wrong';

  if (lower > largest || upper < least) return against(lower, upper);
  const end = relation === '<=' ? upper : lower;
  if (bound && end >= least && end <= largest) {
    const looser = relation === '<=' ? end < value - most - room : end > value + most + room;
    return looser ? 'paper-looser' : 'agree';
  }
  if (!bound && lower >= value - most - room && upper <= value + most + room) return 'agree';
  const fails = ownMethod !== undefined && (ownMethod < least || ownMethod > largest);
  return fails ? against(ownMethod, ownMethod) : 'ours-looser';
}
