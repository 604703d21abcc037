/** The engine in a browser. */

import { makeWorker } from '#make-worker';
import { wasmFile } from '#wasm-file';
import { createClient } from './client.js';
import type { Engine } from './client.js';
import { arrived, compile } from './module.js';
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

/** Beyond this many, a comparison has no use for more: memory is better spent elsewhere. */
const mostWorkers = 8;

function makePort(): WorkerPort {
  const worker = makeWorker();
  return {
    post: (message) => {
      worker.postMessage(message);
    },
    listen: (onMessage, onDeath) => {
      worker.addEventListener('message', (event: MessageEvent<unknown>) => {
        onMessage(event.data);
      });
      worker.addEventListener('messageerror', () => {
        onDeath('a message from the worker could not be read');
      });
      worker.addEventListener('error', (event) => {
        event.preventDefault();
        onDeath(event.message || 'the worker could not be loaded');
      });
    },
    terminate: () => {
      worker.terminate();
    },
    setBusy: () => undefined,
  };
}

/** Resolves when the engine is ready for questions. */
export async function createEngine(options: EngineOptions = {}): Promise<Engine> {
  const wasm = wasmFile().then(compile);
  // Whoever waits for a worker hears of trouble; where none can be made, nobody waits.
  wasm.catch(() => undefined);
  const size = options.workers ?? Math.min(navigator.hardwareConcurrency || 2, mostWorkers);
  const pool = new Pool({ makePort, wasm, size });
  await pool.start();
  // The file that was compiled, if it is still kept, whatever the host has by now.
  return createClient(pool, async () => arrived(await wasmFile('force-cache')).arrayBuffer());
}
