// A copy of the repository in which faults are tried.

import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { sources } from './format.mjs';
import { root } from './shell.mjs';

/** Files keep their times where they are the same, so that a second run compiles what changed; what the
 * repository no longer has is removed from the folders that are compiled.
 * @param {string} copy the folder
 * @param {Set<string>} but files that the caller writes */
export async function copyRepository(copy, but = new Set()) {
  for (const path of await sources('*')) {
    if (but.has(path)) continue;
    const to = join(copy, path);
    mkdirSync(dirname(to), { recursive: true });
    if (!existsSync(join(root, path))) continue;
    if (!existsSync(to) || !readFileSync(to).equals(readFileSync(join(root, path))))
      copyFileSync(join(root, path), to);
  }
  for (const folder of ['core', 'tests']) {
    for (const name of readdirSync(join(copy, folder), { recursive: true })) {
      const path = join(folder, String(name));
      if (but.has(path) || existsSync(join(root, path))) continue;
      if (statSync(join(copy, path)).isFile()) rmSync(join(copy, path));
    }
  }
  for (const path of ['node_modules', 'wasm/generated', 'dist'])
    if (!existsSync(join(copy, path))) symlinkSync(join(root, path), join(copy, path));
}
