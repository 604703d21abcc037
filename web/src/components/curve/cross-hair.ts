import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { CurveField } from '../../../../wasm/curve-kinds.js';
import type { Interval, Query } from '../../../../wasm/generated/schema.js';

/** The cross-hair rests this long before its values are proved on the spot. */
const restDelay = 140;

export type ReadProved = (name: string, x: number) => Promise<Interval> | undefined;

/** The plot, and where the reader put its cross-hair; nothing while it rests at the run's own point. */
interface CrossHairHost extends ReactiveControllerHost {
  cross?: number | undefined;
}

/** What is proved where the reader looks along the curves. */
export class CrossHair implements ReactiveController {
  private proved: ReadonlyMap<string, Interval> = new Map();
  private provedAt: { x: number; run: Query } | undefined;
  private asked = '';
  private field: CurveField | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly host: CrossHairHost;

  constructor(host: CrossHairHost) {
    this.host = host;
    host.addController(this);
  }

  hostDisconnected(): void {
    clearTimeout(this.timer);
  }

  /** Another run, or an axis of another field: it goes back to the run's own point. */
  follow(run: Query | undefined, field: CurveField): void {
    const turned = field !== this.field;
    this.field = field;
    if (!turned && (!this.provedAt || this.provedAt.run === run)) return;
    this.provedAt = undefined;
    this.host.cross = undefined;
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
