/** What every command does with files, output and the engine. */

import { readFile } from 'node:fs/promises';
import { text as readAll } from 'node:stream/consumers';
import type { Engine } from '../client.js';
import type { Query } from '../generated/schema.js';
import { createEngine } from '../node.js';
import type { EngineOptions } from '../node.js';
import { issue, withFile } from './flags.js';
import type { Options } from './flags.js';

/** Waits while the reader is slow, so that output is not piled up in memory. */
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

/** The question that flags state, or that a file holds. */
export async function readQuery(options: Options): Promise<Query> {
  const { file } = options;
  if (file === undefined) return options.query;
  const text = await (file === '-' ? readAll(process.stdin) : readFile(file, 'utf8')).catch(
    (error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      throw issue('unreadable', 'query', `--query: ${reason}`);
    },
  );
  return withFile(text, options);
}
