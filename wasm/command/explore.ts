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
import { readRecord, recordHelp } from './flags.js';
import { withWaiting, write } from './io.js';
import { columns, shellLines } from './layout.js';
import { format, formatInterval, inText } from '../words/numbers.js';
import { ran } from './ran.js';
import { groundsText } from './text.js';
import { ofInitialisation, ofMixtures, ofShuffleModel } from '../words/explored.js';
import type { Explored, ExploredCell } from '../words/explored.js';
import { readingRows } from '../words/readings.js';

/** A cell to the digits of the command. */
function cellText(cell: ExploredCell): string {
  if (cell === undefined || typeof cell === 'string') return cell ?? '';
  if ('kind' in cell) return formatInterval(cell, inText);
  if ('given' in cell) return format(cell.given, { side: 'given', medium: 'text' });
  if ('rounded' in cell)
    return format(cell.rounded, { side: 'nearest', digits: 4, medium: 'text' });
  return 'about' in cell
    ? `≈ ${format(cell.about, { side: 'nearest', medium: 'text' })}`
    : `≤ ${format(cell.atMost, { side: 'up', medium: 'text' })}`;
}

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
      const cells = table.rows.map((row) => row.map(cellText));
      return [table.caption, ...tableLines([table.heads, ...cells]), ''];
    });
  return `${[head, '', ...lines, columns(rows)].join('\n')}\n${groundsText(answer)}`;
}

interface ExploringCommand {
  summary: string;
  example: string;
  fields: readonly InputField[];
  ask: (engine: Engine, record: Record<string, unknown>) => Promise<[unknown, string]>;
}

/** Questions whose flags are their own fields. The core checks names and types again. */
const explorables: Readonly<Record<string, ExploringCommand>> = {
  'shuffle-model': {
    summary: 'Local randomisers whose outputs are shuffled.',
    example: `${ran} shuffle-model --local-epsilon 4.444 --users 10000 --delta 1e-6 --epsilon 0.4,0.8`,
    fields: shuffleModelQueryFields,
    ask: async (engine, record) => {
      const answer = await engine.shuffleModel(record);
      const clones = format(answer.cloneProbability, {
        side: 'nearest',
        digits: 4,
        medium: 'text',
      });
      const head = `Shuffle model, ${clones} of the others are clones  (proved)`;
      return [answer, page(head, ofShuffleModel, answer)];
    },
  },
  initialisation: {
    summary: 'One step of noisy gradient descent from a random start.',
    example: `${ran} initialisation --offset 1 --clip 1 --epsilon 0.1,0.5,1`,
    fields: initialisationQueryFields,
    ask: async (engine, record) => {
      const answer = await engine.initialisation(record);
      const head = 'One step of noisy gradient descent from a random start  (proved)';
      return [answer, page(head, ofInitialisation, answer)];
    },
  },
  mixtures: {
    summary: 'Two-component mixtures, and bounds by joint concavity.',
    example: `${ran} mixtures --weight 1/3 --p1 1 --p2 0 --q1 0 --q2 1 --epsilon 0.1,0.5`,
    fields: mixturesQueryFields,
    ask: async (engine, record) => {
      const answer = await engine.mixtures(record);
      const head = 'Two-component mixtures, P against Q  (proved)';
      return [answer, page(head, ofMixtures, answer)];
    },
  },
};

function explorableHelp(name: string, { summary, example, fields }: ExploringCommand): string {
  return `${summary}

Usage: ${ran} ${name} [flags]

${recordHelp(fields)}

Numbers may be written 1e-5, 60_000 or 1/60000; separate several by commas.

Example:
  ${shellLines(example)}
`;
}

export const explorableCommands = Object.entries(explorables).map(
  ([name, explorable]): [string, Command] => [
    name,
    {
      summary: explorable.summary,
      example: explorable.example,
      help: () => explorableHelp(name, explorable),
      run: async (words) => {
        const { help, json, record } = readRecord(explorable.fields, words);
        if (help) return write(explorableHelp(name, explorable));
        const [answer, text] = await withWaiting((engine) => explorable.ask(engine, record));
        await write(json ? `${JSON.stringify(answer)}\n` : text);
      },
    },
  ],
);
