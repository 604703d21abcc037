import type { Engine } from '../../../wasm/client.js';
import { queryFields } from '../../../wasm/generated/schema.js';
import type { Interval, Phase, SamplerName } from '../../../wasm/generated/schema.js';

/** Delta at one epsilon. */
export interface CurvePoint {
  epsilon: number;
  delta: Interval;
}

/** One sampler's privacy curve, as far as it is known; points by rising epsilon. */
export interface Curve {
  sampler: SamplerName;
  points: readonly CurvePoint[];
  /** Belongs to an earlier run of the form. */
  stale: boolean;
  done: boolean;
}

export interface CurvesState {
  curves: ReadonlyMap<SamplerName, Curve>;
  /** The run that the fresh curves belong to. */
  phase: Phase | undefined;
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

/** Halving order within each level, all samplers of one level before the next. */
function fractions(level: number): number[] {
  const count = levels[level] ?? 0;
  const all = Array.from({ length: count + 1 }, (_, index) => index / count);
  if (level === 0) return all;
  return all.filter((_, index) => index % 2 === 1);
}

/** Computes every sampler's curve, coarse first, and drops it when the run changes. */
export class LiveCurves {
  state: CurvesState = { curves: new Map(), phase: undefined, floor: 1e-9, working: false };
  private running: AbortController | undefined;
  private key = '';
  private readonly found = new Map<SamplerName, CurvePoint[]>();
  private readonly readings = new Map<string, Promise<Interval>>();
  private readonly engine: Engine;
  private readonly onChange: () => void;

  constructor(engine: Engine, onChange: () => void) {
    this.engine = engine;
    this.onChange = onChange;
  }

  /** Whether what is drawn, or being drawn, is this run's. */
  fits(phase: Phase | undefined): boolean {
    return (
      phase !== undefined &&
      JSON.stringify({ ...phase, sampler: undefined }) === JSON.stringify(this.state.phase)
    );
  }

  /** Stops; what is drawn belongs to an earlier run. */
  outdate(): void {
    this.stop();
    this.key = '';
    const curves = new Map(
      [...this.state.curves].map(([name, curve]) => [name, { ...curve, stale: true }] as const),
    );
    this.set({ curves, phase: undefined, working: false });
  }

  clear(): void {
    this.stop();
    this.key = '';
    this.set({ curves: new Map(), phase: undefined, working: false });
  }

  /** Draws the run's curves down to `floor`, unless that is what is drawn already. */
  async draw(phase: Phase, names: readonly SamplerName[], floor: number): Promise<void> {
    const run: Phase = { ...phase, sampler: undefined };
    const key = JSON.stringify([run, floor]);
    if (key === this.key) return;
    this.outdate();
    this.key = key;
    const running = new AbortController();
    this.running = running;
    this.readings.clear();
    this.found.clear();
    this.set({ phase: run, floor, working: true });
    try {
      const ends = new Map<SamplerName, number>();
      await this.inLanes(running, names, async (sampler, signal) => {
        const answer = await this.engine.epsilon(
          { question: 'epsilon', phases: [{ ...run, sampler }], delta: floor, width },
          { signal },
        );
        const { lower, upper } = answer.epsilon;
        const end = Math.min(upper ?? lower ?? 0, farthest);
        if (end > 0) ends.set(sampler, end);
      });
      for (let level = 0; level < levels.length; ++level) {
        const jobs = fractions(level).flatMap((share) =>
          [...ends].map(([sampler, end]) => ({ sampler, epsilon: share * end })),
        );
        await this.inLanes(running, jobs, async ({ sampler, epsilon }, signal) => {
          const answer = await this.engine.delta(
            { question: 'delta', phases: [{ ...run, sampler }], epsilon, width },
            { signal },
          );
          if (this.running === running) this.add(sampler, { epsilon, delta: answer.delta });
        });
      }
      if (this.running !== running) return;
      this.set({
        working: false,
        curves: new Map(
          [...this.state.curves]
            .filter(([, curve]) => !curve.stale)
            .map(([name, curve]) => [name, { ...curve, done: true }] as const),
        ),
      });
    } catch {
      // A run without an answer has its say in the answer panel; here its curves are just missing.
      if (this.running === running) this.clear();
    }
  }

  /** Delta of one sampler at the cross-hair, proved there and not read off between points. */
  read(sampler: SamplerName, epsilon: number): Promise<Interval> | undefined {
    const { phase } = this.state;
    const running = this.running;
    if (!phase || !running) return undefined;
    const key = `${sampler} ${String(epsilon)}`;
    let reading = this.readings.get(key);
    if (!reading) {
      reading = this.engine
        .delta(
          { question: 'delta', phases: [{ ...phase, sampler }], epsilon },
          { signal: running.signal },
        )
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

  /** Runs the jobs in order, a few at a time, until done or no longer wanted. */
  private async inLanes<Job>(
    running: AbortController,
    jobs: readonly Job[],
    work: (job: Job, signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    const queue = [...jobs];
    const lane = async () => {
      for (let job = queue.shift(); job !== undefined; job = queue.shift()) {
        if (this.running !== running) return;
        await work(job, running.signal);
      }
    };
    await Promise.all(Array.from({ length: lanes }, lane));
  }

  /** A stale curve gives way only when its successor's coarsest level is complete. */
  private add(sampler: SamplerName, point: CurvePoint): void {
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
