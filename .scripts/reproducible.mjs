// Builds the engine a second time, from a copy in another folder and without a compiler cache, and
// compares every byte: `npm run reproducible`. It costs a build of the whole core, and is therefore
// no part of `npm test`, which sees only that no path of the machine is in what is shipped.

import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { steps } from './build.mjs';
import { sources } from './format.mjs';
import { must, root } from './shell.mjs';

const copy = join(root, 'build/reproducible/in-another-folder');
const products = ['wasm/engine.wasm', 'wasm/engine.mjs'];

const digest = (/** @type {string} */ path) =>
  createHash('sha256').update(readFileSync(path)).digest('hex');

export async function reproducible() {
  await steps.engine();
  rmSync(copy, { recursive: true, force: true });
  for (const path of await sources('*')) {
    if (!existsSync(join(root, path))) continue;
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    copyFileSync(join(root, path), join(copy, path));
  }
  const env = { CCACHE_DISABLE: '1' };
  const build = join(copy, 'build/wasm');
  await must('cmake', ['-S', copy, '--preset', 'wasm', '-B', build], { env });
  await must('cmake', ['--build', build, '--target', 'engine'], { env, minutes: 60 });
  let same = true;
  for (const product of products) {
    const here = digest(join(root, 'build/wasm', product));
    const there = digest(join(build, product));
    same &&= here === there;
    console.log(`${here === there ? 'same   ' : 'DIFFERS'}  ${product}  ${here}`);
  }
  return same;
}
