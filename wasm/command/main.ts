#!/usr/bin/env node
/** The command: its first word names the question, the others its subject. */

import { QueryError, toIssue } from '../errors.js';
import { compiler, version } from '../generated/schema.js';
import { helpOf, type Command } from './command.js';
import { commands } from './commands.js';
import { noSuch } from './flags.js';
import { columns, paragraph, shellLines } from './layout.js';
import { reasonOf, write } from './io.js';
import { ran } from './ran.js';
import { withFlags } from '../words/fields.js';

function overallHelp(): string {
  return `The epsilon of your DP-SGD run, for the batches it actually used.

Usage: ${ran} <command> [flags]

${columns([...commands].map(([name, { summary }]) => [name, summary]))}

${paragraph(`<command> --help lists the flags of a command and their defaults; --version prints
${version}, and --version --verbose also the compiler of the engine.`)}

Example:
  ${shellLines(commands.get('epsilon')?.example ?? '')}
`;
}

const asksForHelp = (word: string) => /^(--help|-h)$/.test(word);

async function answer([word = 'help', ...words]: readonly string[]): Promise<string> {
  const help = word === 'help' || asksForHelp(word);
  if (help && words[0] === undefined) return overallHelp();
  if (word === '--version')
    return words.includes('--verbose') ? `${version}\n${compiler}\n` : `${version}\n`;
  if (help) return helpOf(commandNamed(words[0] ?? ''));
  // A trade-off curve is one answer, not many.
  if (word === 'curve' && words[0] === 'tradeoff') return answer(words);
  const command = commandNamed(word);
  return words.some(asksForHelp) ? helpOf(command) : command.run(words);
}

function commandNamed(word: string): Command {
  const command = commands.get(word);
  if (command) return command;
  throw noSuch('command', word, [...commands.keys()], {
    ...{ code: 'unknown-command', field: '', otherwise: `${ran} --help lists them` },
  });
}

/** Whether the flags call fields as federated learning does. */
const saysClients = (words: readonly string[]) =>
  /(^| )--(privacy-unit[ =]client|clients|rounds)/.test(words.join(' '));

const badQuestion = 2;
const engineTrouble = 1;

async function main(words: readonly string[]): Promise<number> {
  try {
    await write(await answer(words));
    return Number(process.exitCode ?? 0);
  } catch (error) {
    const told = toIssue(error);
    if (words.includes('--json')) await write(`${JSON.stringify({ error: told })}\n`);
    const text =
      error instanceof QueryError
        ? withFlags(told.text, told.field, saysClients(words))
        : told.text;
    const entry = error instanceof QueryError ? error.entry : undefined;
    const where = entry === undefined ? '' : `entry ${entry + 1} of the run: `;
    process.stderr.write(`honest-epsilon: ${where}${text}\n`);
    const status = error instanceof QueryError ? badQuestion : engineTrouble;
    return Number(process.exitCode ?? status);
  }
}

// A reader that has seen enough (head, less) closes the pipe: that is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  process.stderr.write(`honest-epsilon: cannot write the output: ${reasonOf(error)}\n`);
  process.exit(engineTrouble);
});
// There is nowhere left to report it; the exit code must still get out.
process.stderr.on('error', () => undefined);
process.exitCode = await main(process.argv.slice(2));
