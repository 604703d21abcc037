/** How texts are laid out: in lines of at most 80 columns, as terminals have. */

import { inLines, terminal as most } from '../words/layout.js';

export const paragraph = (text: string): string => inLines(text.replaceAll(/\s+/g, ' ').trim(), 0);

/** A shell command in lines that the shell joins again. */
export function shellLines(command: string): string {
  const words = command.match(/node \S+|'[^']*'|\S+/g) ?? [];
  let [lines, column] = ['', 0];
  for (const word of words) {
    if (column > 0 && column + word.length + 3 > most - 2) {
      lines += ` \\\n    ${word}`;
      column = 4 + word.length;
    } else {
      lines += column === 0 ? word : ` ${word}`;
      column += word.length + 1;
    }
  }
  return lines.replaceAll('\n', '\n  ');
}

/** Names wider than this have a line of their own. */
const widestName = 24;

/** A two-column list: names, then meanings whose further lines are indented alike. */
export function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.min(widestName, Math.max(...rows.map(([name]) => name.length)));
  const indent = width + 4;
  return rows
    .map(([name, text]) => {
      const lines = text.split('\n').map((line) => {
        const [deeper = ''] = /^ *\S* {2,}/.exec(line) ?? [];
        return `${deeper}${inLines(line.slice(deeper.length), indent + deeper.length)}`;
      });
      const meaning = lines.join(`\n${' '.repeat(indent)}`);
      return name.length > width
        ? `  ${name}\n${' '.repeat(indent)}${meaning}`
        : `  ${name.padEnd(width)}  ${meaning}`;
    })
    .join('\n');
}
