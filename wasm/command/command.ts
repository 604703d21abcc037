import { shellLines } from './layout.js';
import { ran } from './ran.js';

export interface Command {
  /** One line. */
  summary: string;
  /** What stands behind the program's name, for each way to call it. */
  usage: readonly string[];
  /** What its words mean, in blocks. */
  help: () => readonly string[];
  example: string;
  /** The answer to the words after the command, but for what it prints on its way. */
  run: (words: readonly string[]) => Promise<string>;
}

export const helpOf = ({ summary, usage, help, example }: Command): string => `${summary}

Usage: ${usage.map((way) => `${ran} ${way}`).join('\n       ')}

${help().join('\n\n')}

Example:
  ${shellLines(example)}
`;
