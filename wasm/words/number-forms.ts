import { plainPowers } from './superscripts.js';

/** One spelling of minus signs, exponents and spaces: 1e−5, 2 × 10⁻⁵ and 10^-5 become 1e-5, 2e-5 and 1e-5. */
const oneSpelling = (text: string): string =>
  plainPowers(text)
    .replace(/[\u2212\u2010-\u2013]/g, '-')
    .replace(
      /(^|^[+-]|\s*[×·*x]\s*)10\s*(?:\^|\*\*)\s*(?:\{([+-]?\d+)\}|([+-]?\d+))$/,
      (_, before: string, braced: string | undefined, power = '') => {
        const alone = /^[+-]?$/.test(before);
        return `${alone ? `${before}1` : ''}e${braced ?? power}`;
      },
    );

/** Groups of three digits, the first not 0: 60,000; 60 000; with the spaces that typesetters use, too. */
const grouped = /^[+-]?[1-9]\d{0,2}(?:(?:,\d{3})+|(?:[ \u00a0\u2009\u202f]\d{3})+)(?![\d,])/;

const decimal = /^[+-]?(\d+(_\d+)*(\.(\d+(_\d+)*)?)?|\.\d+(_\d+)*)(e[+-]?\d+)?$/i;

function parseDecimal(text: string): number | undefined {
  if (/^[+-]?inf(inity)?$/i.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  if (/^nan$/i.test(text)) return NaN;
  const plain = oneSpelling(text).replace(grouped, (groups) => groups.replace(/[^\d+-]/g, ''));
  return decimal.test(plain) ? Number(plain.replaceAll('_', '')) : undefined;
}

/**
 * A number as people write one in English: 1e-5, 10^-5, 60,000, 60_000, .5, 1/60000, inf. Nothing when it is
 * not a number; NaN and infinities are numbers here, for the engine to refuse with the field's own words.
 */
export function parseNumber(text: string): number | undefined {
  const [numerator = '', denominator, ...rest] = text.split('/');
  if (rest.length > 0) return undefined;
  const top = parseDecimal(numerator.trim());
  if (top === undefined || denominator === undefined) return top;
  const bottom = parseDecimal(denominator.trim());
  return bottom === undefined ? undefined : top / bottom;
}

/** What a field holds: whole numbers only, or any. */
export type NumberKind = 'count' | 'number';

/** A spelling that people read differently, and the numbers it may mean, each spelt so that it is clear. */
export interface Unclear {
  readings: readonly string[];
}

/** Points between groups of three digits, a comma before the decimals: 60.000; 1.234,5; 1,1. */
const continental = /^[+-]?(?:[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?|\d*,\d+(?:e[+-]?\d+)?)$/i;

function readDecimal(text: string, kind: NumberKind): number | Unclear | undefined {
  const english = parseDecimal(text);
  const plain = oneSpelling(text);
  const other = continental.test(plain) ? plain.replaceAll('.', '').replace(',', '.') : undefined;
  // 1.125 is a plain number and 60,000 a plain count; 1,125 and 60.000 are not.
  const doubtful = kind === 'count' ? '.' : ',';
  if (other === undefined || (english !== undefined && !plain.includes(doubtful))) return english;
  const readings = [other, ...(english === undefined ? [] : [String(english)])]
    .filter((reading) => kind === 'number' || Number.isInteger(Number(reading)))
    .sort((a, b) => Number(b) - Number(a));
  return readings.length === 0 ? english : { readings };
}

const spellings = (part: number | Unclear, text: string): readonly string[] =>
  typeof part === 'number' ? [text] : part.readings;

/**
 * What a reader typed into a field of this kind. Where its point or comma may part thousands as well as
 * decimals (60.000 records, a noise of 1,100), or the comma can only stand before decimals (1,1), it is
 * unclear, and to be asked back. Numerators and denominators are counts.
 */
export function readNumber(text: string, kind: NumberKind): number | Unclear | undefined {
  const [numerator = '', denominator, ...rest] = text.split('/').map((part) => part.trim());
  if (rest.length > 0) return undefined;
  if (denominator === undefined) return readDecimal(numerator, kind);
  const [top, bottom] = [readDecimal(numerator, 'count'), readDecimal(denominator, 'count')];
  if (top === undefined || bottom === undefined) return undefined;
  if (typeof top === 'number' && typeof bottom === 'number') return top / bottom;
  const below = spellings(bottom, denominator);
  return {
    readings: spellings(top, numerator).flatMap((above) => below.map((one) => `${above}/${one}`)),
  };
}

/** 60000 as 60,000. */
export const withThousands = (digits: string | number): string =>
  String(digits).replaceAll(/(?<![.\d])\d{5,}(?!\d)/g, (whole) =>
    whole.replaceAll(/\B(?=(\d{3})+$)/g, ','),
  );

/** Follows the field and what was typed: `datasetSize "60.000" is unclear: did you mean 60,000 or 60?` */
export const askedBack = ({ readings }: Unclear): string =>
  `is unclear: did you mean ${readings.map(withThousands).join(' or ')}?`;
