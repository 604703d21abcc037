/** honest-epsilon shuffle-model | initialisation | mixtures: questions of one record each. */

import { tableLines } from '../words/layout.js';
import type { Engine } from '../client.js';
import {
  initialisationQueryFields,
  mixturesQueryFields,
  shuffleModelQueryFields,
} from '../generated/schema.js';
import type { Explanation, InputField } from '../generated/schema.js';
import type { Command } from './command.js';
import { fieldRows, flagColumns, readWords } from './flags.js';
import { withWaiting } from './io.js';
import { columns } from './layout.js';
import { format, inText } from '../words/numbers.js';
import { ran } from './ran.js';
import { groundsText } from './text.js';
import { cellText, ofInitialisation, ofMixtures, ofShuffleModel } from '../words/explored.js';
import type { Explored } from '../words/explored.js';
import { readingRows } from '../words/readings.js';

/** A head line, tables set apart by blank lines, and the answer's method and sources. */
function page<A extends Explanation>(head: string, says: Explored<A>, answer: A): string {
  const rows: [string, string][] = [['method', answer.method]];
  const bands = says.bands(answer);
  const achieved = {
    caption: 'What the best attack achieves',
    heads: ['', ...bands.map(({ label }) => label)],
    rows: readingRows(bands),
  };
  const lines = [...says.tables(answer), ...(says.further?.(answer) ?? []), achieved]
    .filter((table) => table.rows.length > 0)
    .flatMap((table) => {
      const cells = table.rows.map((row) => row.map((cell) => cellText(cell, '', inText)));
      return [table.caption, ...tableLines([table.heads, ...cells]), ''];
    });
  return `${[head, '', ...lines, columns(rows)].join('\n')}\n${groundsText(answer)}`;
}

interface ExploringCommand<A extends Explanation> {
  summary: string;
  flags: string;
  fields: readonly InputField[];
  ask: (engine: Engine, record: Record<string, unknown>) => Promise<A>;
  head: (answer: A) => string;
  says: Explored<A>;
}

/** A question whose flags are its own fields. The core checks names and types again. */
const explorable = <A extends Explanation>(
  name: string,
  { summary, flags, fields, ask, head, says }: ExploringCommand<A>,
): [string, Command] => [
  name,
  {
    summary,
    usage: [`${name} [flags]`],
    example: `${ran} ${name} ${flags}`,
    help: () => [
      flagColumns(fieldRows(fields)),
      'Numbers may be written 1e-5, 60_000 or 1/60000; separate several by commas.',
    ],
    async run(words) {
      const { on, fields: record } = readWords(words, { fields });
      const answer = await withWaiting((engine) => ask(engine, record));
      if (on.has('json')) return `${JSON.stringify(answer)}\n`;
      return page(`${head(answer)}  (proved)`, says, answer);
    },
  },
];

export const explorableCommands = [
  explorable('shuffle-model', {
    summary: 'Local randomisers whose outputs are shuffled.',
    flags: '--local-epsilon 4.444 --users 10000 --delta 1e-6 --epsilon 0.4,0.8',
    fields: shuffleModelQueryFields,
    ask: (engine, record) => engine.shuffleModel(record),
    head: ({ cloneProbability }) =>
      `Shuffle model, ${format(cloneProbability, { side: 'nearest' })} of the others are clones`,
    says: ofShuffleModel,
  }),
  explorable('initialisation', {
    summary: 'One step of noisy gradient descent from a random start.',
    flags: '--offset 1 --clip 1 --epsilon 0.1,0.5,1',
    fields: initialisationQueryFields,
    ask: (engine, record) => engine.initialisation(record),
    head: () => 'One step of noisy gradient descent from a random start',
    says: ofInitialisation,
  }),
  explorable('mixtures', {
    summary: 'Two-component mixtures, and bounds by joint concavity.',
    flags: '--weight 1/3 --p1 1 --p2 0 --q1 0 --q2 1 --epsilon 0.1,0.5',
    fields: mixturesQueryFields,
    ask: (engine, record) => engine.mixtures(record),
    head: () => 'Two-component mixtures, P against Q',
    says: ofMixtures,
  }),
];
