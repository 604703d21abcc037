// THE list of what `npm test` runs: one entry a suite. A suite resolves with how many of its checks
// passed and failed; `after` are the build steps it needs. One with an `onlyNamed` takes too long
// for every run, and runs when that word is asked for: `npm test -- sanitized`. One that is `partOf`
// another has nothing to add where that one runs: `npm run test:full` runs all the others.

import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { agreement } from './agreement.mjs';
import { steps } from './build.mjs';
import { checkCpp, checkRest } from './format.mjs';
import { execute, local, root } from './shell.mjs';

/**
 * @typedef {Record<string, number>} Counts what was looked at, by its name
 * @typedef {{passed: number, failed: number, skipped: number, output: string, counts?: Counts | undefined}} Result
 * @typedef {{
 *   name: string, after: (keyof typeof steps)[], run: () => Promise<Result>,
 *   onlyNamed?: string, partOf?: string,
 * }} Suite
 */

/**
 * A check that passes or fails as a whole.
 * @param {() => Promise<{ok: boolean, output: string, counts?: Counts}>} check
 * @returns {Suite['run']}
 */
const single = (check) => async () => {
  const { ok, output, counts } = await check();
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0, output, counts };
};

/** @type {(name: string, ...args: string[]) => Suite['run']} */
const program = (name, ...args) =>
  single(async () => {
    const { code, output } = await execute(name, args);
    return { ok: code === 0, output };
  });

/** What the core's tests say they looked at: "counts: sides 12 rows 3 ...".
 * @param {string} output
 * @returns {Counts} */
function countsIn(output) {
  const line = /^counts:((?: \w+ \d+)+)/m.exec(output)?.[1] ?? '';
  return Object.fromEntries(
    Array.from(line.matchAll(/(\w+) (\d+)/g), ([, name, count]) => [name, Number(count)]),
  );
}

/**
 * @typedef {{status: string, assertionResults: {meta?: {counts?: Counts}}[]}} FileResult of Vitest
 */

/** Adds up what each test left in its meta data.
 * @param {FileResult[]} testResults */
function countsOf(testResults) {
  /** @type {Counts} */
  const sum = {};
  for (const { meta } of testResults.flatMap(({ assertionResults }) => assertionResults)) {
    for (const [name, count] of Object.entries(meta?.counts ?? {})) {
      sum[name] = (sum[name] ?? 0) + count;
    }
  }
  return sum;
}

/**
 * Reads doctest's closing line; a run that died before it has failed.
 * @type {(command: string, args?: string[], env?: Record<string, string>) => Suite['run']}
 */
const doctest =
  (command, args = [], env = {}) =>
  async () => {
    const words = [...args, '--no-colors=true', '--no-intro'];
    const { code, output } = await execute(command, words, { env });
    const line = /test cases:\s*\d+ \|\s*(\d+) passed \|\s*(\d+) failed \|\s*(\d+) skipped/;
    const counts = line.exec(output);
    if (!counts) return { passed: 0, failed: 1, skipped: 0, output };
    const [passed = 0, failed = 0, left = 0] = counts.slice(1).map(Number);
    // What a filter leaves out is not skipped: it runs in another suite.
    const skipped = args.some((word) => /^-tce?=/.test(word)) ? 0 : left;
    return {
      passed,
      failed: code !== 0 && failed === 0 ? 1 : failed,
      skipped,
      output,
      counts: { cases: passed + failed, ...countsIn(output) },
    };
  };

/**
 * Reads Vitest's JSON report; a file that could not be loaded counts as one failure.
 * @type {(folder: string, ...args: string[]) => Suite['run']}
 */
const vitest = (folder, ...args) => {
  return async () => {
    const report = join(
      root,
      'build/test',
      `${[folder, ...args].join(' ').replaceAll(/\W+/g, '-')}.json`,
    );
    mkdirSync(join(root, 'build/test'), { recursive: true });
    rmSync(report, { force: true });
    const { code, output } = await execute(local('vitest'), [
      ...['run', '--config', '.config/vitest.config.ts', '--dir', folder],
      ...['--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
      ...args,
    ]);
    try {
      /** @type {Record<'numPassedTests' | 'numFailedTests' | 'numPendingTests' | 'numTodoTests', number> & {testResults: FileResult[]}} */
      const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } =
        JSON.parse(readFileSync(report, 'utf8'));
      const unloaded = testResults.filter(
        ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
      ).length;
      const failed = numFailedTests + unloaded;
      return {
        passed: numPassedTests,
        failed: code !== 0 && failed === 0 ? 1 : failed,
        skipped: numPendingTests + numTodoTests,
        output,
        counts: { cases: numPassedTests + numFailedTests, ...countsOf(testResults) },
      };
    } catch {
      return { passed: 0, failed: 1, skipped: 0, output };
    }
  };
};

/** @type {(project: string, after?: Suite['after']) => Suite} */
const types = (project, after = ['engine', 'node']) => ({
  name: `types ${project}`,
  after,
  run: program(local('tsc'), '-p', project),
});

/**
 * Whole answers by the hundred are asked natively: what WebAssembly answers is held against native answers
 * in a suite of its own, and `npm run fuzz` takes questions of all kinds through sanitized answers.
 */
const wholeAnswers = ['laws:*', 'catalog:*', 'fuzz:*', 'answer:*', 'calibrate:*', 'accounts *'];

/** What takes more than half of the time of all. */
const longest = [...wholeAnswers, 'clones:*'];

/** Half of the time, of two processes side by side. */
const half = [
  ...wholeAnswers,
  ...['oracle:*', 'limits:*', 'relations:*', 'privacy curve:*', 'composition:*', 'effort:*'],
];

/** Under sanitizers ten times as slow. */
const tooLongSanitized = [...wholeAnswers, 'shuffle_model: epsilon*', 'shuffle_model: rounds*'];

/** @type {(args?: string[], env?: Record<string, string>) => Suite['run']} */
const nativeCore = (args, env) => doctest('build/native/tests/core_tests', args, env);
const without = (/** @type {string[]} */ tests) => `-tce=${tests.join(',')}`;
const only = (/** @type {string[]} */ tests) => `-tc=${tests.join(',')}`;

/** A third of the files of the page's tests, which take longer than all others.
 * @type {(part: number) => Suite} */
const chromium = (part) => ({
  name: `page in Chromium, ${part} of 3`,
  after: ['page', 'browser', 'node'],
  run: vitest('tests/e2e', '--no-file-parallelism', `--shard=${part}/3`),
});

/** @type {Suite[]} */
export const suites = [
  // The longest first, so that no lane is left alone with one at the end, and the shortest last. What
  // needs no build runs meanwhile, and the native build takes what bundling leaves of the processors.
  { name: 'engine and command', after: ['node'], run: vitest('tests/wasm') },
  chromium(1),
  { name: 'format C++', after: [], run: single(checkCpp) },
  { name: 'format TypeScript', after: [], run: single(checkRest) },
  { name: 'arrows between rooms', after: [], run: vitest('tests/architecture') },
  {
    name: 'core, native',
    partOf: 'core, full native',
    after: ['nativeTests'],
    run: nativeCore([without(half)]),
  },
  {
    name: 'core, native, whole answers',
    partOf: 'core, full native',
    after: ['nativeTests'],
    run: nativeCore([only(half)]),
  },
  {
    name: 'core, full native',
    onlyNamed: 'full',
    after: ['nativeTests'],
    run: nativeCore([], { HONEST_EPSILON_ROUNDS: '1' }),
  },
  {
    name: 'core, quick',
    onlyNamed: 'quick',
    partOf: 'core, native',
    after: ['nativeTests'],
    run: nativeCore([without(longest)]),
  },
  chromium(3),
  chromium(2),
  {
    name: 'core, sanitized',
    onlyNamed: 'sanitized',
    after: ['sanitizedTests'],
    run: doctest('build/sanitize/tests/core_tests', [without(tooLongSanitized)]),
  },
  {
    name: 'core, full wasm',
    onlyNamed: 'full',
    after: ['wasmTests'],
    run: doctest(process.execPath, ['build/wasm/tests/core_tests.cjs']),
  },
  types('wasm'),
  types('web'),
  types('tests'),
  types('.scripts', []),
  {
    name: 'lint TypeScript',
    after: ['engine', 'node'],
    run: program(local('oxlint')),
  },
  { name: 'page', after: ['engine'], run: vitest('tests/web') },
  { name: 'native against wasm', after: ['nativeEnds', 'wasmEnds'], run: single(agreement) },
];

export { steps };
