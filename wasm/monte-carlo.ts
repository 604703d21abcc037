import { EngineError, QueryError } from './errors.js';
import type {
  Grounds,
  MonteCarloEstimate,
  MonteCarloPlan,
  MonteCarloQuery,
} from './generated/schema.js';
import type { Pool } from './pool.js';
import {
  BadTally,
  countChunks,
  emptyTally,
  extended,
  merged,
  missingFrom,
  readTally,
  replanned,
  sameQuery,
  showRange,
} from './tally.js';
import type { ChunkRange, Tally } from './tally-shape.js';
import { asOne } from './together.js';

/** The confidence of an interval: the fields of a query that no sample depends on. */
export type Certainty = Pick<MonteCarloQuery, 'confidence' | 'simultaneous' | 'ends'>;

/** How far a run has come. */
export interface MonteCarloProgress {
  /** Drawn so far, those of a resumed tally among them, and wanted. */
  samples: number;
  of: number;
  /** In this call. */
  samplesPerSecond: number;
  secondsLeft: number;
  /** From the samples so far, or a moment ago. */
  estimates: MonteCarloEstimate[];
  /** All finished chunks: enough to go on from. */
  tally: Tally;
}

export interface MonteCarloOptions {
  /**
   * Aborting ends the chunks under way and rejects with the signal's reason, after a last call of
   * `onProgress` with every finished chunk: `resume` goes on from there.
   */
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: MonteCarloProgress) => void) | undefined;
  /** Most workers to use; by default all of the engine's. */
  workers?: number | undefined;
  /** Only these of the run's chunks. */
  chunks?: ChunkRange | undefined;
  /** Only the k-th, counted from 1, of n about equal parts of the run's chunks. */
  shard?: readonly [k: number, n: number] | undefined;
  /** Chunks that are not to be drawn again: an earlier run's tally of the same query and seed. */
  resume?: Tally | undefined;
}

export interface MonteCarloResult extends Grounds {
  question: 'monte-carlo';
  /** One for each epsilon, in the query's order. */
  estimates: MonteCarloEstimate[];
  /** Of each interval, or of all of them together. */
  confidence: number;
  simultaneous: boolean;
  samples: number;
  /** Chunks of the whole run that are not in the tally: of other shards, or lost. */
  missing: ChunkRange[];
  tally: Tally;
  /** The ranks that order statistics draw, none when every coordinate is drawn. */
  orders: number[];
  /** The neighbouring datasets that the estimates hold for. */
  adjacency: MonteCarloPlan['adjacency'];
  work: { milliseconds: number; samplesPerSecond: number };
}

/** About how long a call takes: then a worker is free for others, and a stop loses no more. */
const millisecondsPerCall = 150;
const millisecondsPerReport = 250;

/** Workers that may die over a range of chunks before the run gives up: the next one would, too. */
const mostAttempts = 4;

class Agenda {
  private readonly ranges: ChunkRange[];

  constructor(ranges: readonly ChunkRange[]) {
    this.ranges = [...ranges];
  }

  get left(): number {
    return countChunks(this.ranges);
  }

  take(most: number): ChunkRange | undefined {
    const range = this.ranges.shift();
    if (!range) return undefined;
    const [first, beyond] = range;
    const end = Math.min(beyond, first + Math.max(1, most));
    if (end < beyond) this.ranges.unshift([end, beyond]);
    return [first, end];
  }
}

class Run {
  tally: Tally;
  private readonly pool: Pool;
  private readonly plan: MonteCarloPlan;
  private readonly certainty: Certainty;
  private readonly options: MonteCarloOptions & { chunks: ChunkRange };
  private estimates: MonteCarloEstimate[] = [];
  private readonly start = performance.now();
  private readonly startSamples: number;
  private readonly stop = new AbortController();
  private readonly agenda: Agenda;
  private reported = -Infinity;
  private estimating = false;
  private ended = false;

  constructor(
    pool: Pool,
    plan: MonteCarloPlan,
    certainty: Certainty,
    options: MonteCarloOptions & { chunks: ChunkRange },
  ) {
    this.pool = pool;
    this.plan = plan;
    this.certainty = certainty;
    this.options = options;
    const { resume, chunks } = options;
    this.tally = resume ? resumed(resume, plan) : emptyTally(plan);
    this.startSamples = this.tally.samples;
    this.agenda = new Agenda(missingFrom(this.tally.chunks, chunks));
  }

  get milliseconds(): number {
    return performance.now() - this.start;
  }

  get samplesPerSecond(): number {
    const seconds = this.milliseconds / 1000;
    return seconds > 0 ? (this.tally.samples - this.startSamples) / seconds : 0;
  }

  async finish(): Promise<void> {
    const lanes = Math.max(1, Math.min(this.options.workers ?? Infinity, this.pool.workers));
    const drawAll = () => Promise.all(Array.from({ length: lanes }, () => this.drawMany(lanes)));
    try {
      await asOne(this.options.signal, drawAll, this.stop);
    } catch (error) {
      // Chunks that the lanes finished stay counted.
      this.report();
      throw withTally(error, this.tally);
    } finally {
      this.ended = true;
    }
  }

  /** One worker's share: ranges as long as it takes to be worth a call. */
  private async drawMany(lanes: number): Promise<void> {
    let most = 1;
    for (;;) {
      const fair = Math.ceil(this.agenda.left / (2 * lanes));
      const range = this.agenda.take(Math.min(most, fair));
      if (!range) return;
      const start = performance.now();
      await this.draw(range);
      const each = (performance.now() - start) / (range[1] - range[0]);
      most = Math.max(1, Math.min(2 * most, Math.floor(millisecondsPerCall / each)));
      this.reportNowAndThen();
    }
  }

  /** When a worker dies, its range is drawn again and counted once. */
  private async draw(range: ChunkRange): Promise<void> {
    const [firstChunk, beyond] = range;
    const shard = {
      ...{ ...this.plan.query, seed: this.plan.seed },
      ...{ firstChunk, chunkCount: beyond - firstChunk },
    };
    for (let attempt = 1; ; ++attempt) {
      try {
        const drawn = await this.pool.run('monteCarloChunks', shard, { signal: this.stop.signal });
        this.tally = extended(this.tally, range, drawn);
        return;
      } catch (error) {
        const lost = error instanceof EngineError && error.code === 'worker-failed';
        if (!lost || attempt === mostAttempts) throw error;
      }
    }
  }

  private report(): void {
    const { samples } = this.tally;
    const missing = missingFrom(this.tally.chunks, this.options.chunks);
    const left = countChunks(missing) * this.plan.samplesPerChunk;
    this.options.onProgress?.({
      samples,
      of: samples + left,
      samplesPerSecond: this.samplesPerSecond,
      secondsLeft: left === 0 ? 0 : left / this.samplesPerSecond,
      estimates: this.estimates,
      tally: this.tally,
    });
  }

  private reportNowAndThen(): void {
    if (!this.options.onProgress || this.estimating) return;
    if (performance.now() - this.reported < millisecondsPerReport) return;
    this.estimating = true;
    estimatesOf(this.pool, this.tally, this.certainty, this.stop.signal)
      .then(
        (estimates) => {
          this.estimates = estimates;
          this.reported = performance.now();
          if (!this.ended) this.report();
        },
        // The next report, or the run's own end, shows it.
        () => undefined,
      )
      .finally(() => {
        this.estimating = false;
      });
  }
}

/** Adds the finished samples to a failure of the engine. */
function withTally(error: unknown, tally: Tally): unknown {
  if (!(error instanceof EngineError) || tally.samples === 0) return error;
  return new EngineError(error.code, error.message, tally, error.cause);
}

function resumed(tally: Tally, plan: MonteCarloPlan): Tally {
  if (!sameQuery(tally.query, plan.query))
    throw new BadTally('it is of another query than this one');
  if (tally.seed !== plan.seed) {
    throw new BadTally(`it is of seed ${tally.seed}, and this run of seed ${plan.seed}`);
  }
  const beyond = tally.chunks.at(-1)?.[1] ?? 0;
  if (beyond > plan.chunks) {
    throw new BadTally(
      `it has chunks up to ${beyond}, and this run only ${plan.chunks}: ask for more samples`,
    );
  }
  return replanned(tally, plan.chunks);
}

function estimatesOf(
  pool: Pool,
  { query, samples, sums }: Tally,
  certainty: Certainty,
  signal?: AbortSignal,
): Promise<MonteCarloEstimate[]> {
  return pool.run('monteCarloEstimates', { ...query, ...certainty, samples, sums }, { signal });
}

function certaintyOf({ confidence, simultaneous, ends }: Certainty): Certainty {
  return { confidence, simultaneous, ends };
}

/** What the engine would do to draw a tally's samples. */
function planOf(
  pool: Pool,
  { query, seed, samples }: Tally,
  certainty: Certainty,
  signal?: AbortSignal,
): Promise<MonteCarloPlan> {
  const question = { ...query, ...certainty, seed, samples: Math.max(1, samples) };
  return pool.run('monteCarloPlan', question, { signal });
}

/** Checks what only the engine knows about a tally: that its query is whole, and fits its numbers. */
async function checkTally(pool: Pool, tally: Tally, signal?: AbortSignal): Promise<void> {
  const plan = await planOf(pool, tally, {}, signal).catch((error: unknown) => {
    throw error instanceof QueryError
      ? new BadTally(`its query is refused: ${error.message}`)
      : error;
  });
  if (!sameQuery(plan.query, tally.query))
    throw new BadTally('its query is not as tallies state it');
  if (tally.sums.length !== plan.sums) {
    const counts = `${tally.sums.length} of ${plan.sums}`;
    throw new BadTally(`it has another number of sums than its query has: ${counts}`);
  }
  const samples = countChunks(tally.chunks) * plan.samplesPerChunk;
  if (tally.samples !== samples) {
    throw new BadTally(`its chunks hold ${samples} samples, and it says ${tally.samples}`);
  }
  const beyond = tally.chunks.at(-1)?.[1] ?? 0;
  if (beyond > tally.planned) throw new BadTally('it has chunks beyond those that were planned');
}

function resultOf(
  plan: MonteCarloPlan,
  tally: Tally,
  estimates: MonteCarloEstimate[],
  work: MonteCarloResult['work'],
): MonteCarloResult {
  const { confidence, simultaneous, orders, adjacency, warnings, citations } = plan;
  const { assumptions, assumptionCodes } = plan;
  const missing = missingFrom(tally.chunks, [0, tally.planned]);
  return {
    ...{ question: 'monte-carlo', estimates, confidence, simultaneous },
    ...{ samples: tally.samples, missing, tally, orders, adjacency },
    ...{ assumptions, assumptionCodes, warnings, citations, work },
  };
}

const outOfRun = (field: string, text: string): QueryError =>
  new QueryError({ code: 'out-of-domain', field, text: `${field} must ${text}` });

function chosenChunks({ chunks, shard }: MonteCarloOptions, plan: MonteCarloPlan): ChunkRange {
  const run = `${showRange([0, plan.chunks])}, which is what ${plan.samples} samples take`;
  if (chunks && shard) throw outOfRun('shard', 'be absent when chunks says what to draw; got both');
  if (chunks) {
    const [first, beyond] = chunks;
    const whole = Number.isSafeInteger(first) && Number.isSafeInteger(beyond);
    if (whole && first >= 0 && first < beyond && beyond <= plan.chunks) return chunks;
    throw outOfRun('chunks', `lie within ${run}; got ${showRange(chunks)}`);
  }
  if (!shard) return [0, plan.chunks];
  const [k, n] = shard;
  if (!(Number.isSafeInteger(k) && Number.isSafeInteger(n) && k >= 1 && k <= n)) {
    throw outOfRun('shard', `be k/n with whole 1 <= k <= n; got ${k}/${n}`);
  }
  if (n > plan.chunks)
    throw outOfRun('shard', `be one of no more parts than chunks ${run}; got ${n}`);
  return [Math.floor(((k - 1) * plan.chunks) / n), Math.floor((k * plan.chunks) / n)];
}

export async function monteCarlo(
  pool: Pool,
  query: MonteCarloQuery,
  options: MonteCarloOptions = {},
): Promise<MonteCarloResult> {
  const { signal } = options;
  const plan = await pool.run('monteCarloPlan', query, { signal });
  const chunks = chosenChunks(options, plan);
  const resume = options.resume && readTally(options.resume);
  if (resume) await checkTally(pool, resume, signal);
  const certainty = certaintyOf(query);
  const run = new Run(pool, plan, certainty, { ...options, resume, chunks });
  await run.finish();
  const { milliseconds, samplesPerSecond, tally } = run;
  const estimates = await estimatesOf(pool, tally, certainty, signal);
  options.onProgress?.({
    ...{ samples: tally.samples, of: tally.samples, samplesPerSecond, secondsLeft: 0 },
    ...{ estimates, tally },
  });
  return resultOf(plan, tally, estimates, { milliseconds, samplesPerSecond });
}

export async function mergeTallies(
  pool: Pool,
  tallies: readonly Tally[],
  certainty: Certainty = {},
  signal?: AbortSignal,
): Promise<MonteCarloResult> {
  const read = tallies.map(readTally);
  const tally = merged(read);
  for (const one of read) await checkTally(pool, one, signal);
  const sure = certaintyOf(certainty);
  const plan = await planOf(pool, tally, sure, signal);
  const estimates = await estimatesOf(pool, tally, sure, signal);
  return resultOf(plan, tally, estimates, { milliseconds: 0, samplesPerSecond: 0 });
}
