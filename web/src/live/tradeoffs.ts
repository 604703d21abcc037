import type { Query, TradeOffAnswer } from '../../../wasm/generated/schema.js';
import type { Row } from '../state/rows.js';
import type { RowName } from '../state/scenario.js';
import { Live, remember } from './live.js';

export interface TradeOff {
  name: RowName;
  query: Query;
  answer: TradeOffAnswer;
  stale: boolean;
}

interface TradeOffsState {
  curves: ReadonlyMap<RowName, TradeOff>;
  failed: ReadonlyMap<RowName, unknown>;
  working: boolean;
}

export const noTradeOffs: TradeOffsState = { curves: new Map(), failed: new Map(), working: false };

/** A question is asked once it has stayed the same for this long. */
const settling = 150;
/** Answers that are kept for when they are wanted again. */
const kept = 32;

/** Trade-off functions of several rows, one call at a time, the first wanted first. */
export class LiveTradeOffs extends Live<TradeOffsState> {
  state = noTradeOffs;
  private wanted: readonly Row[] = [];
  private current: { key: string; stop: AbortController } | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly memory = new Map<string, TradeOffAnswer>();
  private readonly failures = new Map<string, unknown>();

  /** These rows are wanted, and no others; work on what is still wanted goes on. */
  ask(rows: readonly Row[]): void {
    if (sameRows(rows, this.wanted)) return;
    this.wanted = rows;
    this.failures.clear();
    const keys = rows.map(({ query }) => keyOf(query));
    if (this.current && !keys.includes(this.current.key)) this.stop();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.next(), settling);
    this.renew();
  }

  /** The question is changing: what is shown belongs to an earlier one. */
  outdate(): void {
    this.halt();
    const curves = [...this.state.curves].map(
      ([name, curve]) => [name, { ...curve, stale: true }] as const,
    );
    this.set({ curves: new Map(curves), failed: new Map(), working: false });
  }

  clear(): void {
    this.halt();
    this.set(noTradeOffs);
  }

  private halt(): void {
    clearTimeout(this.timer);
    this.stop();
    this.wanted = [];
  }

  private stop(): void {
    this.current?.stop.abort();
    this.current = undefined;
  }

  private next(): void {
    if (this.current) return;
    const row = this.wanted.find(({ query }) => this.isOpen(query));
    if (row) void this.work(row.query);
  }

  private isOpen(query: Query): boolean {
    const key = keyOf(query);
    return !this.memory.has(key) && !this.failures.has(key);
  }

  private async work(query: Query): Promise<void> {
    const key = keyOf(query);
    const current = { key, stop: new AbortController() };
    this.current = current;
    const { signal } = current.stop;
    try {
      const answer = await this.engine.tradeoff(query, { signal, background: true });
      remember(this.memory, key, answer, kept);
    } catch (error) {
      if (!signal.aborted) this.failures.set(key, error);
    }
    if (this.current !== current) return;
    this.current = undefined;
    this.next();
    this.renew();
  }

  private renew(): void {
    const curves = this.wanted.flatMap(({ name, query }): (readonly [RowName, TradeOff])[] => {
      const answer = this.memory.get(keyOf(query));
      if (answer) return [[name, { name, query, answer, stale: false }]];
      const before = this.state.curves.get(name);
      return before ? [[name, { ...before, stale: true }]] : [];
    });
    const failed = this.wanted.flatMap(({ name, query }) => {
      const key = keyOf(query);
      return this.failures.has(key) ? [[name, this.failures.get(key)] as const] : [];
    });
    const working = this.wanted.some(({ query }) => this.isOpen(query));
    this.set({ curves: new Map(curves), failed: new Map(failed), working });
  }
}

const keyOf = (query: Query) => JSON.stringify(query);
const sameRows = (a: readonly Row[], b: readonly Row[]) => JSON.stringify(a) === JSON.stringify(b);
