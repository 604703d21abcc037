import { makeWorker } from '#make-worker';
import { wasmFile } from '#wasm-file';
import { createClient, type Engine } from './client.js';
import type { EngineOptions } from './entry.js';
import { arrived, compile } from './module.js';
import { Pool, workersFor, type WorkerPort } from './pool.js';

function makePort(): WorkerPort {
  const worker = makeWorker();
  return {
    post: (message) => worker.postMessage(message),
    listen: (onMessage, onDeath) => {
      worker.addEventListener('message', (event: MessageEvent<unknown>) => onMessage(event.data));
      worker.addEventListener('messageerror', () =>
        onDeath('a message from the worker could not be read'),
      );
      worker.addEventListener('error', (event) => {
        event.preventDefault();
        onDeath(event.message || 'the worker could not be loaded');
      });
    },
    terminate: () => worker.terminate(),
    setBusy: () => undefined,
  };
}

export async function createEngine(options: EngineOptions = {}): Promise<Engine> {
  const wasm = wasmFile().then(compile);
  // start() reports the error; without this an unhandled rejection would report it again.
  wasm.catch(() => undefined);
  const size = workersFor(options.workers, navigator.hardwareConcurrency || 2);
  const pool = new Pool({ makePort, wasm, size });
  await pool.start();
  // The file that was compiled, if it is still cached, rather than the host's present one.
  return createClient(pool, async () => arrived(await wasmFile('force-cache')).arrayBuffer());
}
