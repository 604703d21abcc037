/** monte-carlo: delta by sampling; merge: the tallies of its shards, as one. */

import { constants } from 'node:os';
import { EngineError, QueryError } from '../errors.js';
import { monteCarloQueryFields, phaseFields, type InputField } from '../generated/schema.js';
import type { MonteCarloResult } from '../monte-carlo.js';
import { BadTally, countChunks } from '../tally.js';
import type { Tally } from '../tally-shape.js';
import type { Command } from './command.js';
import {
  fieldRows,
  flagColumns,
  flagNumber,
  issue,
  namesOf,
  readWords,
  wholeFlag,
  type FlagsSaid,
} from './flags.js';
import { paragraph } from './layout.js';
import { withEngine } from './io.js';
import { progressBar } from './progress.js';
import { ran } from './ran.js';
import { readTallyFile, withTallyFile } from './tally-file.js';
import { monteCarloText } from './text.js';

/** Phase fields that every query refuses unless they have their defaults. */
const mute = [
  'maxBatchSize',
  'recordsPerUser',
  'samplingWorkers',
  'replacement',
  'drawnDivisor',
  'swapped',
];
const fields: readonly InputField[] = monteCarloQueryFields.filter(
  ({ name }) => !mute.includes(name),
);
const certaintyFields = fields.filter(({ name }) =>
  ['confidence', 'simultaneous', 'ends'].includes(name),
);

/** The command's own flags. */
const own = {
  '--workers <count>': 'Maximum number of workers (default: number of CPUs).',
  '--shard <k/n>':
    'Run only part k of n, k/n with k from 1 (default: all). Run the others elsewhere, then merge.',
  '--chunks <a:b>': 'Run only these chunks, a:b for a up to b - 1 (default: all).',
  '--tally <file>':
    'Save samples to this file, every half minute and when interrupted; continue from its contents.',
  '--resume <file>': 'Continue the tally in this file; no other flags are needed.',
};
const mergeOwn = { '--tally <file>': 'Write the merged tally to this file.' };

/** Flags as the other questions and the papers spell them, in the words of the schema's list. */
const spelt = (word: string) => word.replace(/^--epsilon(?==|$)/, '--epsilons');

/** Two whole numbers with a sign between them. */
function readPair(
  name: string,
  sign: string,
  text: string | undefined,
): [number, number] | undefined {
  if (text === undefined) return undefined;
  const [first, second, ...rest] = text.split(sign).map((part) => flagNumber(name, part, 'count'));
  if (first !== undefined && second !== undefined && rest.length === 0) return [first, second];
  const form = sign === ':' ? 'two numbers such as 0:50' : 'two numbers such as 1/8';
  throw issue('wrong-type', name, `${name} must be ${form}; got "${text}"`);
}

const render = (result: MonteCarloResult, json: boolean): string =>
  json ? `${JSON.stringify(result)}\n` : monteCarloText(result);

/** In milliseconds: some programs, such as timeout, send an interrupt twice. */
const sameInterrupt = 500;

const interrupts = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
type Interrupt = (typeof interrupts)[number];

/** The first interrupt stops the run and keeps what was drawn; the second one is the system's. */
async function untilInterrupted<T>(use: (stop: AbortController) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const leave = () => {
    for (const name of interrupts) process.off(name, stop);
  };
  const stop = (name: Interrupt) => {
    if (controller.signal.aborted) return;
    controller.abort(name);
    setTimeout(leave, sameInterrupt).unref();
  };
  for (const name of interrupts) process.on(name, stop);
  try {
    return await use(controller);
  } finally {
    if (!controller.signal.aborted) leave();
  }
}

/** --importance, for readers who look for the method by its name. */
function importance({ on, fields: { method } }: FlagsSaid): Record<string, unknown> {
  if (!on.has('importance')) return {};
  if (method === undefined) return { method: 'importance' };
  throw issue(
    'repeated-flag',
    'method',
    '--importance and --method say the same; give one of them',
  );
}

/** The run of a tally, where the flags beside `--resume` describe none. */
function runOf({ query, seed, planned, chunks, samples }: Tally): Record<string, unknown> {
  const each = samples / Math.max(1, countChunks(chunks));
  return { ...query, seed, ...(samples > 0 ? { samples: planned * each } : {}) };
}

const describesRun = (said: Readonly<Record<string, unknown>>) =>
  [...phaseFields, { name: 'direction' }, { name: 'epsilons' }, { name: 'orderStatistics' }].some(
    ({ name }) => Object.hasOwn(said, name),
  );

/** What is said of an interrupted run, whose exit status is the one of a program that the signal ended. */
function interrupted(name: Interrupt, samples: number, file: string | undefined): EngineError {
  process.exitCode = 128 + constants.signals[name];
  const kept = samples > 0 ? `--resume ${file} goes on` : 'there is nothing to go on from';
  const where = file === undefined ? 'nothing was kept: --tally says where to' : kept;
  return new EngineError('closed', `interrupted after ${samples} samples; ${where}`);
}

/** The refusal of what a run is to go on from, with the file that holds it. */
function ofFile({ code, reason }: BadTally, from: string | undefined, path = ''): QueryError {
  if (from !== undefined) return issue(code, 'resume', `resume: ${from}: ${reason}`);
  return issue(code, 'tally', `tally: ${path}: ${reason}; name another file`);
}

async function answer(words: readonly string[]): Promise<string> {
  const said = readWords(words.map(spelt), {
    fields,
    switches: ['importance'],
    own: namesOf(own),
  });
  const told = { ...said.fields, ...importance(said) };
  const { workers: most } = said.own;
  const workers = most === undefined ? undefined : wholeFlag('workers', most, 1, 1024);
  const options = {
    chunks: readPair('chunks', ':', said.own.chunks),
    shard: readPair('shard', '/', said.own.shard),
  };
  const { tally: path, resume: from } = said.own;
  return withTallyFile(path, async (file) => {
    const resume = from === undefined ? file?.held : await readTallyFile('resume', from);
    if (resume) file?.checkReplaced(resume);
    const query =
      from !== undefined && resume && !describesRun(told) ? { ...runOf(resume), ...told } : told;
    const bar = progressBar(process.stderr);
    let latest = resume;
    const keep = async (tally: Tally | undefined) => {
      bar.clear();
      if (tally && tally.samples > 0) await file?.write(tally);
    };
    return untilInterrupted((stop) =>
      withEngine(
        async (engine) => {
          try {
            // The core's reader checks names and types again.
            const result = await engine.monteCarlo(query, {
              ...{ ...options, resume, signal: stop.signal },
              onProgress: (progress) => {
                latest = progress.tally;
                bar.show(progress);
                file?.writeNowAndThen(progress.tally).catch((error: unknown) => stop.abort(error));
              },
            });
            await keep(result.tally);
            return render(result, said.on.has('json'));
          } catch (error) {
            if (error instanceof BadTally) throw ofFile(error, from, path);
            // Nothing was drawn, or the file cannot be written.
            if (error instanceof QueryError) throw error;
            await keep(error instanceof EngineError && error.tally ? error.tally : latest);
            const name = interrupts.find((one) => one === stop.signal.reason);
            throw name === undefined ? error : interrupted(name, latest?.samples ?? 0, path);
          }
        },
        { workers },
      ),
    );
  });
}

async function mergedAnswer(words: readonly string[]): Promise<string> {
  const said = readWords(words, {
    fields: certaintyFields,
    own: namesOf(mergeOwn),
    words: Infinity,
  });
  if (said.words.length === 0) {
    throw issue('missing', 'tally', 'tally is required: a file that monte-carlo --tally wrote');
  }
  return withTallyFile(said.own.tally, async (into) => {
    const tallies: Tally[] = [];
    for (const file of said.words) tallies.push(await readTallyFile('tally', file));
    return withEngine(
      async (engine) => {
        const result = await engine.mergeTallies(tallies, said.fields);
        into?.checkReplaced(result.tally);
        await into?.write(result.tally);
        return render(result, said.on.has('json'));
      },
      { workers: 1 },
    );
  });
}

const withTally = 'Print the exact result as JSON, including the tally.';

export const monteCarloCommand: Command = {
  summary: 'Delta by sampling, with confidence intervals.',
  usage: ['monte-carlo [flags]'],
  example: `${ran} monte-carlo --sampler balls-and-bins --noise-multiplier 0.4 --steps-per-epoch 5000 --epsilon 1,4,8 --samples 1e5`,
  help: () => [
    flagColumns(
      {
        ...fieldRows(fields),
        '--epsilon <number,...>': 'The same as --epsilons.',
        '--importance': 'The same as --method importance.',
        ...own,
      },
      withTally,
    ),
    paragraph(`Numbers may be written 1e-5, 60_000 or 1/60000. The same query, seed and number of
samples give the same tally, bit for bit, for any number of workers, shards and interruptions.`),
  ],
  run: answer,
};

export const merge: Command = {
  summary: 'Merge the tallies of several monte-carlo runs.',
  usage: ['merge [flags] <tally> ...'],
  example: `${ran} merge shard-*.json`,
  help: () => [
    flagColumns({ ...fieldRows(certaintyFields), ...mergeOwn }, withTally),
    paragraph(`Tallies of another query, seed or version are rejected, and so are tallies that would
count a chunk twice or were changed. Missing chunks are named. The checksum guards against accidents,
not against forgery.`),
  ],
  run: mergedAnswer,
};
