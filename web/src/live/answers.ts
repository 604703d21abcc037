import type { Answer, Query } from '../../../wasm/generated/schema.js';
import { rowsKey, rowsOf, unasked, withSolution } from '../state/rows.js';
import type { Row } from '../state/rows.js';
import type { RowName } from '../state/scenario.js';
import { reportedSampler } from '../../../wasm/words/samplers.js';
import { Live } from './live.js';
import { troubleOf, type Trouble } from './trouble.js';

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

  /** The answers that are shown no longer fit what the reader has typed. */
  outdate(): void {
    this.stop();
    const { answers } = this.state;
    this.set({ ...noAnswers, answers, working: true });
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
        this.set({ answers: noAnswers.answers, working: false, trouble });
        return;
      }
      this.stop();
      this.set({ fresh: new Set(), working: false, trouble });
    }
  }

  private async solved(running: AbortController, asked: Query, delta?: number): Promise<Query> {
    if (asked.question !== 'calibrate') return asked;
    const found = await this.engine.calibrate(asked, { signal: running.signal });
    if (this.running !== running || !found.solution) return asked;
    this.set({ found });
    return withSolution(asked, found.solution, delta);
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
