/** honest-epsilon import: a run as other programs and papers state it. */

import { commandFor } from '../words/command-line.js';
import { samplers, type Query, type SamplerName } from '../generated/schema.js';
import type { ImportedRun } from '../import/index.js';
import { importRun } from '../import-run.js';
import type { Command } from './command.js';
import { issue, readWords } from './flags.js';
import { columns, paragraph, shellLines } from './layout.js';
import { readText, write } from './io.js';
import { kebab } from '../words/kebab.js';
import { ran } from './ran.js';
import { nearest } from '../words/spelling.js';

const summary = 'Read a run from a script, a configuration or a sentence.';

const example = `echo 'sigma = 1.1, batch size 256, 60 epochs, n = 60,000' | ${ran} import -`;

const names = samplers.map(({ name }) => name);

const help = () => `${summary}

Usage: ${ran} import <file> [flags]

${paragraph(`<file> holds an accountant's history, a dp_accounting event, a script, a configuration
(Python, YAML, TOML, JSON, flags), a table or a sentence of a paper; "-" reads standard input. Nothing
in it is executed. The output says where each number was found, what was ignored although it may
change the answer, what can be read in two ways, and which command computes the answer. No file says
how batches were really sampled: without --sampler, you get every sampler.`)}

${columns([
  [
    '--sampler <name>',
    `How batches were really sampled: ${names.join(', ')} (default: all of them).`,
  ],
  [
    '--json',
    'Print what was found and where, the query, and what is missing or in doubt, as JSON.',
  ],
  ['--help', 'Print this text.'],
])}

Example:
  ${shellLines(example)}
`;

function samplerNamed(text: string | undefined): SamplerName | undefined {
  const name = names.find((one) => one === text);
  if (text === undefined || name) return name;
  const meant = nearest(text, names);
  const hint = meant === undefined ? '' : ` (did you mean ${meant}?)`;
  const wanted = `sampler must be one of ${names.join(', ')}; got "${text}"${hint}`;
  throw issue('unknown-choice', 'sampler', wanted);
}

function lackOf({ missing, delta }: ImportedRun): string[] {
  const fields = [...missing.map(({ field }) => field), ...(delta === undefined ? ['delta'] : [])];
  return fields.map((field) => `--${kebab(field)}`);
}

const titled = (title: string, lines: readonly string[]) =>
  lines.length === 0 ? [] : [`\n${title}`, ...lines.map((line) => `  ${line}`)];

function importText(
  run: ImportedRun,
  sampler: SamplerName | undefined,
  query: Query | null,
): string {
  const { source, facts, dangerous, ambiguous, ignored, sampling, missing } = run;
  const parts = [
    ...titled(
      'Ignored, although these may change the answer:',
      dangerous.map(({ quote, line, why }) => `${quote} (line ${line}: ${why})`),
    ),
    `\nFound in ${source}:`,
    columns(facts.map(({ quote, line, means }) => [`${line}: ${quote}`, means] as const)),
    ...titled(
      'These can be read in more than one way; write what you mean:',
      ambiguous.map(({ ask, readings }) => `${ask} ${readings.join(' | ')}`),
    ),
    ...titled(
      'Missing:',
      missing.map(({ words }) => words),
    ),
    ...titled('Ignored:', ignored.length === 0 ? [] : [ignored.join(', ')]),
  ];
  if (sampler === undefined) {
    const says =
      sampling.length === 0
        ? ''
        : ` It mentions “${sampling.join('”, “')}”; check that the code really did this.`;
    parts.push(
      `\n${paragraph(`It does not say how batches were really sampled.${says} Choose with --sampler: ${names.join(', ')}.`)}`,
    );
  }
  if (query) {
    const lack = lackOf(run);
    const add =
      lack.length === 0 ? 'Run this command:' : `Add ${lack.join(' and ')} to this command:`;
    parts.push(`\n${add}\n  ${commandFor(query)}`);
  }
  return `${parts.join('\n').trimStart()}\n`;
}

async function answer(words: readonly string[]): Promise<string> {
  const { on, own, words: files } = readWords(words, { fields: [], own: ['sampler'], words: 1 });
  if (on.has('help')) return help();
  const sampler = samplerNamed(own.sampler);
  const [file] = files;
  if (file === undefined)
    throw issue('missing-value', 'file', 'import needs a file; "-" reads standard input');
  const text = await readText(file, 'file');
  const run = await importRun(text, { sampler });
  if ('wrong' in run)
    throw issue(
      'unreadable',
      'file',
      `${file === '-' ? 'standard input' : file}: ${run.wrong.join(' ')}`,
    );
  return on.has('json') ? `${JSON.stringify(run)}\n` : importText(run, sampler, run.query);
}

export const importing: Command = {
  ...{ summary, example, help },
  run: async (words) => write(await answer(words)),
};
