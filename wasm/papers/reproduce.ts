import type { CallOptions, Engine } from '../client.js';
import { coarseFirst, placesOf } from '../points.js';
import type { Interval } from '../generated/schema.js';
import { asOne, inLanes } from '../together.js';
import { draw, findNumber, type AskedEngine } from './ask.js';
import type { PaperQuestion, Axis, Claim, Exhibit, Series, SeriesPoint, Verdict } from './shape.js';
import { verdictOf } from './verdict.js';

export interface LineState {
  series: Series;
  line: readonly SeriesPoint[];
  /** The time that its answers took, all together. */
  milliseconds: number;
  done: boolean;
}

export interface ClaimState {
  claim: Claim;
  value: Interval | undefined;
  verdict: Verdict | undefined;
}

export interface ExhibitState {
  exhibit: Exhibit;
  /** A list for each panel, in the panel's order of series. */
  panels: readonly (readonly LineState[])[];
  claims: readonly ClaimState[];
  done: boolean;
}

export interface ReproduceOptions {
  signal?: AbortSignal | undefined;
  /** Called whenever a point, a line or a claim has come; all of it so far. */
  onProgress?: ((state: ExhibitState) => void) | undefined;
  /** At most this many points per line; 0 leaves the lines out. */
  points?: number | undefined;
  /** Questions under way at a time. */
  lanes?: number | undefined;
  background?: boolean | undefined;
}

export function gridOf({ from, to, scale }: Axis, count: number, most = Infinity): number[] {
  return placesOf(from, to, Math.max(2, Math.min(count, most)), scale === 'log');
}

export const pointwise = ({ ask }: Series) => ask.call === 'answer';

type Job = () => Promise<void>;

function sourceOf(engine: Engine, call: CallOptions): AskedEngine {
  const known = new Map<string, Promise<unknown>>();
  return {
    engine,
    call,
    once<Type>(key: unknown, make: () => Promise<Type>): Promise<Type> {
      const text = JSON.stringify(key);
      const found = known.get(text) ?? make();
      known.set(text, found);
      // A key is stored and asked for under the same type.
      return found as Promise<Type>;
    },
  };
}

/** Adds jobs in turns: the first of each list, then the second of each. */
function interleaved(lists: readonly (readonly Job[])[]): Job[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, index) =>
    lists.flatMap((list) => list.slice(index, index + 1)),
  ).flat();
}

/** A figure or table on its way: what is found of it so far, and the jobs that find the rest. */
function reproduction(
  exhibit: Exhibit,
  source: AskedEngine,
  stopped: AbortSignal,
  { onProgress, points }: ReproduceOptions,
) {
  const claims: ClaimState[] = exhibit.claims.map((claim) => ({
    ...{ claim, value: undefined, verdict: undefined },
  }));
  const panels: LineState[][] = exhibit.panels.map(() => []);
  const state = (done: boolean): ExhibitState => ({
    ...{ exhibit, panels: panels.map((lines) => [...lines]), claims: [...claims], done },
  });
  const tell = () => {
    if (!stopped.aborted) onProgress?.(state(false));
  };
  const find = async (ask: PaperQuestion, x?: number) => {
    stopped.throwIfAborted();
    return findNumber(ask, source, x);
  };

  const findClaim = async (claim: Claim, index: number) => {
    const { value } = await find(claim.ask, claim.x);
    claims[index] = { claim, value, verdict: verdictOf(value, claim) };
    tell();
  };

  const lineJobs = (axis: Axis, series: Series, lines: LineState[], place: number): Job[] => {
    let now: LineState = { series, line: [], milliseconds: 0, done: false };
    const set = (change: Partial<LineState>) => {
      now = { ...now, ...change };
      lines[place] = now;
      tell();
    };
    lines[place] = now;
    if (!pointwise(series)) {
      const whole = async () => {
        stopped.throwIfAborted();
        const soFar = (line: LineState['line']) => set({ line });
        set({ ...(await draw(series, axis, source, soFar)), done: true });
      };
      return [whole];
    }
    const grid = gridOf(axis, series.count, points);
    return coarseFirst(grid.length).map((index) => async () => {
      const x = grid[index] ?? axis.from;
      const { value, milliseconds } = await find(series.ask, x);
      const line = [...now.line, { x, y: value }].sort((a, b) => a.x - b.x);
      const spent = now.milliseconds + milliseconds;
      set({ line, milliseconds: spent, done: line.length === grid.length });
    });
  };

  /** First what the paper states, then all lines a little, then each in full. */
  const jobs = (): Job[] => {
    const stated = exhibit.claims.map((claim, index) => () => findClaim(claim, index));
    const lines = exhibit.panels.flatMap(({ x, series }, panel) =>
      series.map((one, place) => ({
        whole: !pointwise(one),
        jobs: lineJobs(x, one, panels[panel] ?? [], place),
      })),
    );
    if (points === 0) return stated;
    const taken = (whole: boolean) =>
      interleaved(lines.filter((line) => line.whole === whole).map((line) => line.jobs));
    // Samples take longest: what is proved stands before them.
    return [...stated, ...taken(false), ...taken(true)];
  };

  return { jobs, state };
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
  return asOne(options.signal, async (stopped) => {
    const source = sourceOf(engine, { signal: stopped, background: options.background });
    const run = reproduction(exhibit, source, stopped, options);
    await inLanes(options.lanes ?? 2, run.jobs());
    const last = run.state(true);
    options.onProgress?.(last);
    return last;
  });
}

/** Claims whose verdict is not the one on record. */
export const unexpected = ({ claims }: ExhibitState): readonly ClaimState[] =>
  claims.filter(({ claim, verdict }) => verdict !== claim.expected);
