import type { CurveOptions } from '../../../wasm/client.js';
import { curveKind, placeOf, withoutField } from '../../../wasm/curve-kinds.js';
import type { CurveField, CurveKind, Drawn, KindInfo } from '../../../wasm/curve-kinds.js';
import type { Interval, Query } from '../../../wasm/generated/schema.js';
import { rowsKey, rowsOf } from '../state/rows.js';
import type { RowName } from '../state/scenario.js';
import { Live, remember } from './live.js';

/** How far down a run's curve is drawn: some decades below the delta that is asked about. */
export function floorFor({ delta = 1e-5 }: Query): number {
  const decades = Math.ceil(-Math.log10(delta)) + 4;
  return 10 ** -Math.max(9, Math.min(300, decades));
}

/** A value of a curve; what x and y are follows from the kind. */
interface RowPoint {
  x: number;
  y: Interval;
  /** Present where the upper end rests on a theorem of this project's own. */
  ownProofs?: true;
}

/** One row's curve, as far as it is known; points by rising x. */
export interface RowCurve {
  name: RowName;
  /** The run it is of. */
  run: Query;
  points: readonly RowPoint[];
  /** Belongs to an earlier run of the form. */
  stale: boolean;
  done: boolean;
}

export interface CurvesState {
  curves: ReadonlyMap<RowName, RowCurve>;
  kind: CurveKind;
  field: CurveField;
  /** Of several phases, the one that is drawn over. */
  phase: number | undefined;
  /** The run that the fresh curves belong to. */
  run: Query | undefined;
  /** The ends along x, where all curves share them. */
  range: readonly [number, number] | undefined;
  floor: number;
  working: boolean;
}

export interface Wish {
  kind?: CurveKind;
  phase?: number | undefined;
  leftOut?: readonly RowName[];
}

/** Narrower than a line on a logarithmic axis. */
const width = 0.005;
/** A stale curve is replaced once this many points are there: the ends and three between them. */
const coarse = 5;
/**
 * Finer curves follow each other at this distance, in milliseconds. Drawn at every point, an easy run's
 * curves took the page 46 frames, of 13 ms each, in three quarters of a second.
 */
const pace = 100;
/** A stale call may run this long before its worker is ended: most end sooner by themselves. */
const grace = 150;
/** Curves that are kept for when they are wanted again. */
const kept = 64;

export const noCurves: CurvesState = {
  curves: new Map(),
  kind: 'delta-epsilon',
  field: 'epsilon',
  phase: undefined,
  run: undefined,
  range: undefined,
  floor: 1e-9,
  working: false,
};

/** The fields of a question that a kind of curve needs, beside the field along it. */
function runOf(query: Query, kind: CurveKind): Query {
  const { phases, accountant, proofs, delta, epsilon } = query;
  return {
    phases,
    ...(accountant === undefined ? {} : { accountant }),
    ...(proofs === undefined ? {} : { proofs }),
    ...(kind === 'delta-epsilon' || delta === undefined ? {} : { delta }),
    ...(kind === 'noise-sampling' && epsilon !== undefined ? { epsilon } : {}),
  };
}

interface CurveUnderWay {
  key: string;
  points: RowPoint[];
  stop: AbortController;
}

/** Computes the curves that are wanted, coarse first, and drops those that no longer are. */
export class LiveCurves extends Live<CurvesState> {
  state: CurvesState = noCurves;
  private key = '';
  private faded = false;
  /** When a curve was last drawn that is to be finer. */
  private drawn = -Infinity;
  private readonly under = new Map<RowName, CurveUnderWay>();
  private readonly memory = new Map<string, readonly RowPoint[]>();

  /** Whether what is drawn, or being drawn, is this run's. */
  fits(query: Query, wish: Wish = {}): boolean {
    return this.state.run !== undefined && this.key === this.keyOf(query, wish);
  }

  /** Stops; what is drawn belongs to an earlier run. */
  outdate(): void {
    this.stop();
    this.fade();
  }

  /** What is drawn belongs to an earlier run, and so does what is under way, which goes on. */
  fade(): void {
    this.faded = true;
    const curves = new Map(
      [...this.state.curves].map(([name, curve]) => [name, { ...curve, stale: true }] as const),
    );
    this.set({ curves, run: undefined, working: this.under.size > 0 });
  }

  /** Whether a curve is under way of which nothing is drawn yet. */
  get coarsening(): boolean {
    return [...this.under.values()].some(({ points }) => points.length < coarse);
  }

  clear(): void {
    this.stop();
    this.set({ curves: new Map(), run: undefined, working: false });
  }

  /** Draws the wanted rows' curves, of delta down to `floor`, unless that is what is drawn already. */
  async draw(query: Query, floor: number, wish: Wish = {}): Promise<void> {
    const { kind: name = 'delta-epsilon', phase, leftOut = [] } = wish;
    const kind = curveKind(name);
    if (!kind) return;
    const drawn = { query: runOf(query, name), phase };
    const key = this.keyOf(query, wish);
    const range = this.rangeOf(key, kind, drawn);
    this.key = key;
    this.faded = false;
    const rows = rowsOf(query).filter(({ name: row }) => !leftOut.includes(row));
    const wanted = new Map(
      rows.map(({ name: row, query: asked }) => {
        const own = runOf(asked, name);
        const shared = withoutField(kind, { query: own, phase });
        return [row, { own, whole: JSON.stringify([name, shared, phase, range, floor]) }] as const;
      }),
    );
    const keeps = (row: RowName) => this.state.kind === name && wanted.has(row);
    const curves = new Map([...this.state.curves].filter(([row]) => keeps(row)));
    for (const [row, drawing] of this.under) {
      if (wanted.get(row)?.whole !== drawing.key) this.halt(row, drawing);
    }
    // The same run stays the same object: the cross-hair rests where it is.
    const before = this.state.run;
    const run = JSON.stringify(before) === JSON.stringify(query) ? before : query;
    this.set({ kind: name, field: kind.x(drawn), phase, run, range, floor, curves });
    const begun = [...wanted].map(([row, { own, whole }]) => this.begin(row, own, whole));
    this.set({ working: this.under.size > 0 });
    await Promise.all(begun);
  }

  /** What two questions about the same curves have in common. */
  private keyOf(query: Query, { kind: name = 'delta-epsilon', phase }: Wish): string {
    const kind = curveKind(name);
    const drawn = { query: runOf(query, name), phase };
    const run = kind ? withoutField(kind, drawn) : drawn.query;
    return JSON.stringify([name, phase, rowsKey(run)]);
  }

  /** The ends along a logarithmic axis; the current ones while they still fit: a slider that moves does not move them. */
  private rangeOf(key: string, kind: KindInfo, drawn: Drawn): CurvesState['range'] {
    if (kind.scale === 'linear') return undefined;
    const { run, range } = this.state;
    if (key !== this.key || run === undefined || range === undefined) return kind.range(drawn);
    const place = placeOf(kind, drawn) ?? range[0];
    return place < range[0] || place > range[1] ? kind.range(drawn) : range;
  }

  /** Takes a row's curve from memory, leaves it to what is under way, or computes it. */
  private async begin(name: RowName, run: Query, key: string): Promise<void> {
    const show = (points: readonly RowPoint[], done: boolean) =>
      this.show(name, { name, run, points, stale: this.faded, done });
    const known = this.memory.get(key);
    if (known) show(known, true);
    if (known || this.under.has(name)) return;
    const points: RowPoint[] = [];
    const drawing = { key, points, stop: new AbortController() };
    this.under.set(name, drawing);
    const old = this.state.curves.get(name);
    if (old) this.show(name, { ...old, stale: true });
    const { kind, phase, range, floor } = this.state;
    const current = () => this.under.get(name) === drawing;
    const options: CurveOptions = {
      ...{ kind, phase, floor, from: range?.[0], to: range?.[1] },
      ...{ atOnce: 1, background: true, signal: drawing.stop.signal },
      onPoint: ({ x, y, ownProofs }) => {
        if (!current()) return;
        points.push({ x, y, ...(ownProofs ? { ownProofs } : {}) });
        points.sort((a, b) => a.x - b.x);
        // A stale curve gives way only when its successor's coarsest points are complete.
        const now = performance.now();
        if (points.length < coarse || (points.length > coarse && now - this.drawn < pace)) return;
        this.drawn = now;
        show([...points], false);
      },
    };
    const fine = await this.engine.curve({ ...run, width }, options).then(
      () => true,
      // A call that fails leaves its curve unfinished; the answer above says why.
      () => false,
    );
    if (!current()) return;
    this.under.delete(name);
    if (fine) remember(this.memory, key, points, kept);
    if (fine || points.length >= coarse) show(points, true);
    else this.show(name, undefined);
  }

  /** Shows a row's curve in place of the one before, or none. */
  private show(name: RowName, curve: RowCurve | undefined): void {
    const curves = new Map(this.state.curves);
    if (curve) curves.set(name, curve);
    else curves.delete(name);
    this.set({ curves, working: this.under.size > 0 });
  }

  private halt(name: RowName, { stop }: CurveUnderWay): void {
    this.under.delete(name);
    setTimeout(() => stop.abort(), grace);
  }

  private stop(): void {
    this.key = '';
    for (const [name, drawing] of this.under) this.halt(name, drawing);
  }
}
