/** The engine in Node. */

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { createClient } from './client.js';
import type { Engine } from './client.js';
import { Pool } from './pool.js';
import type { WorkerPort } from './pool.js';

export type { CallOptions, CompareOptions, Comparison, CurveOptions, Engine } from './client.js';
export type { Curve, CurvePoint } from './curve.js';
export { curveKinds } from './curve-kinds.js';
export type { CurveKind } from './curve-kinds.js';
export { EngineError, QueryError } from './errors.js';
export type { EngineErrorCode } from './errors.js';
export * from './generated/schema.js';
export type {
  Certainty,
  MonteCarloOptions,
  MonteCarloProgress,
  MonteCarloResult,
} from './monte-carlo.js';
export { parseNumber } from './number-forms.js';
export { readTally } from './tally.js';
export type { ChunkRange, Tally } from './tally.js';

export interface EngineOptions {
  /** Most workers at a time; by default as many as there are cores, at most 8. */
  workers?: number | undefined;
}

const mostWorkers = 8;

// The package's own names for its built files: they hold for the sources and for the bundle alike.
const { resolve } = createRequire(import.meta.url);

function makePort(): WorkerPort {
  // The program's own Node options (--input-type, --inspect, loaders) are not for our worker.
  const worker = new Worker(resolve('#node-worker'), { execArgv: [] });
  return {
    post: (message) => {
      worker.postMessage(message);
    },
    listen: (onMessage, onDeath) => {
      worker.on('message', onMessage);
      worker.on('messageerror', (error) => {
        onDeath(error.message);
      });
      worker.on('error', (error) => {
        onDeath(error instanceof Error ? error.message : String(error));
      });
      worker.on('exit', (code) => {
        onDeath(`the worker exited with code ${String(code)}`);
      });
    },
    terminate: () => {
      void worker.terminate();
    },
    setBusy: (busy) => {
      // An idle worker must not keep a program alive that forgot to close the engine.
      if (busy) worker.ref();
      else worker.unref();
    },
  };
}

/** Resolves when the engine is ready for questions. */
export async function createEngine(options: EngineOptions = {}): Promise<Engine> {
  const bytes = await readFile(resolve('#node-wasm'));
  const wasm = WebAssembly.compile(bytes);
  const size = options.workers ?? Math.min(availableParallelism(), mostWorkers);
  const pool = new Pool({ makePort, wasm, size });
  await pool.start();
  return createClient(pool, () => Promise.resolve(bytes));
}
