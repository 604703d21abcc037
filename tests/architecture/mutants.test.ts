import { existsSync, readFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { mutants } from '../../.scripts/mutants.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

it.each(mutants)('mutants: "$fault" has its place', ({ file, from, to }) => {
  expect(readFileSync(`${root}/${file}`, 'utf8').split(from).length - 1).toBe(1);
  expect(to).not.toBe(from);
});

/** The names of doctest's cases, each of one or more literals. */
const cases = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'tests/core'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => path.endsWith('.cc') && existsSync(`${root}/${path}`))
  .flatMap((path) => [
    ...readFileSync(`${root}/${path}`, 'utf8').matchAll(
      /TEST_CASE\(\s*((?:"(?:[^"\\]|\\.)*"\s*)+)/g,
    ),
  ])
  .map(([, literals = '']) =>
    [...literals.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, text]) => text).join(''),
  );

/** Whether doctest's filter, in which * stands for anything, selects a case. */
const selects = (filter: string) => {
  const parts = filter.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return cases.some((name) => new RegExp(`^${parts.join('.*')}$`, 'i').test(name));
};

it.each(mutants)('mutants: "$fault" has its test', ({ test }) => {
  const found =
    typeof test === 'string' ? test.split(',').every(selects) : existsSync(`${root}/${test[0]}`);
  expect(found, String(test)).toBe(true);
});
