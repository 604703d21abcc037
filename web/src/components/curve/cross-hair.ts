import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { CurveField } from '../../../../wasm/curve-kinds.js';
import type { Interval, Query } from '../../../../wasm/generated/schema.js';
import type { Scale } from '../../charts/scale.js';
import { steppedTo } from '../read-out.js';
import { isWhole } from './view.js';

/** The cross-hair rests this long before its values are proved on the spot. */
const restDelay = 140;

export type ReadProved = (name: string, x: number) => Promise<Interval> | undefined;

/** Three digits, whole where the field is: what the key shows is where the cross-hair stands. */
const round = (field: CurveField, x: number): number =>
  isWhole(field) ? Math.round(x) : Number(x.toPrecision(3));

/** Where the reader looks along the curves, and what is proved there. */
export class CrossHair implements ReactiveController {
  /** Where the reader put it; nothing while it rests at the scenario's own point. */
  at: number | undefined;
  private proved: ReadonlyMap<string, Interval> = new Map();
  private provedAt: { x: number; run: Query } | undefined;
  private asked = '';
  private field: CurveField | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly host: ReactiveControllerHost;

  constructor(host: ReactiveControllerHost) {
    this.host = host;
    host.addController(this);
  }

  hostDisconnected(): void {
    clearTimeout(this.timer);
  }

  put(at: number | undefined): void {
    if (at === this.at) return;
    this.at = at;
    this.host.requestUpdate();
  }

  look(field: CurveField, x: number): void {
    this.put(round(field, x));
  }

  key(event: KeyboardEvent, field: CurveField, x: Scale, from: number): void {
    if (event.key === 'Escape') this.put(undefined);
    const to = steppedTo(event, from, x);
    if (to === undefined) return;
    event.preventDefault();
    const [before, next] = [round(field, from), round(field, to)];
    // Whole numbers may lie further apart than a step of pixels.
    const stuck = next === before && to !== from;
    this.put(stuck ? Math.min(x.most, Math.max(x.least, next + Math.sign(to - from))) : next);
  }

  /** Another run, or an axis of another field: it goes back to the run's own point. */
  follow(run: Query | undefined, field: CurveField): void {
    const turned = field !== this.field;
    this.field = field;
    if (!turned && (!this.provedAt || this.provedAt.run === run)) return;
    this.provedAt = undefined;
    this.put(undefined);
  }

  /** What is proved of a curve exactly where it stands, so far. */
  provedOf(name: string, at: number): Interval | undefined {
    return this.provedAt?.x === at ? this.proved.get(name) : undefined;
  }

  /** Once it rests, asks the engine for the value exactly there, of these curves. */
  rest(
    x: number | undefined,
    run: Query | undefined,
    names: readonly string[],
    read: ReadProved,
  ): void {
    if (x === undefined || run === undefined) return;
    const moved = this.provedAt?.x !== x || this.provedAt.run !== run;
    const asked = names.join();
    if (!moved && asked === this.asked) return;
    if (moved) {
      this.provedAt = { x, run };
      this.proved = new Map();
    }
    this.asked = asked;
    clearTimeout(this.timer);
    const { provedAt } = this;
    this.timer = setTimeout(() => {
      for (const name of names) {
        if (this.proved.has(name)) continue;
        read(name, x)?.then(
          (value) => {
            if (this.provedAt !== provedAt) return;
            this.proved = new Map(this.proved).set(name, value);
            this.host.requestUpdate();
          },
          // Outdated by an edit: the reading off the drawing stays, marked as such.
          () => undefined,
        );
      }
    }, restDelay);
  }
}
