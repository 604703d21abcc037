/** honest-epsilon shuffle-model | initialisation | mixtures: questions of one record each. */

import type { Engine } from '../client.js';
import {
  initialisationQueryFields,
  mixturesQueryFields,
  shuffleModelQueryFields,
} from '../generated/schema.js';
import type {
  ClosedForm,
  Explanation,
  InitialisationAnswer,
  InputField,
  Interval,
  MixturesAnswer,
  ShuffleModelAnswer,
} from '../generated/schema.js';
import { columns, readRecord, recordHelp } from './flags.js';
import { showEstimate, showGiven, showInterval, showRounded, showSafe } from '../words/numbers.js';
import { ran } from './ran.js';
import { groundsRows, tableLines } from './text.js';
import { readingRows } from '../words/readings.js';

/** A head line, tables set apart by blank lines, and the answer's method and sources. */
function page(head: string, tables: readonly string[][][], answer: Explanation): string {
  const rows: [string, string][] = [['method', answer.method], ...groundsRows(answer)];
  const filled = tables.filter((table) => table.length > 1);
  const lines = filled.flatMap((table) => [...tableLines(table), '']);
  return `${[head, '', ...lines, columns(rows)].join('\n')}\n`;
}

const maybe = (value: Interval | undefined) => (value ? showInterval(value) : '');

function closed(form: ClosedForm | undefined): string {
  if (!form) return '';
  return form.covered ? `≤ ${showSafe(form.value, 'up', 5)}` : 'n/a';
}

function shuffleModelText(answer: ShuffleModelAnswer): string {
  const { tradeOff, advancedJoint, joint } = answer;
  const bands = [tradeOff, ...(advancedJoint ? [advancedJoint] : []), ...(joint ? [joint] : [])];
  return page(
    `Shuffle model, ${showRounded(answer.cloneProbability, 4)} of the others are clones  (proved)`,
    [
      [
        ['ε', 'δ', 'advanced joint concavity', 'joint concavity', 'closed form'],
        ...answer.deltas.map((row) => [
          showGiven(row.epsilon),
          showInterval(row.delta),
          maybe(row.advancedJoint),
          maybe(row.joint),
          closed(row.closedForm),
        ]),
      ],
      [
        ['δ', 'ε', 'advanced joint concavity', 'closed form'],
        ...answer.epsilons.map((row) => [
          showGiven(row.delta),
          showInterval(row.epsilon),
          maybe(row.advancedJoint),
          closed(row.closedForm),
        ]),
      ],
      [
        ['', 'exact', 'advanced joint concavity', 'joint concavity'].slice(0, bands.length + 1),
        ...readingRows(bands),
      ],
    ],
    answer,
  );
}

function initialisationText(answer: InitialisationAnswer): string {
  const { tradeOff, gdp, gdpMu } = answer;
  const whole = gdpMu === undefined ? [] : [`${showGiven(gdpMu)}-GDP`];
  return page(
    'One step of noisy gradient descent from a random start  (proved)',
    [
      [
        ['ε', 'δ', 'by quadrature', ...whole],
        ...answer.deltas.map((row) => [
          showGiven(row.epsilon),
          showInterval(row.delta),
          showEstimate(row.quadrature.value, 8),
          ...(row.gdp ? [showInterval(row.gdp)] : []),
        ]),
      ],
      [
        ['δ', 'ε', ...whole],
        ...answer.epsilons.map((row) => [
          showGiven(row.delta),
          showInterval(row.epsilon),
          ...(row.gdp ? [showInterval(row.gdp)] : []),
        ]),
      ],
      [['', 'random start', ...whole], ...readingRows([tradeOff, ...(gdp ? [gdp] : [])])],
      [
        ['without clipping, at ε', 'δ', 'output alone, remove', 'output alone, add'],
        ...answer.unclipped.map((row) => [
          showGiven(row.epsilon),
          showInterval(row.delta),
          showEstimate(row.outputRemove, 5),
          showEstimate(row.outputAdd, 5),
        ]),
      ],
      [
        ['Rényi order', 'unclipped', 'clipped, at most'],
        ...answer.renyi.map(({ order, unclipped, clipped }) => [
          showGiven(order),
          unclipped === undefined ? 'infinite' : showEstimate(unclipped, 5),
          clipped === undefined ? '' : showSafe(clipped, 'up', 5),
        ]),
      ],
    ],
    answer,
  );
}

function mixturesText(answer: MixturesAnswer): string {
  return page(
    'Two-component mixtures, P against Q  (proved)',
    [
      [
        ['ε', '', 'δ', 'advanced joint concavity', 'joint concavity', 'γ', 'η'],
        ...answer.deltas.flatMap(({ epsilon, ...both }) =>
          (['remove', 'add'] as const).map((direction) => {
            const { delta, advancedJoint, joint, gamma, eta } = both[direction];
            return [
              ...[showGiven(epsilon), direction, showInterval(delta)],
              ...[showInterval(advancedJoint), showInterval(joint)],
              ...[showRounded(gamma, 4), showRounded(eta, 4)],
            ];
          }),
        ),
      ],
      [
        ['', 'exact', 'advanced joint concavity', 'joint concavity'],
        ...readingRows([answer.tradeOff, answer.advancedJoint, answer.joint]),
      ],
    ],
    answer,
  );
}

interface ExploringCommand {
  summary: string;
  example: string;
  fields: readonly InputField[];
  /** Asks, and returns the answer with its text. */
  ask: (engine: Engine, record: Record<string, unknown>) => Promise<[unknown, string]>;
}

/** Questions whose flags are their own fields. The core checks names and types again. */
export const explorables: ReadonlyMap<string, ExploringCommand> = new Map(
  Object.entries<ExploringCommand>({
    'shuffle-model': {
      summary: 'Local randomisers whose outputs are shuffled.',
      example: `${ran} shuffle-model --local-epsilon 4.444 --users 10000 --delta 1e-6 --epsilon 0.4,0.8`,
      fields: shuffleModelQueryFields,
      ask: async (engine, record) => {
        const answer = await engine.shuffleModel(record);
        return [answer, shuffleModelText(answer)];
      },
    },
    initialisation: {
      summary: 'One step of noisy gradient descent from a random start.',
      example: `${ran} initialisation --offset 1 --clip 1 --epsilon 0.1,0.5,1`,
      fields: initialisationQueryFields,
      ask: async (engine, record) => {
        const answer = await engine.initialisation(record);
        return [answer, initialisationText(answer)];
      },
    },
    mixtures: {
      summary: 'Two-component mixtures, and what joint concavity proves of them.',
      example: `${ran} mixtures --weight 1/3 --p1 1 --p2 0 --q1 0 --q2 1 --epsilon 0.1,0.5`,
      fields: mixturesQueryFields,
      ask: async (engine, record) => {
        const answer = await engine.mixtures(record);
        return [answer, mixturesText(answer)];
      },
    },
  }),
);

export function explorableHelp(
  name: string,
  { summary, example, fields }: ExploringCommand,
): string {
  return `${summary}

Usage: ${ran} ${name} [flags]

${recordHelp(fields)}

Numbers may be written 1e-5, 60_000 or 1/60000; several are set apart by commas.

Example:
  ${example}
`;
}

/** The text that answers a command line; `use` lends an engine. */
export async function explore(
  name: string,
  explorable: ExploringCommand,
  words: readonly string[],
  use: (ask: (engine: Engine) => Promise<[unknown, string]>) => Promise<[unknown, string]>,
): Promise<string> {
  const { help, json, record } = readRecord(explorable.fields, words);
  if (help) return explorableHelp(name, explorable);
  const [answer, text] = await use((engine) => explorable.ask(engine, record));
  return json ? `${JSON.stringify(answer)}\n` : text;
}
