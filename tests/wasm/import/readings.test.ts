import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { queryOf, readRun } from '../../../wasm/import/index.js';
import type { Choices, ImportedRun, NoRun } from '../../../wasm/import/index.js';

const golden = new URL('readings.golden', import.meta.url);

const asked = (run: ImportedRun) => {
  const { phases, ...rest } = queryOf(run, undefined);
  return phases.length > 4
    ? `${phases.length} phases, the last one ${JSON.stringify(phases.at(-1))}, ${JSON.stringify(rest)}`
    : JSON.stringify({ phases, ...rest });
};

/** All that comes out of a text, a line each. */
const said = (run: ImportedRun | NoRun): string[] => {
  if ('wrong' in run) return run.wrong.map((words) => `refused: ${words.split('. ')[0] ?? ''}`);
  const { source, epsilon, aims, missing, ambiguous, dangerous, ignored, sampling, facts } = run;
  return [
    `${source}: ${asked(run)}`,
    ...(epsilon === undefined ? [] : [`ε ${epsilon} ${aims ? 'to be met' : 'reported'}`]),
    ...missing.map(({ words }) => `missing: ${words}`),
    ...ambiguous.map(({ id, ask, readings }) => `${id}? ${ask} ${readings.join(' | ')}`),
    ...dangerous.map(({ line, column, quote, why }) => `! ${line}:${column} ${quote} (${why})`),
    ...(ignored.length > 0 ? [`ignored: ${ignored.join('; ')}`] : []),
    ...(sampling.length > 0 ? [`sampling: ${sampling.join('; ')}`] : []),
    `read: ${facts.map(({ line, column, quote, means }) => `${line}:${column} ${quote} = ${means}`).join('; ')}`.trimEnd(),
  ];
};

/** What each reading of what is asked makes of it, and none of them; then of what is asked next. */
const decided = (text: string, choices: Choices = {}): string[] => {
  const run = readRun(text, choices);
  if ('wrong' in run) return [];
  const [first] = run.ambiguous.filter(({ id }) => choices[id] === undefined);
  if (!first || Object.keys(choices).length > 2) return [];
  const open = `${'  '.repeat(Object.keys(choices).length)}${first.id} `;
  return [...first.readings.slice(0, 4), 'none'].flatMap((reading, at) => {
    const told = { ...choices, [first.id]: reading === 'none' ? first.readings.length : at };
    const next = readRun(text, told);
    return [
      `${open}${reading}: ${'wrong' in next ? said(next).join(' ') : `${asked(next)} ${next.missing.map(({ field }) => field).join()}`.trimEnd()}`,
      ...(at === 0 ? decided(text, told) : []),
    ];
  });
};

const parts = readFileSync(golden, 'utf8').split(/^=== /m).slice(1);
const texts = parts.map((part) => {
  const [, name = '', text = '', expected = ''] =
    /^(.*)\n([^]*?)^--- read as\n([^]*)$/m.exec(part) ?? [];
  return { name, text, expected: expected.trim() };
});
const reads = new Map<string, string>();
const read = (text: string): string => {
  const pasted = text.replace(/\n$/, '');
  const lines = reads.get(text) ?? [...said(readRun(pasted)), ...decided(pasted)].join('\n');
  reads.set(text, lines);
  return lines;
};

test.each(texts)('import: what is read of $name', ({ text, expected }) => {
  expect(read(text)).toBe(expected);
});

test('import: texts as they are written down, and all that is read of each', async () => {
  const whole = texts.map(({ name, text }) => `=== ${name}\n${text}--- read as\n${read(text)}\n`);
  await expect(whole.join('\n')).toMatchFileSnapshot(golden.pathname);
});

test.each(['\r\n', '\r'])('import: lines that end in %j are lines', (end) => {
  for (const { text } of texts.filter((_, at) => at % 20 === 0)) {
    const lines = (of: string) => said(readRun(of)).join('\n');
    expect(lines(text.replaceAll('\n', end)), text).toBe(lines(text));
  }
});

test('import: bytes and blanks are no text', () => {
  const bytes = '\u0001\u0002\u0003';
  expect(said(readRun(`${bytes}\u0004 sigma = 1`))[0]).toMatch(/^refused: .*bytes of a file/);
  expect(said(readRun(`${bytes} sigma = 1`))[0]).not.toMatch(/bytes/);
  expect(said(readRun(`sigma = 1\n${' '.repeat(100_000)}${bytes}\u0004`))[0]).not.toMatch(/bytes/);
  expect(said(readRun(' \n '))).toEqual(['refused: There is nothing to read yet.']);
});
