import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { mutants } from '../../.scripts/mutants.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

it.each(mutants)('mutants: "$fault" has its place', ({ file, from, to }) => {
  expect(readFileSync(`${root}/${file}`, 'utf8').split(from).length - 1).toBe(1);
  expect(to).not.toBe(from);
});
