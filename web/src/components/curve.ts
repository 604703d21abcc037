import { html, nothing, svg } from 'lit';
import type { PropertyValues } from 'lit';
import { samplers, version } from '../../../wasm/generated/schema.js';
import type { Interval } from '../../../wasm/generated/schema.js';
import {
  curvePaths,
  deltaScale,
  epsilonAt,
  interpolate,
  placeLabels,
} from '../charts/curve-geometry.js';
import type { DeltaScale } from '../charts/curve-geometry.js';
import { epsilonScale } from '../charts/epsilon-scale.js';
import type { EpsilonScale } from '../charts/epsilon-scale.js';
import { breakGlyph, mark } from '../charts/glyphs.js';
import { csv } from '../export/csv.js';
import { pngOf, save, standaloneSvg } from '../export/files.js';
import type { Curve, CurvesState } from '../live/curves.js';
import type { RowName } from '../state/scenario.js';
import { formatGiven, formatInterval, formatNumber } from '../words/format.js';
import { labelOf } from '../words/sentence.js';
import { Plain } from './plain.js';

/** The cross-hair rests this long before its deltas are proved on the spot. */
const restDelay = 140;

type Reader = (sampler: RowName, epsilon: number) => Promise<Interval> | undefined;

/** Delta over epsilon for every sampler: bands, cross-hair, key, export. */
export class CurvePanel extends Plain {
  static override properties = {
    curves: { attribute: false },
    own: {},
    leftOut: { attribute: false },
    highlight: {},
    heading: {},
    point: { attribute: false },
    reader: { attribute: false },
    width: { state: true },
    cross: { state: true },
    proved: { state: true },
  };

  declare curves: CurvesState;
  declare own: RowName;
  declare leftOut: readonly RowName[];
  declare highlight: RowName | undefined;
  declare heading: string;
  /** The reader's own answer, epsilon's upper end, at the delta asked; without it, that delta alone. */
  declare point: { epsilon: number | undefined; delta: number } | undefined;
  declare reader: Reader | undefined;
  declare width: number;
  declare cross: number | undefined;
  declare proved: ReadonlyMap<RowName, Interval>;

  private sizes: ResizeObserver | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private provedAt: { epsilon: number; run: unknown } | undefined;

  constructor() {
    super();
    this.width = 0;
    this.leftOut = [];
    this.heading = '';
    this.proved = new Map();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.sizes?.disconnect();
    this.sizes = undefined;
    clearTimeout(this.timer);
  }

  override updated(changed: PropertyValues<this>): void {
    const frame = this.querySelector('.curve-frame');
    if (!this.sizes && frame) {
      this.sizes = new ResizeObserver(([entry]) => {
        if (entry) this.width = Math.floor(entry.contentRect.width);
      });
      this.sizes.observe(frame);
    }
    // Another run: the cross-hair goes back to that run's own point.
    if (changed.has('curves') && this.provedAt && this.provedAt.run !== this.curves.run) {
      this.provedAt = undefined;
      this.cross = undefined;
    }
    if (changed.has('curves') || changed.has('cross') || changed.has('point')) this.rest();
  }

  /** Where the cross-hair stands: where the reader put it, else at the scenario's own point. */
  private get at(): number | undefined {
    return this.cross ?? this.ownPoint?.epsilon;
  }

  /** The scenario's own point; while its answer is being found, where its curve has that delta. */
  private get ownPoint(): { epsilon: number; delta: number } | undefined {
    if (!this.point) return undefined;
    const { delta } = this.point;
    const curve = this.curves.curves.get(this.own);
    const epsilon = this.point.epsilon ?? (curve && epsilonAt(curve.points, delta));
    return epsilon === undefined ? undefined : { epsilon, delta };
  }

  /** The reader's phases as they are, if they are mixed, and every sampler throughout. */
  private rows(): readonly RowName[] {
    const names = samplers.map(({ name }): RowName => name);
    return this.own === 'composition' ? ['composition', ...names] : names;
  }

  private shown(): Curve[] {
    return this.rows()
      .map((name) => this.curves.curves.get(name))
      .filter((curve) => curve !== undefined)
      .filter((curve) => !this.leftOut.includes(curve.sampler) && curve.points.length > 1);
  }

  private scales(shown: readonly Curve[]): { x: EpsilonScale; y: DeltaScale; height: number } {
    const narrow = this.width < 560;
    const height = narrow ? 320 : 430;
    const most = Math.max(0, ...shown.map(({ points }) => points.at(-1)?.epsilon ?? 0));
    return {
      x: epsilonScale(most, narrow ? 44 : 56, Math.max(120, this.width - 16)),
      y: deltaScale(this.curves.floor, 14, height - 40),
      height,
    };
  }

  protected override render() {
    const shown = this.shown();
    const { x, y, height } = this.scales(shown);
    return html`
      <div class="curve-head">
        <h2 id="curve-title">
          δ at ε${this.heading ? html`<span>, ${this.heading}</span>` : nothing}
        </h2>
        <span class="refining" aria-live="polite">${this.curves.working ? 'refining' : ''}</span>
        <span class="exports">
          <button class="plain" ?disabled=${shown.length === 0} @click=${() => this.exportSvg()}>
            SVG
          </button>
          <button
            class="plain"
            ?disabled=${shown.length === 0}
            @click=${() => void this.exportPng()}
          >
            PNG
          </button>
          <button class="plain" ?disabled=${shown.length === 0} @click=${() => this.exportCsv()}>
            CSV
          </button>
        </span>
      </div>
      <div class="curve-body">
        <div
          class="curve-frame"
          role="slider"
          tabindex="0"
          aria-label="Epsilon at which the key reads delta"
          aria-valuemin="0"
          aria-valuemax=${x.most}
          aria-valuenow=${this.at ?? 0}
          aria-valuetext=${this.spoken(shown)}
          @keydown=${(event: KeyboardEvent) => {
            this.key(event, x);
          }}
          @pointermove=${(event: PointerEvent) => {
            this.move(event, x);
          }}
          @pointerdown=${(event: PointerEvent) => {
            this.move(event, x);
          }}
        >
          ${this.drawing(shown, x, y, height)}
          ${
            shown.length === 0 && this.curves.run !== undefined
              ? html`<p class="no-curve">
                  ${this.curves.working ? 'Drawing …' : 'No curve to draw.'}
                </p>`
              : nothing
          }
        </div>
        ${this.keyList(shown)}
      </div>
      ${this.table(shown)}
    `;
  }

  private drawing(shown: readonly Curve[], x: EpsilonScale, y: DeltaScale, height: number) {
    const [left, right] = [x.at(0), Math.max(120, this.width - 16)];
    const [top, bottom] = [14, height - 40];
    const labels = placeLabels(
      shown.map(({ sampler, points }) => ({ name: sampler, text: labelOf(sampler), points })),
      x,
      y,
      { x: left, y: top, width: right - left, height: bottom - top },
    );
    const at = this.at;
    const crossX = at === undefined || shown.length === 0 ? undefined : x.at(at);
    return html`<svg
      class="plot curve"
      width=${Math.max(1, this.width)}
      height=${height}
      aria-hidden="true"
    >
      <clipPath id="curve-clip">
        <rect x=${left} y=${top - 2} width=${right - left + 2} height=${bottom - top + 2}></rect>
      </clipPath>
      ${y.ticks.map(
        ({
          x: line,
          label,
        }) => svg`<line class="grid" x1=${left} x2=${right} y1=${line} y2=${line}></line>
          <text class="tick-label" x=${left - 8} y=${line + 4} text-anchor="end">${label}</text>`,
      )}
      ${(shown.length === 0 ? [] : x.ticks).map(
        ({
          x: line,
          label,
        }) => svg`<line class="grid" x1=${line} x2=${line} y1=${top} y2=${bottom}></line>
          <line class="axis" x1=${line} x2=${line} y1=${bottom} y2=${bottom + 5}></line>
          <text class="tick-label" x=${line} y=${bottom + 19} text-anchor="middle">${label}</text>`,
      )}
      <line class="axis" x1=${left} x2=${right} y1=${bottom} y2=${bottom}></line>
      ${shown.length === 0 ? nothing : breakGlyph(x, bottom)}
      <text class="axis-label" x=${right} y=${bottom + 36} text-anchor="end">ε</text>
      <text class="axis-label" x=${left - 30} y=${top + 5} text-anchor="end">δ</text>
      ${
        this.point && this.point.delta >= y.floor && shown.length > 0
          ? svg`<line class="asked" x1=${left} x2=${right} y1=${y.at(this.point.delta)} y2=${y.at(this.point.delta)}></line>`
          : nothing
      }
      <g clip-path="url(#curve-clip)">${shown.map((curve) => this.line(curve, x, y))}</g>
      ${shown.map(({ sampler }) => {
        const label = labels.get(sampler);
        if (!label) return nothing;
        const quiet = this.highlight !== undefined && this.highlight !== sampler;
        return svg`<text class=${quiet ? 'line-label quiet' : 'line-label'} x=${label.x} y=${label.y + 4.5} text-anchor=${label.anchor}>${label.text}</text>`;
      })}
      ${
        crossX === undefined
          ? nothing
          : svg`<line class=${this.cross === undefined ? 'cross resting' : 'cross'} data-passing x1=${crossX} x2=${crossX} y1=${top} y2=${bottom}></line>
              ${shown.map((curve) => this.crossMark(curve, at ?? 0, crossX, y))}`
      }
      ${this.handle(shown, x, y)}
    </svg>`;
  }

  /** The scenario's point: dragged up or down it sets delta. */
  private handle(shown: readonly Curve[], x: EpsilonScale, y: DeltaScale) {
    const point = this.ownPoint;
    if (!point || point.delta < y.floor || !shown.some(({ sampler }) => sampler === this.own)) {
      return nothing;
    }
    return svg`<circle
      class=${`own-point s-${this.own}`}
      cx=${x.at(point.epsilon)}
      cy=${y.at(point.delta)}
      r="5.5"
      @pointerdown=${(event: PointerEvent) => {
        event.stopPropagation();
        (event.currentTarget as Element).setPointerCapture(event.pointerId);
        this.cross = undefined;
      }}
      @pointermove=${(event: PointerEvent) => {
        event.stopPropagation();
        const circle = event.currentTarget as SVGCircleElement;
        if (!circle.hasPointerCapture(event.pointerId)) return;
        const top = circle.ownerSVGElement?.getBoundingClientRect().top ?? 0;
        const delta = niceDelta(y.invert(event.clientY - top));
        if (delta !== point.delta) {
          this.dispatchEvent(new CustomEvent('delta', { detail: delta, bubbles: true }));
        }
      }}
    ></circle>`;
  }

  private line(curve: Curve, x: EpsilonScale, y: DeltaScale) {
    const { band, upper, lower } = curvePaths(curve.points, x, y);
    const quiet = this.highlight !== undefined && this.highlight !== curve.sampler;
    const classes = [
      'line',
      `s-${curve.sampler}`,
      curve.stale ? 'stale' : '',
      curve.points.some(({ delta }) => delta.kind === 'estimate') ? 'estimated' : '',
      quiet ? 'quiet' : '',
      curve.sampler === this.own || curve.sampler === this.highlight ? 'own' : '',
    ];
    return svg`<g class=${classes.join(' ')}>
      ${band ? svg`<path class="band" d=${band}></path>` : nothing}
      ${lower ? svg`<path class="edge" d=${lower}></path>` : nothing}
      <path class="edge" d=${upper}></path>
    </g>`;
  }

  private crossMark(curve: Curve, epsilon: number, x: number, y: DeltaScale) {
    const upper = interpolate(curve.points, epsilon)?.upper;
    if (upper === undefined || upper === null || upper < y.floor) return nothing;
    return svg`<g class=${`s-${curve.sampler}`} data-passing>${mark(curve.sampler, x, y.at(upper), 4)}</g>`;
  }

  /** Which curves are drawn, and delta of each at the cross-hair. */
  private keyList(shown: readonly Curve[]) {
    const at = this.at;
    return html`<div class="key" role="group" aria-label="Curves">
      <p class="key-head">
        ${at === undefined ? 'Curves' : html`at <i>ε</i> = <b>${formatNumber(at)}</b>`}
      </p>
      ${this.rows().map((name) => {
        const drawn = !this.leftOut.includes(name);
        const curve = shown.find(({ sampler }) => sampler === name);
        return html`<label
          class=${`key-row s-${name}${this.highlight === name ? ' lit' : ''}`}
          @pointerenter=${() => this.light(name)}
          @pointerleave=${() => this.light(undefined)}
        >
          <input
            type="checkbox"
            .checked=${drawn}
            @change=${(event: Event) => {
              const on = (event.target as HTMLInputElement).checked;
              const hidden = this.rows().filter((other) =>
                other === name ? !on : this.leftOut.includes(other),
              );
              this.dispatchEvent(new CustomEvent('hide', { detail: hidden, bubbles: true }));
            }}
          />
          <svg width="14" height="14" aria-hidden="true">${mark(name, 7, 7, 5)}</svg>
          <span class="key-name">${labelOf(name)}</span>
          <span class="key-value">${curve ? this.reading(curve) : nothing}</span>
        </label>`;
      })}
      <p class="key-foot">Read with the pointer, or with the arrow keys on the plot.</p>
    </div>`;
  }

  /** Proved at the cross-hair once it rests; before that read off the drawing, marked ≈. */
  private reading(curve: Curve): string {
    const at = this.at;
    if (at === undefined) return '';
    const proved = this.provedAt?.epsilon === at ? this.proved.get(curve.sampler) : undefined;
    if (proved) return formatInterval(proved);
    const drawn = interpolate(curve.points, at);
    if (!drawn) return `< ${formatGiven(this.curves.floor)}`;
    return `≈ ${formatNumber(drawn.upper ?? 1, 2)}`;
  }

  private spoken(shown: readonly Curve[]): string {
    const at = this.at;
    if (at === undefined) return 'no curve yet';
    const parts = shown.map((curve) => `${labelOf(curve.sampler)} δ ${this.reading(curve)}`);
    return `ε ${formatNumber(at)}: ${parts.join('; ')}`;
  }

  private move(event: PointerEvent, x: EpsilonScale): void {
    const frame = event.currentTarget as HTMLElement;
    if (event.pointerType === 'touch' && event.type === 'pointermove' && !event.isPrimary) return;
    this.cross = round(x.invert(event.clientX - frame.getBoundingClientRect().left));
  }

  private key(event: KeyboardEvent, x: EpsilonScale): void {
    const from = x.at(this.at ?? 0);
    const step = event.shiftKey ? 40 : 8;
    const places: Readonly<Record<string, number>> = {
      ArrowLeft: from - step,
      ArrowDown: from - step,
      ArrowRight: from + step,
      ArrowUp: from + step,
      PageDown: from - 80,
      PageUp: from + 80,
      Home: x.at(0),
      End: x.at(x.most),
    };
    if (event.key === 'Escape') {
      this.cross = undefined;
      return;
    }
    const to = places[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.cross = round(x.invert(to));
  }

  /** Once the cross-hair rests, asks the engine for delta exactly there, of every curve drawn. */
  private rest(): void {
    const epsilon = this.at;
    const { run } = this.curves;
    clearTimeout(this.timer);
    if (epsilon === undefined || run === undefined) return;
    if (this.provedAt?.epsilon !== epsilon || this.provedAt.run !== run) {
      this.provedAt = { epsilon, run };
      this.proved = new Map();
    }
    const { provedAt } = this;
    this.timer = setTimeout(() => {
      for (const { sampler, stale } of this.shown()) {
        if (stale || this.proved.has(sampler)) continue;
        this.reader?.(sampler, epsilon)?.then(
          (delta) => {
            if (this.provedAt === provedAt) this.proved = new Map(this.proved).set(sampler, delta);
          },
          // Outdated by an edit: the reading off the drawing stays, marked as such.
          () => undefined,
        );
      }
    }, restDelay);
  }

  private light(name: RowName | undefined): void {
    this.dispatchEvent(new CustomEvent('light', { detail: name, bubbles: true }));
  }

  private table(shown: readonly Curve[]) {
    return html`<details class="points">
      <summary>The points of these curves as a table</summary>
      <div class="scroll" tabindex="0" role="region" aria-label="Points of the curves">
        <table>
          <thead>
            <tr>
              <th scope="col">Sampler</th>
              <th scope="col" class="figure">ε</th>
              <th scope="col" class="figure">δ at least</th>
              <th scope="col" class="figure">δ at most</th>
            </tr>
          </thead>
          <tbody>
            ${shown.flatMap(({ sampler, points }) =>
              points.map(
                ({ epsilon, delta }) =>
                  html`<tr>
                    <th scope="row">${labelOf(sampler)}</th>
                    <td class="figure">${formatNumber(epsilon, 4)}</td>
                    <td class="figure">
                      ${delta.lower === null ? '–' : formatNumber(delta.lower, 4)}
                    </td>
                    <td class="figure">
                      ${delta.upper === null ? '–' : formatNumber(delta.upper, 4)}
                    </td>
                  </tr>`,
              ),
            )}
          </tbody>
        </table>
      </div>
    </details>`;
  }

  private get caption(): string {
    return `δ at ε, ${this.heading}`;
  }

  private get source(): string {
    return `Honest Epsilon ${version}; ${location.href}`;
  }

  private svgText(): { text: string; width: number; height: number } | undefined {
    const drawing = this.querySelector<SVGSVGElement>('svg.curve');
    if (!drawing) return undefined;
    const background = getComputedStyle(this).getPropertyValue('--paper').trim();
    const { width, height } = drawing.getBoundingClientRect();
    return { text: standaloneSvg(drawing, this.caption, this.source, background), width, height };
  }

  private exportSvg(): void {
    const made = this.svgText();
    if (made) save('delta-epsilon.svg', new Blob([made.text], { type: 'image/svg+xml' }));
  }

  private async exportPng(): Promise<void> {
    const made = this.svgText();
    if (made) save('delta-epsilon.png', await pngOf(made.text, made.width, made.height));
  }

  private exportCsv(): void {
    const rows = this.shown().flatMap(({ sampler, points }) =>
      points.map(({ epsilon, delta }) => [sampler, epsilon, delta.lower, delta.upper, delta.kind]),
    );
    const text = csv(
      [this.caption, this.source],
      ['sampler', 'epsilon', 'delta_lower', 'delta_upper', 'kind'],
      rows,
    );
    save('delta-epsilon.csv', new Blob([text], { type: 'text/csv' }));
  }
}

/** 1, 2 or 5 times a power of ten, below 1: what a hand can set. */
function niceDelta(delta: number): number {
  const exponent = Math.floor(Math.log10(delta));
  const mantissa = delta / 10 ** exponent;
  const nice = mantissa < 1.5 ? 1 : mantissa < 3.5 ? 2 : mantissa < 7.5 ? 5 : 10;
  return Math.min(0.5, Number(`${nice}e${exponent}`));
}

/** Three digits: what the key shows is where the cross-hair stands. */
const round = (epsilon: number) => Number(epsilon.toPrecision(3));

customElements.define('he-curve', CurvePanel);
