import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

const script = fileURLToPath(new URL('../../.scripts/cache.mjs', import.meta.url));
const { discardForeign } = (await import(pathToFileURL(script).href)) as {
  discardForeign: (build: string, source: string) => boolean;
};

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'honest-epsilon-clone-'));
});
afterEach(() => rm(folder, { recursive: true }));

const buildOf = (clone: string) => join(clone, 'build/wasm');

/** A clone that CMake has configured once. */
async function configured(name: string): Promise<string> {
  const clone = join(folder, name);
  await mkdir(buildOf(clone), { recursive: true });
  const cache = [
    '# This is the CMakeCache file.',
    `CMAKE_CACHEFILE_DIR:INTERNAL=${buildOf(clone)}`,
    `CMAKE_HOME_DIRECTORY:INTERNAL=${clone}`,
  ];
  await writeFile(join(buildOf(clone), 'CMakeCache.txt'), cache.join('\n'));
  return clone;
}

test('build: a clone that was copied elsewhere is configured afresh, the original is not', async () => {
  const clone = await configured('clone');
  const copy = join(folder, 'copy');
  await cp(clone, copy, { recursive: true });
  expect(discardForeign(buildOf(copy), copy)).toBe(true);
  expect(existsSync(buildOf(copy))).toBe(false);
  expect(discardForeign(buildOf(clone), clone)).toBe(false);
  expect(existsSync(join(buildOf(clone), 'CMakeCache.txt'))).toBe(true);
});

test('build: a link to the clone is the clone, and what was never configured is left alone', async () => {
  const clone = await configured('clone');
  const link = join(folder, 'link');
  await symlink(clone, link);
  expect(discardForeign(buildOf(link), link)).toBe(false);
  const fresh = join(folder, 'fresh');
  await mkdir(buildOf(fresh), { recursive: true });
  expect(discardForeign(buildOf(fresh), fresh)).toBe(false);
  expect(existsSync(buildOf(fresh))).toBe(true);
});

test('build: a cache that names no folder is no cache', async () => {
  const clone = await configured('clone');
  await writeFile(join(buildOf(clone), 'CMakeCache.txt'), 'cut off');
  expect(discardForeign(buildOf(clone), clone)).toBe(true);
});
