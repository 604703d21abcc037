import { addressOf, readAddress, type Kept, type LinkReading, type UnreadPart } from './address.js';
import { defaultState, defaultView, type State } from './scenario.js';

export interface History {
  hash(): string;
  push(hash: string): void;
  replace(hash: string): void;
  /** Calls back when the reader goes back, forward, or edits the address. */
  listen(onChange: () => void): void;
  now(): number;
}

/** Whether the next edit may follow at once: typed letter by letter, or by a slider that moves. */
export type Pace = 'single' | 'typed' | 'slid';

/** Edits of one field within this many milliseconds are one step of the history. */
const strokeGap = 2000;

/** A run without the view and the entry that is open. */
const runOf = ({ scenario }: State) =>
  addressOf({ scenario: { ...scenario, open: 0 }, view: defaultView });

/** The state of the page and its address: the same, unless the address could not be read. */
export class Store {
  state: State = defaultState;
  /** The parts of the link that could not be read; kept until the run is edited. */
  notes: readonly UnreadPart[] = [];
  /** How much of the link's run this is. */
  run: Kept = 'whole';
  private readonly listeners = new Set<() => void>();
  private readonly history: History;
  private lastKey = '';
  private lastTime = -Infinity;

  constructor(history: History) {
    this.history = history;
    this.follow(readAddress(history.hash()));
    history.listen(() => {
      if (this.notes.length === 0 && addressOf(this.state) === history.hash()) return;
      this.follow(readAddress(history.hash()));
      this.lastKey = '';
      this.tell();
    });
  }

  private follow({ state, notes, run }: LinkReading): void {
    this.state = state;
    this.notes = notes;
    this.run = run;
  }

  /** `key` names what is edited: a burst of edits with one key is one step back. */
  edit(state: State, key: string): void {
    const hash = addressOf(state);
    const before = addressOf(this.state);
    // An edited run is the reader's own; one that was only looked at is still not the link's.
    const kept = this.run !== 'whole' && runOf(state) === runOf(this.state);
    this.follow(
      kept ? { state, notes: this.notes, run: this.run } : { state, notes: [], run: 'whole' },
    );
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
