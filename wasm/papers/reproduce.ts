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

/** A question, and which of its line it is: every line's first come before any second. */
interface Job {
  turn: number;
  run: () => Promise<void>;
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
      // A key is stored and asked for under the same type.
      return found as Promise<Type>;
    },
  };
}

/**
 * Computes a figure or table: first what the paper states, then its lines, all of them a little
 * before any of them in full. Rejects with the signal's reason, or with the engine's error.
 */
export async function reproduce(
  engine: Engine,
  exhibit: Exhibit,
  { signal, onProgress, points, lanes = 2, background }: ReproduceOptions = {},
): Promise<ExhibitState> {
  const claims: ClaimState[] = exhibit.claims.map((claim) => ({
    ...{ claim, value: undefined, verdict: undefined },
  }));
  const panels: LineState[][] = exhibit.panels.map(() => []);
  const state = (done: boolean): ExhibitState => ({
    ...{ exhibit, panels: panels.map((lines) => [...lines]), claims: [...claims], done },
  });
  return asOne(signal, async (stopped) => {
    const source = sourceOf(engine, { signal: stopped, background });
    const tell = () => {
      if (!stopped.aborted) onProgress?.(state(false));
    };
    const find = async (ask: PaperQuestion, x?: number) => {
      stopped.throwIfAborted();
      return findNumber(ask, source, x);
    };

    const lineJobs = (axis: Axis, series: Series, lines: LineState[], place: number): Job[] => {
      let now: LineState = { series, line: [], milliseconds: 0, done: false };
      const set = (change: Partial<LineState>) => {
        now = { ...now, ...change };
        lines[place] = now;
        tell();
      };
      lines[place] = now;
      const whole = async () => {
        stopped.throwIfAborted();
        set({ ...(await draw(series, axis, source, (line) => set({ line }))), done: true });
      };
      // Samples take longest: what is proved stands before them.
      if (!pointwise(series)) return [{ turn: Number.MAX_VALUE, run: whole }];
      const grid = gridOf(axis, series.count, points);
      const point = async (x: number) => {
        const { value, milliseconds } = await find(series.ask, x);
        const line = [...now.line, { x, y: value }].sort((a, b) => a.x - b.x);
        const spent = now.milliseconds + milliseconds;
        set({ line, milliseconds: spent, done: line.length === grid.length });
      };
      return coarseFirst(grid.length).map((index, turn) => ({
        ...{ turn, run: () => point(grid[index] ?? axis.from) },
      }));
    };

    const stated = exhibit.claims.map((claim, index) => async () => {
      const { value } = await find(claim.ask, claim.x);
      claims[index] = { claim, value, verdict: verdictOf(value, claim) };
      tell();
    });
    const drawn = exhibit.panels.flatMap(({ x, series }, panel) =>
      series.flatMap((one, place) => lineJobs(x, one, panels[panel] ?? [], place)),
    );
    const inTurns = drawn.toSorted((a, b) => a.turn - b.turn).map(({ run }) => run);
    await inLanes(lanes, points === 0 ? stated : [...stated, ...inTurns]);
    const last = state(true);
    onProgress?.(last);
    return last;
  });
}

/** Claims whose verdict is not the one on record. */
export const unexpected = ({ claims }: ExhibitState): readonly ClaimState[] =>
  claims.filter(({ claim, verdict }) => verdict !== claim.expected);
