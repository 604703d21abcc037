const digits = Array.from('⁰¹²³⁴⁵⁶⁷⁸⁹');

/** -5 -> ⁻⁵ */
export const superscript = (exponent: number | string): string =>
  Array.from(String(exponent), (character) =>
    character === '-' ? '⁻' : (digits[Number(character)] ?? character),
  ).join('');

/** ⁻⁵ -> -5 */
export const plainExponent = (raised: string): string =>
  Array.from(raised, (sign) => (sign === '⁻' ? '-' : String(digits.indexOf(sign)))).join('');

/** 10⁻⁵ -> 10^-5, wherever a power of ten stands. */
export const plainPowers = (text: string): string =>
  text.replace(
    /10([-⁻−]?)([⁰¹²³⁴⁵⁶⁷⁸⁹]+)/g,
    (_, minus: string, raised: string) => `10^${minus && '-'}${plainExponent(raised)}`,
  );
