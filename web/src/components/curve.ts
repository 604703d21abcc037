import { html, nothing, svg, type PropertyValues } from 'lit';
import { property } from 'lit/decorators.js';
import { curveKind, type CurveField, type CurveKind } from '../../../wasm/curve-kinds.js';
import type { Engine } from '../../../wasm/client.js';
import { version, type Interval, type Query } from '../../../wasm/generated/schema.js';
import { frameIn } from '../charts/axes.js';
import { mark } from '../charts/glyphs.js';
import { crossing, interpolate } from '../charts/curve-geometry.js';
import { linePaths } from '../charts/lines.js';
import { logScale, plotScale, type AxisKind, type Scale } from '../charts/scale.js';
import { roomForNames } from '../charts/line-names.js';
import { curvesCsv, curvesJson, type CurvesFile } from '../export/curves.js';
import { LiveAsking } from '../live/asking.js';
import { noCurves, type RowCurve, type CurvesState } from '../live/curves.js';
import { rowNames, type RowName } from '../state/scenario.js';
import { markNote, ownProofsMark } from '../../../wasm/words/claims.js';
import { format, formatInterval, givenAs } from '../../../wasm/words/numbers.js';
import { rowLabel } from '../words/sentence.js';
import {
  axisName,
  endNotes,
  fieldLabel,
  isMarked,
  isWhole,
  curveLine,
  placeText,
  symbolOf,
} from './curve-view.js';
import type { CurveView } from './curve-view.js';
import { exportButtons, source } from './exports.js';
import { toggle } from './fields.js';
import { keyOf, LinePlot, type LineSet } from './line-plot.js';
import { pointsTable } from './table.js';

/** The scenario's own point: its x, if it is known, and its y. */
export interface Here {
  x: number | undefined;
  y: number | undefined;
}

/** A place along the curves that values are asked for, and the values there. */
interface Look extends Pick<CurvesState, 'kind' | 'phase'> {
  at: number;
  runs: readonly (readonly [string, Query])[];
}
interface ProvedAt {
  at: number;
  values: ReadonlyMap<string, Interval>;
}

const titles: Readonly<Record<CurveKind, string>> = {
  'delta-epsilon': 'δ at ε',
  'epsilon-noise': 'ε vs noise',
  'epsilon-epochs': 'ε vs epochs',
  'noise-sampling': 'Noise multiplier vs batch size',
};

/** From the largest value to the upper end of its axis, as a factor. */
const headroom = 1.05;

function points(view: CurveView) {
  const { shown, field, value } = view;
  const rows = shown.flatMap((curve) =>
    curve.points.map(({ x, y }) => ({
      line: curveLine(view, curve).title,
      x: placeText(field, x),
      y,
    })),
  );
  return pointsTable({
    summary: 'The points of these curves as a table',
    label: 'Points of the curves',
    head: { line: 'Curve', x: symbolOf(field), y: symbolOf(value) },
    rows,
  });
}

/** The curves of all samplers, with cross-hair, key and export. */
class CurvePanel extends LinePlot {
  @property({ attribute: false }) curves: CurvesState = noCurves;
  @property() own!: RowName;
  @property({ attribute: false }) leftOut: readonly RowName[] = [];
  @property() highlight: string | undefined;
  @property() heading = '';
  /** The reader's own answer as a point. */
  @property({ attribute: false }) here: Here | undefined;
  @property({ attribute: false }) neighbours: ReadonlyMap<string, string> = new Map();
  /** Proves values where the reader looks along the curves. */
  @property({ attribute: false }) engine: Engine | undefined;
  @property() link: string | undefined;

  /** The reader's choice for the axis that may be linear or logarithmic. */
  @property() axis: AxisKind;
  /** What the run's own answer says, for the caption of a file. */
  @property() finding = '';
  /** The same as a short title: how the run compares with Poisson accounting. */
  @property() ladder = '';

  protected override readonly key = 'curve';
  /** What is proved of each curve exactly at the cross-hair, once it rests. */
  private readonly proofs = new LiveAsking<Look, ProvedAt>(this, async (engine, look, options) => {
    const { at, kind, phase, runs } = look;
    const where = { ...options, kind, phase, from: at, points: 1 };
    const values = new Map<string, Interval>();
    const reads = runs.map(async ([name, run]) => {
      const [point] = (await engine.curve(run, where)).points;
      if (point) values.set(name, point.y);
    });
    // Where nothing can be proved, the reading off the drawing stays.
    await Promise.allSettled(reads);
    return { at, values };
  });

  protected override willUpdate(changed: PropertyValues<this>): void {
    const { run, field, kind, phase, working } = this.curves;
    const before = changed.get('curves');
    // Another run, or an axis of another field: it goes back to the run's own point.
    if (before && (before.run !== run || before.field !== field)) this.cross = undefined;
    const { at, shown } = this.view();
    const runs = shown.map((curve) => [curve.name, curve.run] as const);
    if (at === undefined || run === undefined || working) this.proofs.clear();
    else this.proofs.ask({ at, kind, phase, runs });
  }

  private get value(): CurveField {
    return curveKind(this.curves.kind)?.y ?? 'delta';
  }

  /** The scenario's own point; while one of its numbers is being found, where its curve has the other. */
  private get point(): { x: number; y: number } | undefined {
    const points = this.curves.curves.get(this.own)?.points ?? [];
    const { here } = this;
    const there = here?.x === undefined ? undefined : interpolate(points, here.x)?.upper;
    const y = here?.y ?? there ?? undefined;
    const x = here?.x ?? (y === undefined ? undefined : crossing(points, y));
    return x === undefined || y === undefined || y === Infinity ? undefined : { x, y };
  }

  /** The reader's phases as they are, if they are mixed, and every sampler throughout. */
  private rows(): readonly RowName[] {
    return rowNames.filter((name) => name !== 'composition' || this.own === name);
  }

  private shown(): RowCurve[] {
    return this.rows()
      .filter((name) => !this.leftOut.includes(name))
      .map((name) => this.curves.curves.get(name))
      .filter((curve) => curve !== undefined)
      .filter(({ points }) => points.length > 1);
  }

  private get size(): { width: number; height: number } {
    const height = this.printed ? this.printedHeight : this.width < 560 ? 320 : 430;
    return { width: Math.max(136, this.width), height };
  }

  private view(): CurveView {
    const { kind, field } = this.curves;
    const { width, height } = this.size;
    const left = this.width < 560 ? 44 : 56;
    const shown = this.shown();
    const { own, neighbours, value } = this;
    const lit = shown.find(({ name }) => name === this.highlight)?.name;
    const highlight = this.printed ? undefined : lit;
    const look = { own, neighbours, highlight };
    const names = shown.map((curve) => curveLine(look, curve));
    // Curves of delta end on the axis below.
    const room = kind === 'delta-epsilon' ? 0 : roomForNames(names, width);
    const frame = frameIn(width, height, { left, right: 16 + room, top: 26, bottom: 40 });
    const x = this.across(shown, frame.left, frame.right);
    const y = this.up(shown, frame.top, frame.bottom);
    const { point } = this;
    const inside = point && point.x >= x.least && point.x <= x.most ? point : undefined;
    return {
      ...{ kind, field, value, shown, ...look },
      ...{ x, y, frame, room, point: inside },
      at: this.cross ?? inside?.x,
    };
  }

  private across(shown: readonly RowCurve[], left: number, right: number): Scale {
    const { kind, range } = this.curves;
    if (kind !== 'delta-epsilon') return logScale(...(range ?? [1, 10]), left, right);
    const places = shown.flatMap(({ points }) => points.map(({ x: place }) => place));
    const [from, to] = range ?? [0, Math.max(0, ...places) || 1];
    if (this.axis !== 'log')
      return plotScale({ label: '', scale: 'linear', from, to }, left, right, 'across');
    const least = Math.min(to, ...places.filter((place) => place > 0));
    return { ...logScale(Math.max(from, least), to, left, right), logarithmic: true };
  }

  /** As high as the curves and the run's own point, and a little higher. */
  private up(shown: readonly RowCurve[], top: number, bottom: number): Scale {
    if (this.curves.kind === 'delta-epsilon') return logScale(this.curves.floor, 1, bottom, top);
    const values = [
      ...shown.flatMap(({ points }) => points.flatMap(({ y }) => [y.lower, y.upper])),
      this.here?.y,
    ].filter((value) => typeof value === 'number' && value > 0 && value < Infinity) as number[];
    const [least, most] = values.length > 0 ? [Math.min(...values), Math.max(...values)] : [1, 1];
    const to = most * headroom;
    if (this.axis !== 'linear')
      return { ...logScale(least / headroom, to, bottom, top), logarithmic: true };
    return plotScale({ label: '', scale: 'linear', from: 0, to }, bottom, top, 'up');
  }

  protected override placeAt(x: number): number {
    return isWhole(this.curves.field) ? Math.round(x) : Number(x.toPrecision(3));
  }

  protected override render() {
    const view = this.view();
    return html`
      ${this.head(view)} ${this.readable(this.set(view), this.emptyNote(view))} ${this.keyed(view)}
      ${[this.markNote(view), ...endNotes(view)].filter(Boolean).map((note) => html`<p class="prose mark-note">${note}</p>`)}
      ${points(view)}
    `;
  }

  private set(view: CurveView): LineSet {
    const { shown, own, x, y, frame, room, at, field, value, point } = view;
    // Without a curve the axis would be invented.
    const across = shown.length === 0 ? { ...x, ticks: [] } : x;
    const place = at === undefined ? '' : `${symbolOf(field)} ${placeText(field, at)}`;
    return {
      ...{ ground: { x: across, y, frame }, size: this.size, room, at },
      lines: shown.map((curve) => {
        const [line, reading] = [curveLine(view, curve), this.reading(view, curve)];
        const spoken = `${line.title} ${symbolOf(value)} ${reading}`;
        const paths = linePaths(curve.points, x, y, true);
        return { ...line, sampler: curve.name, paths, spoken };
      }),
      axes: { x: axisName(field), y: axisName(value) },
      classes: 'curve',
      where: `${place}:`,
      label: `${fieldLabel(field)} at which the key reads ${fieldLabel(value).toLowerCase()}`,
      waits: this.waits(view),
      below:
        point && point.y >= y.least && shown.length > 0
          ? svg`<line class="asked" x1=${frame.left} x2=${frame.right} y1=${y.at(point.y)} y2=${y.at(point.y)}></line>`
          : nothing,
      above:
        point && point.y >= y.least && shown.some(({ name }) => name === own)
          ? svg`<circle class=${`own-point s-${own}`} cx=${x.at(point.x)} cy=${y.at(point.y)} r="5.5"></circle>`
          : nothing,
    };
  }

  /** Until the scenario's own point is drawn, keys have no place to step from. */
  private waits({ at, shown }: CurveView): boolean {
    const { run, working } = this.curves;
    return at === undefined && (working || run === undefined || shown.length === 0);
  }

  private head(view: CurveView) {
    const { kind, working } = this.curves;
    return html`<div class="row curve-head">
      <h2 id="curve-title">
        ${this.stated(view)}${this.caption ? html`<span>${this.caption}</span>` : nothing}
      </h2>
      <span class="refining" aria-live="polite">${working ? 'refining' : ''}</span>
      ${this.axisChoice(view)}
      ${exportButtons({
        label: 'Export',
        name: kind,
        empty: view.shown.length === 0,
        chart: this,
        picture: () => ({
          drawing: this.querySelector('svg.curve'),
          title: this.stated(view),
          run: [titles[kind], this.runWords].filter(Boolean).join(', '),
          finding: [this.finding, this.markNote(view), ...endNotes(view)].filter(Boolean).join(' '),
          description: source(this.link),
        }),
        csv: () => curvesCsv(this.file(view)),
        json: () => curvesJson(this.file(view)),
      })}
    </div>`;
  }

  /** What the drawing shows: where the reader's own curve begins and ends, or how it compares. */
  private stated({ kind, shown, field, value }: CurveView): string {
    if (kind === 'delta-epsilon') return this.ladder || titles[kind];
    const own = shown.find(({ name }) => name === this.own);
    const proved = own?.points.filter(({ y }) => y.upper !== null && y.upper < Infinity) ?? [];
    const [first, last] = [proved.at(0), proved.at(-1)];
    if (!own || !first || !last || first === last) return titles[kind];
    const [side, sign] = own.points[0]?.y.kind === 'estimate' ? ['nearest', '≈'] : ['up', '≤'];
    const at = (point: typeof first) =>
      `${symbolOf(value)} ${sign} ${format(point.y.upper, { side: side as 'up', digits: 3 })} at ${symbolOf(field)} = ${placeText(field, point.x)}`;
    return `${rowLabel(this.own)}: ${at(first)}, ${at(last)}`;
  }

  /** What the mark at a curve's name means; '' where there is none. */
  private markNote({ shown }: Pick<CurveView, 'shown'>): string {
    return shown.some(isMarked) ? markNote({}) : '';
  }

  /** Where both kinds of axis make sense. */
  private axisChoice({ kind, x, y, value }: CurveView) {
    const free = kind === 'delta-epsilon' ? x : y;
    const name = kind === 'delta-epsilon' ? 'ε' : symbolOf(value);
    return toggle(`logarithmic ${name} axis`, free.logarithmic === true, (on) => {
      this.tell('axis', on ? 'log' : 'linear');
    });
  }

  private emptyNote({ shown }: CurveView) {
    if (shown.length > 0 || this.curves.run === undefined) return nothing;
    return html`<p class="no-curve">${this.curves.working ? 'Drawing …' : 'No curve to draw.'}</p>`;
  }

  private keyed(view: CurveView) {
    const { at, field, value } = view;
    const head =
      at === undefined
        ? 'Curves'
        : html`${symbolOf(value)} at <i>${symbolOf(field)}</i> = <b>${placeText(field, at)}</b>`;
    return keyOf(
      head,
      this.rows().map((name) => this.keyRow(name, view)),
    );
  }

  /** A row of the key: pointing at it lights up its curve. */
  private keyRow(name: RowName, view: CurveView) {
    const { leftOut } = this;
    const other = view.neighbours.get(name);
    const curve = this.curves.curves.get(name);
    const drawn = view.shown.find((one) => one.name === name);
    const tick = (event: Event) => {
      const on = (event.target as HTMLInputElement).checked;
      const hidden = this.rows().filter((row) => (row === name ? !on : leftOut.includes(row)));
      this.tell('hide', hidden);
    };
    return html`<label
      class=${`key-row s-${name}${view.highlight === name ? ' lit' : ''}`}
      @pointerenter=${() => this.light(name)}
      @pointerleave=${() => this.light(undefined)}
    >
      <input type="checkbox" .checked=${!leftOut.includes(name)} @change=${tick} />
      <svg width="14" height="14" aria-hidden="true">${mark(name, 7, 7, 5)}</svg>
      <span class="key-name nowrap"
        >${rowLabel(name)}${curve && isMarked(curve) ? ` ${ownProofsMark}` : nothing}${other === undefined ? nothing : html`<small>${other}</small>`}</span
      >
      <span class="key-value">${drawn ? this.reading(view, drawn) : nothing}</span>
    </label>`;
  }

  /** Proved at the cross-hair once it rests; before that read off the drawing, marked ≈. */
  private reading({ at, kind }: CurveView, { name, points }: RowCurve): string {
    if (at === undefined) return '';
    const { answer, working } = this.proofs.state;
    const proved = working || answer?.at !== at ? undefined : answer.values.get(name);
    if (proved) return formatInterval(proved);
    const drawn = interpolate(points, at);
    if (drawn) return `≈ ${format(drawn.upper ?? Infinity, { side: 'nearest', digits: 2 })}`;
    return kind === 'delta-epsilon' ? `< ${format(this.curves.floor, { side: 'given' })}` : '';
  }

  protected override light(name: string | undefined): void {
    this.tell('light', name);
  }

  /** The run that the curves are compared with: its batches, its numbers, its delta. */
  private get runWords(): string {
    const delta = this.curves.kind === 'delta-epsilon' ? this.here?.y : undefined;
    const given = delta === undefined ? '' : givenAs('δ', delta);
    return [rowLabel(this.own), this.heading, given].filter(Boolean).join(', ');
  }

  private get caption(): string {
    return [titles[this.curves.kind], this.heading].filter(Boolean).join(', ');
  }

  private file({ kind, field, value, shown }: CurveView): CurvesFile {
    return {
      caption: [this.caption, this.markNote({ shown })].filter(Boolean).join('. '),
      version,
      link: this.link,
      kind,
      x: field,
      y: value,
      curves: shown.map(({ name, run, points }) => ({ name, run, points })),
    };
  }
}

customElements.define('he-curve', CurvePanel);
