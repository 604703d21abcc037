import type { Engine } from '../../../wasm/client.js';

/** Asks the engine, and keeps what is known so far; whoever shows it hears of every change. */
export abstract class Live<State extends object> {
  abstract state: State;
  protected readonly engine: Engine;
  private readonly onChange: () => void;

  constructor(engine: Engine, onChange: () => void) {
    this.engine = engine;
    this.onChange = onChange;
  }

  protected set(change: Partial<State>): void {
    this.state = { ...this.state, ...change };
    this.onChange();
  }
}

/** Keeps a value for when it is wanted again; the oldest makes room for it. */
export function remember<Value>(
  memory: Map<string, Value>,
  key: string,
  value: Value,
  kept: number,
): void {
  memory.set(key, value);
  const [oldest] = memory.keys();
  if (memory.size > kept && oldest !== undefined) memory.delete(oldest);
}
