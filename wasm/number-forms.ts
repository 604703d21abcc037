const decimal = /^[+-]?(\d+(_\d+)*(\.(\d+(_\d+)*)?)?|\.\d+(_\d+)*)(e[+-]?\d+)?$/i;

function parseDecimal(text: string): number | undefined {
  if (/^[+-]?inf(inity)?$/i.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  if (/^nan$/i.test(text)) return NaN;
  return decimal.test(text) ? Number(text.replaceAll('_', '')) : undefined;
}

/**
 * A number as people write one: 1e-5, 60_000, .5, 1/60000, inf. Nothing when it is not a number;
 * NaN and infinities are numbers here, for the engine to refuse with the field's own words.
 */
export function parseNumber(text: string): number | undefined {
  const [numerator, denominator, ...rest] = text.trim().split('/');
  if (numerator === undefined || rest.length > 0) return undefined;
  const top = parseDecimal(numerator.trim());
  if (top === undefined || denominator === undefined) return top;
  const bottom = parseDecimal(denominator.trim());
  return bottom === undefined ? undefined : top / bottom;
}
