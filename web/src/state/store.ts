import { addressOf, readAddress } from './address.js';
import type { State } from './scenario.js';

/** What the store needs of a browser's history. */
export interface History {
  hash(): string;
  push(hash: string): void;
  replace(hash: string): void;
  /** Calls back when the reader goes back, forward, or edits the address. */
  listen(onChange: () => void): void;
  now(): number;
}

/** Edits of one field within this many milliseconds are one step of the history. */
const strokeGap = 2000;

/** The state of the page and its address, always the same. */
export class Store {
  state: State;
  notes: readonly string[];
  private readonly listeners = new Set<() => void>();
  private readonly history: History;
  private lastKey = '';
  private lastTime = -Infinity;

  constructor(history: History) {
    this.history = history;
    ({ state: this.state, notes: this.notes } = readAddress(history.hash()));
    history.listen(() => {
      if (addressOf(this.state) === history.hash()) return;
      ({ state: this.state, notes: this.notes } = readAddress(history.hash()));
      this.lastKey = '';
      this.tell();
    });
  }

  /** `key` names what is edited: a burst of edits with one key is one step back. */
  edit(state: State, key: string): void {
    const hash = addressOf(state);
    const before = addressOf(this.state);
    this.state = state;
    this.notes = [];
    if (hash !== before) {
      const now = this.history.now();
      const same = key === this.lastKey && now - this.lastTime < strokeGap;
      if (same) this.history.replace(hash);
      else this.history.push(hash);
      this.lastKey = key;
      this.lastTime = now;
    }
    this.tell();
  }

  subscribe(listener: () => void): void {
    this.listeners.add(listener);
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }
}
