import { inLines, tableLines } from '../words/layout.js';
import { whereOf, linkOf } from '../words/references.js';
import type { ReportModel } from './model.js';
import type { Block } from './block.js';
import { cited, keysIn, namer, papersOf } from './cited.js';

const width = 92;

const fill = (text: string, indent: string, first = indent): string =>
  first + inLines(text, indent.length, first.length, width);

function block(part: Block): string {
  switch (part.kind) {
    case 'text':
      return fill(part.text, '  ');
    case 'list':
      return part.items.map((item) => fill(item, '    ', '  - ')).join('\n');
    case 'rows': {
      const names = Math.max(...part.rows.map(([name]) => name.length));
      return part.rows
        .map(([name, value]) => fill(value, ' '.repeat(names + 4), `  ${name.padEnd(names)}  `))
        .join('\n');
    }
    case 'table':
      return tableLines([part.head, ...part.body])
        .map((line) => `  ${line}`)
        .join('\n');
    case 'code':
      return `  ${part.title}:\n\n${part.code.trimEnd().replaceAll(/^(?=.)/gm, '    ')}`;
  }
}

/** The quotation as mail, slides and word processors take it. */
export function quotationText(sentences: readonly string[]): string {
  const named = namer(sentences);
  return sentences
    .join(' ')
    .replaceAll(cited, (group) => `[${keysIn(group).map(named).join('; ')}]`);
}

/** As a person reads it in a terminal or a mail. */
export function text({ title, quotation, sections, citations }: ReportModel): string {
  const parts = sections.map(({ letter, title: name, blocks }) =>
    [`${letter}. ${name}`, ...blocks.map(block)].join('\n\n'),
  );
  const sources = papersOf(citations, (key, paper) => {
    const where = `${whereOf(paper)}. ${linkOf(paper).name}`;
    const whole = `[${key}] ${paper.authors}. ${paper.title}. ${where}`;
    return fill(whole.replaceAll('?.', '?'), '    ', '  ');
  });
  const bibliography = sources.length > 0 ? [['References', sources.join('\n')].join('\n\n')] : [];
  return `${[`${title}\n${'='.repeat(title.length)}`, fill(quotationText(quotation), ''), ...parts, ...bibliography].join('\n\n')}\n`;
}
