/** monte-carlo: delta by sampling; merge: what shards of it drew, as one. */

import { readFile, stat, writeFile } from 'node:fs/promises';
import { EngineError, QueryError } from '../errors.js';
import { monteCarloQueryFields } from '../generated/schema.js';
import type { InputField } from '../generated/schema.js';
import type { MonteCarloOptions, MonteCarloResult } from '../monte-carlo.js';
import { parseNumber } from '../number-forms.js';
import { readTally } from '../tally.js';
import type { Tally } from '../tally.js';
import { columns, fieldRows, issue, unknownFlag, valueOf } from './flags.js';
import { withEngine } from './io.js';
import { progressBar } from './progress.js';
import { kebabCase } from './spelling.js';
import { monteCarloText } from './text.js';

/** Phase fields that every query refuses but for their defaults. */
const mute = ['participations', 'maxBatchSize', 'recordsPerUser', 'reshuffle', 'adjacency'];
const fields: readonly InputField[] = monteCarloQueryFields.filter(
  ({ name }) => !mute.includes(name),
);
const certaintyFields = fields.filter(({ name }) =>
  ['confidence', 'simultaneous', 'ends'].includes(name),
);

const own: Record<string, string> = {
  workers: 'Most workers to use; as many as there are processors when left out.',
  shard: 'Draw only the k-th of n parts, k/n with k from 1: run the others elsewhere, then merge.',
  chunks: 'Draw only these chunks, a:b for a up to b - 1.',
  tally: 'Write what was drawn to this file, also when interrupted.',
  resume: 'Go on from the tally in this file.',
};
const mergeOwn = { tally: 'Write the merged tally to this file.' };

interface Words {
  query: Record<string, unknown>;
  own: Record<string, string>;
  files: string[];
  json: boolean;
  help: boolean;
}

/** Flags by the schema's list, and a few of the command's own. */
function readWords(
  words: readonly string[],
  known: readonly InputField[],
  ownNames: readonly string[],
  takesFiles: boolean,
): Words {
  const read: Words = { query: {}, own: {}, files: [], json: false, help: false };
  const set = (target: Record<string, unknown>, key: string, flag: string, value: unknown) => {
    if (key in target) throw issue('repeated-flag', key, `--${flag} was given more than once`);
    target[key] = value;
  };
  for (let i = 0; i < words.length; ++i) {
    const word = words[i] ?? '';
    if (!word.startsWith('-') && takesFiles) {
      read.files.push(word);
      continue;
    }
    if (word !== '-h' && !word.startsWith('--')) {
      throw issue('unexpected-word', '', `"${word}" is not a flag; flags begin with --`);
    }
    const equals = word.indexOf('=');
    const name = word === '-h' ? 'help' : word.slice(2, equals < 0 ? undefined : equals);
    if (name === 'json' || name === 'help' || (name === 'importance' && !takesFiles)) {
      if (equals >= 0) throw issue('unexpected-value', name, `--${name} takes no value`);
      if (name === 'importance') set(read.query, 'method', name, 'importance');
      else read[name] = true;
      continue;
    }
    // As the other questions spell it, and as the papers call it.
    const spelt = name === 'epsilon' ? 'epsilons' : name;
    const field = known.find((one) => kebabCase(one.name) === spelt);
    const next = words[i + 1];
    if (field?.type === 'flag' && equals < 0 && next !== 'true' && next !== 'false') {
      // Said without a value, it is so.
      set(read.query, field.name, name, true);
      continue;
    }
    if (!field && !ownNames.includes(name)) throw unknownFlag(name, known, ownNames);
    const text = equals < 0 ? words[++i] : word.slice(equals + 1);
    if (text === undefined || text === '' || (equals < 0 && text.startsWith('--'))) {
      throw issue('missing-value', field?.name ?? name, `--${name} needs a value; got none`);
    }
    if (field) set(read.query, field.name, name, valueOf(field, text));
    else set(read.own, name, name, text);
  }
  return read;
}

/** Two whole numbers with a sign between them. */
function readPair(
  name: string,
  sign: string,
  text: string | undefined,
): [number, number] | undefined {
  if (text === undefined) return undefined;
  const [first, second, ...rest] = text.split(sign).map((part) => parseNumber(part));
  if (first !== undefined && second !== undefined && rest.length === 0) return [first, second];
  const form = sign === ':' ? 'two numbers such as 0:50' : 'two numbers such as 1/8';
  throw issue('wrong-type', name, `${name} must be ${form}; got "${text}"`);
}

function readWorkers(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const workers = parseNumber(text);
  if (workers !== undefined && Number.isSafeInteger(workers) && workers >= 1 && workers <= 1024) {
    return workers;
  }
  throw issue(
    'out-of-domain',
    'workers',
    `workers must be a whole number from 1 to 1024; got ${text}`,
  );
}

const mostBytes = 16e6;

async function readTallyFile(name: string, path: string): Promise<Tally> {
  const fail = (code: string, reason: string) => issue(code, name, `${name}: ${path}: ${reason}`);
  const text = await stat(path)
    .then(({ size }) => {
      if (size > mostBytes) throw new Error(`too large for a tally, ${String(size)} bytes`);
      return readFile(path, 'utf8');
    })
    .catch((error: unknown) => {
      throw fail('unreadable', error instanceof Error ? error.message : String(error));
    });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw fail('bad-json', `not whole JSON, perhaps cut off: ${reason}`);
  }
  try {
    return readTally(value);
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    throw fail(error.code, error.message.replace(/^tally: /, ''));
  }
}

async function writeTally(path: string | undefined, tally: Tally): Promise<void> {
  if (path === undefined) return;
  await writeFile(path, `${JSON.stringify(tally)}\n`).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw issue('unwritable', 'tally', `tally: ${reason}`);
  });
}

function render(result: MonteCarloResult, json: boolean): string {
  return json ? `${JSON.stringify(result)}\n` : monteCarloText(result);
}

/** The first interrupt stops the run and keeps what was drawn; the second one is the system's. */
async function untilInterrupted<T>(use: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const interrupt = new AbortController();
  const stop = () => {
    interrupt.abort(new EngineError('closed', 'interrupted'));
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  try {
    return await use(interrupt.signal);
  } finally {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  }
}

export async function runMonteCarlo(words: readonly string[]): Promise<string> {
  const read = readWords(words, fields, Object.keys(own), false);
  if (read.help) return monteCarloHelp();
  const workers = readWorkers(read.own.workers);
  const options: MonteCarloOptions = {
    chunks: readPair('chunks', ':', read.own.chunks),
    shard: readPair('shard', '/', read.own.shard),
    resume:
      read.own.resume === undefined ? undefined : await readTallyFile('resume', read.own.resume),
  };
  const bar = progressBar(process.stderr);
  let latest: Tally | undefined;
  const keep = async (tally: Tally | undefined) => {
    bar.clear();
    if (tally && tally.samples > 0) await writeTally(read.own.tally, tally);
  };
  return untilInterrupted((signal) =>
    withEngine(
      async (engine) => {
        try {
          // The core's reader checks names and types again.
          const result = await engine.monteCarlo(read.query, {
            ...options,
            signal,
            onProgress: (progress) => {
              latest = progress.tally;
              bar.show(progress);
            },
          });
          await keep(result.tally);
          return render(result, read.json);
        } catch (error) {
          await keep(error instanceof EngineError && error.tally ? error.tally : latest);
          if (!signal.aborted) throw error;
          const where =
            read.own.tally === undefined
              ? 'nothing was kept: --tally says where to'
              : `--resume ${read.own.tally} goes on`;
          throw new EngineError(
            'closed',
            `interrupted after ${String(latest?.samples ?? 0)} samples; ${where}`,
          );
        }
      },
      { workers },
    ),
  );
}

export async function runMerge(words: readonly string[]): Promise<string> {
  const read = readWords(words, certaintyFields, Object.keys(mergeOwn), true);
  if (read.help) return mergeHelp();
  if (read.files.length === 0) {
    throw issue(
      'missing',
      'tally',
      'tally must be a file that monte-carlo --tally wrote; got none',
    );
  }
  const tallies: Tally[] = [];
  for (const file of read.files) tallies.push(await readTallyFile('tally', file));
  return withEngine(
    async (engine) => {
      const result = await engine.mergeTallies(tallies, read.query);
      await writeTally(read.own.tally, result.tally);
      return render(result, read.json);
    },
    { workers: 1 },
  );
}

export const monteCarloExample =
  'honest-epsilon monte-carlo --sampler balls-and-bins --noise-multiplier 0.4 --steps-per-epoch 5000 --epsilon 1,4,8 --samples 1e5';
export const mergeExample = 'honest-epsilon merge shard-*.json';

const ownRows = (flags: Record<string, string>): [string, string][] =>
  Object.entries(flags).map(([name, text]) => {
    const kind = { workers: ' <count>', shard: ' <k/n>', chunks: ' <a:b>' }[name] ?? ' <file>';
    return [`--${name}${kind}`, text];
  });

export const monteCarloSummary = 'Delta of a run by sampling, with confidence intervals.';
export const mergeSummary = 'What several monte-carlo runs drew, as one.';

function monteCarloHelp(): string {
  return `${monteCarloSummary}

Usage: honest-epsilon monte-carlo [flags]

${columns([
  ...fieldRows(fields),
  ['--epsilon <number,...>', 'The same as --epsilons.'],
  ['--importance', 'The same as --method importance.'],
  ...ownRows(own),
  ['--json', 'Print the exact result as JSON, the tally with it.'],
  ['--help', 'Print this text.'],
])}

Numbers may be written 1e-5, 60_000 or 1/60000. The same query, seed and number of samples give the
same tally, bit for bit, for any number of workers, shards and interruptions.

Example:
  ${monteCarloExample}
`;
}

function mergeHelp(): string {
  return `${mergeSummary}

Usage: honest-epsilon merge [flags] <tally> ...

${columns([
  ...fieldRows(certaintyFields),
  ...ownRows(mergeOwn),
  ['--json', 'Print the exact result as JSON, the tally with it.'],
  ['--help', 'Print this text.'],
])}

Tallies of another query, seed or version are refused, and so are those that count a chunk twice, or
were changed since they were written. Chunks of the run that are in none of them are named. The
checksum shows accidents, not forgery.

Example:
  ${mergeExample}
`;
}
