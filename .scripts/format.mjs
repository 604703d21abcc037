// One formatter per language, both pinned by the lock file: the same on every machine.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execute, local, must, root } from './shell.mjs';

const cppSources = ['*.cc', '*.h'];

/** Files under version control or about to be, that match the patterns.
 * @param {string[]} patterns */
export async function sources(...patterns) {
  const output = await must('git', [
    ...['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate', '--'],
    ...patterns,
  ]);
  return output.split('\0').filter((path) => path !== '');
}

async function* misformatted() {
  const { format } = await import('@wasm-fmt/clang-format');
  const style = readFileSync(join(root, '.clang-format'), 'utf8');
  for (const path of await sources(...cppSources)) {
    let text;
    try {
      text = readFileSync(join(root, path), 'utf8');
    } catch {
      continue; // Deleted, and not yet committed so.
    }
    const formatted = format(text, path, style);
    if (formatted !== text) yield { path, formatted };
  }
}

export async function checkCpp() {
  const wrong = [];
  for await (const { path } of misformatted()) wrong.push(path);
  return { ok: wrong.length === 0, output: `npm run format would change\n  ${wrong.join('\n  ')}` };
}

export async function checkRest() {
  const { code, output } = await execute(local('oxfmt'), ['--check']);
  return { ok: code === 0, output };
}

export async function formatAll() {
  for await (const { path, formatted } of misformatted()) {
    writeFileSync(join(root, path), formatted);
    console.log(path);
  }
  await must(local('oxfmt'), [], { show: true });
}
