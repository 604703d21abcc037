import type { Engine } from '../../../wasm/client.js';
import type { Answer, Query, SamplerName } from '../../../wasm/generated/schema.js';

/** What went wrong with a question. */
export interface Trouble {
  /** The form's field to blame, when the question is at fault. */
  field: string | undefined;
  text: string;
}

export interface AnswersState {
  /** The latest answer of each sampler; those not in `fresh` belong to an earlier question. */
  answers: ReadonlyMap<SamplerName, Answer>;
  fresh: ReadonlySet<SamplerName>;
  /** The question that the fresh answers belong to. */
  query: Query | undefined;
  working: boolean;
  trouble: Trouble | undefined;
}

function troubleOf(error: unknown): Trouble {
  const text = error instanceof Error ? error.message : String(error);
  // QueryError by its shape: this folder knows the engine by its types alone.
  const field =
    error instanceof Error && 'field' in error && typeof error.field === 'string'
      ? error.field
      : undefined;
  return { field, text };
}

/** A comparison asks every sampler, whichever the reader's own is. */
function key(query: Query): string {
  return JSON.stringify({
    ...query,
    phases: query.phases.map((phase) => ({ ...phase, sampler: undefined })),
  });
}

/** Keeps every sampler's answer to the latest question; the last question wins, always. */
export class LiveAnswers {
  state: AnswersState = {
    answers: new Map(),
    fresh: new Set(),
    query: undefined,
    working: false,
    trouble: undefined,
  };
  private running: AbortController | undefined;
  private readonly engine: Engine;
  private readonly onChange: () => void;

  constructor(engine: Engine, onChange: () => void) {
    this.engine = engine;
    this.onChange = onChange;
  }

  /** The answers that are shown no longer fit what the reader has typed. */
  outdate(): void {
    this.running?.abort();
    this.running = undefined;
    this.set({ fresh: new Set(), query: undefined, working: true, trouble: undefined });
  }

  /** Whether the answers to this question are here, or on their way. */
  holds(query: Query): boolean {
    const { query: held, working, fresh, trouble } = this.state;
    return (
      held !== undefined && !trouble && (working || fresh.size > 0) && key(held) === key(query)
    );
  }

  /** There is no question now; nothing must be shown that looks like an answer. */
  clear(): void {
    this.running?.abort();
    this.running = undefined;
    this.set({
      answers: new Map(),
      fresh: new Set(),
      query: undefined,
      working: false,
      trouble: undefined,
    });
  }

  async ask(query: Query): Promise<void> {
    this.outdate();
    const running = new AbortController();
    this.running = running;
    this.set({ query });
    try {
      await this.engine.compare(query, {
        signal: running.signal,
        onAnswer: (answer) => {
          if (this.running !== running) return;
          this.set({
            answers: new Map(this.state.answers).set(answer.sampler, answer),
            fresh: new Set(this.state.fresh).add(answer.sampler),
          });
        },
      });
      if (this.running === running) this.set({ working: false });
    } catch (error) {
      if (this.running !== running) return;
      this.running = undefined;
      this.set({ fresh: new Set(), working: false, trouble: troubleOf(error) });
    }
  }

  private set(change: Partial<AnswersState>): void {
    this.state = { ...this.state, ...change };
    this.onChange();
  }
}
