// The page's typefaces, with the letters and weights that it uses: half of the whole files.
import subsetFont from 'subset-font';
import type { Plugin } from 'vite';

const range = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, i) => String.fromCodePoint(first + i)).join('');

/** What is in none of the files is left to the system. */
const letters =
  range(0x20, 0x7e) +
  '\u00a0£§©«°±·»×÷àáäåçèéêëíïñóôöøúüß–—‘’“”…−≤≥≈→←⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺′″∞√∑∫' +
  'αβγδεζηθκλμνξπρστφχψωΓΔΘΛΞΠΣΦΨΩϵ';

/** Of the style sheets. */
const weights = { min: 400, max: 600 };

export function typefaces(): Plugin {
  return {
    name: 'typefaces',
    apply: 'build',
    async generateBundle(_, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type !== 'asset' || !file.fileName.endsWith('.woff2')) continue;
        const whole = Buffer.from(file.source);
        file.source = await subsetFont(whole, letters, {
          targetFormat: 'woff2',
          variationAxes: { wght: weights },
        });
      }
    },
  };
}
