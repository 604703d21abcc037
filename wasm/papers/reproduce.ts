import type { CallOptions, Engine } from '../client.js';
import type { Interval } from '../generated/schema.js';
import type {
  NumberAsked,
  Axis,
  Budget,
  Claim,
  SeriesPoint,
  Exhibit,
  PointwiseSeries,
  Series,
  AskedEngine,
  Verdict,
} from './shape.js';
import { verdictOf } from './verdict.js';

/** A line as far as it is known. */
export interface LineState {
  series: Series;
  /** By x. */
  line: readonly SeriesPoint[];
  /** What its answers took to compute, all together. */
  milliseconds: number;
  done: boolean;
}

/** A claim and what was found about it. */
export interface ClaimState {
  claim: Claim;
  value: Interval | undefined;
  verdict: Verdict | undefined;
}

export interface ExhibitState {
  exhibit: Exhibit;
  /** A list a panel, in the panel's order of series. */
  panels: readonly (readonly LineState[])[];
  claims: readonly ClaimState[];
  done: boolean;
}

export interface ReproduceOptions {
  signal?: AbortSignal | undefined;
  /** Called whenever a point, a line or a claim has come; all of it so far. */
  onProgress?: ((state: ExhibitState) => void) | undefined;
  /** At most so many points a line; 0 leaves the lines out. */
  points?: number | undefined;
  /** Questions under way at a time. */
  lanes?: number | undefined;
  /** Other calls of the engine go first. */
  background?: boolean | undefined;
  /** `brief` for a look at what would take many samples. */
  budget?: Budget | undefined;
}

/** Evenly along the axis, its two ends included. */
export function gridOf(axis: Axis, series: PointwiseSeries, most = Infinity): number[] {
  const [from, to] = [series.from ?? axis.from, series.to ?? axis.to];
  const count = Math.max(2, Math.min(series.count, most));
  return Array.from({ length: count }, (_, index) => {
    const share = index / (count - 1);
    if (share === 1) return to;
    return axis.scale === 'log' ? from * (to / from) ** share : from + share * (to - from);
  });
}

/** The places 0 ... count - 1 in halving steps: both ends, the middle, the quarters, ... */
export function coarseFirst(count: number): number[] {
  const order: number[] = [];
  let step = 1;
  while (step < count - 1) step *= 2;
  for (; step >= 1; step /= 2) {
    for (let place = 0; place < count; place += step) {
      if (!order.includes(place)) order.push(place);
    }
    if (order.length === 1 && count > 1) order.push(count - 1);
  }
  return order;
}

type Job = () => Promise<void>;

/** Runs jobs in their order, some at a time, until one fails. */
async function inLanes(jobs: readonly Job[], lanes: number): Promise<void> {
  let next = 0;
  const lane = async () => {
    for (let job = jobs[next++]; job; job = jobs[next++]) await job();
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

function sourceOf(engine: Engine, call: CallOptions): AskedEngine {
  const known = new Map<string, Promise<unknown>>();
  return {
    engine,
    call,
    once<Type>(key: unknown, make: () => Promise<Type>): Promise<Type> {
      const text = JSON.stringify(key);
      const found = known.get(text) ?? make();
      known.set(text, found);
      // Whoever stores under a key asks for it under the same type.
      return found as Promise<Type>;
    },
  };
}

/** Puts jobs that take turns: one of each list, then the next of each. */
function interleaved(lists: readonly (readonly Job[])[]): Job[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, index) =>
    lists.flatMap((list) => list.slice(index, index + 1)),
  ).flat();
}

/**
 * Computes a figure or table: first what the paper states, then its lines, all of them a little
 * before any of them in full. Rejects with the signal's reason, or with the engine's error.
 */
export async function reproduce(
  engine: Engine,
  exhibit: Exhibit,
  options: ReproduceOptions = {},
): Promise<ExhibitState> {
  const { signal, onProgress, points = Infinity, lanes = 2, budget = 'full' } = options;
  const stop = new AbortController();
  const follow = () => {
    stop.abort(signal?.reason);
  };
  if (signal?.aborted) follow();
  signal?.addEventListener('abort', follow);
  const source = sourceOf(engine, { signal: stop.signal, background: options.background });

  const claims: ClaimState[] = exhibit.claims.map((claim) => ({
    claim,
    value: undefined,
    verdict: undefined,
  }));
  const panels: LineState[][] = exhibit.panels.map(() => []);
  const state = (done: boolean): ExhibitState => ({
    exhibit,
    panels: panels.map((lines) => [...lines]),
    claims: [...claims],
    done,
  });
  const tell = () => {
    if (!stop.signal.aborted) onProgress?.(state(false));
  };
  const find = async (ask: NumberAsked) => {
    stop.signal.throwIfAborted();
    return ask.find(source);
  };

  const claimJobs = exhibit.claims.map((claim, index): Job => async () => {
    const { value } = await find(claim.ask);
    const verdict = verdictOf(value, claim);
    claims[index] = { claim, value, verdict };
    tell();
  });

  const jobsOf = (axis: Axis, series: Series, show: (state: LineState) => void): Job[] => {
    let now: LineState = { series, line: [], milliseconds: 0, done: false };
    const set = (change: Partial<LineState>) => {
      now = { ...now, ...change };
      show(now);
      tell();
    };
    show(now);
    if ('draw' in series) {
      return [
        async () => {
          stop.signal.throwIfAborted();
          const drawn = await series.draw(
            source,
            (line) => {
              set({ line });
            },
            budget,
          );
          set({ ...drawn, done: true });
        },
      ];
    }
    const grid = gridOf(axis, series, points);
    return coarseFirst(grid.length).map((index) => async () => {
      const x = grid[index] ?? axis.from;
      const { value, milliseconds } = await find(series.at(x));
      const line = [...now.line, { x, y: value }].sort((a, b) => a.x - b.x);
      const spent = now.milliseconds + milliseconds;
      set({ line, milliseconds: spent, done: line.length === grid.length });
    });
  };
  const lineJobs = exhibit.panels.flatMap(({ x, series }, panel) =>
    series.map((one, place) =>
      jobsOf(x, one, (line) => {
        const lines = panels[panel];
        if (lines) lines[place] = line;
      }),
    ),
  );
  // Samples take longest: what is proved stands before them.
  const isWhole = exhibit.panels.flatMap(({ series }) => series.map((one) => 'draw' in one));

  try {
    const [whole, pointwise] = [true, false].map((one) =>
      lineJobs.filter((_, index) => isWhole[index] === one),
    );
    const lines = [...interleaved(pointwise ?? []), ...interleaved(whole ?? [])];
    const jobs = [...claimJobs, ...(points > 0 ? lines : [])];
    await inLanes(jobs, lanes);
    const last = state(true);
    onProgress?.(last);
    return last;
  } catch (error) {
    // What one failure leaves running is of no use any more.
    stop.abort(error);
    throw error;
  } finally {
    signal?.removeEventListener('abort', follow);
  }
}

/** Claims whose verdict is not the one on record. */
export const unexpected = ({ claims }: ExhibitState): readonly ClaimState[] =>
  claims.filter(({ claim, verdict }) => verdict !== claim.expected);
