import type { Readable } from 'node:stream';
import type { Engine } from '../client.js';
import { toIssue } from '../errors.js';
import type { Query } from '../generated/schema.js';
import type { Command } from './command.js';
import { issue } from './flags.js';
import { readJson } from './json.js';
import { reasonOf, standardInput, withEngine, withoutMark, write } from './io.js';
import { ran } from './ran.js';

/** Enough lines under way to keep every worker busy, few enough to run in bounded memory. */
const linesUnderWay = 32;

/** In characters. No question is as long, and input without line ends must not fill the memory. */
const longestLine = 4_000_000;

/** The answer to a line's question, or an error that names the line. */
async function answerLine(engine: Engine, text: string | undefined, line: number): Promise<string> {
  try {
    if (text === undefined) {
      const most = longestLine.toLocaleString('en');
      throw issue(
        'too-long',
        '',
        `a question has at most ${most} characters; put one on each line`,
      );
    }
    const json = readJson(text);
    if ('wrong' in json) throw issue('bad-json', '', `a question must be JSON; ${json.wrong}`);
    // The core's reader checks the line's value field by field.
    return JSON.stringify(await engine.answer(json.value as Query));
  } catch (error) {
    const told = toIssue(error);
    return JSON.stringify({ error: { ...told, text: `line ${line}: ${told.text}`, line } });
  }
}

/** The lines of a text that comes in pieces; undefined in place of one that is too long. */
async function* split(pieces: AsyncIterable<string>): AsyncGenerator<string | undefined> {
  let rest = '';
  let tooLong = false;
  const checked = (line: string) =>
    tooLong || line.length > longestLine ? undefined : line.replace(/\r$/, '');
  for await (const piece of pieces) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      yield checked(line);
      tooLong = false;
    }
    tooLong ||= rest.length > longestLine;
    if (tooLong) rest = '';
  }
  yield checked(rest);
}

async function* linesOf(open: () => Readable): AsyncGenerator<string | undefined> {
  try {
    yield* split(open().setEncoding('utf8'));
  } catch (error) {
    const wanted = `it reads one question per line, as in ${example}`;
    const text = `batch cannot read standard input: ${reasonOf(error)}; ${wanted}`;
    throw issue('unreadable', '', text);
  }
}

/**
 * Answers one question per line, in order and as early as that allows: a program may wait for each
 * answer before it asks again. Blank lines are skipped.
 */
async function answerAll(
  engine: Engine,
  lines: AsyncIterable<string | undefined>,
  write: (line: string) => Promise<void>,
): Promise<void> {
  const underWay: Promise<void>[] = [];
  let last = Promise.resolve();
  let at = 0;
  for await (const line of lines) {
    at += 1;
    const text = line === undefined ? undefined : withoutMark(line);
    if (text?.trim() === '') continue;
    const answer = answerLine(engine, text, at);
    last = last.then(async () => write(await answer));
    // Errors reach those who await `last`; this only avoids an unhandled rejection.
    last.catch(() => undefined);
    underWay.push(last);
    if (underWay.length >= linesUnderWay) await underWay.shift();
  }
  await last;
}

const example = `${ran} batch < queries.jsonl > answers.jsonl`;

export const batch: Command = {
  summary: 'Answer one JSON query per line, in order.',
  usage: ['batch < <file>'],
  example,
  help: () => [
    `A query is an object on one line, such as
  {"question":"epsilon","delta":1e-6,"phases":[{"sampler":"poisson",
   "noiseMultiplier":0.8,"samplingProbability":0.001,"steps":10000}]}
Its answer is the same as with --json. For an invalid query it is
  {"error":{"code":...,"field":...,"text":...,"line":...}}
with the number of its line, and the others continue. Blank lines are skipped,
but counted.`,
  ],
  async run([word]) {
    if (word !== undefined && word !== '--json') {
      const text = `batch takes no ${word}: it reads questions from standard input`;
      throw issue('unexpected-word', '', text);
    }
    await withEngine((engine) =>
      answerAll(engine, linesOf(standardInput), (line) => write(`${line}\n`)),
    );
    return '';
  },
};
