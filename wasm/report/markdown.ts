import { linkOf, references, whereOf } from '../references.js';
import type { Block, ReportModel } from './model.js';

/** Text in which nothing is markup. */
export const escapeMarkdown = (text: string): string =>
  text.replaceAll(/[\\`*_<>|#~]|(?<=\])[([]/g, (sign) => `\\${sign}`).replaceAll('\n', ' ');

const line = (cells: readonly string[]) => `| ${cells.map(escapeMarkdown).join(' | ')} |`;

const tableOf = (head: readonly string[], body: readonly (readonly string[])[]) =>
  [line(head), `|${head.map(() => ' --- ').join('|')}|`, ...body.map(line)].join('\n');

function block(part: Block): string {
  switch (part.kind) {
    case 'text':
      return escapeMarkdown(part.text);
    case 'list':
      return part.items.map((item) => `- ${escapeMarkdown(item)}`).join('\n');
    case 'rows':
      return tableOf(['', ''], part.rows);
    case 'table':
      return tableOf(part.head, part.body);
    case 'code':
      return `${escapeMarkdown(part.title)}:\n\n\`\`\`${part.language}\n${part.code.trimEnd()}\n\`\`\``;
  }
}

/** For a README, a model card or a page. */
export function markdown({ title, summary, sections, citations, facts }: ReportModel): string {
  const parts = sections.map(({ letter, title: name, blocks }) =>
    [`## ${letter}. ${escapeMarkdown(name)}`, ...blocks.map(block)].join('\n\n'),
  );
  const sources = citations.flatMap((key) => {
    const reference = references[key];
    if (!reference) return [];
    const { address, name } = linkOf(reference, facts.methods);
    const place = address === undefined ? name : `[${name}](${address})`;
    const end = /[?!]$/.test(reference.title) ? '' : '.';
    return [
      `- [${key}] ${escapeMarkdown(reference.authors)}. *${escapeMarkdown(reference.title)}*${end} ${whereOf(reference)}. ${place}`,
    ];
  });
  const bibliography = sources.length > 0 ? [`## References\n\n${sources.join('\n')}`] : [];
  return `${[`# ${escapeMarkdown(title)}`, escapeMarkdown(summary), ...parts, ...bibliography].join('\n\n')}\n`;
}
