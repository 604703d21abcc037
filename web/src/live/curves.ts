import type { Engine } from '../../../wasm/client.js';
import { queryFields } from '../../../wasm/generated/schema.js';
import type { Interval, Query } from '../../../wasm/generated/schema.js';
import { rowsKey, rowsOf } from '../state/question.js';
import type { Row } from '../state/question.js';
import type { RowName } from '../state/scenario.js';

/** Delta at one epsilon. */
/** How far down a run's curve is drawn: some decades below the delta that is asked about. */
export function floorFor({ delta = 1e-5 }: Query): number {
  const decades = Math.ceil(-Math.log10(delta)) + 4;
  return 10 ** -Math.max(9, Math.min(300, decades));
}

export interface CurvePoint {
  epsilon: number;
  delta: Interval;
}

/** One row's privacy curve, as far as it is known; points by rising epsilon. */
export interface Curve {
  sampler: RowName;
  points: readonly CurvePoint[];
  /** Belongs to an earlier run of the form. */
  stale: boolean;
  done: boolean;
}

export interface CurvesState {
  curves: ReadonlyMap<RowName, Curve>;
  /** The run that the fresh curves belong to. */
  run: Query | undefined;
  /** Bottom of the plot. */
  floor: number;
  working: boolean;
}

/** Points a curve is refined to: 2^k + 1, each level doubling the one before. */
const levels = [4, 8, 16, 32] as const;
/** Narrower than a line on a logarithmic axis. */
const width = 0.005;
/** Calls under way at once: few, so that a new question's answers never queue behind a curve. */
const lanes = 2;
/** Delta is asked at no larger epsilon. */
const farthest = queryFields.find(({ name }) => name === 'epsilon')?.most ?? 0;
/** A stale call may run this long before its worker is ended: most end sooner by themselves. */
const grace = 150;

/** The points that a level adds, as shares of the whole length. */
function fractions(level: number): number[] {
  const count = levels[level] ?? 0;
  const all = Array.from({ length: count + 1 }, (_, index) => index / count);
  if (level === 0) return all;
  return all.filter((_, index) => index % 2 === 1);
}

/** One call to the engine; level -1 finds where the curve meets the floor. */
interface Job {
  row: Row;
  level: number;
  /** Of the way to `end`. */
  share: number;
  end: number;
}

/** A run, whatever is asked about it. */
const runOf = ({ phases, accountant }: Query): Query => ({
  phases,
  ...(accountant === undefined ? {} : { accountant }),
});

/** What two questions about the same run's curves have in common. */
const runKey = (query: Query) => rowsKey(runOf(query));

/** Computes every row's curve, coarse first, and drops it when the run changes. */
export class LiveCurves {
  state: CurvesState = { curves: new Map(), run: undefined, floor: 1e-9, working: false };
  private running: AbortController | undefined;
  private key = '';
  private rows: readonly Row[] = [];
  private readonly found = new Map<RowName, CurvePoint[]>();
  private readonly readings = new Map<string, Promise<Interval>>();
  private readonly engine: Engine;
  private readonly onChange: () => void;

  constructor(engine: Engine, onChange: () => void) {
    this.engine = engine;
    this.onChange = onChange;
  }

  /** Whether what is drawn, or being drawn, is this run's. */
  fits(query: Query): boolean {
    return this.state.run !== undefined && runKey(query) === runKey(this.state.run);
  }

  /** Stops; what is drawn belongs to an earlier run. */
  outdate(): void {
    this.stop();
    this.key = '';
    const curves = new Map(
      [...this.state.curves].map(([name, curve]) => [name, { ...curve, stale: true }] as const),
    );
    this.set({ curves, run: undefined, working: false });
  }

  clear(): void {
    this.stop();
    this.key = '';
    this.set({ curves: new Map(), run: undefined, working: false });
  }

  /** Draws the rows' curves down to `floor`, unless that is what is drawn already. */
  async draw(run: Query, floor: number): Promise<void> {
    const key = JSON.stringify([runKey(run), floor]);
    if (key === this.key) return;
    this.outdate();
    this.key = key;
    const running = new AbortController();
    this.running = running;
    this.readings.clear();
    this.found.clear();
    const rows = rowsOf(run).map(({ name, query }) => ({ name, query: runOf(query) }));
    const kept = [...this.state.curves].filter(([name]) => rows.some((row) => row.name === name));
    this.rows = rows;
    this.set({ run, floor, working: true, curves: new Map(kept) });
    await this.work(running, rows, floor);
    if (this.running !== running) return;
    const fresh = [...this.state.curves].filter(([, curve]) => !curve.stale);
    this.set({
      working: false,
      curves: new Map(fresh.map(([name, curve]) => [name, { ...curve, done: true }] as const)),
    });
  }

  /** Delta of one row at the cross-hair, proved there and not read off between points. */
  read(name: RowName, epsilon: number): Promise<Interval> | undefined {
    const running = this.running;
    const row = this.rows.find((candidate) => candidate.name === name);
    if (!row || !running) return undefined;
    const key = `${name} ${String(epsilon)}`;
    let reading = this.readings.get(key);
    if (!reading) {
      reading = this.engine
        .delta({ ...row.query, question: 'delta', epsilon }, { signal: running.signal })
        .then((answer) => answer.delta);
      this.readings.set(key, reading);
    }
    return reading;
  }

  private stop(): void {
    const { running } = this;
    this.running = undefined;
    if (running) {
      setTimeout(() => {
        running.abort();
      }, grace);
    }
  }

  /**
   * Each row's curve level by level, the coarsest open level of all rows first: a slow row holds no
   * other one up.
   */
  private async work(running: AbortController, rows: readonly Row[], floor: number): Promise<void> {
    const { signal } = running;
    const jobs: Job[] = rows.map((row) => ({ row, level: -1, share: 1, end: 0 }));
    const open = new Map<RowName, number>();

    const begin = (row: Row, level: number, end: number) => {
      const shares = level < levels.length ? fractions(level) : [];
      open.set(row.name, shares.length);
      jobs.push(...shares.map((share) => ({ row, level, share, end })));
    };
    const carryOut = async ({ row, level, share, end }: Job) => {
      if (level < 0) {
        const end = await this.end(row, floor, signal);
        if (end > 0) begin(row, 0, end);
        return;
      }
      const epsilon = share * end;
      const answer = await this.engine.delta(
        { ...row.query, question: 'delta', epsilon, width },
        { signal },
      );
      if (this.running !== running) return;
      this.add(row.name, { epsilon, delta: answer.delta });
      const left = (open.get(row.name) ?? 0) - 1;
      open.set(row.name, left);
      if (left === 0) begin(row, level + 1, end);
    };
    const next = (): Job | undefined => {
      const first = jobs.reduce<Job | undefined>(
        (best, job) => (best && best.level <= job.level ? best : job),
        undefined,
      );
      if (first) jobs.splice(jobs.indexOf(first), 1);
      return first;
    };

    await new Promise<void>((resolve) => {
      let busy = 0;
      const fill = () => {
        while (busy < lanes && this.running === running) {
          const job = next();
          if (!job) break;
          ++busy;
          // A call that fails leaves its curve as far as it is; the answer panel says why.
          void carryOut(job)
            .catch(() => undefined)
            .then(() => {
              --busy;
              fill();
            });
        }
        if (busy === 0) resolve();
      };
      fill();
    });
  }

  /**
   * The epsilon at which a curve meets the floor. One that never does, since some of its delta is
   * certain, is drawn as far as it still falls, and a little beyond.
   */
  private async end({ query }: Row, floor: number, signal: AbortSignal): Promise<number> {
    for (let delta = floor; delta < 1; delta *= 30) {
      const { epsilon } = await this.engine.epsilon(
        { ...query, question: 'epsilon', delta, width },
        { signal },
      );
      const reached = epsilon.upper;
      if (reached !== null) return Math.min(delta === floor ? reached : 1.25 * reached, farthest);
    }
    return 0;
  }

  /** A stale curve gives way only when its successor's coarsest level is complete. */
  private add(sampler: RowName, point: CurvePoint): void {
    const points = [...(this.found.get(sampler) ?? []), point];
    points.sort((a, b) => a.epsilon - b.epsilon);
    this.found.set(sampler, points);
    if (points.length <= levels[0]) return;
    const curve: Curve = { sampler, points, stale: false, done: false };
    this.set({ curves: new Map(this.state.curves).set(sampler, curve) });
  }

  private set(change: Partial<CurvesState>): void {
    this.state = { ...this.state, ...change };
    this.onChange();
  }
}
