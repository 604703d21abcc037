import { toolName } from '../words/quotation.js';
import { citationForm, references } from '../words/references.js';
import { plainExponent } from '../words/superscripts.js';
import type { ReportModel } from './model.js';
import type { Block } from './block.js';
import type { Origin } from './cited.js';

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

/** Signs that are a command in mathematics. */
const mathematical =
  'ε varepsilon, δ delta, σ sigma, μ mu, ρ rho, ≤ le, ≥ ge, ≈ approx, × times, ∞ infty';
const symbols: ReadonlyMap<string, string> = new Map([
  ...mathematical.split(', ').map((pair) => [pair.slice(0, 1), `$\\${pair.slice(2)}$`] as const),
  ...Object.entries({ '−': '$-$', '–': '--', '’': "'", '“': '``', '”': "''", '…': '\\dots{}' }),
  ...Object.entries({ '†': '\\dag{}', é: "\\'e", ë: '\\"e' }),
]);

/** Text for LaTeX: nothing of it is a command, and every sign has one. */
export function escapeLatex(text: string): string {
  return text
    .replaceAll(/[\\{}$&#%_^~<>|"]/g, (sign) => specials[sign] ?? sign)
    .replaceAll(/[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+/gu, (raised) => `$^{${plainExponent(raised)}}$`)
    .replaceAll(
      /[^\n\x20-\x7e]/gu,
      (sign) =>
        symbols.get(sign) ??
        `(U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')})`,
    );
}

/** The same; a word that no line may hold, such as a hash, can be broken. */
const breakable = (text: string): string =>
  text
    .split(/(\S{32,})/)
    .map((part, index) =>
      index % 2 === 0
        ? escapeLatex(part)
        : (part.match(/.{1,8}/gu) ?? []).map(escapeLatex).join('\\allowbreak{}'),
    )
    .join('');

/** The same, with papers cited by their keys. */
function prose(text: string): string {
  let result = '';
  let last = 0;
  for (const match of text.matchAll(citationForm)) {
    const [whole, key = '', place] = match;
    if (!references[key]) continue;
    const where = place === undefined ? '' : `[${escapeLatex(place)}]`;
    result += `${breakable(text.slice(last, match.index))}\\cite${where}{${key}}`;
    last = match.index + whole.length;
  }
  return result + breakable(text.slice(last));
}

/** The gap between cells in an article's column, as a share of its width. */
const gap = 0.035;

/** The first column; the others share the rest equally. */
function columns(first: number, others: number): string {
  const rest = (1 - first) / others - gap;
  const widths = [first, ...Array.from({ length: others }, () => rest)];
  return `@{}${widths.map((width) => `p{${width.toFixed(3)}\\linewidth}`).join('')}@{}`;
}

const line = (cells: readonly string[]) =>
  `${cells.map((text) => `\\raggedright ${prose(text)}`).join(' & ')} \\tabularnewline`;

/** Apart from the text around it, and its rows apart from the rules. */
const tabular = (widths: string, rows: readonly string[]) =>
  [
    `\\par\\medskip\\noindent\\begin{tabular}{${widths}}`,
    ...rows,
    '\\end{tabular}\\par\\medskip',
  ].join('\n');

/** Three columns of phases fill an article's column; more follow below. */
const columnsAtATime = 3;

function tables({ head, body }: Extract<Block, { kind: 'table' }>): string {
  const strut = '\\rule{0pt}{2.6ex}';
  const parts: string[] = [];
  for (let at = 1; at < head.length; at += columnsAtATime) {
    const some = (cells: readonly string[]) => [
      cells[0] ?? '',
      ...cells.slice(at, at + columnsAtATime),
    ];
    const names = some(head);
    parts.push(
      tabular(columns(0.36, names.length - 1), [
        '\\hline',
        strut + line(names),
        '\\hline',
        ...body.map((cells, index) => (index === 0 ? strut : '') + line(some(cells))),
        '\\hline',
      ]),
    );
  }
  return parts.join('\n\n');
}

/** ASCII of every character that verbatim text holds. */
const bare = (code: string) => code.replaceAll(/[^\n\x20-\x7e]/gu, '?').trimEnd();

function block(part: Block): string {
  switch (part.kind) {
    case 'text':
      return prose(part.text);
    case 'list':
      return `\\begin{itemize}\n${part.items.map((item) => `\\item {}${prose(item)}`).join('\n')}\n\\end{itemize}`;
    case 'rows':
      return tabular(columns(0.27, 1), part.rows.map(line));
    case 'table':
      return tables(part);
    case 'code':
      return [
        `\\paragraph{${prose(part.title)}}`,
        '\\begingroup\\footnotesize\n\\begin{verbatim}',
        wrapped(bare(part.code)),
        '\\end{verbatim}\n\\endgroup',
      ].join('\n');
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

/** The quotation; the program's own citation stands behind its name. */
export const quotationLatex = (
  sentences: readonly string[],
  { version }: Pick<Origin, 'version'>,
): string =>
  prose(sentences.join(' '))
    .replaceAll(/(?<=\\cite\{[^}]*)\} \\cite\{/g, ',')
    .replaceAll(/ (?=\\cite\{)/g, '~')
    .replaceAll('\\textless{}', '$<$')
    .replace(`${toolName} ${version}`, (name) => `${name}~\\cite{honest-epsilon}`);

/** An appendix: \input it into an article, beside the bibliography that bibtex makes. */
export function latex({ title, quotation, facts, sections }: ReportModel): string {
  const parts = sections.map(({ letter, title: name, blocks }) =>
    [`\\subsection*{${letter}. ${prose(name)}}`, ...blocks.map(block)].join('\n\n'),
  );
  return [`\\section*{${prose(title)}}`, quotationLatex(quotation, facts), ...parts, '']
    .join('\n\n')
    .replace(/\n+$/, '\n');
}
