import { plainPowers } from '../words/superscripts.js';

const letters: Readonly<Record<string, string>> = {
  ...{ sigma: 'σ', varepsilon: 'ε', epsilon: 'ε', delta: 'δ', times: '×', cdot: '·' },
  ...{ le: '≤', leq: '≤', approx: '≈', sim: '~', mid: '|', lvert: '|', rvert: '|', vert: '|' },
  ...{ quad: ' ', qquad: ' ', left: '', right: '', geq: '≥', ge: '≥', in: '∈' },
};

/** TeX, typography and the marks of Markdown, and what each means as plain text. */
const marks =
  /\\(sigma|varepsilon|epsilon|delta|times|cdot|leq?|geq?|approx|sim|mid|[lr]?vert|q?quad|left|right|in)(?![a-z])|\\(?:text|mathrm|mathit|mathbf|mathcal|emph|textbf|textit|texttt)\{([^{}]*)\}|\{([,=.])\}|\\[,;:! ]|\\%|\\_|\\[()[\]]|\\#|\^\{([^{}]*)\}|[\u207b\u2070\u00b9\u00b2\u00b3\u2074-\u2079]+|(?<!\d)\*\*(?!-?\d)|[$`]|[ϵ\u2212\u00a0\u2009\u202f\t~]| {2,}/g;

const meant = (
  found: string,
  [letter, inner, single, power]: readonly (string | undefined)[],
): string => {
  if (letter !== undefined) return letters[letter] ?? '';
  if (inner !== undefined) return inner;
  if (single !== undefined) return single;
  if (power !== undefined) return `^${power.replace(/\u2212/g, '-')}`;
  if (/^\\[%_#]$/.test(found)) return found.slice(1);
  if (found === 'ϵ') return 'ε';
  if (found === '\u2212') return '-';
  if (/^[\u207b\u2070\u00b9\u00b2\u00b3\u2074-\u2079]+$/.test(found))
    return plainPowers(`10${found}`).slice(2);
  return /^[$`]|^\\[()[\]]|^\*\*/.test(found) ? '' : ' ';
};

/** A text without TeX and typography, and where each of its characters stood. */
export function plainText(text: string): { plain: string; place: (at: number) => number } {
  const places: number[] = [];
  let plain = '';
  let at = 0;
  const keep = (to: number) => {
    plain += text.slice(at, to);
    for (; at < to; ++at) places.push(at);
  };
  for (const found of text.matchAll(marks)) {
    keep(found.index);
    for (const character of meant(found[0], found.slice(1))) {
      plain += character;
      places.push(found.index);
    }
    at = found.index + found[0].length;
  }
  keep(text.length);
  places.push(text.length);
  return { plain, place: (one) => places[Math.min(one, places.length - 1)] ?? text.length };
}
