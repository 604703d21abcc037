// clang-tidy over the core. A file is looked at again only when it, a header, or the rules changed.

import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execute, root } from './shell.mjs';
import { sources } from './format.mjs';

const text = (/** @type {string} */ path) => readFileSync(join(root, path), 'utf8');

export async function tidy() {
  const paths = (await sources('core/*.cc')).sort();
  if (paths.length === 0) return { ok: false, output: 'there is no source file to look at' };
  const shared = createHash('sha256');
  shared.update((await execute('clang-tidy', ['--version'])).output);
  for (const path of ['.clang-tidy', 'CMakeLists.txt', 'CMakePresets.json']) {
    shared.update(text(path));
  }
  for (const path of (await sources('core/*.h')).sort()) shared.update(`${path}\n${text(path)}`);
  const base = shared.digest('hex');
  const folder = join(root, 'build/tidy');
  mkdirSync(folder, { recursive: true });
  const known = new Set(readdirSync(folder));
  const wanted = new Set();
  const complaints = [];
  for (const path of paths) {
    const key = createHash('sha256')
      .update(`${base}${path}\n${text(path)}`)
      .digest('hex');
    wanted.add(key);
    if (known.has(key)) continue;
    // The database is GCC's, some of whose warnings and parameters clang does not know.
    const others = ['-Wno-unknown-warning-option', '-Wno-unused-command-line-argument'];
    const words = [
      '--quiet',
      ...others.map((one) => `--extra-arg=${one}`),
      '-p',
      'build/lint',
      path,
    ];
    const { code, output } = await execute('clang-tidy', words);
    if (code === 0) writeFileSync(join(folder, key), path);
    else complaints.push(output);
  }
  for (const key of known) if (!wanted.has(key)) rmSync(join(folder, key));
  return { ok: complaints.length === 0, output: complaints.join('\n') };
}
