import { citationForm, references } from '../references.js';
import type { Block, ReportModel } from './model.js';

const specials: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '{': '\\{',
  '}': '\\}',
  $: '\\$',
  '&': '\\&',
  '#': '\\#',
  '%': '\\%',
  _: '\\_',
  '^': '\\textasciicircum{}',
  '~': '\\textasciitilde{}',
  '<': '\\textless{}',
  '>': '\\textgreater{}',
  '|': '\\textbar{}',
  '"': "''",
};

const symbols: Readonly<Record<string, string>> = {
  ε: '$\\varepsilon$',
  δ: '$\\delta$',
  σ: '$\\sigma$',
  μ: '$\\mu$',
  ρ: '$\\rho$',
  '∈': '$\\in$',
  '≤': '$\\le$',
  '≥': '$\\ge$',
  '≈': '$\\approx$',
  '×': '$\\times$',
  '∞': '$\\infty$',
  '−': '$-$',
  '–': '--',
  '’': "'",
  '“': '``',
  '”': "''",
  é: "\\'e",
  ë: '\\"e',
  '…': '\\dots{}',
};

const exponents = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const plain = (raised: string) =>
  raised.replaceAll(/./gu, (sign) => (sign === '⁻' ? '-' : String(exponents.indexOf(sign))));

/** Text for LaTeX: nothing of it is a command, and every sign has one. */
export function escapeLatex(text: string): string {
  return text
    .replaceAll(/[\\{}$&#%_^~<>|"]/g, (sign) => specials[sign] ?? sign)
    .replaceAll(/[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+/gu, (raised) => `$^{${plain(raised)}}$`)
    .replaceAll(
      /[^\n\x20-\x7e]/gu,
      (sign) =>
        symbols[sign] ??
        `(U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')})`,
    );
}

/** The same, with papers cited by their keys. */
function prose(text: string): string {
  let result = '';
  let last = 0;
  for (const match of text.matchAll(citationForm)) {
    const [whole, key = '', place] = match;
    if (!references[key]) continue;
    const where = place === undefined ? '' : `[${escapeLatex(place)}]`;
    result += `${escapeLatex(text.slice(last, match.index))}\\cite${where}{${key}}`;
    last = match.index + whole.length;
  }
  return result + escapeLatex(text.slice(last));
}

/** A first cell that begins with a bracket would be read as the line break's argument. */
const cell = (text: string) => prose(text).replace(/^\[/, '{[}');

function tabular(columns: string, lines: readonly (readonly string[])[]): string {
  const body = lines.map((line) => `${line.map(cell).join(' & ')} \\\\`);
  return `\\noindent\\begin{tabular}{${columns}}\n${body.join('\n')}\n\\end{tabular}`;
}

const paragraph = (width: number) => `p{${width.toFixed(2)}\\linewidth}`;

/** ASCII of every character that verbatim text holds. */
const bare = (code: string) => code.replaceAll(/[^\n\x20-\x7e]/gu, '?').trimEnd();

function block(part: Block): string {
  switch (part.kind) {
    case 'text':
      return prose(part.text);
    case 'list':
      return `\\begin{itemize}\n${part.items.map((item) => `\\item {}${prose(item)}`).join('\n')}\n\\end{itemize}`;
    case 'rows':
      return tabular(`@{}${paragraph(0.27)}${paragraph(0.67)}@{}`, part.rows);
    case 'table': {
      const columns = part.head.length;
      const rest = columns > 1 ? 0.58 / (columns - 1) : 0;
      const widths = part.head.map((_, index) => paragraph(index === 0 ? 0.34 : rest));
      const [head = '', ...body] = tabular(`@{}${widths.join('')}@{}`, [
        part.head,
        ...part.body,
      ]).split('\n');
      const [names = '', ...lines] = body;
      return [
        head,
        '\\hline',
        names,
        '\\hline',
        ...lines.slice(0, -1),
        '\\hline',
        ...lines.slice(-1),
      ].join('\n');
    }
    case 'code':
      return `\\paragraph{${prose(part.title)}}\n\\begin{verbatim}\n${wrapped(bare(part.code))}\n\\end{verbatim}`;
  }
}

/** Lines that would leave the page are broken; only JSON has any, and blanks do not matter to it. */
const wrapped = (code: string) =>
  code
    .split('\n')
    .map((line) =>
      line.startsWith('{') ? line.replaceAll(/(.{1,72})(,|$)/g, '$1$2\n').trimEnd() : line,
    )
    .join('\n');

/** An appendix: \input it into an article, beside the bibliography that bibtex makes. */
export function latex({ title, summary, sections }: ReportModel): string {
  const parts = sections.map(({ letter, title: name, blocks }) =>
    [`\\subsection*{${letter}. ${prose(name)}}`, ...blocks.map(block)].join('\n\n'),
  );
  return [`\\section*{${prose(title)}}`, prose(summary), ...parts, '']
    .join('\n\n')
    .replace(/\n+$/, '\n');
}
