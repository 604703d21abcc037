const digits = Array.from('⁰¹²³⁴⁵⁶⁷⁸⁹');

/** -5 -> ⁻⁵ */
export const superscript = (exponent: number | string): string =>
  Array.from(String(exponent), (character) =>
    character === '-' ? '⁻' : (digits[Number(character)] ?? character),
  ).join('');

/** 10⁻⁵ -> 10^-5, wherever a power of ten stands. */
export const plainPowers = (text: string): string =>
  text.replace(/10([-⁻−]?)([⁰¹²³⁴⁵⁶⁷⁸⁹]+)/g, (_, minus: string, raised: string) => {
    const power = Array.from(raised, (digit) => String(digits.indexOf(digit))).join('');
    return `10^${minus && '-'}${power}`;
  });
