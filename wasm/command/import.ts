/** honest-epsilon import: a run as other programs and papers state it. */

import { commandFor } from '../words/command-line.js';
import { samplers, type Query, type SamplerInfo, type SamplerName } from '../generated/schema.js';
import type { ImportedRun } from '../import/index.js';
import { importRun } from '../import-run.js';
import type { Command } from './command.js';
import { flagColumns, issue, noChoice, readWords } from './flags.js';
import { columns, paragraph } from './layout.js';
import { readText } from './io.js';
import { kebab } from '../words/kebab.js';
import { ableOf } from '../words/trainer.js';
import { ran } from './ran.js';

const names = samplers.map(({ name }) => name);

function samplerNamed(text: string | undefined): SamplerName | undefined {
  const name = names.find((one) => one === text);
  if (text === undefined || name) return name;
  throw noChoice('sampler', text, names);
}

function lackOf({ missing, delta }: ImportedRun): string[] {
  const fields = [...missing.map(({ field }) => field), ...(delta === undefined ? ['delta'] : [])];
  return fields.map((field) => `--${kebab(field)}`);
}

const titled = (title: string, lines: readonly string[]) =>
  lines.length === 0 ? [] : [`\n${title}`, ...lines.map((line) => `  ${line}`)];

/** `able` are the samplers that can take the run; none where one was told. */
function importText(
  run: ImportedRun,
  able: readonly SamplerInfo[] | undefined,
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
  if (able) {
    const says =
      sampling.length === 0
        ? ''
        : ` It mentions “${sampling.join('”, “')}”; check that the code really did this.`;
    const choose = `Choose with --sampler: ${able.map(({ name }) => name).join(', ')}.`;
    parts.push(
      `\n${paragraph(`It does not say how batches were really sampled.${says} ${choose}`)}`,
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

export const importing: Command = {
  summary: 'Read a run from a script, a configuration or a sentence.',
  usage: ['import <file> [flags]'],
  example: `echo 'sigma = 1.1, batch size 256, 60 epochs, n = 60,000' | ${ran} import -`,
  help: () => [
    paragraph(`<file> holds an accountant's history, a dp_accounting event, a script, a configuration
(Python, YAML, TOML, JSON, flags), a table or a sentence of a paper; "-" reads standard input. Nothing
in it is executed. The output says where each number was found, what was ignored although it may
change the answer, what can be read in two ways, and which command computes the answer. No file says
how batches were really sampled: without --sampler, you get every sampler.`),
    flagColumns(
      {
        '--sampler <name>': `How batches were really sampled: ${names.join(', ')} (default: all of them).`,
      },
      'Print what was found and where, the query, and what is missing or in doubt, as JSON.',
    ),
  ],
  async run(words) {
    const { on, own, words: files } = readWords(words, { fields: [], own: ['sampler'], words: 1 });
    const sampler = samplerNamed(own.sampler);
    const [file] = files;
    if (file === undefined)
      throw issue('missing-value', 'file', 'import needs a file; "-" reads standard input');
    const run = await importRun(await readText(file, 'file'), { sampler });
    if ('wrong' in run) {
      const name = file === '-' ? 'standard input' : file;
      throw issue('unreadable', 'file', `${name}: ${run.wrong.join(' ')}`);
    }
    if (on.has('json')) return `${JSON.stringify(run)}\n`;
    const { queryOf } = await import('../import/index.js');
    const able = sampler === undefined ? ableOf(queryOf(run, undefined)) : undefined;
    return importText(run, able, run.query);
  },
};
