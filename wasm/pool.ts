import { EngineError, QueryError, troubles, type EngineErrorCode } from './errors.js';
import type { CallName, Calls } from './generated/schema.js';
import { isResult, parseReply, type Reply, type Request } from './protocol.js';

/** A worker as the pool needs it; browsers and Node each make their own. */
export interface WorkerPort {
  post(message: Request): void;
  /** `onDeath` is called when the worker can answer no more, perhaps more than once. */
  listen(onMessage: (data: unknown) => void, onDeath: (reason: string) => void): void;
  terminate(): void;
  /** Whether the worker has something to do, for platforms where an idle one must not block exit. */
  setBusy(busy: boolean): void;
}

/** A comparison has no use for more workers, and each takes memory. */
const mostWorkers = 8;

/** How many workers an engine has: as many as it was asked for, or as there are cores. */
export const workersFor = (asked: number | undefined, cores: number): number =>
  asked ?? Math.min(cores, mostWorkers);

interface PoolOptions {
  makePort: () => WorkerPort;
  /** Compiled once for all workers. May still be on its way: workers load meanwhile. */
  wasm: WebAssembly.Module | Promise<WebAssembly.Module>;
  /** Most workers at a time; they start when calls need them. */
  size: number;
}

interface RunOptions {
  /** Aborting rejects with the signal's reason and stops the computation. */
  signal?: AbortSignal | undefined;
  /** Waits behind all other calls, and never takes the last of several workers. */
  background?: boolean | undefined;
}

interface Task {
  method: CallName;
  question: unknown;
  background: boolean;
  /** Whether a worker has died under it. */
  retried: boolean;
  /** Takes a result whose shape was checked. */
  resolve: (result: unknown) => void;
  reject: (reason: unknown) => void;
}

interface Slot {
  port: WorkerPort;
  ready: boolean;
  task: Task | undefined;
  /** The number of the task's call: a reply to another one is stale. */
  call: number;
}

/** An error that ends a call, or the start: in a reader's words, with the cause. */
const trouble = (code: EngineErrorCode, words: keyof typeof troubles, cause: unknown) =>
  new EngineError(code, troubles[words], undefined, cause);

const wasClosed = () => new EngineError('closed', 'The engine was closed before it answered.');

/**
 * Spreads calls over workers, oldest first. A call that is aborted while it runs takes its worker
 * with it (nothing else stops a computation), and so does a trap; either way another worker steps in.
 */
export class Pool {
  private readonly slots = new Set<Slot>();
  private readonly queue: Task[] = [];
  private readonly makePort: () => WorkerPort;
  private wasm: WebAssembly.Module | Promise<WebAssembly.Module>;
  private size: number;
  private calls = 0;
  private closed = false;
  private waiting: { resolve: () => void; reject: (reason: unknown) => void } | undefined;

  constructor(options: PoolOptions) {
    this.makePort = options.makePort;
    this.wasm = options.wasm;
    this.size = Math.max(1, Math.floor(options.size));
  }

  get workers(): number {
    return this.size;
  }

  start(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
      this.spawn();
    });
  }

  run<Name extends CallName>(
    method: Name,
    question: unknown,
    { signal, background = false }: RunOptions = {},
  ): Promise<Calls[Name]['result']> {
    return new Promise((resolve, reject) => {
      if (this.closed) throw wasClosed();
      signal?.throwIfAborted();
      const abort = () => {
        this.cancel(task);
        task.reject(signal?.reason);
      };
      const task: Task = {
        ...{ method, question, background, retried: false },
        resolve: (result) => {
          signal?.removeEventListener('abort', abort);
          resolve(result as Calls[Name]['result']);
        },
        reject: (reason) => {
          signal?.removeEventListener('abort', abort);
          reject(reason);
        },
      };
      signal?.addEventListener('abort', abort);
      this.queue.push(task);
      this.pump();
    });
  }

  close(): void {
    this.closed = true;
    const error = wasClosed();
    for (const slot of this.slots) {
      slot.task?.reject(error);
      this.drop(slot);
    }
    for (const task of this.queue.splice(0)) task.reject(error);
    this.waiting?.reject(error);
  }

  private spawn(): void {
    let port: WorkerPort;
    try {
      port = this.makePort();
    } catch (error) {
      this.startFailed(error);
      return;
    }
    const slot: Slot = { port, ready: false, task: undefined, call: 0 };
    this.slots.add(slot);
    port.setBusy(true);
    port.listen(
      (data) => {
        const reply = parseReply(data);
        if (reply) this.receive(slot, reply);
        else this.lose(slot, trouble('worker-failed', 'strange', data));
      },
      (reason) => this.onDeath(slot, reason),
    );
    void this.begin(slot);
  }

  private async begin(slot: Slot): Promise<void> {
    try {
      if (this.wasm instanceof Promise) this.wasm = await this.wasm;
      if (this.slots.has(slot)) slot.port.post({ type: 'start', wasm: this.wasm });
    } catch (error) {
      this.lose(slot, error);
    }
  }

  private pump(): void {
    for (const slot of this.slots) {
      if (!slot.ready || slot.task) continue;
      const task = this.next();
      if (!task) break;
      this.assign(slot, task);
    }
    const starting = [...this.slots].filter((slot) => !slot.ready).length;
    for (let missing = this.queue.length - starting; missing > 0; --missing) {
      if (this.slots.size >= this.size) return;
      this.spawn();
    }
  }

  /** Takes the oldest call from the queue; one in the background only when no other waits. */
  private next(): Task | undefined {
    const first = this.queue.findIndex(({ background }) => !background);
    if (first >= 0) return this.queue.splice(first, 1)[0];
    const busy = [...this.slots].filter(({ task }) => task?.background).length;
    return busy < Math.max(1, this.size - 1) ? this.queue.shift() : undefined;
  }

  private assign(slot: Slot, task: Task): void {
    slot.task = task;
    slot.call = ++this.calls;
    slot.port.setBusy(true);
    try {
      const { method, question } = task;
      slot.port.post({ type: 'call', id: slot.call, method, question });
    } catch (error) {
      // Only plain data can be sent, and a copy goes down into it, level by level.
      const foreign = error instanceof Error && error.name === 'DataCloneError';
      const got = foreign
        ? 'a function, a symbol or another object that cannot be copied in it'
        : 'lists or objects nested thousands of levels deep';
      const text = `query must be plain data; got ${got}`;
      task.reject(new QueryError({ code: 'wrong-type', field: 'query', text }));
      this.free(slot);
    }
  }

  private free(slot: Slot): void {
    slot.task = undefined;
    slot.port.setBusy(false);
    this.pump();
  }

  private receive(slot: Slot, reply: Reply): void {
    if (!this.slots.has(slot)) return;
    if (reply.type === 'ready') {
      slot.ready = true;
      this.waiting?.resolve();
      this.free(slot);
      return;
    }
    if (reply.type === 'failed') {
      this.lose(slot, trouble('start-failed', 'start', reply.text));
      return;
    }
    if (reply.type === 'trap') {
      this.lose(slot, trouble('worker-failed', 'computation', reply.text));
      return;
    }
    const task = slot.task;
    if (!task || reply.id !== slot.call) return;
    if (reply.type === 'result') {
      if (!isResult(task.method, reply.result)) {
        this.lose(slot, trouble('worker-failed', 'strange', reply.result));
        return;
      }
      task.resolve(reply.result);
    } else if (reply.type === 'issue') task.reject(new QueryError(reply.issue));
    else if (reply.text === 'out-of-memory') {
      task.reject(trouble('out-of-memory', 'memory', reply.text));
    } else task.reject(trouble('engine-failed', 'computation', reply.text));
    this.free(slot);
  }

  /** When a worker dies, its call is asked once more, before the others. */
  private onDeath(slot: Slot, reason: string): void {
    // This one was ended on purpose: nobody waits for its call any more.
    if (!this.slots.has(slot)) return;
    const { task } = slot;
    if (task && !task.retried) {
      task.retried = true;
      slot.task = undefined;
      this.queue.unshift(task);
    }
    this.lose(slot, trouble('worker-failed', 'death', reason));
    this.pump();
  }

  /** A worker that died or trapped: its call rejects, its place is free for another. */
  private lose(slot: Slot, error: unknown): void {
    if (!this.slots.has(slot)) return;
    this.drop(slot);
    if (!slot.ready) {
      this.startFailed(error);
      return;
    }
    slot.task?.reject(error);
    this.replace();
  }

  private startFailed(reason: unknown): void {
    const error =
      reason instanceof EngineError && reason.code === 'start-failed'
        ? reason
        : trouble('start-failed', 'start', reason);
    this.waiting?.reject(error);
    // While some workers run, they suffice; if none could start, none will.
    if (this.slots.size > 0) this.size = this.slots.size;
    else for (const task of this.queue.splice(0)) task.reject(error);
  }

  private cancel(task: Task): void {
    const position = this.queue.indexOf(task);
    if (position >= 0) this.queue.splice(position, 1);
    for (const slot of this.slots) {
      if (slot.task === task) {
        this.drop(slot);
        this.replace();
        return;
      }
    }
  }

  private drop(slot: Slot): void {
    this.slots.delete(slot);
    slot.port.terminate();
  }

  /** At once, not when the next call comes: the next call is usually a keystroke away. */
  private replace(): void {
    if (!this.closed && this.slots.size < this.size) this.spawn();
  }
}
