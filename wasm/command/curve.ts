/** honest-epsilon curve KIND: a run's curve as text, CSV or JSON. */

import type { Curve, CurvePoint, CurveRange } from '../curve.js';
import { curveKind, curveKinds, type CurveField, type CurveKind } from '../curve-kinds.js';
import { phaseFields, queryFields, version, type Query } from '../generated/schema.js';
import { endNote, endsKind, floorOf } from '../curve-range.js';
import type { Command } from './command.js';
import { flagHelp, issue, noSuch, numberFlag, readFlags } from './flags.js';
import { readQuery, withEngine } from './io.js';
import { columns, paragraph } from './layout.js';
import { markOf, markWords, restsOnOwnProofs } from '../words/claims.js';
import { formatInterval, inText, given } from '../words/numbers.js';
import { csv } from '../words/csv.js';
import { snake } from '../words/kebab.js';
import { ran } from './ran.js';
import { markRow } from './text.js';

/** The curve's own flags, beside those of the question. */
const numbers = ['from', 'to', 'points'] as const;

const names = () => [...curveKinds.map(({ name }) => name), 'tradeoff'].join(', ');

/** A question with a target needs both numbers, the others one. */
const helpOf = (kind: CurveKind) =>
  curveKind(kind)?.question === 'calibrate' ? 'calibrate' : 'epsilon';

interface CurveAsked {
  options: ReturnType<typeof readFlags>;
  range: CurveRange;
}

function readKind(word: string | undefined): CurveKind {
  if (word === undefined || word.startsWith('--'))
    throw issue('required', 'kind', `curve needs a kind, one of ${names()}`);
  const kind = curveKind(word)?.name;
  if (kind) return kind;
  const known = curveKinds.map(({ name }) => name);
  const otherwise = `it is one of ${names()}`;
  throw noSuch('curve', word, known, { code: 'unknown-kind', field: 'kind', otherwise });
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
    const text = `curve ${kind} takes no --epsilon: it is what is drawn`;
    throw issue('unused-flag', 'epsilon', text);
  }
  return { options, range };
}

const fieldTitle = (field: CurveField) =>
  [...phaseFields, ...queryFields].find(({ name }) => name === field)?.label ?? field;

function asText({ kind, x, y, points }: Curve, query: Query, to: number | undefined): string {
  const rows = points.map(
    (point) => [given(point.x, inText), `${formatInterval(point.y)}${markOf(point)}`] as const,
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

export const curve: Command = {
  summary: 'Delta vs epsilon, epsilon vs noise or epochs, and others.',
  usage: ['curve <kind> [flags]'],
  example: `${ran} curve epsilon-noise --sampler poisson --sampling-probability 0.001 --steps 10000 --delta 1e-6 --from 0.5 --to 2 --csv`,
  help: () => [
    `Every point is proved. <kind> is one of
${columns([...curveKinds.map(({ name, meaning }) => [name, meaning] as const), ['tradeoff', 'Error rates of the best attack; same flags as the command tradeoff.']])}`,
    `${columns(
      Object.entries({
        '--from <number>': 'Start of the curve (default: around the values of the run).',
        '--to <number>': 'End of the curve (default: likewise).',
        '--points <count>':
          'Number of points, ends included (default: 33); whole numbers only once each.',
        '--csv': 'Print comma-separated values, after comment lines with the run.',
      }),
    )}
${flagHelp('calibrate')}`,
    paragraph(`The field along the curve may be omitted. delta-epsilon goes down to four decades below
--delta.`),
  ],
  async run(words) {
    const { options, range } = readCurve(words);
    const query = await readQuery(options);
    const bar = process.stderr.isTTY;
    const onPoint = (_: CurvePoint, done: number, all: number) => {
      if (bar) process.stderr.write(done < all ? `\r${done} of ${all} points` : '\r\x1b[K');
    };
    const found = await withEngine((engine) => engine.curve(query, { ...range, onPoint }));
    if (options.on.has('json')) return `${JSON.stringify(found)}\n`;
    return options.on.has('csv') ? asCsv(found, query) : asText(found, query, range.to);
  },
};
