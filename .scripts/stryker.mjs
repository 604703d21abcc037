// Systematic faults in TypeScript, by Stryker and its runner for Vitest, on the tests of a room that
// import what is mutated: `npm run mutate -- report`, `-- report check latex` for files of these names, or
// `-- report 60 7` for sixty stretches of twelve lines, by seed 7.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { equivalent } from './equivalent.mjs';
import { sources } from './format.mjs';
import { leastCaught, sample } from './mutation.mjs';
import { must, root } from './shell.mjs';

/** Stryker and 160 packages that it needs take 64 MB: who mutates fetches them, nobody else. */
const version = '9.6.1';

/** What is mutated in a room, and the tests that read it.
 * @type {Record<string, {files: string, tests: string[]}>} */
export const scriptRooms = {
  report: { files: 'wasm/report/*.ts', tests: ['tests/wasm/report*.test.ts'] },
  tally: { files: 'wasm/tally.ts', tests: ['tests/wasm/{tally,tally-file}.test.ts'] },
  words: {
    files: 'wasm/words/*.ts',
    tests: ['tests/wasm/{words/*,report-variants}.test.ts'],
  },
  import: {
    files: 'wasm/import/*.ts',
    tests: ['tests/wasm/import/{cases,formats,readings}.test.ts'],
  },
  state: { files: 'web/src/state/*.ts', tests: ['tests/web/*.test.ts'] },
};

const folder = join(root, 'build/stryker');

async function install() {
  const wanted = { '@stryker-mutator/core': version, '@stryker-mutator/vitest-runner': version };
  const text = JSON.stringify({ private: true, dependencies: wanted });
  const list = join(folder, 'package.json');
  if (existsSync(list) && readFileSync(list, 'utf8') === text) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(list, text);
  // Vitest is the repository's own.
  const words = ['--legacy-peer-deps', '--no-audit', '--no-fund'];
  await must('npm', ['install', '--prefix', folder, ...words]);
}

/** A file in stretches of twelve lines.
 * @param {string} file */
function stretches(file) {
  const { length } = readFileSync(join(root, file), 'utf8').split('\n');
  const starts = Array.from({ length: Math.ceil(length / 12) }, (_, at) => 12 * at + 1);
  return starts.map((from) => `${file}:${from}-${Math.min(from + 11, length)}`);
}

/** @typedef {{line: number, column: number}} Place */
/** @typedef {{status: string, replacement: string, location: {start: Place, end: Place}}} Fault */

/** What became of every fault in stretches of files.
 * @param {string[]} mutate
 * @param {string[]} tests
 * @param {object} options
 * @returns {Promise<Record<string, {source: string, mutants: Fault[]}>>} */
async function tried(mutate, tests, options) {
  const config = join(folder, 'config.json');
  const report = join(folder, 'report.json');
  const vitest = join(folder, 'vitest.config.mjs');
  const limits = { testTimeout: 150_000, hookTimeout: 120_000 };
  // What has to be done in two seconds takes longer with every fault built in.
  const test = { include: tests, isolate: false, testNamePattern: '^(?!.*megabyte)', ...limits };
  writeFileSync(vitest, `export default { root: process.cwd(), test: ${JSON.stringify(test)} };\n`);
  writeFileSync(
    config,
    JSON.stringify({
      testRunner: 'vitest',
      plugins: ['@stryker-mutator/vitest-runner'],
      mutate,
      // What is said is held by golden texts; of the rest, what the core's faults are.
      mutator: {
        excludedMutations: [
          ...['StringLiteral', 'ObjectLiteral', 'ArrayDeclaration', 'Regex', 'OptionalChaining'],
          ...['BlockStatement', 'ArrowFunction'],
        ],
      },
      vitest: { configFile: vitest },
      tempDirName: join(folder, 'copy'),
      ignorePatterns: ['/build'],
      reporters: ['json'],
      allowConsoleColors: false,
      jsonReporter: { fileName: report },
      coverageAnalysis: 'perTest',
      ignoreStatic: true,
      ...options,
    }),
  );
  await must(process.execPath, [
    join(folder, 'node_modules/@stryker-mutator/core/bin/stryker.js'),
    ...['run', config],
  ]);
  return JSON.parse(readFileSync(report, 'utf8')).files;
}

/** A fault that ran out of time on a busy machine may not have been caught: it is tried again, alone.
 * @param {Record<string, {source: string, mutants: Fault[]}>} files
 * @param {string[]} tests */
async function repeatTimeouts(files, tests) {
  const slow = Object.entries(files).flatMap(([file, { mutants }]) =>
    mutants.filter(({ status }) => status === 'Timeout').map((fault) => ({ file, fault })),
  );
  if (slow.length === 0) return;
  const places = slow.map(({ file, fault: { location } }) => {
    const [from, to] = [location.start, location.end].map(
      ({ line, column }) => `${line}:${column - 1}`,
    );
    return `${file}:${from}-${to}`;
  });
  const again = await tried([...new Set(places)], tests, { timeoutMS: 60_000, concurrency: 1 });
  for (const { file, fault } of slow) {
    const same = again[file]?.mutants.find(
      ({ replacement, location }) =>
        replacement === fault.replacement &&
        JSON.stringify(location) === JSON.stringify(fault.location),
    );
    fault.status = same?.status ?? 'Survived';
  }
}

/**
 * @param {string} room
 * @param {string[]} names of files, or how many stretches of lines and a seed; all where there is none
 */
export async function mutateScripts(room, names) {
  await install();
  const { files, tests } = scriptRooms[room] ?? { files: '', tests: [] };
  const all = await sources(files);
  const [count, seed = 1] = names.map(Number);
  const chosen = count
    ? sample(all.flatMap(stretches), count, seed)
    : all.filter((file) => names.length === 0 || names.includes(basename(file, '.ts')));
  const result = await tried(chosen, tests, { timeoutMS: 20_000 });
  await repeatTimeouts(result, tests);
  const found = { caught: 0, survived: 0, 'not reached': 0, equivalent: 0 };
  for (const [file, { source, mutants }] of Object.entries(result)) {
    for (const { status, replacement, location } of mutants) {
      if (!['Killed', 'Timeout', 'Survived', 'NoCoverage'].includes(status)) continue;
      const { start, end } = location;
      const text = source.split('\n')[start.line - 1] ?? '';
      const last = start.line === end.line ? end.column - 1 : text.length;
      const what = `${text.slice(start.column - 1, last)} -> ${replacement}`;
      const why = equivalent.find(
        (one) => one.file.test(file) && (one.text?.test(`${what} | ${text}`) ?? true),
      )?.why;
      const isMissed = status === 'Survived' || status === 'NoCoverage';
      const outcome = !isMissed
        ? 'caught'
        : why
          ? 'equivalent'
          : status === 'Survived'
            ? 'survived'
            : 'not reached';
      ++found[outcome];
      if (outcome !== 'caught')
        console.log(
          `${outcome.padEnd(11)} ${file}:${start.line}: ${what}\n            ${why ?? text}`,
        );
    }
  }
  const counted = found.caught + found.survived + found['not reached'];
  console.log(
    `${room}: ${counted + found.equivalent} faults: ${found.caught} caught, ${found.survived} survived, ` +
      `${found['not reached']} not reached, ${found.equivalent} equivalent; caught of ${counted}: ` +
      `${((100 * found.caught) / counted).toFixed(1)} %`,
  );
  return found.caught >= leastCaught * counted;
}
