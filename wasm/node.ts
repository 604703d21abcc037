import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { createClient, type Engine } from './client.js';
import type { EngineOptions } from './entry.js';
import { EngineError, troubles } from './errors.js';
import { Pool, workersFor, type WorkerPort } from './pool.js';

export * from './entry.js';

const { resolve } = createRequire(import.meta.url);

/** A built file by the package's own name for it, which holds for the sources and for the bundle alike. */
function built(name: '#node-worker' | '#node-wasm'): string {
  try {
    return resolve(name);
  } catch (cause) {
    throw new EngineError('engine-failed', troubles.apart, undefined, cause);
  }
}

function makePort(): WorkerPort {
  // The program's own Node options (--input-type, --inspect, loaders) are not for our worker.
  const worker = new Worker(built('#node-worker'), { execArgv: [] });
  return {
    post: (message) => worker.postMessage(message),
    listen: (onMessage, onDeath) => {
      worker.on('message', onMessage);
      worker.on('messageerror', (error) => onDeath(error.message));
      worker.on('error', (error) =>
        onDeath(error instanceof Error ? error.message : String(error)),
      );
      worker.on('exit', (code) => onDeath(`the worker exited with code ${code}`));
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

export async function createEngine(options: EngineOptions = {}): Promise<Engine> {
  const bytes = await readFile(built('#node-wasm'));
  const wasm = WebAssembly.compile(bytes);
  const size = workersFor(options.workers, availableParallelism());
  const pool = new Pool({ makePort, wasm, size });
  await pool.start();
  return createClient(pool, () => Promise.resolve(bytes));
}
