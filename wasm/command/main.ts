#!/usr/bin/env node
/** The command: its first word names what is asked, the others say about what. */

import { QueryError } from '../errors.js';
import { version } from '../generated/schema.js';
import { commands } from './commands.js';
import { columns, issue } from './flags.js';
import { write } from './io.js';
import { nearest } from './spelling.js';

function overallHelp(): string {
  return `The epsilon of your DP-SGD run, for the batches you really drew.

Usage: honest-epsilon <command> [flags]

${columns([...commands].map(([name, { summary }]) => [name, summary]))}

honest-epsilon <command> --help lists a command's flags; --version prints ${version}.

Example:
  ${commands.get('epsilon')?.example ?? ''}
`;
}

async function run([word, ...words]: readonly string[]): Promise<void> {
  if (word === undefined || word === '--help' || word === '-h' || word === 'help') {
    return write((await commands.get(words[0] ?? '')?.help()) ?? overallHelp());
  }
  if (word === '--version') return write(`${version}\n`);
  const command = commands.get(word);
  if (command) return command.run(words);
  const meant = nearest(word, [...commands.keys()]);
  const text = meant ? `did you mean ${meant}?` : 'honest-epsilon --help lists them';
  throw issue('unknown-command', '', `there is no command "${word}"; ${text}`);
}

const badQuestion = 2;
const engineTrouble = 1;

async function main(words: readonly string[]): Promise<number> {
  try {
    await run(words);
    return Number(process.exitCode ?? 0);
  } catch (error) {
    const bad = error instanceof QueryError;
    const text = error instanceof Error ? error.message : String(error);
    if (words.includes('--json')) {
      const shown = bad ? error.toJSON() : { code: 'engine-failed', field: '', text };
      await write(`${JSON.stringify({ error: shown })}\n`);
    }
    process.stderr.write(`honest-epsilon: ${text}\n`);
    return bad ? badQuestion : engineTrouble;
  }
}

// A reader that has seen enough (head, less) closes the pipe: that is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : engineTrouble);
});
process.exitCode = await main(process.argv.slice(2));
