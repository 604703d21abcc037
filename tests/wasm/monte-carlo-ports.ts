import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { createClient } from '../../wasm/client.js';
import type { Engine } from '../../wasm/client.js';
import type { CallName } from '../../wasm/generated/schema.js';
import { Pool } from '../../wasm/pool.js';
import type { WorkerPort } from '../../wasm/pool.js';
import type { Request } from '../../wasm/protocol.js';
import { createServer } from '../../wasm/serve.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

const wasmBytes = readFileSync(`${root}wasm/generated/engine.wasm`);
const compiled = WebAssembly.compile(wasmBytes);

/** What befalls a worker at the n-th call of a method, counted from 1 over all workers. */
export type Fault = 'die before' | 'die after' | 'trap' | undefined;
export type Faults = (call: number, request: Request) => Fault;

/** The engine itself, in this thread, with workers that fail when the test says so. */
class LocalPort implements WorkerPort {
  private onMessage: (data: unknown) => void = () => undefined;
  private onDeath: (reason: string) => void = () => undefined;
  private alive = true;
  private readonly befalls: (request: Request) => Fault;
  private readonly receive = createServer((reply) => {
    this.later(() => {
      this.onMessage(reply);
    });
  });

  constructor(befalls: (request: Request) => Fault) {
    this.befalls = befalls;
  }

  post(message: Request): void {
    this.later(() => {
      const fault = message.type === 'call' ? this.befalls(message) : undefined;
      if (fault === 'trap' && message.type === 'call') {
        this.onMessage({ type: 'trap', id: message.id, text: 'unreachable' });
      } else if (fault === 'die before') {
        this.die();
      } else {
        this.receive(message);
        // What it drew is on its way, and never arrives.
        if (fault === 'die after') this.die();
      }
    });
  }
  listen(onMessage: (data: unknown) => void, onDeath: (reason: string) => void): void {
    this.onMessage = onMessage;
    this.onDeath = onDeath;
  }
  terminate(): void {
    this.alive = false;
  }
  setBusy(): void {
    // Nothing here keeps a program alive.
  }

  private die(): void {
    this.alive = false;
    this.onDeath('killed');
  }
  private later(task: () => void): void {
    setTimeout(() => {
      if (this.alive) task();
    });
  }
}

const pools: Pool[] = [];

/** Ends every engine made here. */
export function closeAll(): void {
  for (const pool of pools.splice(0)) pool.close();
}

async function engineOver(makePort: () => WorkerPort, size: number): Promise<Engine> {
  const pool = new Pool({ makePort, wasm: compiled, size });
  pools.push(pool);
  await pool.start();
  return createClient(pool, () => Promise.resolve(wasmBytes));
}

/** An engine of workers in this thread; `faults` sees every call of a method. */
export function localEngine(
  size: number,
  faults: Faults = () => undefined,
  method: CallName = 'monteCarloChunks',
): Promise<Engine> {
  let calls = 0;
  const befalls = (request: Request) =>
    request.type === 'call' && request.method === method ? faults(++calls, request) : undefined;
  return engineOver(() => new LocalPort(befalls), size);
}

/** An engine of real threads, and a way to kill those that run; it returns how many. */
export async function threadEngine(size: number): Promise<{ engine: Engine; kill: () => number }> {
  const threads = new Set<Worker>();
  const makePort = (): WorkerPort => {
    const thread = new Worker(`${root}dist/node/worker.js`, { execArgv: [] });
    threads.add(thread);
    return {
      post: (message) => {
        thread.postMessage(message);
      },
      listen: (onMessage, onDeath) => {
        thread.on('message', onMessage);
        thread.on('error', () => undefined);
        thread.on('exit', () => {
          threads.delete(thread);
          onDeath('the thread was killed');
        });
      },
      terminate: () => {
        threads.delete(thread);
        void thread.terminate();
      },
      setBusy: () => undefined,
    };
  };
  const engine = await engineOver(makePort, size);
  const kill = () => {
    for (const thread of threads) void thread.terminate();
    return threads.size;
  };
  return { engine, kill };
}
