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

/** Calls of which the workers may die before the run gives up: the next one would, too. */
const mostAttempts = 4;

/** Asks again where a worker died: what a call finds is counted once. */
async function persistently<Result>(ask: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; ++attempt) {
    try {
      return await ask();
    } catch (error) {
      const lost = error instanceof EngineError && error.code === 'worker-failed';
      if (!lost || attempt === mostAttempts) throw error;
    }
  }
}

/** Draws a run's chunks over the pool's workers; what of it `resume` has is not drawn again. */
async function drawn(
  pool: Pool,
  plan: MonteCarloPlan,
  certainty: Certainty,
  options: MonteCarloOptions & { chunks: ChunkRange },
): Promise<{ tally: Tally; work: MonteCarloResult['work'] }> {
  const { signal, onProgress, workers = Infinity, chunks, resume } = options;
  let tally = resume ? resumed(resume, plan) : emptyTally(plan);
  let estimates: MonteCarloEstimate[] = [];
  let [reported, estimating, ended] = [-Infinity, false, false];
  const [start, before] = [performance.now(), tally.samples];
  const stop = new AbortController();
  const ahead = missingFrom(tally.chunks, chunks);
  const lanes = Math.max(1, Math.min(workers, pool.workers));

  const work = () => {
    const milliseconds = performance.now() - start;
    const perMillisecond = milliseconds > 0 ? (tally.samples - before) / milliseconds : 0;
    return { milliseconds, samplesPerSecond: 1000 * perMillisecond };
  };

  const report = () => {
    const { samples } = tally;
    const left = countChunks(missingFrom(tally.chunks, chunks)) * plan.samplesPerChunk;
    const { samplesPerSecond } = work();
    const secondsLeft = left === 0 ? 0 : left / samplesPerSecond;
    onProgress?.({ samples, of: samples + left, samplesPerSecond, secondsLeft, estimates, tally });
  };

  const reportNowAndThen = () => {
    if (!onProgress || estimating) return;
    if (performance.now() - reported < millisecondsPerReport) return;
    estimating = true;
    estimatesOf(pool, tally, certainty, stop.signal)
      .then(
        (found) => {
          [estimates, reported] = [found, performance.now()];
          if (!ended) report();
        },
        // The next report, or the run's own end, shows it.
        () => undefined,
      )
      .finally(() => {
        estimating = false;
      });
  };

  const draw = async (range: ChunkRange) => {
    const [firstChunk, beyond] = range;
    const { query, seed } = plan;
    const shard = { ...query, seed, firstChunk, chunkCount: beyond - firstChunk };
    const { signal } = stop;
    const sums = await persistently(() => pool.run('monteCarloChunks', shard, { signal }));
    tally = extended(tally, range, sums);
  };

  /** The next chunks to be drawn, at most so many. */
  const take = (most: number): ChunkRange | undefined => {
    const [first, beyond] = ahead.shift() ?? [0, 0];
    const end = Math.min(beyond, first + Math.max(1, most));
    if (end < beyond) ahead.unshift([end, beyond]);
    return first < end ? [first, end] : undefined;
  };

  /** One worker's share: ranges as long as it takes to be worth a call. */
  const drawMany = async () => {
    let most = 1;
    for (;;) {
      const fair = Math.ceil(countChunks(ahead) / (2 * lanes));
      const range = take(Math.min(most, fair));
      if (!range) return;
      const begun = performance.now();
      await draw(range);
      const each = (performance.now() - begun) / (range[1] - range[0]);
      most = Math.max(1, Math.min(2 * most, Math.floor(millisecondsPerCall / each)));
      reportNowAndThen();
    }
  };

  try {
    await asOne(signal, () => Promise.all(Array.from({ length: lanes }, drawMany)), stop);
  } catch (error) {
    // Chunks that the lanes finished stay counted.
    report();
    throw withTally(error, tally);
  } finally {
    ended = true;
  }
  return { tally, work: work() };
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
  const { tally, work } = await drawn(pool, plan, certainty, { ...options, resume, chunks });
  const estimates = await persistently(() => estimatesOf(pool, tally, certainty, signal));
  const { samples } = tally;
  const { samplesPerSecond } = work;
  options.onProgress?.({
    ...{ samples, of: samples, samplesPerSecond, secondsLeft: 0, estimates, tally },
  });
  return resultOf(plan, tally, estimates, work);
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
