import { toolName } from '../words/quotation.js';
import { isPublic } from '../words/public-address.js';
import { linkOf, references, whereOf } from '../words/references.js';
import type { ReportModel } from './model.js';
import type { Block } from './block.js';
import { cited, keysIn, namer, papersOf, type Origin } from './cited.js';

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

/** A link, where the address is one on the web; its own signs cannot end it. */
function linked(name: string, address: string | undefined): string {
  if (address === undefined || !isPublic(address)) return name;
  const escape = (sign: string) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
  return `[${name}](${new URL(address).href.replaceAll(/[()<>\\`|]/g, escape)})`;
}

export function quotationMarkdown(
  sentences: readonly string[],
  { version, link, methods }: Origin,
): string {
  const named = namer(sentences);
  const paper = (key: string) => {
    const reference = references[key];
    return linked(escapeMarkdown(named(key)), reference && linkOf(reference, methods).address);
  };
  const parts = sentences.join(' ').split(cited);
  const groups = sentences.join(' ').match(cited) ?? [];
  const whole = parts
    .map((part, index) => {
      const group = groups[index];
      return `${escapeMarkdown(part)}${group === undefined ? '' : `[${keysIn(group).map(paper).join('; ')}]`}`;
    })
    .join('');
  const tool = `${toolName} ${version}`;
  return whole.replace(tool, () => linked(tool, link));
}

/** A section of a model card, as Hugging Face sets it: its README's Markdown. */
export function modelCard(sentences: readonly string[], origin: Origin): string {
  return `## Differential privacy

${quotationMarkdown(sentences, origin)}

What this does not cover: any other use of the same data, such as choosing hyperparameters or checkpoints, normalisation statistics and evaluation; and whether the training code does what is stated here.
`;
}

/** For a README, a model card or a page. */
export function markdown({ title, quotation, sections, citations, facts }: ReportModel): string {
  const parts = sections.map(({ letter, title: name, blocks }) =>
    [`## ${letter}. ${escapeMarkdown(name)}`, ...blocks.map(block)].join('\n\n'),
  );
  const sources = papersOf(citations, (key, paper) => {
    const { address, name } = linkOf(paper, facts.methods);
    const title = `*${escapeMarkdown(paper.title)}*${/[?!]$/.test(paper.title) ? '' : '.'}`;
    return `- [${key}] ${escapeMarkdown(paper.authors)}. ${title} ${whereOf(paper)}. ${linked(name, address)}`;
  });
  const bibliography = sources.length > 0 ? [`## References\n\n${sources.join('\n')}`] : [];
  return `${[`# ${escapeMarkdown(title)}`, quotationMarkdown(quotation, facts), ...parts, ...bibliography].join('\n\n')}\n`;
}
