import type { CallOptions, Engine } from '../client.js';
import { coarseFirst, placesOf } from '../points.js';
import type { Interval } from '../generated/schema.js';
import { asOne, inLanes } from '../together.js';
import { draw, findNumber, type AskedEngine, type Budget } from './ask.js';
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
  /** `brief` for a look at what would take many samples. */
  budget?: Budget | undefined;
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
class Reproduction {
  private readonly exhibit: Exhibit;
  private readonly source: AskedEngine;
  private readonly stopped: AbortSignal;
  private readonly options: ReproduceOptions;
  private readonly claims: ClaimState[];
  private readonly panels: LineState[][];

  constructor(
    exhibit: Exhibit,
    source: AskedEngine,
    stopped: AbortSignal,
    options: ReproduceOptions,
  ) {
    this.exhibit = exhibit;
    this.source = source;
    this.stopped = stopped;
    this.options = options;
    this.claims = exhibit.claims.map((claim) => ({ claim, value: undefined, verdict: undefined }));
    this.panels = exhibit.panels.map(() => []);
  }

  state(done: boolean): ExhibitState {
    const panels = this.panels.map((lines) => [...lines]);
    return { exhibit: this.exhibit, panels, claims: [...this.claims], done };
  }

  private tell(): void {
    if (!this.stopped.aborted) this.options.onProgress?.(this.state(false));
  }

  private async find(ask: PaperQuestion, x?: number) {
    this.stopped.throwIfAborted();
    return findNumber(ask, this.source, x);
  }

  /** First what the paper states, then all lines a little, then each in full. */
  jobs(): Job[] {
    const claims = this.exhibit.claims.map((_, index) => () => this.findClaim(index));
    const lines = this.exhibit.panels.flatMap(({ x, series }, panel) =>
      series.map((one, place) => ({
        whole: !pointwise(one),
        jobs: this.lineJobs(x, one, (line) => {
          const lines = this.panels[panel];
          if (lines) lines[place] = line;
        }),
      })),
    );
    if (this.options.points === 0) return claims;
    const taken = (whole: boolean) =>
      interleaved(lines.filter((line) => line.whole === whole).map(({ jobs }) => jobs));
    // Samples take longest: what is proved stands before them.
    return [...claims, ...taken(false), ...taken(true)];
  }

  private async findClaim(index: number): Promise<void> {
    const claim = this.exhibit.claims[index];
    if (!claim) return;
    const { value } = await this.find(claim.ask, claim.x);
    this.claims[index] = { claim, value, verdict: verdictOf(value, claim) };
    this.tell();
  }

  private lineJobs(axis: Axis, series: Series, show: (line: LineState) => void): Job[] {
    let now: LineState = { series, line: [], milliseconds: 0, done: false };
    const set = (change: Partial<LineState>) => {
      now = { ...now, ...change };
      show(now);
      this.tell();
    };
    show(now);
    if (!pointwise(series)) {
      const whole = async () => {
        this.stopped.throwIfAborted();
        const budget = this.options.budget ?? 'full';
        const soFar = (line: LineState['line']) => set({ line });
        set({ ...(await draw(series, axis, this.source, soFar, budget)), done: true });
      };
      return [whole];
    }
    const grid = gridOf(axis, series.count, this.options.points);
    return coarseFirst(grid.length).map((index) => async () => {
      const x = grid[index] ?? axis.from;
      const { value, milliseconds } = await this.find(series.ask, x);
      const line = [...now.line, { x, y: value }].sort((a, b) => a.x - b.x);
      const spent = now.milliseconds + milliseconds;
      set({ line, milliseconds: spent, done: line.length === grid.length });
    });
  }
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
    const run = new Reproduction(exhibit, source, stopped, options);
    await inLanes(options.lanes ?? 2, run.jobs());
    const last = run.state(true);
    options.onProgress?.(last);
    return last;
  });
}

/** Claims whose verdict is not the one on record. */
export const unexpected = ({ claims }: ExhibitState): readonly ClaimState[] =>
  claims.filter(({ claim, verdict }) => verdict !== claim.expected);
