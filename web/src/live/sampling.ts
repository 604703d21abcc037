import { wordsOf } from '../../../wasm/errors.js';
import { restsOnOwnProofs } from '../../../wasm/words/claims.js';
import { otherNeighbours } from '../../../wasm/words/neighbours.js';
import type {
  Interval,
  MonteCarloEstimate,
  MonteCarloQuery,
  Query,
} from '../../../wasm/generated/schema.js';
import type { MonteCarloProgress } from '../../../wasm/monte-carlo.js';
import type { Tally } from '../../../wasm/tally-shape.js';
import { Live } from './live.js';

/** A proved delta, and whether its upper end rests on a theorem of this project's own. */
export interface ProvedDelta extends Interval {
  ownProofs: boolean;
}

/** What is sampled, and the proved numbers that it is laid over. */
export interface Sampled {
  /** Without epsilons if they are to be chosen. */
  query: MonteCarloQuery;
  /** The run as the accountant is asked about it. */
  run: Query;
  /** The smallest delta of interest: it bounds the epsilons that are chosen. */
  delta: number;
}

interface SamplingState {
  phase: 'idle' | 'starting' | 'running' | 'paused' | 'done' | 'failed';
  /** Delta at each of the epsilons, proved. */
  proved: ReadonlyMap<number, ProvedDelta>;
  /** The neighbours that they hold for, where others were asked for. */
  otherNeighbours: string | undefined;
  estimates: readonly MonteCarloEstimate[];
  samples: number;
  of: number;
  samplesPerSecond: number;
  secondsLeft: number;
  tally: Tally | undefined;
  trouble: string;
}

export const nothingSampled: SamplingState = {
  phase: 'idle',
  proved: new Map(),
  otherNeighbours: undefined,
  estimates: [],
  samples: 0,
  of: 0,
  samplesPerSecond: 0,
  secondsLeft: 0,
  tally: undefined,
  trouble: '',
};

type Asked = Pick<Sampled, 'query' | 'run'>;

/** Whether there is a run to go on with. */
export const resumes = ({ phase, tally }: SamplingState) =>
  phase === 'paused' || (phase === 'failed' && tally !== undefined);

const chosen = 12;

/** Draws samples of one run at a time, which can be paused, taken up again and ended. */
export class LiveSampling extends Live<SamplingState> {
  state = nothingSampled;
  private running: AbortController | undefined;
  private asked: Asked | undefined;

  /** Begins anew: earlier samples are forgotten. */
  async start({ query, run, delta }: Sampled): Promise<void> {
    this.clear();
    const running = this.begin('starting');
    const { signal } = running;
    try {
      const epsilons = query.epsilons ?? (await this.choose(run, delta, signal));
      this.asked = { query: { ...query, epsilons }, run };
    } catch (error) {
      this.fail(running, error);
      return;
    }
    await this.draw(running);
  }

  /** The chunks under way are given up, all others are kept. */
  pause(): void {
    if (this.state.phase !== 'running') return;
    this.running?.abort();
    this.set({ phase: 'paused', samplesPerSecond: 0 });
  }

  /** After a pause, or after trouble: whatever was finished is not drawn again. */
  async resume(): Promise<void> {
    if (resumes(this.state)) await this.draw(this.begin('running'));
  }

  clear(): void {
    this.running?.abort();
    this.running = undefined;
    this.asked = undefined;
    this.set(nothingSampled);
  }

  private begin(phase: 'starting' | 'running'): AbortController {
    this.running = new AbortController();
    this.set({ phase });
    return this.running;
  }

  private async draw(running: AbortController): Promise<void> {
    const { asked } = this;
    if (!asked || this.running !== running) return;
    this.set({ phase: 'running' });
    void this.prove(asked, running.signal);
    try {
      const { estimates, samples, tally } = await this.engine.monteCarlo(asked.query, {
        signal: running.signal,
        resume: this.state.tally,
        onProgress: (progress) => this.hear(running, progress),
      });
      if (this.running !== running) return;
      this.set({ phase: 'done', estimates, samples, of: samples, tally });
    } catch (error) {
      this.fail(running, error);
    }
  }

  /** After a pause one more report comes, with the last chunks that were finished. */
  private hear(running: AbortController, progress: MonteCarloProgress): void {
    if (this.running !== running) return;
    const { tally, samples, of, estimates } = progress;
    const kept = estimates.length > 0 ? { estimates } : {};
    const pace = running.signal.aborted
      ? {}
      : { samplesPerSecond: progress.samplesPerSecond, secondsLeft: progress.secondsLeft };
    this.set({ tally, samples, of, ...kept, ...pace });
  }

  private fail(running: AbortController, error: unknown): void {
    if (this.running !== running || running.signal.aborted) return;
    this.set({ phase: 'failed', trouble: wordsOf(error) });
  }

  /** Evenly spaced, up to where the proved delta has fallen to the one in question. */
  private async choose(run: Query, delta: number, signal: AbortSignal): Promise<number[]> {
    const answer = await this.engine.epsilon({ ...run, delta }, { signal });
    const end = answer.epsilon.upper ?? answer.epsilon.lower ?? 1;
    const step = Number((Math.max(end, 1e-3) / chosen).toPrecision(2));
    return Array.from({ length: chosen }, (_, i) => Number(((i + 1) * step).toPrecision(6)));
  }

  /** Beside the samples, where a pause may have left off. */
  private async prove({ query, run }: Asked, signal: AbortSignal): Promise<void> {
    const { epsilons = [], direction = 'remove' } = query;
    for (const epsilon of [epsilons].flat()) {
      if (this.state.proved.has(epsilon)) continue;
      try {
        const answer = await this.engine.delta({ ...run, epsilon }, { signal, background: true });
        if (signal.aborted) return;
        this.set({
          proved: new Map(this.state.proved).set(epsilon, {
            ...answer.directions[direction],
            ownProofs: restsOnOwnProofs(answer),
          }),
          otherNeighbours: otherNeighbours(answer),
        });
      } catch {
        // The samples are shown without it; the answer above says what is wrong.
        return;
      }
    }
  }
}
