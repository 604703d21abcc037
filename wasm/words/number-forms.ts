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
 * A number as people write one: 1e-5, 10^-5, 60,000, 60_000, .5, 1/60000, inf. Nothing when it is not a
 * number; NaN and infinities are numbers here, for the engine to refuse with the field's own words.
 */
export function parseNumber(text: string): number | undefined {
  const [numerator, denominator, ...rest] = text.trim().split('/');
  if (numerator === undefined || rest.length > 0) return undefined;
  const top = parseDecimal(numerator.trim());
  if (top === undefined || denominator === undefined) return top;
  const bottom = parseDecimal(denominator.trim());
  return bottom === undefined ? undefined : top / bottom;
}
