import { readFileSync } from 'node:fs';

const file = new URL('readings.golden', import.meta.url);
export const path = file.pathname;

export interface Part {
  /** What holds of all its texts. */
  promise: string;
  /** Lines before each of them, beside which only what changes is said. */
  base: string;
  texts: readonly { text: string; said: string }[];
}

const alone = /([^]*?)\n((?:→ .*\n)+)/g;
const besideOthers = /([^]*?)(?: |\n)→ (.*)\n/g;

/** Texts as they are pasted, and all that is read of each. */
export const parts: readonly Part[] = readFileSync(file, 'utf8')
  .split(/^=== /m)
  .slice(1)
  .map((part) => {
    const [, promise = '', base = '', rest = ''] =
      /^(.*)\n(?:--- beside\n([^]*?)---\n)?([^]*)$/.exec(part) ?? [];
    const texts = rest.matchAll(base === '' ? alone : besideOthers);
    return {
      ...{ promise, base },
      texts: Array.from(texts, ([, text = '', said = '']) => ({ text, said: said.trimEnd() })),
    };
  });

/** The parts as the file has them. */
export const written = (all: readonly Part[]): string =>
  all
    .map(({ promise, base, texts }) => {
      const rows = texts.map(({ text, said }) => {
        const isRow = base !== '' && !text.includes('\n');
        return `${text}${isRow ? ' → ' : '\n'}${base === '' ? '' : isRow ? '' : '→ '}${said}\n`;
      });
      return `=== ${promise}\n${base === '' ? '' : `--- beside\n${base}---\n`}${rows.join('')}`;
    })
    .join('\n');
