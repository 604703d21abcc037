import { html, nothing, svg } from 'lit';
import type { PropertyValues } from 'lit';
import { curveKind } from '../../../wasm/curve-kinds.js';
import type { CurveField, CurveKind } from '../../../wasm/curve-kinds.js';
import { samplers, version } from '../../../wasm/generated/schema.js';
import type { Interval } from '../../../wasm/generated/schema.js';
import {
  crossing,
  curvePaths,
  deltaScale,
  interpolate,
  placeLabels,
} from '../charts/curve-geometry.js';
import { epsilonScale } from '../charts/epsilon-scale.js';
import type { Scale } from '../charts/epsilon-scale.js';
import { breakGlyph, mark } from '../charts/glyphs.js';
import { logScale, roundOut } from '../charts/log-scale.js';
import { curvesCsv, curvesJson } from '../export/curves.js';
import type { CurvesFile } from '../export/curves.js';
import { pictureOf, pngOf, save } from '../export/files.js';
import type { Picture } from '../export/files.js';
import { noCurves } from '../live/curves.js';
import type { Curve, CurvesState } from '../live/curves.js';
import { fieldInfo } from '../state/question.js';
import type { RowName } from '../state/scenario.js';
import { formatGiven, formatInterval, formatNumber } from '../words/format.js';
import { labelOf } from '../words/sentence.js';
import { Measured } from './measured.js';

/** The cross-hair rests this long before its values are proved on the spot. */
const restDelay = 140;

type Reader = (name: string, x: number) => Promise<Interval> | undefined;

/** Where the scenario stands: its value along x, if it is known, and the one that is read there. */
export interface Here {
  x: number | undefined;
  y: number | undefined;
}

/** What each curve is of, after its symbols. */
const titles: Readonly<Record<CurveKind, string>> = {
  'delta-epsilon': 'δ at ε',
  'epsilon-noise': 'ε over the noise',
  'epsilon-epochs': 'ε over the length of the run',
  'noise-sampling': 'Noise over the sampling rate',
};

/** Curves of every sampler, and of runs beside them: bands, cross-hair, key, export. */
export class CurvePanel extends Measured {
  static override properties = {
    curves: { attribute: false },
    own: {},
    leftOut: { attribute: false },
    highlight: {},
    heading: {},
    here: { attribute: false },
    beside: { attribute: false },
    reader: { attribute: false },
    cross: { state: true },
    proved: { state: true },
  };

  declare curves: CurvesState;
  declare own: RowName;
  declare leftOut: readonly RowName[];
  declare highlight: string | undefined;
  declare heading: string;
  /** The reader's own answer: what is looked for along x, and what is found there. */
  declare here: Here | undefined;
  /** Letters of the runs that are drawn beside the rows, by name. */
  declare beside: ReadonlyMap<string, string>;
  declare reader: Reader | undefined;
  declare cross: number | undefined;
  declare proved: ReadonlyMap<string, Interval>;

  protected override readonly frame = '.curve-frame';
  private timer: ReturnType<typeof setTimeout> | undefined;
  private provedAt: { x: number; run: unknown } | undefined;

  constructor() {
    super();
    this.leftOut = [];
    this.heading = '';
    this.proved = new Map();
    this.curves = noCurves;
    this.beside = new Map();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.timer);
  }

  override updated(changed: PropertyValues<this>): void {
    super.updated(changed);
    // Another run: the cross-hair goes back to that run's own point.
    if (changed.has('curves') && this.provedAt && this.provedAt.run !== this.curves.run) {
      this.provedAt = undefined;
      this.cross = undefined;
    }
    if (changed.has('curves') || changed.has('cross') || changed.has('here')) this.rest();
  }

  private get field(): CurveField {
    return this.curves.field;
  }

  private get value(): CurveField {
    return valueOf(this.curves.kind);
  }

  /** Where the cross-hair stands: where the reader put it, else at the scenario's own point. */
  private get at(): number | undefined {
    return this.cross ?? this.ownPoint?.x;
  }

  /** The scenario's own point; while one of its numbers is being found, where its curve has the other. */
  private get ownPoint(): { x: number; y: number } | undefined {
    const curve = this.curves.curves.get(this.own);
    const points = curve?.points ?? [];
    const y = this.here?.y ?? this.readOff(points, this.here?.x);
    const x = this.here?.x ?? (y === undefined ? undefined : crossing(points, y));
    return x === undefined || y === undefined || y === Infinity ? undefined : { x, y };
  }

  private readOff(points: Curve['points'], x: number | undefined): number | undefined {
    return x === undefined ? undefined : (interpolate(points, x)?.upper ?? undefined);
  }

  /** The reader's phases as they are, if they are mixed, and every sampler throughout. */
  private rows(): readonly RowName[] {
    const names = samplers.map(({ name }): RowName => name);
    return this.own === 'composition' ? ['composition', ...names] : names;
  }

  private shown(): Curve[] {
    const rows = this.rows().filter((name) => !this.leftOut.includes(name));
    return [...rows, ...this.beside.keys()]
      .map((name) => this.curves.curves.get(name))
      .filter((curve) => curve !== undefined)
      .filter(({ points }) => points.length > 1);
  }

  private labelOf({ name, sampler }: Pick<Curve, 'name' | 'sampler'>): string {
    return this.beside.get(name) ?? labelOf(sampler);
  }

  private scales(shown: readonly Curve[]): { x: Scale; y: Scale; height: number } {
    const narrow = this.width < 560;
    const height = narrow ? 320 : 430;
    const [left, right] = [narrow ? 44 : 56, Math.max(120, this.width - 16)];
    const [top, bottom] = [14, height - 40];
    const { kind, range, floor } = this.curves;
    if (kind === 'delta-epsilon') {
      const most = Math.max(0, ...shown.map(({ points }) => points.at(-1)?.x ?? 0));
      return { x: epsilonScale(most, left, right), y: deltaScale(floor, top, bottom), height };
    }
    const [from, to] = range ?? [1, 10];
    const ends = shown.flatMap(({ points }) =>
      points.flatMap(({ y }) => [y.lower, y.upper]).filter((end) => end !== null && end > 0),
    ) as number[];
    const finite = ends.filter((end) => end < Infinity);
    const least = roundOut(Math.min(...finite, this.here?.y ?? Infinity, 1e6), 'down');
    const most = roundOut(Math.max(...finite, 1e-6), 'up');
    const y = most > least ? ([least, most] as const) : ([0.1, 10] as const);
    return { x: logScale(from, to, left, right), y: logScale(...y, bottom, top), height };
  }

  protected override render() {
    const shown = this.shown();
    const { x, y, height } = this.scales(shown);
    return html`
      <div class="curve-head">
        <h2 id="curve-title">
          ${titles[this.curves.kind]}${this.heading ? html`<span>, ${this.heading}</span>` : nothing}
        </h2>
        <span class="refining" aria-live="polite">${this.curves.working ? 'refining' : ''}</span>
        <span class="exports" role="group" aria-label="Export">
          ${this.exporter('SVG', shown, () => this.exportSvg())}
          ${this.exporter('PNG', shown, () => void this.exportPng())}
          ${this.exporter('CSV', shown, () => {
            this.save('csv', 'text/csv', curvesCsv(this.file));
          })}
          ${this.exporter('JSON', shown, () => {
            this.save('json', 'application/json', curvesJson(this.file));
          })}
        </span>
      </div>
      <div class="curve-body">
        <div
          class="curve-frame"
          role="slider"
          tabindex="0"
          aria-label=${`${labelFor(this.field)} at which the key reads ${labelFor(this.value).toLowerCase()}`}
          aria-valuemin=${x.least}
          aria-valuemax=${x.most}
          aria-valuenow=${this.at ?? x.least}
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

  private exporter(name: string, shown: readonly Curve[], act: () => void) {
    return html`<button class="plain" ?disabled=${shown.length === 0} @click=${act}>
      ${name}
    </button>`;
  }

  private drawing(shown: readonly Curve[], x: Scale, y: Scale, height: number) {
    const [left, right] = [x.at(x.least), Math.max(120, this.width - 16)];
    const [top, bottom] = [14, height - 40];
    const labels = placeLabels(
      shown.map((curve) => ({ name: curve.name, text: this.labelOf(curve), points: curve.points })),
      x,
      y,
      { x: left, y: top, width: right - left, height: bottom - top },
    );
    const at = this.at;
    const own = this.ownPoint;
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
      <text class="axis-label" x=${right} y=${bottom + 36} text-anchor="end">
        ${symbolFor(this.field)}
      </text>
      <text class="axis-label" x=${left - 30} y=${top + 5} text-anchor="end">
        ${symbolFor(this.value)}
      </text>
      ${
        own && own.y >= y.least && shown.length > 0
          ? svg`<line class="asked" x1=${left} x2=${right} y1=${y.at(own.y)} y2=${y.at(own.y)}></line>`
          : nothing
      }
      <g clip-path="url(#curve-clip)">${shown.map((curve) => this.line(curve, x, y))}</g>
      ${shown.map(({ name }) => {
        const label = labels.get(name);
        if (!label) return nothing;
        const quiet = this.highlight !== undefined && this.highlight !== name;
        return svg`<text class=${quiet ? 'line-label quiet' : 'line-label'} x=${label.x} y=${label.y + 4.5} text-anchor=${label.anchor}>${label.text}</text>`;
      })}
      ${
        crossX === undefined
          ? nothing
          : svg`<line class=${this.cross === undefined ? 'cross resting' : 'cross'} data-passing x1=${crossX} x2=${crossX} y1=${top} y2=${bottom}></line>
              ${shown.map((curve) => this.crossMark(curve, at ?? 0, crossX, x, y))}`
      }
      ${this.handle(shown, x, y)}
    </svg>`;
  }

  /** The scenario's point. Dragged it sets delta where that is what x is found at, else x itself. */
  private handle(shown: readonly Curve[], x: Scale, y: Scale) {
    const point = this.ownPoint;
    if (!point || point.y < y.least || !shown.some(({ name }) => name === this.own)) {
      return nothing;
    }
    const { kind } = this.curves;
    const still = kind === 'noise-sampling';
    const upright = kind === 'delta-epsilon';
    const move = (event: PointerEvent) => {
      event.stopPropagation();
      const circle = event.currentTarget as SVGCircleElement;
      if (still || !circle.hasPointerCapture(event.pointerId)) return;
      const box = circle.ownerSVGElement?.getBoundingClientRect();
      const value = upright
        ? niceDelta(y.invert(event.clientY - (box?.top ?? 0)))
        : this.settable(x.invert(event.clientX - (box?.left ?? 0)));
      if (value === (upright ? point.y : point.x)) return;
      const detail: SetDetail = { field: upright ? 'delta' : this.field, value };
      this.dispatchEvent(new CustomEvent('set', { detail, bubbles: true }));
    };
    return svg`<circle
      class=${`own-point s-${this.own}${upright ? ' upright' : ''}${still ? ' still' : ''}`}
      cx=${x.at(point.x)}
      cy=${y.at(point.y)}
      r="5.5"
      @pointerdown=${(event: PointerEvent) => {
        event.stopPropagation();
        (event.currentTarget as Element).setPointerCapture(event.pointerId);
        this.cross = undefined;
      }}
      @pointermove=${move}
    ></circle>`;
  }

  /** Two digits, whole where the field is: what a hand can set. */
  private settable(value: number): number {
    const nice = Number(value.toPrecision(2));
    return fieldInfo(this.field).type === 'count' ? Math.max(1, Math.round(nice)) : nice;
  }

  private line(curve: Curve, x: Scale, y: Scale) {
    const { band, upper, lower } = curvePaths(curve.points, x, y);
    const quiet = this.highlight !== undefined && this.highlight !== curve.name;
    const besides = [...this.beside.keys()].indexOf(curve.name);
    const classes = [
      'line',
      `s-${curve.sampler}`,
      curve.stale ? 'stale' : '',
      curve.points.some(({ y: value }) => value.kind === 'estimate') ? 'estimated' : '',
      quiet ? 'quiet' : '',
      curve.name === this.own || curve.name === this.highlight ? 'own' : '',
      besides >= 0 ? `beside dash-${besides % 3}` : '',
    ];
    return svg`<g class=${classes.join(' ')}
      @pointerenter=${() => {
        this.light(curve.name);
      }}
      @pointerleave=${() => {
        this.light(undefined);
      }}>
      ${band ? svg`<path class="band" d=${band}></path>` : nothing}
      <path class="hit" data-passing d=${upper}></path>
      ${lower ? svg`<path class="edge" d=${lower}></path>` : nothing}
      <path class="edge" d=${upper}></path>
    </g>`;
  }

  private crossMark(curve: Curve, at: number, pixel: number, x: Scale, y: Scale) {
    const upper = interpolate(curve.points, at, (value) => x.at(value))?.upper;
    if (upper === undefined || upper === null || upper < y.least || upper > y.most) return nothing;
    return svg`<g class=${`s-${curve.sampler}`} data-passing>${mark(curve.sampler, pixel, y.at(upper), 4)}</g>`;
  }

  /** Which curves are drawn, and the value of each at the cross-hair. */
  private keyList(shown: readonly Curve[]) {
    const at = this.at;
    return html`<div class="key" role="group" aria-label="Curves">
      <p class="key-head">
        ${at === undefined ? 'Curves' : html`${symbolFor(this.value)} at <i>${symbolFor(this.field)}</i> = <b>${this.place(at)}</b>`}
      </p>
      ${this.rows().map((name) => {
        const drawn = !this.leftOut.includes(name);
        const curve = shown.find((other) => other.name === name);
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
      ${[...this.beside].map(([name, letter]) => this.besideRow(name, letter, shown))}
      <p class="key-foot">Read with the pointer, or with the arrow keys on the plot.</p>
    </div>`;
  }

  private besideRow(name: string, letter: string, shown: readonly Curve[]) {
    const curve = shown.find((other) => other.name === name);
    const sampler = this.curves.curves.get(name)?.sampler ?? '';
    return html`<div
      class=${`key-row s-${sampler}${this.highlight === name ? ' lit' : ''}`}
      @pointerenter=${() => this.light(name)}
      @pointerleave=${() => this.light(undefined)}
    >
      <b class="letter">${letter}</b>
      <svg width="14" height="14" aria-hidden="true">
        ${sampler ? mark(sampler, 7, 7, 5) : nothing}
      </svg>
      <span class="key-name">pinned</span>
      <span class="key-value">${curve ? this.reading(curve) : nothing}</span>
    </div>`;
  }

  private place(at: number): string {
    const { type } = fieldInfo(this.field);
    return type === 'count' ? formatGiven(Math.round(at)) : formatNumber(at);
  }

  /** Proved at the cross-hair once it rests; before that read off the drawing, marked ≈. */
  private reading(curve: Curve): string {
    const at = this.at;
    if (at === undefined) return '';
    const proved = this.provedAt?.x === at ? this.proved.get(curve.name) : undefined;
    if (proved) return formatInterval(proved);
    const drawn = interpolate(curve.points, at);
    if (!drawn) {
      return this.curves.kind === 'delta-epsilon' ? `< ${formatGiven(this.curves.floor)}` : '';
    }
    return `≈ ${formatNumber(drawn.upper ?? Infinity, 2)}`;
  }

  private spoken(shown: readonly Curve[]): string {
    const at = this.at;
    if (at === undefined) return 'no curve yet';
    const symbol = symbolFor(this.value);
    const parts = shown.map((curve) => `${this.labelOf(curve)} ${symbol} ${this.reading(curve)}`);
    return `${symbolFor(this.field)} ${this.place(at)}: ${parts.join('; ')}`;
  }

  private move(event: PointerEvent, x: Scale): void {
    const frame = event.currentTarget as HTMLElement;
    if (event.pointerType === 'touch' && event.type === 'pointermove' && !event.isPrimary) return;
    this.cross = this.round(x.invert(event.clientX - frame.getBoundingClientRect().left));
  }

  private key(event: KeyboardEvent, x: Scale): void {
    const from = x.at(this.at ?? x.least);
    const step = event.shiftKey ? 40 : 8;
    const places: Readonly<Record<string, number>> = {
      ArrowLeft: from - step,
      ArrowDown: from - step,
      ArrowRight: from + step,
      ArrowUp: from + step,
      PageDown: from - 80,
      PageUp: from + 80,
      Home: x.at(x.least),
      End: x.at(x.most),
    };
    if (event.key === 'Escape') {
      this.cross = undefined;
      return;
    }
    const to = places[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = this.round(x.invert(to));
    // Whole numbers may lie further apart than a step of pixels.
    const stuck = this.at !== undefined && next === this.round(this.at) && to !== from;
    this.cross = stuck ? Math.min(x.most, Math.max(x.least, next + Math.sign(to - from))) : next;
  }

  /** Three digits, whole where the field is: what the key shows is where the cross-hair stands. */
  private round(x: number): number {
    return fieldInfo(this.field).type === 'count' ? Math.round(x) : Number(x.toPrecision(3));
  }

  /** Once the cross-hair rests, asks the engine for the value exactly there, of every curve drawn. */
  private rest(): void {
    const x = this.at;
    const { run } = this.curves;
    clearTimeout(this.timer);
    if (x === undefined || run === undefined) return;
    if (this.provedAt?.x !== x || this.provedAt.run !== run) {
      this.provedAt = { x, run };
      this.proved = new Map();
    }
    const { provedAt } = this;
    this.timer = setTimeout(() => {
      for (const { name, stale } of this.shown()) {
        if (stale || this.proved.has(name)) continue;
        this.reader?.(name, x)?.then(
          (value) => {
            if (this.provedAt === provedAt) this.proved = new Map(this.proved).set(name, value);
          },
          // Outdated by an edit: the reading off the drawing stays, marked as such.
          () => undefined,
        );
      }
    }, restDelay);
  }

  private light(name: string | undefined): void {
    this.dispatchEvent(new CustomEvent('light', { detail: name, bubbles: true }));
  }

  private table(shown: readonly Curve[]) {
    const [x, y] = [symbolFor(this.field), symbolFor(this.value)];
    return html`<details class="points">
      <summary>The points of these curves as a table</summary>
      <div class="scroll" tabindex="0" role="region" aria-label="Points of the curves">
        <table>
          <thead>
            <tr>
              <th scope="col">Curve</th>
              <th scope="col" class="figure">${x}</th>
              <th scope="col" class="figure">${y} at least</th>
              <th scope="col" class="figure">${y} at most</th>
            </tr>
          </thead>
          <tbody>
            ${shown.flatMap((curve) =>
              curve.points.map(
                ({ x, y }) =>
                  html`<tr>
                    <th scope="row">${this.labelOf(curve)}</th>
                    <td class="figure">${this.tabled(x)}</td>
                    <td class="figure">${end(y.lower)}</td>
                    <td class="figure">${end(y.upper)}</td>
                  </tr>`,
              ),
            )}
          </tbody>
        </table>
      </div>
    </details>`;
  }

  private tabled(x: number): string {
    return fieldInfo(this.field).type === 'count' ? formatGiven(x) : formatNumber(x, 4);
  }

  private get caption(): string {
    return [titles[this.curves.kind], this.heading].filter(Boolean).join(', ');
  }

  private picture(): Picture | undefined {
    const drawing = this.querySelector<SVGSVGElement>('svg.curve');
    if (!drawing) return undefined;
    const maker = `Honest Epsilon ${version}`;
    const legend = { title: this.caption, maker, description: location.href };
    return pictureOf(drawing, legend, getComputedStyle(this).getPropertyValue('--paper').trim());
  }

  private exportSvg(): void {
    const made = this.picture();
    if (made) this.save('svg', 'image/svg+xml', made.text);
  }

  private async exportPng(): Promise<void> {
    const made = this.picture();
    if (made) save(`${this.curves.kind}.png`, await pngOf(made));
  }

  /** A curve goes by its sampler's name, or by the letter of what stands beside. */
  private get file(): CurvesFile {
    return {
      caption: this.caption,
      version,
      link: location.href,
      kind: this.curves.kind,
      x: this.field,
      y: this.value,
      curves: this.shown().map(({ name, run, points }) => ({
        name: this.beside.get(name) ?? name,
        run,
        points,
      })),
    };
  }

  private save(ending: string, type: string, text: string): void {
    save(`${this.curves.kind}.${ending}`, new Blob([text], { type }));
  }
}

export interface SetDetail {
  field: CurveField;
  value: number;
}

const valueOf = (kind: CurveKind): CurveField => curveKind(kind)?.y ?? 'delta';
const labelFor = (field: CurveField) => fieldInfo(field).label;
/** The letter of the papers, or the label of what has none. */
const symbolFor = (field: CurveField) => fieldInfo(field).symbol || labelFor(field).toLowerCase();
const end = (value: number | null) => (value === null ? '–' : formatNumber(value, 4));

/** 1, 2 or 5 times a power of ten, below 1: what a hand can set. */
function niceDelta(delta: number): number {
  const exponent = Math.floor(Math.log10(delta));
  const mantissa = delta / 10 ** exponent;
  const nice = mantissa < 1.5 ? 1 : mantissa < 3.5 ? 2 : mantissa < 7.5 ? 5 : 10;
  return Math.min(0.5, Number(`${nice}e${exponent}`));
}

customElements.define('he-curve', CurvePanel);
