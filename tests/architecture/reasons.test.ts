import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const text = (path: string) =>
  readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');

/** The names in the first column of a table of CONTRIBUTING.md, by the sentence before it. */
function namesIn(start: string): string[] {
  const [, rest = ''] = text('CONTRIBUTING.md').split(start);
  const [table = ''] = rest.trimStart().split('\n\n');
  const rows = table.split('\n').slice(2);
  return rows.flatMap((line) =>
    Array.from(line.split('|')[1]?.matchAll(/`([^`]+)`/g) ?? [], ([, name = '']) => name),
  );
}

test('reasons: every npm package has one, and no other is named', () => {
  const { devDependencies } = JSON.parse(text('package.json')) as {
    devDependencies: Record<string, string>;
  };
  const named = namesIn(
    'npm packages (pinned exactly; none is needed at run time outside the bundles):',
  );
  const withTypes = (name: string) => named.includes(name.replace(/^@types\/(?=d3-)/, ''));
  expect(named.length).toBeGreaterThan(15);
  expect(Object.keys(devDependencies).filter((name) => !withTypes(name))).toEqual([]);
  expect(named.filter((name) => !(name in devDependencies))).toEqual([]);
});

test('reasons: every system package that the scripts install has one', () => {
  const installed = Array.from(
    text('.scripts/setup.mjs').matchAll(/package: '([^']+)'/g),
    ([, name]) => name,
  );
  const named = namesIn('System packages (found, or installed by the npm scripts):');
  expect(installed.length).toBeGreaterThan(8);
  expect(installed.filter((name) => !named.includes(name ?? ''))).toEqual([]);
  expect(named.filter((name) => !installed.includes(name))).toEqual([]);
});
