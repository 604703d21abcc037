// The page's typefaces, cut to the letters and weights that it uses: half as large as the whole files.
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import subsetFont from 'subset-font';
import type { Plugin } from 'vite';

const range = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, i) => String.fromCodePoint(first + i)).join('');

/**
 * What the page and its documents are written in: a test compares. What is in none of the files is
 * left to the system.
 */
export const letters =
  range(0x20, 0x7e) + '\u00a0£§©±·×èéëóöüÚ–—‘’“”†…−≤≥≈→⁰¹²³⁴⁵⁶⁷⁸⁹⁻₀′∞√∑∈•' + 'αβγδεηθκλμπρστφψΓΔΦϵ';

/** The weights that the style sheets ask for. */
const weights = { min: 400, max: 600 };

/** Of OpenType's features those that the style sheets ask for, and those that are on by themselves. */
const features = ['kern', 'liga', 'lnum', 'tnum'];

const require = createRequire(import.meta.url);
const { version } = require('subset-font/package.json') as { version: string };

/**
 * Names are made of the whole files, before they are cut: what they are cut to is named, too. Browsers
 * keep files by their names, and would take the earlier ones for the new.
 */
export function assetNames(what: string): (asset: { names: readonly string[] }) => string {
  const cut = createHash('sha256').update(what).digest('base64url').slice(0, 8);
  return ({ names }) =>
    names.some((name) => name.endsWith('.woff2'))
      ? `assets/[name]-[hash]-${cut}[extname]`
      : 'assets/[name]-[hash][extname]';
}

export function typefaces(): Plugin {
  return {
    name: 'typefaces',
    apply: 'build',
    config: () => {
      const assetFileNames = assetNames(JSON.stringify([letters, weights, features, version]));
      return { build: { rolldownOptions: { output: { assetFileNames } } } };
    },
    async generateBundle(_, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type !== 'asset' || !file.fileName.endsWith('.woff2')) continue;
        const whole = Buffer.from(file.source);
        file.source = await subsetFont(whole, letters, {
          targetFormat: 'woff2',
          variationAxes: { wght: weights },
          keepFeatures: features,
        });
      }
    },
  };
}
