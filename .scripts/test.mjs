// Runs the suites, as many at a time as there is room for, and adds up what they report.

import { availableParallelism } from 'node:os';
import { steps, suites } from './suites.mjs';

/** @typedef {import('./suites.mjs').Suite} Suite */
/** @typedef {import('./suites.mjs').Result} Result */

/** @param {number} since */
function seconds(since) {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`;
}

/** @param {Suite} suite */
async function runSuite(suite) {
  let start = performance.now();
  /** @type {Result} */
  let result;
  try {
    for (const step of suite.after) await steps[step]();
    start = performance.now();
    result = await suite.run();
  } catch (error) {
    result = {
      passed: 0,
      failed: 1,
      skipped: 0,
      output: `not run: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
  if (result.passed + result.failed === 0) {
    result = { ...result, failed: 1, output: `${result.output}\nthe suite ran no test` };
  }
  if (result.failed > 0) console.log(`\n${result.output.trim()}\n`);
  const counts = `${result.passed} passed, ${result.failed} failed`;
  const verdict = result.failed > 0 ? 'FAIL' : 'ok';
  console.log(`${verdict.padEnd(4)}  ${suite.name.padEnd(22)}  ${counts}  (${seconds(start)})`);
  return result;
}

const countNames = {
  cases: 'cases',
  properties: 'properties',
  fuzz: 'fuzz runs',
  rows: 'reference rows',
  sides: 'sides checked',
};

/** What was looked at, over all suites: the core's tests count natively, sanitized and as wasm.
 * @param {Result[]} results */
function total(results) {
  return Object.entries(countNames)
    .map(([name, words]) => {
      const sum = results.reduce((all, { counts }) => all + (counts?.[name] ?? 0), 0);
      return `${sum.toLocaleString('en')} ${words}`;
    })
    .join(', ');
}

/** The suites whose name contains one of the words; without any, all that take no word of their own.
 * @param {string[]} words */
function named(words) {
  return suites.filter(({ name, onlyNamed = '' }) =>
    words.length === 0
      ? onlyNamed === ''
      : words.some((word) => name.includes(word) && word.includes(onlyNamed)),
  );
}

/** All suites but those that are part of another one. */
export const everything = suites.filter(({ partOf }) => partOf === undefined);

/** @param {string[]} words run only the suites whose name contains one of them */
export const testNamed = (words) => testAll(named(words));

/** @param {readonly Suite[]} chosen */
export async function testAll(chosen) {
  const waiting = [...chosen];
  /** @type {Result[]} */
  const results = [];
  const lane = async () => {
    for (let suite = waiting.shift(); suite; suite = waiting.shift()) {
      results.push(await runSuite(suite));
    }
  };
  const start = performance.now();
  // One more than processors, up to three: every suite waits now and then for a browser, a timer or a build.
  await Promise.all(Array.from({ length: Math.min(3, availableParallelism() + 1) }, lane));
  const sum = (/** @type {'passed' | 'failed' | 'skipped'} */ key) =>
    results.reduce((total, result) => total + result[key], 0);
  if (results.length === 0) console.log('no suite has such a name');
  console.log(`\n${results.length} suites in ${seconds(start)}: ${total(results)}`);
  const skipped = sum('skipped') > 0 ? `, ${sum('skipped')} skipped` : '';
  console.log(`${sum('passed')} passed, ${sum('failed')} failed${skipped}`);
  return results.length > 0 && sum('failed') === 0;
}
