/** Files, output and the engine, for all commands. */

import { createReadStream, fstatSync } from 'node:fs';
import type { Engine } from '../client.js';
import type { Query } from '../generated/schema.js';
import { createEngine, type EngineOptions } from '../node.js';
import { afterFile, issue, withFile, type Options } from './flags.js';
import { waiting } from './progress.js';

/** Waits while the reader is slow, so that output does not pile up in memory. */
export function write(text: string): Promise<void> {
  return new Promise((resolve) => {
    if (process.stdout.write(text)) resolve();
    else process.stdout.once('drain', resolve);
  });
}

export async function withEngine<T>(
  use: (engine: Engine) => Promise<T>,
  options?: EngineOptions,
): Promise<T> {
  const engine = await createEngine(options);
  try {
    return await use(engine);
  } finally {
    engine.close();
  }
}

/** The same for a question that says nothing until it is answered. */
export async function withWaiting<T>(use: (engine: Engine) => Promise<T>): Promise<T> {
  const done = waiting(process.stderr);
  try {
    return await withEngine(use);
  } finally {
    done();
  }
}

/** Why a file could not be read or written: the words between the system's own code and what was tried. */
export function reasonOf(error: unknown): string {
  const { code = '', message = '' } = Object(error) as Partial<NodeJS.ErrnoException>;
  if (code === 'EISDIR') return 'it is a folder';
  return /^E[A-Z]+: ([^,]+)/.exec(message)?.[1] ?? `the system refused ${code}`.trimEnd();
}

/** Throws where it cannot be read: Node would call a folder empty. */
export function standardInput(): NodeJS.ReadStream {
  if (fstatSync(0).isDirectory()) {
    throw Object.assign(new Error('EISDIR'), { code: 'EISDIR' });
  }
  return process.stdin;
}

/** Editors on Windows begin files with a mark that is not part of the text. */
export const withoutMark = (text: string): string => text.replace(/^\uFEFF/, '');

/** In characters; no question, tally or report is as long, and a device never ends. */
const longestText = 16e6;

/** The text of a file; `-` is standard input. Errors name `field`. */
export async function readText(file: string, field: string): Promise<string> {
  const refuse = (reason: string) => {
    const name = file === '-' ? 'standard input' : file;
    return issue('unreadable', field, `${field}: cannot read ${name}: ${reason}`);
  };
  let text = '';
  try {
    const pieces = file === '-' ? standardInput() : createReadStream(file);
    for await (const piece of pieces.setEncoding('utf8') as AsyncIterable<string>) {
      text += piece;
      if (text.length > longestText) break;
    }
  } catch (error) {
    throw refuse(reasonOf(error));
  }
  if (text.length <= longestText) return withoutMark(text);
  throw refuse(`it is too large, of more than ${longestText.toLocaleString('en')} characters`);
}

export async function readQuery(options: Options): Promise<Query> {
  const { file, after } = options;
  const nameOf = (path: string) => (path === '-' ? 'standard input' : path);
  if (file === '-' && after === '-')
    throw issue('contradiction', 'after', 'after: standard input is read once, by --query');
  const query =
    file === undefined
      ? options.query
      : withFile(await readText(file, 'query'), nameOf(file), options);
  if (after === undefined) return query;
  return afterFile(await readText(after, 'after'), nameOf(after), query);
}
