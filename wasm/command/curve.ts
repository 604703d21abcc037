/** honest-epsilon curve KIND: a run's curve as text, CSV or JSON. */

import type { Engine } from '../client.js';
import type { Curve, CurvePoint, CurveRange } from '../curve.js';
import { curveKind, curveKinds, type CurveField, type CurveKind } from '../curve-kinds.js';
import { phaseFields, queryFields, version, type Query } from '../generated/schema.js';
import { endNote, endsKind, floorOf } from '../curve-range.js';
import type { Command } from './command.js';
import { flagHelp, issue, numberFlag, readFlags, type Options } from './flags.js';
import { readQuery, withEngine, write } from './io.js';
import { columns, paragraph, shellLines } from './layout.js';
import { ask } from './questions.js';
import { markOf, markWords, restsOnOwnProofs } from '../words/claims.js';
import { format, formatInterval, inText } from '../words/numbers.js';
import { csv } from '../words/csv.js';
import { snake } from '../words/kebab.js';
import { ran } from './ran.js';
import { markRow } from './text.js';
import { nearest } from '../words/spelling.js';

/** The curve's own flags, beside those of the question. */
const numbers = ['from', 'to', 'points'] as const;

const names = () => [...curveKinds.map(({ name }) => name), 'tradeoff'].join(', ');

/** A question with a target needs both numbers, the others one. */
const helpOf = (kind: CurveKind) =>
  curveKind(kind)?.question === 'calibrate' ? 'calibrate' : 'epsilon';

const summary = 'Delta vs epsilon, epsilon vs noise or epochs, and others.';

const example = `${ran} curve epsilon-noise --sampler poisson --sampling-probability 0.001 --steps 10000 --delta 1e-6 --from 0.5 --to 2 --csv`;

const help = () => `A curve of a run; every point is proved.

Usage: ${ran} curve <kind> [flags]

<kind> is one of
${columns([...curveKinds.map(({ name, meaning }) => [name, meaning] as const), ['tradeoff', 'Error rates of the best attack; same flags as the command tradeoff.']])}

${columns([
  ['--from <number>', 'Start of the curve (default: around the values of the run).'],
  ['--to <number>', 'End of the curve (default: likewise).'],
  [
    '--points <count>',
    'Number of points, ends included (default: 33); whole numbers only once each.',
  ],
  ['--csv', 'Print comma-separated values, after comment lines with the run.'],
])}
${flagHelp('calibrate')}

${paragraph(`The field along the curve may be omitted. delta-epsilon goes down to four decades below
--delta.`)}

Example:
  ${shellLines(example)}
`;

interface CurveAsked {
  options: Options;
  range: CurveRange;
}

function complain(...said: Parameters<typeof issue>): never {
  throw issue(...said);
}

function readKind(word: string | undefined): CurveKind {
  if (word === undefined || word.startsWith('--')) {
    return complain('required', 'kind', `curve needs a kind, one of ${names()}`);
  }
  const kind = curveKind(word)?.name;
  if (kind) return kind;
  const known = curveKinds.map(({ name }) => name);
  const meant = nearest(word, known);
  const hint = meant ? `did you mean ${meant}?` : `it is one of ${names()}`;
  return complain('unknown-kind', 'kind', `there is no curve "${word}"; ${hint}`);
}

/** The curve's kind, its own flags and those of the question. */
function readCurve([word, ...words]: readonly string[]): CurveAsked {
  const kind = readKind(word);
  const options = readFlags('epsilon', words, { switches: ['csv'], own: numbers });
  const range: CurveRange = { kind };
  for (const name of numbers) {
    const text = options.own[name];
    if (text === undefined) continue;
    range[name] = numberFlag(name, text, name === 'points' ? 'count' : endsKind(kind));
  }
  const { epsilon } = options.query;
  if (epsilon !== undefined && helpOf(kind) !== 'calibrate') {
    complain('unused-flag', 'epsilon', `curve ${kind} takes no --epsilon: it is what is drawn`);
  }
  return { options, range };
}

const fieldTitle = (field: CurveField) =>
  [...phaseFields, ...queryFields].find(({ name }) => name === field)?.label ?? field;

function asText({ kind, x, y, points }: Curve, query: Query, to: number | undefined): string {
  const rows = points.map(
    (point) =>
      [
        format(point.x, { side: 'given', medium: 'text' }),
        `${formatInterval(point.y, inText)}${markOf(point)}`,
      ] as const,
  );
  const note =
    kind === 'delta-epsilon' && to === undefined ? endNote(points, floorOf({ query })) : undefined;
  const table = columns([
    [fieldTitle(x), fieldTitle(y)],
    ...rows,
    ...markRow({ ownProofs: points.some(restsOnOwnProofs) }),
  ]);
  return `${table}\n${note === undefined ? '' : `\nThe curve ${note}.\n`}`;
}

const asCsv = ({ kind, x, y, points }: Curve, query: Query): string =>
  csv(
    [
      `${kind}, honest-epsilon ${version}`,
      JSON.stringify({ ...query, question: undefined }),
      ...(points.some(restsOnOwnProofs) ? [markWords({})] : []),
    ],
    [snake(x), `${snake(y)}_lower`, `${snake(y)}_upper`, 'kind'],
    points.map((point) => [point.x, point.y.lower, point.y.upper, point.y.kind]),
  );

async function curveText(
  engine: Engine,
  { options, range }: CurveAsked,
  query: Query,
  onPoint: (point: CurvePoint, done: number, all: number) => void,
): Promise<string> {
  const curve = await engine.curve(query, { ...range, onPoint });
  if (options.json) return `${JSON.stringify(curve)}\n`;
  return options.csv ? asCsv(curve, query) : asText(curve, query, range.to);
}

async function run(words: readonly string[]): Promise<void> {
  // A trade-off curve is one answer, not many.
  if (words[0] === 'tradeoff') return write(await ask('tradeoff', words.slice(1)));
  if (words.includes('--help') || words.includes('-h')) return write(help());
  const asked = readCurve(words);
  const query = await readQuery(asked.options);
  const bar = process.stderr.isTTY;
  const text = await withEngine((engine) =>
    curveText(engine, asked, query, (_, done, all) => {
      if (bar) process.stderr.write(done < all ? `\r${done} of ${all} points` : '\r\x1b[K');
    }),
  );
  await write(text);
}

export const curve: Command = { summary, example, help, run };
