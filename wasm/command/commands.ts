/** THE list of commands: main and every help text read it. */

import { batchExample, batchHelp, batchSummary, runBatch } from './batch.js';
import { curveExample, curveHelp, curveSummary, curveText, readCurve } from './curve.js';
import { explorableHelp, explorables, explore } from './explore.js';
import { questions } from './flags.js';
import { importExample, importHelp, importSummary, runImport } from './import.js';
import { readQuery, readText, withEngine, withWaiting, write } from './io.js';
import {
  mergeExample,
  mergeSummary,
  monteCarloExample,
  monteCarloSummary,
  runMerge,
  runMonteCarlo,
} from './monte-carlo.js';
import { ask, questionExamples, questionHelp, questionSummaries } from './questions.js';
import {
  checkText,
  readReportWords,
  reportExample,
  reportHelp,
  reportSummary,
  reportText,
} from './report.js';
import {
  exhibitList,
  readTask,
  reproduceExample,
  reproduceHelp,
  reproduceSummary,
  runReproduce,
} from './reproduce.js';

export interface Command {
  /** One line. */
  summary: string;
  example: string;
  help: () => string | Promise<string>;
  run: (words: readonly string[]) => Promise<void>;
}

async function curve(words: readonly string[]): Promise<void> {
  // A trade-off curve is one answer, not many.
  if (words[0] === 'tradeoff') return write(await ask('tradeoff', words.slice(1)));
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

/** The exit code for a report that states more than is proved. */
const notConfirmed = 1;

async function report(words: readonly string[]): Promise<void> {
  const told = readReportWords(words);
  if (told.rest.help) return write(reportHelp());
  const { check } = told;
  if (check !== undefined) {
    const file = await readText(check, 'check');
    const { text, confirmed } = await withWaiting((engine) => checkText(engine, file));
    await write(text);
    if (!confirmed) process.exitCode = notConfirmed;
    return;
  }
  // The file says what is asked.
  const flags = { ...told.rest.query };
  delete flags.question;
  const query = await readQuery({ ...told.rest, query: flags });
  await write(await withWaiting((engine) => reportText(engine, query, told)));
}

/** The exit code for a verdict that differs from the one on record. */
const checkFailed = 3;

async function reproduce(words: readonly string[]): Promise<void> {
  const task = readTask(words);
  if (task.help) return write(reproduceHelp());
  if (!task.exhibit && !task.check) return write(exhibitList());
  const asOnRecord = await withEngine((engine) => runReproduce(engine, task, write));
  if (task.check && !asOnRecord) process.exitCode = checkFailed;
}

const entries: readonly (readonly [string, Command])[] = [
  ...questions.map((question): [string, Command] => [
    question,
    {
      summary: questionSummaries[question],
      example: questionExamples[question],
      help: () => questionHelp(question),
      run: async (words) => write(await ask(question, words)),
    },
  ]),
  ['curve', { summary: curveSummary, example: curveExample, help: curveHelp, run: curve }],
  [
    'monte-carlo',
    {
      summary: monteCarloSummary,
      example: monteCarloExample,
      help: () => runMonteCarlo(['--help']),
      run: async (words) => write(await runMonteCarlo(words)),
    },
  ],
  [
    'merge',
    {
      summary: mergeSummary,
      example: mergeExample,
      help: () => runMerge(['--help']),
      run: async (words) => write(await runMerge(words)),
    },
  ],
  ...[...explorables].map(([name, explorable]): [string, Command] => [
    name,
    {
      summary: explorable.summary,
      example: explorable.example,
      help: () => explorableHelp(name, explorable),
      run: async (words) => write(await explore(name, explorable, words, withWaiting)),
    },
  ]),
  [
    'reproduce',
    {
      summary: reproduceSummary,
      example: reproduceExample,
      help: reproduceHelp,
      run: reproduce,
    },
  ],
  ['report', { summary: reportSummary, example: reportExample, help: reportHelp, run: report }],
  [
    'import',
    {
      summary: importSummary,
      example: importExample,
      help: importHelp,
      run: async (words) => write(await runImport(words)),
    },
  ],
  ['batch', { summary: batchSummary, example: batchExample, help: batchHelp, run: runBatch }],
];

export const commands: ReadonlyMap<string, Command> = new Map(entries);
