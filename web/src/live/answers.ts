import type { Answer, Query } from '../../../wasm/generated/schema.js';
import {
  asidesOf,
  calibrationsOf,
  rowsKey,
  rowsOf,
  unasked,
  uncalibrated,
  withSolution,
} from '../state/rows.js';
import type { Row } from '../state/rows.js';
import type { RowName } from '../state/scenario.js';
import { reportedSampler } from '../../../wasm/words/samplers.js';
import { Live } from './live.js';
import { troubleOf, type Trouble } from './trouble.js';

/** The value that a sampler needs for the target, or why it has none. */
export type Need = (
  | { found: Answer; stale: boolean }
  | { refusal: string; nearest?: number | undefined }
) & {
  asked: Query;
};

export interface AnswersState {
  /** The latest answer of each row; those not in `fresh` belong to an earlier question. */
  answers: ReadonlyMap<RowName, Answer>;
  fresh: ReadonlySet<RowName>;
  refused: ReadonlyMap<RowName, string>;
  asked: Query | undefined;
  /** The question that the fresh answers belong to: the one asked, with what was found put in. */
  query: Query | undefined;
  /** What calibration found, and epsilon and delta there. */
  found: Answer | undefined;
  /** What calibration finds for each row, the reader's own included; stale until it is found again. */
  needed: ReadonlyMap<RowName, Need>;
  /** Answers beside the rows: an entry alone, the other way to draw. */
  asides: ReadonlyMap<string, Answer>;
  working: boolean;
  trouble: Trouble | undefined;
}

/** Whether no engine is left after this error. Recognised by its shape, as there. */
const endsAll = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  (error.code === 'closed' || error.code === 'start-failed');

/** The reader's own row, then what its sentence compares it with, then the others. */
function askedFirst(rows: readonly Row[]): Row[] {
  const [own, ...others] = rows;
  const isYardstick = ({ name }: Row) => name === reportedSampler;
  others.sort((a, b) => Number(isYardstick(b)) - Number(isYardstick(a)));
  return own ? [own, ...others] : others;
}

export const noAnswers: AnswersState = {
  answers: new Map(),
  fresh: new Set(),
  refused: new Map(),
  asked: undefined,
  query: undefined,
  found: undefined,
  needed: new Map(),
  asides: new Map(),
  working: false,
  trouble: undefined,
};

/** A row's answer to the latest question, once there is one. */
export const freshAnswer = (
  { answers, fresh }: Pick<AnswersState, 'answers' | 'fresh'>,
  row: RowName | undefined,
): Answer | undefined => (row && fresh.has(row) ? answers.get(row) : undefined);

/** Keeps every row's answer to the latest question; the last question wins, always. */
export class LiveAnswers extends Live<AnswersState> {
  state = noAnswers;
  private running: AbortController | undefined;
  /** The question whose needed values have been asked for. */
  private needing: AbortController | undefined;

  /** The answers that are shown no longer fit what the reader has typed. */
  outdate(): void {
    this.stop();
    const { answers } = this.state;
    const needed = [...this.state.needed].flatMap(([name, need]): [RowName, Need][] =>
      'found' in need ? [[name, { ...need, stale: true }]] : [],
    );
    this.set({ ...noAnswers, answers, needed: new Map(needed), working: true });
  }

  /** Whether the answers to this question are here, or on their way. */
  holds(query: Query): boolean {
    const { asked, working, fresh, trouble } = this.state;
    return (
      asked !== undefined &&
      !trouble &&
      (working || fresh.size > 0) &&
      rowsKey(asked) === rowsKey(query)
    );
  }

  /** There is no question now; nothing must be shown that looks like an answer. */
  clear(): void {
    this.stop();
    this.set(noAnswers);
  }

  /**
   * Asks for every row; a calibration first, and then for every row at what it found.
   *   delta: where the rows are compared if the calibration is given none.
   */
  async ask(asked: Query, delta?: number): Promise<void> {
    this.outdate();
    const running = new AbortController();
    this.running = running;
    this.set({ asked });
    try {
      const query = await this.solved(running, asked, delta);
      if (this.running !== running) return;
      const rows = rowsOf(query);
      const names = rows.map(({ name }) => name);
      const kept = [...this.state.answers].filter(([name]) => names.includes(name));
      this.set({ query, answers: new Map(kept), refused: unasked(query) });
      await Promise.all(
        askedFirst(rows).map((row) => this.row(running, row, row.name === rows[0]?.name)),
      );
      if (this.running === running) this.set({ working: false });
    } catch (error) {
      if (this.running !== running) return;
      const trouble = troubleOf(error);
      if (trouble.nearest !== undefined) {
        // Other samplers may have a value.
        const needed = this.neededWith(asked, {
          asked,
          refusal: trouble.text,
          nearest: trouble.nearest,
        });
        this.set({ answers: noAnswers.answers, working: false, trouble, needed });
        return this.askNeeded();
      }
      this.stop();
      this.set({ fresh: new Set(), working: false, trouble });
    }
  }

  /** Answers to questions beside the rows'; what cannot be answered stays out. */
  async askAsides(open: number): Promise<void> {
    const { running } = this;
    const { query } = this.state;
    if (!running || !query) return;
    await Promise.all(
      [...asidesOf(query, open)].map(async ([key, aside]) => {
        const answer = await this.engine
          .epsilon(aside, { signal: running.signal })
          .catch(() => undefined);
        if (!answer || this.running !== running) return;
        this.set({ asides: new Map(this.state.asides).set(key, answer) });
      }),
    );
  }

  /** Asks what every other sampler needs for the target that was met, once for each question. */
  async askNeeded(): Promise<void> {
    const { running } = this;
    const { asked, found, trouble } = this.state;
    const solved = found !== undefined || trouble?.nearest !== undefined;
    if (!running || !asked || !solved || this.needing === running) return;
    this.needing = running;
    const [, ...others] = calibrationsOf(asked);
    await Promise.all(
      others.map(async ({ name, query }) => {
        const need = await this.engine
          .calibrate(query, { signal: running.signal, background: true })
          .then(
            (answer): Need => ({ asked, found: answer, stale: false }),
            (error: unknown): Need => {
              const { text, nearest } = troubleOf(error);
              return { asked, refusal: text, nearest };
            },
          );
        if (this.running !== running) return;
        this.set({ needed: new Map(this.state.needed).set(name, need) });
      }),
    );
  }

  private async solved(running: AbortController, asked: Query, delta?: number): Promise<Query> {
    if (asked.question !== 'calibrate') {
      this.set({ needed: noAnswers.needed });
      return asked;
    }
    const found = await this.engine.calibrate(asked, { signal: running.signal });
    if (this.running !== running || !found.solution) return asked;
    this.set({ found, needed: this.neededWith(asked, { asked, found, stale: false }) });
    return withSolution(asked, found.solution, delta);
  }

  /** The reader's own value, or why there is none, beside earlier ones; and why some samplers are not asked. */
  private neededWith(asked: Query, need: Need): Map<RowName, Need> {
    const [own, ...others] = calibrationsOf(asked).map(({ name }) => name);
    return new Map<RowName, Need>([
      ...[...this.state.needed].filter(([name]) => others.includes(name)),
      ...[...uncalibrated(asked)].map(([name, refusal]) => [name, { asked, refusal }] as const),
      ...(own === undefined ? [] : [[own, need] as const]),
    ]);
  }

  private async row(running: AbortController, { name, query }: Row, own: boolean): Promise<void> {
    try {
      const answer = await this.engine.epsilon(query, { signal: running.signal });
      if (this.running !== running) return;
      this.set({
        answers: new Map(this.state.answers).set(name, answer),
        fresh: new Set(this.state.fresh).add(name),
      });
    } catch (error) {
      if (this.running !== running) return;
      const { field, text } = troubleOf(error);
      // A question at fault, or no engine, concerns every row.
      if ((own && field !== undefined) || endsAll(error)) throw error;
      // Another sampler's refusal is not the reader's fault, and one row's failure is not
      // another's.
      const answers = new Map(this.state.answers);
      answers.delete(name);
      this.set({ answers, refused: new Map(this.state.refused).set(name, text) });
      if (own) this.set({ trouble: { field, text } });
    }
  }

  private stop(): void {
    this.running?.abort();
    this.running = undefined;
  }
}
