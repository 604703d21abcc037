import { NotARun, placed, type Fact, type Format, type Reading } from './facts.js';
import { meaningAt } from './fields.js';
import { history } from './history.js';
import { prose } from './prose.js';
import { python } from './python.js';
import { runFrom } from './question.js';
import type { Choices, ImportedRun, NoRun } from './imported-run.js';
import { shell } from './shell.js';
import { table } from './table.js';
import { yaml } from './yaml.js';

export type {
  Ambiguity,
  Choices,
  ImportedEntry,
  ImportedPhase,
  ImportedRun,
  NoRun,
} from './imported-run.js';
export { queryOf } from './query.js';

/** THE list of formats; of those that are equally sure, the first. */
const formats: readonly Format[] = [history, python, yaml, table, shell, prose];

/** Longer texts hold more than a run, and would take long. */
const longest = { history: 80_000_000, other: 120_000 };

const isRunFact = ({ path, meaning }: Fact) => {
  const means = meaning ?? meaningAt(path);
  return means !== undefined && means !== 'delta' && means !== 'epsilon';
};
const saysSomething = ({ facts, runs = [], events = [], history: rows }: Reading) =>
  rows !== undefined ||
  events.length > 0 ||
  [...facts, ...runs.flatMap((run) => run.facts)].some(isRunFact);

/** The surest reader that finds a run; else what the surest one says. */
function readingOf(text: string): Reading {
  const sure = formats
    .map((format) => ({ format, confidence: format.recognises(text) }))
    .filter(({ confidence }) => confidence > 0.2)
    .sort((a, b) => b.confidence - a.confidence);
  const [surest] = sure;
  if (surest?.format === prose && /^\s*(\{|\[\s*[[{("'])/.test(text))
    throw new NotARun(
      'Nothing was read: it begins like JSON or Python, but a bracket or a quote is left open.',
    );
  let first: Reading | undefined;
  for (const { format } of sure) {
    const reading = format.read(text);
    if (saysSomething(reading)) return reading;
    first ??= reading;
  }
  return first ?? prose.read(text);
}

/** Code that a text fences is read by itself, and what stands around it as prose. */
function fenced(text: string): Reading {
  const fences = [...text.matchAll(/^ {0,3}```[^\n`]*\n([\s\S]*?)^ {0,3}```[ \t]*$/gm)];
  if (fences.length === 0 || fences.length > 20) return readingOf(text);
  let around = text;
  const parts = fences.map(({ 0: whole, 1: inside = '', index }) => {
    const start = index + whole.indexOf('\n') + 1;
    around =
      around.slice(0, index) + whole.replace(/[^\n]/g, ' ') + around.slice(index + whole.length);
    return placed(readingOf(inside), (at) => at + start);
  });
  const all = [...parts, ...(around.trim() === '' ? [] : [readingOf(around)])].filter(
    (part) => saysSomething(part) || part.facts.length > 0,
  );
  const [first = readingOf(around)] = all;
  if (all.filter(({ runs, history: rows, events = [] }) => runs ?? rows ?? events[0]).length > 1)
    throw new NotARun('The text holds several runs: keep the one that is meant.');
  return {
    ...Object.assign({}, ...all.toReversed()),
    source: first.source,
    facts: all.flatMap(({ facts }) => facts),
    unread: all.flatMap(({ unread = [] }) => unread),
    aside: all.flatMap(({ aside = [] }) => aside),
    sampling: all.flatMap(({ sampling = [] }) => sampling),
  } as Reading;
}

/** Whether a text is the difference between two: lines that were removed and added, with their signs. */
function isPatch(text: string): boolean {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const some = (shape: RegExp) => lines.some((line) => shape.test(line));
  return (
    some(/^(diff --git |@@ -\d)/) ||
    (some(/^\+ ?["'\w].*[:=]/) && some(/^- ?["'\w].*[:=]/)) ||
    (some(/^[+-]["'\w]/) && some(/^[+ ]/) && lines.every((line) => /^[ +-]/.test(line)))
  );
}

const help =
  'Paste an accountant’s history, a dp_accounting event, a script, a configuration, a command, a table, or a sentence such as “sigma = 1.1, batch size 256, 60 epochs, n = 60,000”.';

const saysARun = (run: ImportedRun) =>
  run.ambiguous.length > 0 ||
  run.facts.some(({ field }) => field !== 'delta' && field !== 'epsilon');

/** Reads a run from a text; names what it cannot read, and guesses nothing. */
export function readRun(text: string, choices: Choices = {}): ImportedRun | NoRun {
  try {
    return runOf(text, choices);
  } catch (error) {
    if (error instanceof NotARun) return { wrong: [error.message] };
    // Parsers go into brackets by calling themselves.
    if (!(error instanceof RangeError)) throw error;
    return { wrong: ['The text is nested too deeply to be read: keep what describes the run.'] };
  }
}

function runOf(text: string, choices: Choices): ImportedRun {
  // Marks that colour a text or turn its direction would hide what a number is.
  const whole = text
    .replace(/^\uFEFF/, ' ')
    .replace(/\p{Cc}\[[\d;]*m/gu, (mark) => ' '.repeat(mark.length))
    .replace(/[\u200b-\u200f\u202a-\u202e\u2066-\u2069]/g, ' ')
    .replace(/\r\n?/g, (end) => (end.length > 1 ? ' \n' : '\n'));
  if (/[\u202d\u202e]/.test(text))
    throw new NotARun('Marks in the text turn its direction, so it may not say what it shows.');
  if (whole.trim() === '') throw new NotARun('There is nothing to read yet.');
  const controls = whole.slice(0, 100_000).match(/(?!\s)\p{Cc}|\uFFFD/gu)?.length ?? 0;
  if (controls > 3)
    throw new NotARun('This is not text but the bytes of a file: paste what it says.');
  if (isPatch(whole))
    throw new NotARun('This is the difference between two texts: paste the one that ran.');
  const isHistory = history.recognises(whole) > 0;
  if (whole.length > (isHistory ? longest.history : longest.other))
    throw new NotARun(
      `The text is longer than ${isHistory ? '80 million' : '120,000'} characters: keep what describes the run.`,
    );
  if (/^\s*\{/.test(whole) && /"cell_type"\s*:/.test(whole))
    throw new NotARun('This is the file of a notebook: paste the code of its cells.');
  const run = runFrom(whole, isHistory ? history.read(whole) : fenced(whole), choices);
  if (saysARun(run)) return run;
  const names = [...run.dangerous.map(({ quote }) => quote), ...run.ignored];
  const named =
    names.length > 0
      ? `; it names ${names.slice(0, 8).join(', ')}${names.length > 8 ? ' and more' : ''}`
      : '';
  throw new NotARun(`No training settings found in this text${named}. ${help}`);
}
