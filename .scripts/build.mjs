// The build's steps. Each runs at most once in a process, after those it needs.

import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { discardForeign } from './cache.mjs';
import { StepError, local, must, root } from './shell.mjs';
import { generate } from './schema.mjs';

/** @type {Map<string, Promise<unknown>>} */
const done = new Map();

/**
 * @param {string} name
 * @param {() => Promise<unknown>} step
 * @returns {() => Promise<unknown>}
 */
function once(name, step) {
  return () => {
    const under = done.get(name) ?? step();
    done.set(name, under);
    return under;
  };
}

/** A queue of its own: what is put into it runs one at a time. */
function queue() {
  /** @type {Promise<unknown>} */
  let last = Promise.resolve();
  return (/** @type {() => Promise<unknown>} */ step) => {
    const result = last.then(step);
    last = result.catch(() => undefined);
    return result;
  };
}

// Ninja fills the machine. Bundles, which the longest suite waits for, do not wait for the native core.
const alone = queue();
const oneBundle = queue();

/** @typedef {'native' | 'lint' | 'sanitize' | 'fuzz' | 'wasm'} Preset */

/** @param {Preset} preset */
const configure = (preset) =>
  once(`configure ${preset}`, () =>
    alone(() => {
      discardForeign(join(root, 'build', preset), root);
      return must('cmake', ['--preset', preset]);
    }),
  )();

/**
 * @param {Preset} preset
 * @param {string} target
 */
async function compile(preset, target) {
  await configure(preset);
  await alone(() => must('cmake', ['--build', '--preset', preset, '--target', target]));
}

/** @type {(config: string, ...args: string[]) => Promise<unknown>} */
const bundle = (config, ...args) =>
  oneBundle(() => must(local('vite'), ['build', '--config', config, ...args]));

export const steps = {
  /** A compilation database for the linter, which cannot read what another compiler precompiled. */
  database: once('database', () => configure('lint')),
  nativeTests: once('native tests', () => compile('native', 'core_tests')),
  sanitizedTests: once('sanitized tests', () => compile('sanitize', 'core_tests')),
  wasmTests: once('wasm tests', () => compile('wasm', 'core_tests')),
  nativeEnds: once('native ends', () => compile('native', 'core_ends')),
  wasmEnds: once('wasm ends', () => compile('wasm', 'core_ends')),
  manyQuestions: once('many questions', () => compile('native', 'core_many')),
  manyAsWasm: once('many questions as wasm', () => compile('wasm', 'core_many')),
  fuzzers: once('fuzzers', () => compile('fuzz', 'fuzzers')),
  nativeBench: once('native bench', () => compile('native', 'core_bench')),
  wasmBench: once('wasm bench', () => compile('wasm', 'core_bench')),
  /** The module, and the types and lists that follow from it. */
  engine: once('engine', async () => {
    await compile('wasm', 'engine');
    await compile('wasm', 'describe');
    await generate(root);
  }),
  /** The command, the Node entry and the package's types. */
  node: once('node', async () => {
    await steps.engine();
    await bundle('.config/vite.node.config.ts');
    rmSync(join(root, 'dist/types'), { recursive: true, force: true });
    await must(local('tsc'), ['-p', '.config/tsconfig.package.json']);
  }),
  /** The package for browsers: the engine, the element, and a script for a plain page. */
  browser: once('browser', async () => {
    await steps.engine();
    await bundle('.config/vite.package.config.ts');
  }),
  /** The page, the frame for others' pages, the single file, and what keeps the page offline. */
  page: once('page', async () => {
    // The preview of a shared link is drawn from the engine's answers.
    await steps.node();
    await bundle('web/vite.config.ts');
    if (!existsSync(join(root, 'dist/web/index.html'))) {
      throw new StepError('the page was built, but dist/web/index.html is not there');
    }
    await bundle('.config/vite.single.config.ts', '--mode', 'embed');
    await bundle('.config/vite.single.config.ts', '--mode', 'standalone');
    copyFileSync(join(root, 'dist/standalone.html'), join(root, 'dist/web/standalone.html'));
    await bundle('.config/vite.offline.config.ts');
  }),
};

/**
 * Everything a user runs.
 * @param {(text: string) => void} say
 */
export async function buildAll(say) {
  say('engine: C++ to WebAssembly ...');
  await steps.engine();
  say('command and Node entry ...');
  await steps.node();
  say('page, element and single file ...');
  await steps.page();
  await steps.browser();
}
