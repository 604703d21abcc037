import { isFlag, meaningNamed, saysSampling } from './fields.js';
import { eventOf, phaseText, readEvent } from './events.js';
import { readLiteral, readValue } from './literal.js';
import type { Literal } from './literal.js';
import { readProse } from './prose.js';
import { assemble, trainer } from './run.js';
import type { ImportedPhase, ImportedRun, NoRun, Said } from './run.js';

export type { ImportedEntry, ImportedPhase, ImportedRelease, ImportedRun, NoRun } from './run.js';
export { queryOf } from './query.js';
export { aimsAtEpsilon } from './run.js';

type Pair = readonly [path: readonly string[], value: Literal];

/** The names and values in a nested configuration. */
function pairsOf(value: Literal, path: readonly string[] = []): Pair[] {
  const into = (entries: readonly (readonly [string, Literal])[]) =>
    entries.flatMap(([key, inner]) => pairsOf(inner, [...path, ...key.split('.')]));
  if (value.kind === 'record') return into(value.entries);
  if (value.kind === 'call' && value.named.length > 0) return into(value.named);
  const [only] = value.kind === 'list' && value.items.length === 1 ? value.items : [];
  return [[path, only ?? value]];
}

/** A name without a meaning of its own stands for the one around it: batch_size.init_value. */
const nameOf = (path: readonly string[]) =>
  (/^(init_)?value$/.test(path.at(-1) ?? '') ? path.at(-2) : path.at(-1)) ?? '';

const wordsOf = (value: Literal): string =>
  value.kind === 'flag' ? String(value.value) : 'text' in value ? value.text : '…';

/** Fields among the names of a configuration. */
function readPairs(pairs: readonly Pair[]): { said: Said[]; aside: string[]; sampling: string[] } {
  const said: Said[] = [];
  const aside: string[] = [];
  const sampling: string[] = [];
  for (const [path, value] of pairs) {
    // Values that are not set are skipped.
    if (value.kind === 'nothing') continue;
    const name = nameOf(path);
    const meaning = meaningNamed(name);
    const words = `${path.join('.')} = ${wordsOf(value)}`;
    if (saysSampling(name)) sampling.push(words);
    else if (meaning === undefined || isFlag(meaning) !== (value.kind === 'flag'))
      aside.push(path.join('.'));
    else said.push({ words, meaning, text: wordsOf(value) });
  }
  return { said, aside, sampling };
}

/** Lines that each set one name: key = value, key: value, --key value, config.key = value. */
function linesOf(text: string): Pair[] | undefined {
  const lines = text
    .split(/\n/)
    .map((line) => line.replace(/(^|\s)#.*$/, '').trim())
    .filter(
      (line) => line !== '' && !/^(\[.*\]|-{3}|import .*|from .*|[{}()]|.*\bdef .*)$/.test(line),
    );
  const pairs: Pair[] = [];
  for (const line of lines) {
    const flag = /^--([\w.-]+)(?:[ =](.+))?$/.exec(line);
    const set = /^["']?([A-Za-z_σδε][\w.-]*)["']?\s*[:=]\s*(.*?)[,;]?$/.exec(line);
    const [, key = '', rest = ''] = flag ?? set ?? [];
    if (key === '') return undefined;
    // A heading of what is indented below.
    if (rest === '' && !flag) continue;
    const value: Literal = rest === '' ? { kind: 'flag', value: true } : readValue(rest);
    if (value.kind === 'formula' && /[,;] /.test(rest)) return undefined;
    pairs.push(...pairsOf(value, key.split('.')));
  }
  return pairs.length > 0 ? pairs : undefined;
}

/** The flags of a command, on one line or over several. */
function flagsOf(text: string): Pair[] | undefined {
  const joined = text.replace(/\\\n/g, ' ').replace(/\s+/g, ' ');
  const flags = [...joined.matchAll(/(?<=^|\s)--([\w.-]+)(?:[ =](?!--)("[^"]*"|'[^']*'|\S+))?/g)];
  if (flags.length < 2) return undefined;
  return flags.map(([, key = '', value]) => [
    key.split('.'),
    value === undefined ? { kind: 'flag', value: true } : readValue(value),
  ]);
}

/** The list under the name that an accountant saves it by, wherever it nests. */
function historyIn(value: Literal): Literal | undefined {
  if (value.kind !== 'record') return undefined;
  for (const [key, inner] of value.entries) {
    if (key === 'history') return inner;
    const deeper = historyIn(inner);
    if (deeper) return deeper;
  }
  return undefined;
}

const isHistory = (value: Literal): boolean =>
  value.kind === 'list' &&
  value.items.length > 0 &&
  value.items.every((item) => item.kind === 'list' && item.items.length === 3);

/** Opacus: a triple for each row of equal steps. */
function readHistory(value: Literal, beside: readonly Pair[]): ImportedRun | NoRun {
  const wrong: string[] = [];
  const items = value.kind === 'list' ? value.items : [];
  if (items.length === 0) return { wrong: ['The history is empty: no step was taken.'] };
  const entries = items.flatMap((item, index): ImportedPhase[] => {
    const texts = (item.kind === 'list' ? item.items : []).map((part) =>
      part.kind === 'number' ? part.text : undefined,
    );
    const [noiseMultiplier, samplingProbability, steps] = texts;
    if (texts.length !== 3 || !noiseMultiplier || !samplingProbability || !steps) {
      wrong.push(
        `Entry ${index + 1} of the history must be three numbers: noise multiplier, sample rate and number of steps.`,
      );
      return [];
    }
    const numbers = { noiseMultiplier, samplingProbability, steps };
    return [{ kind: 'phase', mechanism: 'gaussian', numbers, flags: [] }];
  });
  const { said, aside } = readPairs(beside);
  const delta = said.find(({ meaning }) => meaning === 'delta');
  if (wrong.length > 0) return { wrong };
  return {
    source: 'the history of an Opacus accountant',
    entries,
    understood: [
      ...entries.map((entry) => {
        const { noiseMultiplier, samplingProbability, steps } = entry.numbers;
        const words = `(${[noiseMultiplier, samplingProbability, steps].join(', ')})`;
        return { words, means: phaseText(entry) };
      }),
      ...(delta ? [{ words: delta.words, means: `Delta ${delta.text}` }] : []),
    ],
    delta: delta?.text,
    missing: [],
    aside: [...aside, ...said.filter((one) => one !== delta).map(({ words }) => words)],
    sampling: [],
  };
}

const isTrainer = (pairs: readonly Pair[]) =>
  pairs.some(([path]) => nameOf(path).startsWith('per_device_'));

function fromPairs(pairs: readonly Pair[]): ImportedRun | NoRun {
  const { said, aside, sampling } = readPairs(pairs);
  return assemble(isTrainer(pairs) ? trainer : 'a configuration', said, aside, sampling);
}

const nothingRead = (aside: readonly string[]): NoRun => ({
  wrong: [
    `Nothing here says how a run was trained${aside.length > 0 ? `; it names ${aside.slice(0, 8).join(', ')}${aside.length > 8 ? ' and more' : ''}` : ''}. Paste an Opacus history, a dp_accounting event, a configuration, or a sentence such as “sigma = 1.1, batch size 256, 60 epochs, n = 60,000”.`,
  ],
});

const saysSomething = (run: ImportedRun | NoRun) =>
  'wrong' in run || run.understood.some(({ means }) => !/^(Delta|Epsilon|Reported)/.test(means));

/** A longer text is not a configuration, and would take long. */
const longest = 20_000;

/** Reads a run from a text; names what it cannot read, and guesses nothing. */
export function readRun(text: string): ImportedRun | NoRun {
  const whole = text.replace(/^\uFEFF/, '').trim();
  if (whole === '') return { wrong: ['There is nothing to read yet.'] };
  if (whole.length > longest)
    return { wrong: ['The text is longer than 20,000 characters: keep what describes the run.'] };
  const literal: Literal | undefined = readLiteral(
    whole.replace(/^[\w., ]+=\s*(?=[[({A-Za-z])/, ''),
  );
  const event = literal && eventOf(literal);
  if (event) return readEvent(event);
  if (literal && isHistory(literal)) return readHistory(literal, []);
  const history = literal && historyIn(literal);
  if (literal && history)
    return readHistory(
      history,
      pairsOf(literal).filter(([path]) => path.at(-1) !== 'history'),
    );
  const nested =
    literal && (literal.kind === 'record' || (literal.kind === 'call' && literal.named.length > 0));
  const pairs = nested ? pairsOf(literal) : (flagsOf(whole) ?? linesOf(whole));
  if (pairs) {
    const run = fromPairs(pairs);
    return saysSomething(run) ? run : nothingRead(pairs.map(([path]) => path.join('.')));
  }
  const { said, aside, sampling } = readProse(whole);
  const run = assemble('a description in words', said, aside, sampling);
  return saysSomething(run) ? run : nothingRead(aside);
}
