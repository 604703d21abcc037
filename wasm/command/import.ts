/** honest-epsilon import: a run as other programs and papers state it. */

import { commandFor } from '../words/command-line.js';
import { samplers } from '../generated/schema.js';
import type { SamplerName } from '../generated/schema.js';
import { queryOf, readRun } from '../import/index.js';
import type { ImportedRun } from '../import/index.js';
import { columns, issue, readWords } from './flags.js';
import { readText } from './io.js';
import { kebab } from '../words/kebab.js';
import { ran } from './ran.js';
import { nearest } from '../words/spelling.js';

export const importSummary = 'Reads a run from a configuration, an accountant or a sentence.';

export const importExample = `echo 'sigma = 1.1, batch size 256, 60 epochs, n = 60,000' | ${ran} import -`;

const names = samplers.map(({ name }) => name);

export function importHelp(): string {
  return `${importSummary}

Usage: ${ran} import <file> [flags]

<file> holds an Opacus accountant's history, a dp_accounting event, training arguments as JSON, a
configuration (key: value, key = value, flags) or a sentence of a paper; "-" reads standard input.
It prints what it understood, what it left aside, and the command that asks. No file says how the
batches were really drawn: until --sampler does, every sampler is asked about.

${columns([
  ['--sampler <name>', `How the batches were really drawn: ${names.join(', ')}.`],
  ['--json', 'Print what was understood, and the question, as JSON.'],
  ['--help', 'Print this text.'],
])}

Example:
  ${importExample}
`;
}

function samplerNamed(text: string | undefined): SamplerName | undefined {
  const name = names.find((one) => one === text);
  if (text === undefined || name) return name;
  const meant = nearest(text, names);
  const hint = meant === undefined ? '' : ` (did you mean ${meant}?)`;
  const wanted = `sampler must be one of ${names.join(', ')}; got "${text}"${hint}`;
  throw issue('unknown-choice', 'sampler', wanted);
}

/** The flags that the command still lacks. */
function lackOf({ missing, delta }: ImportedRun): string[] {
  const fields = [...missing.map(({ field }) => field), ...(delta === undefined ? ['delta'] : [])];
  return fields.map((field) => `--${kebab(field)}`);
}

function importText(run: ImportedRun, sampler: SamplerName | undefined): string {
  const parts = [
    `Read as ${run.source}:`,
    columns(run.understood.map(({ words, means }) => [words, means] as const)),
  ];
  if (run.aside.length > 0) parts.push(`\nNot used: ${run.aside.join(', ')}.`);
  if (sampler === undefined) {
    const says =
      run.sampling.length === 0
        ? ''
        : ` It says “${run.sampling.join('”, “')}”, which need not be what ran.`;
    parts.push(
      `\nIt does not say how the batches were really drawn.${says}\nWith --sampler (${names.join(', ')}) the command asks about that one.`,
    );
  }
  const lack = lackOf(run);
  const add =
    lack.length === 0 ? 'This command asks:' : `Add ${lack.join(' and ')} to this command:`;
  parts.push(`\n${add}\n  ${commandFor(queryOf(run, sampler))}`);
  return `${parts.join('\n')}\n`;
}

export async function runImport(words: readonly string[]): Promise<string> {
  const { on, own, words: files } = readWords(words, { fields: [], own: ['sampler'], words: 1 });
  if (on.has('help')) return importHelp();
  const sampler = samplerNamed(own.sampler);
  const [file] = files;
  if (file === undefined)
    throw issue('missing-value', 'file', 'import needs a file; "-" reads standard input');
  const run = readRun(await readText(file, 'file'));
  if ('wrong' in run)
    throw issue(
      'unreadable',
      'file',
      `${file === '-' ? 'standard input' : file}: ${run.wrong.join(' ')}`,
    );
  if (on.has('json')) return `${JSON.stringify({ ...run, query: queryOf(run, sampler) })}\n`;
  return importText(run, sampler);
}
