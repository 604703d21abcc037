/** Reads back what is printed: 1,250; −0.061; 2.54×10⁻¹³; 10⁻⁵; ∞; a mark behind it is passed over. */
export function readPrinted(text: string): number {
  const [, sign = '', digits = '', power] =
    /^(−?)(∞|[\d,.]+)(?:×?10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+))?$/.exec(
      text.replace(/†$/, '').replace(/^(−?)10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹])/, '$11×10$2'),
    ) ?? [];
  if (digits === '') throw new Error(`${text} is no printed number`);
  const size =
    digits === '∞'
      ? Infinity
      : Number(`${digits.replaceAll(',', '')}e${power === undefined ? '0' : plain(power)}`);
  return sign === '' ? size : -size;
}

const plain = (power: string): string =>
  Array.from(power, (c) => (c === '⁻' ? '-' : String('⁰¹²³⁴⁵⁶⁷⁸⁹'.indexOf(c)))).join('');

/** The ends that a printed interval states; nothing where it states none on that side. */
export function readEnds(text: string): { lower?: number; upper?: number } {
  if (text.startsWith('≥ ')) return { lower: readPrinted(text.slice(2)) };
  if (text.startsWith('≤ ')) return { upper: readPrinted(text.slice(2)) };
  const [, lower, upper] = /^\[(.*), (.*)\]†?$/.exec(text) ?? [];
  if (/^[\d.,×⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+†?$/.test(text))
    return { lower: readPrinted(text), upper: readPrinted(text) };
  if (lower === undefined || upper === undefined) return {};
  return { lower: readPrinted(lower), upper: readPrinted(upper) };
}
