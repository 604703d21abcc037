import { expect, test } from 'vitest';
import { queryOf, readRun } from '../../../wasm/import/index.js';
import type { Ambiguity, Choices, ImportedRun, NoRun } from '../../../wasm/import/index.js';
import { parts, path, written } from './golden.js';
import type { Part } from './golden.js';

const plain = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
const pairs = (fields: object) =>
  Object.entries(fields).map(([name, value]) => `${name} ${plain(value)}`);

/** The question that a run is, a field each. */
function asked(run: ImportedRun): string[] {
  const { phases, ...rest } = queryOf(run, undefined);
  const each = phases.map((phase) => pairs(phase).join(', '));
  const told =
    phases.length === 1
      ? pairs(phases[0] ?? {})
      : phases.length > 4
        ? [`${phases.length} phases, the last one (${each.at(-1)})`]
        : each.map((phase) => `(${phase})`);
  return [...told, ...pairs(rest).filter((field) => field !== 'question compare')];
}

const lacks = (run: ImportedRun) => run.missing.map(({ field }) => `lacks ${field}`);
const asks = (run: ImportedRun) => run.ambiguous.map(({ id }) => `asks ${id}`);
const changes = (before: readonly string[], after: readonly string[]): string[] => [
  ...before.filter((one) => !after.includes(one)).map((one) => `−${one}`),
  ...after.filter((one) => !before.includes(one)),
];

/** What is asked, and what each answer, and none, makes of the run. */
function decided(text: string, run: ImportedRun, { id, ask, readings }: Ambiguity): string {
  const open = (one: ImportedRun) => [...asked(one), ...lacks(one), ...asks(one)];
  const answers = [...readings, 'none'].map((reading, at) => {
    if (at > 3 && reading !== 'none') return reading;
    const next = readRun(text, { [id]: at });
    if ('wrong' in next) return `${reading}: ${said(text, next).join(' ')}`;
    const changed = changes(open(run), open(next)).filter((one) => one !== `−asks ${id}`);
    return `${reading}: ${changed.join(', ') || 'nothing else'}`;
  });
  return `${id}? ${ask} ${answers.join(' | ')}`;
}

/** The run once all that is asked is answered by the first reading. */
function settled(text: string, choices: Choices = {}): string[] {
  const run = readRun(text, choices);
  if ('wrong' in run) return [];
  const [first] = run.ambiguous.filter(({ id }) => choices[id] === undefined);
  const count = Object.keys(choices).length;
  if (first && count < 4) return settled(text, { ...choices, [first.id]: 0 });
  return count > 1 ? [`by each first reading: ${[...asked(run), ...lacks(run)].join(', ')}`] : [];
}

/** All that comes out of a text, but what each part of it means. */
function said(text: string, run: ImportedRun | NoRun): string[] {
  if ('wrong' in run) return run.wrong.map((words) => `refused: ${words.split('. ')[0] ?? ''}`);
  const { source, epsilon, aims, missing, ambiguous, dangerous, ignored, sampling } = run;
  const listed = (name: string, of: readonly string[]) =>
    of.length > 0 ? [`${name}: ${of.join('; ')}`] : [];
  const dangers = dangerous.map(
    ({ line, column, quote, why }) => `${line}:${column} ${quote} (${why})`,
  );
  return [
    `${source}: ${asked(run).join(', ')}`.trimEnd(),
    ...(epsilon === undefined ? [] : [`ε ${epsilon} ${aims ? 'to be met' : 'reported'}`]),
    ...listed(
      'missing',
      missing.map(({ words }) => words),
    ),
    ...ambiguous.map((one) => decided(text, run, one)),
    ...settled(text),
    ...listed('!', dangers),
    ...listed('ignored', ignored),
    ...listed('sampling', sampling),
  ];
}

/** All of it, a line each. */
function read(text: string): string {
  const run = readRun(text);
  const facts = 'wrong' in run ? [] : run.facts;
  const meant = facts.map(
    ({ line, column, quote, means }) => `${line}:${column} ${quote} = ${means}`,
  );
  return [...said(text, run), ...(meant.length > 0 ? [`read: ${meant.join('; ')}`] : [])]
    .map((line) => `→ ${line}`)
    .join('\n');
}

/** What it makes of lines before it. */
function changed(base: string, text: string): string {
  const itemsOf = (whole: string) => {
    const run = readRun(whole);
    const lines = said(whole, run);
    return 'wrong' in run ? lines : [run.source, ...asked(run), ...lines.slice(1)];
  };
  const after = itemsOf(base + text);
  const isRefused = after[0]?.startsWith('refused') ?? false;
  return changes(isRefused ? [] : itemsOf(base), after).join(' / ') || 'nothing';
}

const all = parts.flatMap(({ promise, base, texts }) =>
  texts.map(({ text, said: expected }) => ({ promise, base, text, expected })),
);
/** What was found of each text: the golden file is written from the same. */
const found = new Map<string, string>();
function of({ base, text }: { base: string; text: string }): string {
  const key = JSON.stringify([base, text]);
  const known = found.get(key) ?? (base === '' ? read(text) : changed(base, text));
  found.set(key, known);
  return known;
}

test.each(all)('import: $promise: $text', (one) => {
  expect(of(one)).toBe(one.expected);
  const run = readRun(one.base + one.text);
  // Each fact is found where it says, but for marks of colour between its words.
  const lines = (one.base + one.text)
    .replace(/\p{Cc}\[\d+m/gu, (mark) => ' '.repeat(mark.length))
    .split('\n');
  for (const { quote, line, column } of 'wrong' in run ? [] : run.facts) {
    const rest = lines
      .slice(line - 1)
      .join('\n')
      .slice(column - 1);
    expect(rest.replace(/\s+/g, ' ').startsWith(quote.replace(/…$/, '')), quote).toBe(true);
  }
});

test('import: texts as they are written down, and all that is read of each', async () => {
  const now = (part: Part): Part => ({
    ...part,
    texts: part.texts.map(({ text }) => ({ text, said: of({ ...part, text }) })),
  });
  await expect(written(parts.map(now))).toMatchFileSnapshot(path);
});

test.each(['\r\n', '\r'])('import: lines that end in %j are lines', (end) => {
  for (const { base, text } of all.filter((_, at) => at % 20 === 0)) {
    const lines = (whole: string) =>
      said(whole, readRun(whole))
        .join('\n')
        .replace(/\bat \d+/g, 'there');
    expect(lines((base + text).replaceAll('\n', end)), text).toBe(lines(base + text));
  }
});

test('import: bytes and blanks are no text', () => {
  const bytes = '\u0001\u0002\u0003';
  const first = (text: string) => said(text, readRun(text))[0];
  expect(first(`${bytes}\u0004 sigma = 1`)).toMatch(/^refused: .*bytes of a file/);
  expect(first(`${bytes} sigma = 1`)).not.toMatch(/bytes/);
  expect(first(`sigma = 1\n${' '.repeat(100_000)}${bytes}\u0004`)).not.toMatch(/bytes/);
  expect(first(' \n ')).toBe('refused: There is nothing to read yet.');
});
