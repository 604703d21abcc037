// Puts each fault of mutants.mjs into a copy of the repository, one at a time, and sees that the test
// named fails: `npm run mutate`, or `npm run mutate -- tally` for those whose file has the word.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { discardForeign } from './cache.mjs';
import { copyRepository } from './copy.mjs';
import { mutants } from './mutants.mjs';
import { execute, local, must, root } from './shell.mjs';

const copy = join(root, 'build/mutants');
const tests = join(copy, 'build/native/tests/core_tests');

const build = () =>
  execute('cmake', ['--build', join(copy, 'build/native'), '--target', 'core_tests', '--', '-j2'], {
    env: { CCACHE_BASEDIR: copy, CCACHE_NOHASHDIR: '1' },
  });

/** @typedef {{fault: string, file: string, from: string, to: string, test: string | string[]}} Mutant */

/** @param {Pick<Mutant, 'test'>} mutant */
const inCore = ({ test }) => typeof test === 'string';

/** Whether the test fails, and what it printed.
 * @param {Pick<Mutant, 'test'>} mutant */
async function run({ test }) {
  const [program, args] =
    typeof test === 'string'
      ? [tests, [`--test-case=${test}`, '--no-colors=true', '--abort-after=1']]
      : [
          local('vitest'),
          [
            'run',
            '--root',
            copy,
            '--config',
            join(copy, '.config/vitest.config.ts'),
            test[0] ?? '',
            '-t',
            test[1] ?? '',
          ],
        ];
  const { code, output } = await execute(program, args, { minutes: 10 });
  return { failed: code !== 0, output };
}

/** The name of the first case that failed.
 * @param {string} output */
function culprit(output) {
  const names = [/TEST CASE:\s+(.+)/, /FAIL\s+(.+)/].map((line) => line.exec(output)?.[1]);
  return names.find(Boolean) ?? 'it ran out of time, or died';
}

/** @param {Mutant} mutant */
async function tryMutant(mutant) {
  const path = join(copy, mutant.file);
  const original = readFileSync(path, 'utf8');
  const parts = original.split(mutant.from);
  if (parts.length !== 2) return { caught: false, what: 'its text is not in the file, once' };
  writeFileSync(path, parts.join(mutant.to));
  try {
    if (inCore(mutant)) {
      const { code, output } = await build();
      if (code !== 0) return { caught: false, what: `it does not compile\n${output.slice(-2000)}` };
    }
    const { failed, output } = await run(mutant);
    return { caught: failed, what: failed ? culprit(output) : `${String(mutant.test)} passed` };
  } finally {
    writeFileSync(path, original);
  }
}

/** @param {string[]} words of the files */
export async function mutateAll(words) {
  const chosen = mutants.filter(
    ({ file }) => words.length === 0 || words.some((word) => file.includes(word)),
  );
  await copyRepository(copy);
  if (chosen.some(inCore)) {
    discardForeign(join(copy, 'build/native'), copy);
    // A fault is in one file: no other one is compiled with it.
    await must('cmake', [
      ...['-S', copy, '--preset', 'native', '-B', join(copy, 'build/native')],
      ...['-D', 'CMAKE_UNITY_BUILD=OFF'],
    ]);
    const { code, output } = await build();
    if (code !== 0) throw new Error(output);
  }
  // What fails without a fault catches nothing.
  for (const test of new Set(chosen.map((mutant) => JSON.stringify(mutant.test)))) {
    const { failed, output } = await run({ test: JSON.parse(test) });
    if (failed) throw new Error(`${test} fails without a fault\n${output.slice(-3000)}`);
  }
  let survivors = 0;
  for (const mutant of chosen) {
    const { caught, what } = await tryMutant(mutant);
    if (!caught) ++survivors;
    console.log(
      `${caught ? 'caught  ' : 'SURVIVED'}  ${mutant.file}: ${mutant.fault}\n          ${what}`,
    );
  }
  console.log(`${chosen.length - survivors} of ${chosen.length} faults caught`);
  return chosen.length > 0 && survivors === 0;
}
