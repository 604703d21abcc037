#!/usr/bin/env node
/** The command: its first word names what is asked, the others say about what. */

import { readFile } from 'node:fs/promises';
import { text as readAll } from 'node:stream/consumers';
import { QueryError } from '../errors.js';
import { version } from '../generated/schema.js';
import type { Answer, Query, Question } from '../generated/schema.js';
import type { Comparison, Engine } from '../client.js';
import { createEngine } from '../node.js';
import { runBatch } from './batch.js';
import { curveHelp, curveText, readCurve } from './curve.js';
import { columns, flagHelp, questions, readFlags, unknowns, withFile } from './flags.js';
import type { Options } from './flags.js';
import {
  mergeExample,
  mergeSummary,
  monteCarloExample,
  monteCarloSummary,
  runMerge,
  runMonteCarlo,
} from './monte-carlo.js';
import { readReportWords, reportExample, reportHelp, reportSummary, reportText } from './report.js';
import {
  exhibitList,
  readTask,
  reproduceExample,
  reproduceHelp,
  reproduceSummary,
  runReproduce,
} from './reproduce.js';
import { nearest } from './spelling.js';
import { answerText, comparisonText } from './text.js';
import type { Asked } from './text.js';

type Command = Question | 'monte-carlo' | 'merge' | 'curve' | 'batch' | 'reproduce' | 'report';

const summaries: Record<Command, string> = {
  epsilon: 'Epsilon of a run at a given delta.',
  delta: 'Delta of a run at a given epsilon.',
  compare: 'The same for every way to draw the batches.',
  calibrate: 'The noise, length, batch size, ... that meets an epsilon and a delta.',
  'monte-carlo': monteCarloSummary,
  merge: mergeSummary,
  curve: 'Delta over epsilon, epsilon over noise or length, noise over the sampling rate.',
  report: reportSummary,
  batch: 'Reads a JSON question a line, writes a JSON answer or error a line, in order.',
  reproduce: reproduceSummary,
};

const example =
  '--sampler poisson --noise-multiplier 0.8 --sampling-probability 0.001 --steps 10000';

const examples: Record<Command, string> = {
  epsilon: `honest-epsilon epsilon ${example} --delta 1e-6`,
  delta: `honest-epsilon delta ${example} --epsilon 4`,
  compare:
    'honest-epsilon compare --dataset-size 50_000 --batch-size 500 --epochs 10 --noise-multiplier 1 --delta 1e-5',
  calibrate:
    'honest-epsilon calibrate noise --dataset-size 50_000 --batch-size 500 --epochs 10 --sampler poisson --epsilon 2 --delta 1e-5',
  'monte-carlo': monteCarloExample,
  merge: mergeExample,
  curve: 'honest-epsilon curve epsilon-noise --from 0.5 --to 2 --sampler poisson ... --csv',
  report: reportExample,
  batch: 'honest-epsilon batch < queries.jsonl > answers.jsonl',
  reproduce: reproduceExample,
};

const numberForms = 'Numbers may be written 1e-5, 60_000 or 1/60000.';

function overallHelp(): string {
  return `The epsilon of your DP-SGD run, for the batches you really drew.

Usage: honest-epsilon <command> [flags]

${columns(Object.entries(summaries))}

honest-epsilon <command> --help lists a command's flags; --version prints ${version}.

Example:
  ${examples.epsilon}
`;
}

function questionHelp(question: Question): string {
  const word = question === 'calibrate' ? ' <what>' : '';
  const what = question === 'calibrate' ? `\n<what> is one of ${unknowns.join(', ')}.\n` : '';
  return `${summaries[question]}

Usage: honest-epsilon ${question}${word} [flags]
${what}
${flagHelp(question)}

${numberForms}
State the schedule by dataset size, batch size and epochs; by steps per epoch and epochs; or by
sampling probability and steps. A run of several phases, or beside other releases, is a file:
  {"phases":[{"sampler":"poisson","noiseMultiplier":1,"samplingProbability":0.01,"steps":1000},
             {"sampler":"shuffle","noiseMultiplier":2,"stepsPerEpoch":100,"epochs":5},
             {"mu":0.5},{"rho":0.1},{"epsilon":0.3,"delta":1e-7}]}
given as --query run.json, beside which only flags of the question itself are of use.

Example:
  ${examples[question]}
`;
}

function batchHelp(): string {
  return `${summaries.batch}

Usage: ${examples.batch}

A question is an object such as
  {"question":"epsilon","delta":1e-6,"phases":[{"sampler":"poisson","noiseMultiplier":0.8,
   "samplingProbability":0.001,"steps":10000}]}
on one line; its answer is what --json prints. A bad question's line is
  {"error":{"code":...,"field":...,"text":...}}
and the others go on. Blank lines are passed over.
`;
}

function isQuestion(word: string): word is Question {
  return questions.some((question) => question === word);
}

/** Waits while the reader is slow, so that output is not piled up in memory. */
function write(text: string): Promise<void> {
  return new Promise((resolve) => {
    if (process.stdout.write(text)) resolve();
    else process.stdout.once('drain', resolve);
  });
}

async function withEngine<T>(use: (engine: Engine) => Promise<T>): Promise<T> {
  const engine = await createEngine();
  try {
    return await use(engine);
  } finally {
    engine.close();
  }
}

function render(outcome: Answer | Comparison, asked: Asked): string {
  return 'answers' in outcome ? comparisonText(outcome, asked) : answerText(outcome, asked);
}

/** What a question is answered with. */
function askedBy(question: Question, query: Query): Asked {
  if (question === 'epsilon' || question === 'delta') return question;
  return query.delta === undefined ? 'delta' : 'epsilon';
}

async function readQuery(options: Options): Promise<Query> {
  const { file } = options;
  if (file === undefined) return options.query;
  const text = await (file === '-' ? readAll(process.stdin) : readFile(file, 'utf8')).catch(
    (error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      throw new QueryError({ code: 'unreadable', field: 'query', text: `--query: ${reason}` });
    },
  );
  return withFile(text, options);
}

async function ask(question: Question, words: readonly string[]): Promise<string> {
  const options = readFlags(question, words);
  if (options.help) return questionHelp(question);
  const query = await readQuery(options);
  const outcome = await withEngine((engine) => engine.answer(query));
  if (options.json) return `${JSON.stringify(outcome)}\n`;
  return render(outcome, askedBy(question, query));
}

async function curve(words: readonly string[]): Promise<void> {
  if (words.includes('--help') || words.includes('-h')) return write(curveHelp());
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

async function batch(words: readonly string[]): Promise<void> {
  const [word] = words;
  if (word === '--help' || word === '-h') return write(batchHelp());
  if (word !== undefined && word !== '--json') {
    const text = `batch takes no ${word}: it reads questions from standard input`;
    throw new QueryError({ code: 'unexpected-word', field: '', text });
  }
  await withEngine((engine) => runBatch(engine, process.stdin, (line) => write(`${line}\n`)));
}

async function report(words: readonly string[]): Promise<void> {
  const told = readReportWords(words);
  if (told.rest.help) return write(reportHelp());
  // What is asked is the file's to say.
  const flags = { ...told.rest.query };
  delete flags.question;
  const query = await readQuery({ ...told.rest, query: flags });
  await write(await withEngine((engine) => reportText(engine, query, told)));
}

/** A verdict that is not the one on record. */
const checkFailed = 3;

async function reproduced(words: readonly string[]): Promise<void> {
  const task = readTask(words);
  if (task.help) return write(reproduceHelp());
  if (!task.exhibit && !task.check) return write(exhibitList());
  const asOnRecord = await withEngine((engine) => runReproduce(engine, task, write));
  if (task.check && !asOnRecord) process.exitCode = checkFailed;
}

async function run([command, ...words]: readonly string[]): Promise<void> {
  if (command === undefined || command === '--help' || command === '-h' || command === 'help') {
    const [about] = words;
    if (about === 'batch') return write(batchHelp());
    if (about === 'report') return write(reportHelp());
    if (about === 'reproduce') return write(reproduceHelp());
    if (about === 'monte-carlo') return write(await runMonteCarlo(['--help']));
    if (about === 'merge') return write(await runMerge(['--help']));
    if (about === 'curve') return write(curveHelp());
    return write(about !== undefined && isQuestion(about) ? questionHelp(about) : overallHelp());
  }
  if (command === '--version') return write(`${version}\n`);
  if (command === 'batch') return batch(words);
  if (command === 'report') return report(words);
  if (command === 'reproduce') return reproduced(words);
  if (command === 'monte-carlo') return write(await runMonteCarlo(words));
  if (command === 'merge') return write(await runMerge(words));
  if (command === 'curve') return curve(words);
  if (isQuestion(command)) return write(await ask(command, words));
  const meant = nearest(command, Object.keys(summaries));
  const text = meant ? `did you mean ${meant}?` : 'honest-epsilon --help lists them';
  throw new QueryError({
    code: 'unknown-command',
    field: '',
    text: `there is no command "${command}"; ${text}`,
  });
}

const badQuestion = 2;
const engineTrouble = 1;

async function main(words: readonly string[]): Promise<number> {
  try {
    await run(words);
    return Number(process.exitCode ?? 0);
  } catch (error) {
    const bad = error instanceof QueryError;
    const text = error instanceof Error ? error.message : String(error);
    if (words.includes('--json')) {
      const shown = bad ? error.toJSON() : { code: 'engine-failed', field: '', text };
      await write(`${JSON.stringify({ error: shown })}\n`);
    }
    process.stderr.write(`honest-epsilon: ${text}\n`);
    return bad ? badQuestion : engineTrouble;
  }
}

// A reader that has seen enough (head, less) closes the pipe: that is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : engineTrouble);
});
process.exitCode = await main(process.argv.slice(2));
