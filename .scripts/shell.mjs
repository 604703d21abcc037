// Running other programs.

import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The path of a program, or undefined.
 * @param {string} program */
export function which(program) {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const path = join(folder, program);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // Not here; the next folder may have it.
    }
  }
  return undefined;
}

/** A program that an npm package of ours brings.
 * @param {string} name */
export const local = (name) => join(root, 'node_modules/.bin', name);

/** @type {Set<import('node:child_process').ChildProcess>} */
const children = new Set();
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
  process.on(signal, () => {
    for (const child of children) child.kill(signal);
    process.exit(130);
  });
}

/**
 * Runs a program in the repository's root and resolves with its exit code and what it printed.
 * With `show`, it prints where we print.
 * @typedef {{show?: boolean, minutes?: number, env?: Record<string, string>}} Options
 * @param {string} program
 * @param {readonly string[]} args
 * @param {Options} [options]
 * @returns {Promise<{code: number, output: string}>}
 */
export function execute(program, args, { show = false, minutes = 30, env = {} } = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: root,
      env: {
        UBSAN_OPTIONS: 'print_stacktrace=1',
        ...process.env,
        ...(show ? {} : { NO_COLOR: '1', FORCE_COLOR: undefined }),
        ...env,
      },
      stdio: ['ignore', show ? 'inherit' : 'pipe', show ? 'inherit' : 'pipe'],
    });
    children.add(child);
    let output = '';
    child.stdout?.setEncoding('utf8').on('data', (text) => (output += text));
    child.stderr?.setEncoding('utf8').on('data', (text) => (output += text));
    const timer = setTimeout(() => {
      output += `\n${program} was stopped after ${minutes} minutes\n`;
      child.kill('SIGKILL');
    }, minutes * 60_000);
    const finish = (/** @type {number} */ code) => {
      clearTimeout(timer);
      children.delete(child);
      resolve({ code, output });
    };
    child.on('error', (error) => {
      output += `${program}: ${error.message}\n`;
      finish(127);
    });
    child.on('close', (code) => finish(code ?? 1));
  });
}

/** What a step says when it cannot go on; printed without a stack. */
export class StepError extends Error {}

/**
 * Like execute, but a failure throws with what was printed.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {Options} [options]
 */
export async function must(program, args, options) {
  const { code, output } = await execute(program, args, options);
  if (code !== 0) {
    throw new StepError(`${output}${program} ${args.join(' ')} exited with code ${code}`);
  }
  return output;
}
