#!/usr/bin/env node
/** The command: its first word names the question, the others its subject. */

import { QueryError, toIssue } from '../errors.js';
import { compiler, version } from '../generated/schema.js';
import type { Command } from './command.js';
import { commands } from './commands.js';
import { issue } from './flags.js';
import { columns, paragraph, shellLines } from './layout.js';
import { reasonOf, write } from './io.js';
import { ran } from './ran.js';
import { withFlags } from '../words/fields.js';
import { nearest } from '../words/spelling.js';

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

async function run([word, ...words]: readonly string[]): Promise<void> {
  const help = word === undefined || word === '--help' || word === '-h' || word === 'help';
  if (help && words[0] === undefined) return write(overallHelp());
  if (word === '--version') {
    return write(words.includes('--verbose') ? `${version}\n${compiler}\n` : `${version}\n`);
  }
  if (help) return write(await commandNamed(words[0] ?? '').help());
  return commandNamed(word).run(words);
}

function commandNamed(word: string): Command {
  const command = commands.get(word);
  if (command) return command;
  const meant = nearest(word, [...commands.keys()]);
  const text = meant ? `did you mean ${meant}?` : `${ran} --help lists them`;
  throw issue('unknown-command', '', `there is no command "${word}"; ${text}`);
}

/** Whether the flags call fields as federated learning does. */
const saysClients = (words: readonly string[]) =>
  /(^| )--(privacy-unit[ =]client|clients|rounds)/.test(words.join(' '));

const badQuestion = 2;
const engineTrouble = 1;

async function main(words: readonly string[]): Promise<number> {
  try {
    await run(words);
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
