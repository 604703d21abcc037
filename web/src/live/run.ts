import type { Engine } from '../../../wasm/client.js';
import { wordsOf } from '../../../wasm/errors.js';
import type { Answer, Query } from '../../../wasm/generated/schema.js';
import type { Problems } from '../state/question.js';
import type { Pace } from '../state/store.js';
import { LiveAnswers, noAnswers, type AnswersState } from './answers.js';
import { troubleOf, type Trouble } from './trouble.js';

/** A letter may follow at once: wait this long before asking. */
const typingPause = 90;
/** A half-typed number is no mistake yet. */
const problemPause = 600;
/** A slider rests when it has not moved for this long. */
const restPause = 200;

/** An engine for as long as somebody shows answers of it. */
export interface Lease {
  engine: Promise<Engine>;
  release(): void;
}

/** Ends an engine, also one that is still starting. */
export const closeSoon = (engine: Promise<Engine>): void =>
  void engine.then(
    (held) => held.close(),
    () => undefined,
  );

/** What the reader typed, as a question, or the problems that keep it from being one. */
export type Typed = { query: Query; delta: number | undefined } | { problems: Problems };

/** What a run needs from its view, and tells it. */
interface Hooks {
  /** Returns the same object until something else is typed. */
  read(): Typed;
  /** The problems to show when the engine refuses, if the reader can correct them. */
  blame(trouble: Trouble): Problems | undefined;
  begun?(engine: Engine): void;
  changed(): void;
  /** Every row is answered, and nothing is on its way. */
  answered?(): void;
  refused?(problems: Problems): void;
}

const noProblems: Problems = new Map();

/** One run under way: asks what is typed, ends what is outdated, holds answers and complaints. */
export class LiveRun {
  problems = noProblems;
  broken: string | undefined;
  engine: Engine | undefined;
  /** The answer to a question for delta; the rows are epsilons. */
  delta: Answer | undefined;
  /**
   * Whether a slider is moving: calls under way then finish, or nothing would be seen meanwhile.
   */
  moving = false;
  /** Whether the answers under way are those of an earlier place of the slider. */
  behind = false;

  private readonly hooks: Hooks;
  private lease: Lease | undefined;
  private rows: LiveAnswers | undefined;
  private running: AbortController | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private restTimer: ReturnType<typeof setTimeout> | undefined;
  private asked: Typed | undefined;
  private pace: Pace = 'single';

  constructor(hooks: Hooks) {
    this.hooks = hooks;
  }

  get state(): AnswersState {
    return this.rows?.state ?? noAnswers;
  }

  get working(): boolean {
    return this.broken === undefined && (this.rows === undefined || this.state.working);
  }

  begin(lease: Lease): void {
    this.lease = lease;
    lease.engine.then(
      (engine) => {
        if (this.lease === lease) this.take(engine);
      },
      (error: unknown) => {
        if (this.lease !== lease) return;
        this.broken = wordsOf(error);
        this.hooks.refused?.(new Map([['', this.broken]]));
        this.hooks.changed();
      },
    );
  }

  private take(engine: Engine): void {
    this.engine = engine;
    this.broken = undefined;
    this.rows = new LiveAnswers(engine, () => this.rowsChanged());
    this.hooks.begun?.(engine);
    this.asked = undefined;
    this.ask();
  }

  /** Stops everything and lets go of the engine. */
  end(): void {
    clearTimeout(this.timer);
    clearTimeout(this.restTimer);
    this.running?.abort();
    this.rows?.clear();
    this.lease?.release();
    this.lease = this.engine = this.rows = this.asked = this.delta = undefined;
  }

  /** Asks the engine, or says what is wrong; the same question is not asked twice. */
  ask(pace: Pace = 'single'): void {
    const typed = this.hooks.read();
    if (!this.rows || typed === this.asked) return;
    this.move(pace);
    clearTimeout(this.timer);
    const { working, asked } = this.state;
    this.behind = this.moving && working && asked !== undefined;
    if (this.behind) return;
    this.asked = typed;
    this.running?.abort();
    this.delta = undefined;
    if ('query' in typed && this.rows.holds(typed.query)) {
      this.settled();
      return;
    }
    this.rows.outdate();
    if ('problems' in typed) this.complainSoon(typed.problems);
    else if (this.pace !== 'typed') void this.put(typed.query, typed.delta);
    else this.timer = setTimeout(() => void this.put(typed.query, typed.delta), typingPause);
  }

  private move(pace: Pace): void {
    clearTimeout(this.restTimer);
    this.pace = pace;
    this.moving = pace === 'slid';
    if (this.moving) this.restTimer = setTimeout(() => this.rest(), restPause);
  }

  /** The slider rests: only its last place counts. */
  private rest(): void {
    this.moving = false;
    this.hooks.changed();
    if (this.behind) this.ask();
    else this.settled();
  }

  private async put(query: Query, delta: number | undefined): Promise<void> {
    if (query.question !== 'delta') return this.rows?.ask(query, delta);
    const running = new AbortController();
    this.running = running;
    try {
      const answer = await this.engine?.delta(query, { signal: running.signal });
      if (running.signal.aborted || !answer) return;
      this.delta = answer;
      this.problems = noProblems;
      this.hooks.changed();
      this.hooks.answered?.();
    } catch (error) {
      if (running.signal.aborted) return;
      this.complainSoon(this.hooks.blame(troubleOf(error)) ?? noProblems);
    }
  }

  private complainSoon(problems: Problems): void {
    clearTimeout(this.timer);
    const pause = this.pace === 'single' ? 0 : problemPause;
    this.timer = setTimeout(() => this.complain(problems), pause);
  }

  /** Shows problems in place of an answer. */
  complain(problems: Problems): void {
    this.problems = problems;
    this.rows?.clear();
    this.hooks.refused?.(problems);
    this.hooks.changed();
  }

  private rowsChanged(): void {
    this.hooks.changed();
    const { working, trouble, fresh } = this.state;
    if (this.behind) {
      // Answers that have come are shown before they are outdated.
      if (!working) this.timer = setTimeout(() => this.ask(this.pace));
      return;
    }
    const problems = trouble && this.hooks.blame(trouble);
    if (problems) {
      this.complainSoon(problems);
      return;
    }
    if (fresh.size > 0 || trouble) this.problems = noProblems;
    this.settled();
  }

  private settled(): void {
    const { query, working, fresh } = this.state;
    if (query && !working && fresh.size > 0) this.hooks.answered?.();
  }
}
