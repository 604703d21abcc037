import { readFileSync, readdirSync } from 'node:fs';
import { dirname, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Every file of a folder with the files that it imports, types included. */
function importsIn(folder: string): Map<string, readonly string[]> {
  const files = readdirSync(`${root}/${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !/(^|\/)(generated|dist)\//.test(path))
    .map((path) => `${folder}/${path}`);
  return new Map(
    files.map((path) => {
      const text = readFileSync(`${root}/${path}`, 'utf8');
      // What is loaded later leads on to other parts of the page, and back.
      const named = [...text.matchAll(/(?:from|import) '(\.[^'?]+)\.js'/g)];
      return [path, named.map(([, to]) => `${normalize(`${dirname(path)}/${String(to)}`)}.ts`)];
    }),
  );
}

/** A way from a file back to itself; undefined where there is none. */
function circleFrom(start: string, imports: ReadonlyMap<string, readonly string[]>) {
  const seen = new Set<string>();
  const ways = [[start]];
  for (let way = ways.pop(); way; way = ways.pop()) {
    for (const next of imports.get(way.at(-1) ?? '') ?? []) {
      if (next === start) return [...way, next].join(' -> ');
      if (seen.has(next)) continue;
      seen.add(next);
      ways.push([...way, next]);
    }
  }
  return undefined;
}

it.each([
  ['wasm', 100],
  ['web', 100],
])('no file of %s/ imports itself by way of others', (folder, atLeast) => {
  const imports = importsIn(folder);
  expect(imports.size).toBeGreaterThan(atLeast);
  expect([...imports.keys()].flatMap((path) => circleFrom(path, imports) ?? [])).toEqual([]);
});
