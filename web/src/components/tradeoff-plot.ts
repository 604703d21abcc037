import { html, nothing, svg } from 'lit';
import { showInterval } from '../../../wasm/readings.js';
import { version } from '../../../wasm/generated/schema.js';
import type { Interval } from '../../../wasm/generated/schema.js';
import { placeLabels } from '../charts/curve-geometry.js';
import type { Point } from '../charts/curve-geometry.js';
import type { Scale } from '../charts/epsilon-scale.js';
import { plotScale } from '../charts/plot.js';
import {
  falseNegatives,
  tradeoffPaths,
  tradeoffPoints,
  truePositives,
} from '../charts/tradeoff-geometry.js';
import type { Polygons } from '../charts/tradeoff-geometry.js';
import { csv } from '../export/csv.js';
import { pictureOf, pngOf, save } from '../export/files.js';
import type { Legend, Picture } from '../export/files.js';
import { formatGiven, span } from '../words/format.js';
import { Measured } from './measured.js';
import styles from './tradeoff-plot.css?inline';

/** A panel with this plot in it has them among its own. */
export { styles };

/** A curve of the plot: `{ name, label, ...answer.symmetric }`. */
export interface NamedBand extends Polygons {
  /** Unique among the plot's. */
  name: string;
  label: string;
  /** A class that sets --c, such as `s-poisson`; an ink by its place in the list when left out. */
  colour?: string | undefined;
}

const margin = { left: 46, right: 16, top: 26, bottom: 44 };
const tallest = 440;
/** Left end of the logarithmic axis. */
const floor = 1e-6;
/** Where the plot is read until the reader looks elsewhere. */
const resting = 0.01;
/** Rows of the table behind the plot. */
const listed = [1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9];

interface Drawn {
  band: NamedBand;
  points: readonly Point[];
  colour: string;
}

/**
 * What the best attack must miss to be wrong no oftener than it may: false negatives over false
 * positives, each curve between a proved lower and a proved upper polygon.
 *
 * Sends `scale` with true or false in its detail when the reader chooses the axis.
 */
export class TradeoffPlot extends Measured {
  static override properties = {
    bands: { attribute: false },
    heading: {},
    name: {},
    log: { type: Boolean },
    about: { attribute: false },
    errors: { attribute: false },
    cross: { state: true },
  };

  declare bands: readonly NamedBand[];
  /** What the curves are of: in the title, and in what is exported. */
  declare heading: string;
  /** Unique in the document; begins ids and names the files. */
  declare name: string;
  /** Whether false positive rates are drawn on a logarithmic axis. */
  declare log: boolean;
  /** What the curves were computed from: goes with every export. */
  declare about: Readonly<Record<string, unknown>>;
  /** What the two errors are, in words; in general where left out. */
  declare errors: { falsePositive: string; falseNegative: string };
  declare cross: number | undefined;

  protected override readonly frame = '.tradeoff-frame';

  constructor() {
    super();
    this.bands = [];
    this.heading = '';
    this.name = 'tradeoff';
    this.log = false;
    this.about = {};
    this.errors = plainly;
  }

  private get at(): number {
    return this.cross ?? resting;
  }

  private get height(): number {
    return Math.min(tallest, Math.max(280, Math.round(0.86 * this.width)));
  }

  private get scales(): { x: Scale; y: Scale } {
    const right = Math.max(200, this.width) - margin.right;
    const rate = { label: '', scale: 'linear', from: 0, to: 1 } as const;
    const across = this.log ? ({ ...rate, scale: 'log', from: floor } as const) : rate;
    return {
      x: plotScale(across, margin.left, right, 'across'),
      y: plotScale(rate, this.height - margin.bottom, margin.top, 'up'),
    };
  }

  protected override render() {
    const { x, y } = this.scales;
    const drawn = this.bands.map((band, i) => ({
      band,
      points: tradeoffPoints(band, x, this.log ? 240 : 60),
      colour: band.colour ?? `tradeoff-ink-${i % 3}`,
    }));
    return html`
      ${this.head()}
      <div class="tradeoff-body">
        <div
          class="tradeoff-frame"
          role="slider"
          tabindex="0"
          aria-label=${`False positive rate at which the key reads the false negative rate: ${this.heading}`}
          aria-valuemin=${x.least}
          aria-valuemax=${x.most}
          aria-valuenow=${this.at}
          aria-valuetext=${this.spoken()}
          @keydown=${(event: KeyboardEvent) => {
            this.key(event, x);
          }}
          @pointermove=${(event: PointerEvent) => {
            this.look(event, x);
          }}
          @pointerdown=${(event: PointerEvent) => {
            this.look(event, x);
          }}
        >
          ${this.drawing(drawn, x, y)}
        </div>
        ${this.keyTable(drawn)}
      </div>
      <p class="tradeoff-words">
        <b>False positive</b>: ${this.errors.falsePositive} <b>False negative</b>:
        ${this.errors.falseNegative} No attack gets below the curve; on the hairline it does no
        better than guessing.
      </p>
      ${this.table()}
    `;
  }

  private head() {
    return html`<div class="tradeoff-head">
      <h2>Trade-off of the best attack</h2>
      <label class="toggle">
        <input
          type="checkbox"
          .checked=${this.log}
          @change=${(event: Event) => {
            this.log = (event.target as HTMLInputElement).checked;
            this.dispatchEvent(new CustomEvent('scale', { detail: this.log, bubbles: true }));
          }}
        />
        logarithmic axis
      </label>
      <span class="exports" role="group" aria-label="Export the trade-off">
        ${this.exporter('SVG', () => this.exportSvg())}
        ${this.exporter('PNG', () => void this.exportPng())}
        ${this.exporter('CSV', () => this.exportCsv())}
        ${this.exporter('JSON', () => this.exportJson())}
      </span>
    </div>`;
  }

  private exporter(what: string, does: () => void) {
    return html`<button class="plain" ?disabled=${this.bands.length === 0} @click=${does}>
      ${what}
    </button>`;
  }

  private drawing(drawn: readonly Drawn[], x: Scale, y: Scale) {
    const [left, right] = [margin.left, Math.max(200, this.width) - margin.right];
    const [top, bottom] = [margin.top, this.height - margin.bottom];
    const labels = placeLabels(
      drawn.map(({ band, points }) => ({
        name: band.name,
        text: band.label,
        points: points.map((point) => ({ x: point.x, y: { ...point.y, upper: point.y.lower } })),
      })),
      x,
      y,
      { x: left, y: top, width: right - left, height: bottom - top },
    );
    const clip = `${this.name}-clip`;
    const guess = tradeoffPaths(tradeoffPoints(guessing, x, 240), x, y).lower;
    const crossX = x.at(Math.max(x.least, this.at));
    return svg`<svg class="plot tradeoff-drawing" width=${Math.max(1, this.width)} height=${this.height} aria-hidden="true">
      <clipPath id=${clip}><rect x=${left} y=${top - 2} width=${right - left + 2} height=${bottom - top + 3}></rect></clipPath>
      ${y.ticks.map(
        ({
          x: at,
          label,
        }) => svg`<line class="grid" x1=${left} x2=${right} y1=${at} y2=${at}></line>
          <text class="tick-label" x=${left - 8} y=${at + 4} text-anchor="end">${label}</text>`,
      )}
      ${x.ticks.map(
        ({
          x: at,
          label,
        }) => svg`<line class="grid" x1=${at} x2=${at} y1=${top} y2=${bottom}></line>
          <text class="tick-label" x=${at} y=${bottom + 19} text-anchor="middle">${label}</text>`,
      )}
      <line class="axis" x1=${left} x2=${right} y1=${bottom} y2=${bottom}></line>
      <text class="axis-label" x=${right} y=${bottom + 39} text-anchor="end">false positive rate</text>
      <text class="axis-label" x=${left - 30} y=${top - 12}>false negative rate</text>
      <g clip-path=${`url(#${clip})`}>
        <path class="tradeoff-guess" d=${guess}></path>
        ${drawn.map((one) => this.curve(one, x, y))}
      </g>
      ${[...labels.values()].map(
        (label) =>
          svg`<text class="line-label" x=${label.x} y=${label.y + 4.5} text-anchor=${label.anchor}>${label.text}</text>`,
      )}
      <line class=${this.cross === undefined ? 'cross resting' : 'cross'} data-passing x1=${crossX} x2=${crossX} y1=${top} y2=${bottom}></line>
    </svg>`;
  }

  private curve({ points, colour }: Drawn, x: Scale, y: Scale) {
    const { band, lower, upper } = tradeoffPaths(points, x, y);
    return svg`<g class=${`line ${colour}`}>
      ${band ? svg`<path class="band" d=${band}></path>` : nothing}
      <path class="edge" d=${lower}></path>
      ${upper ? svg`<path class="edge" d=${upper}></path>` : nothing}
    </g>`;
  }

  /** Each curve where the reader looks. */
  private keyTable(drawn: readonly Drawn[]) {
    return html`<div class="tradeoff-key">
      <table>
        <caption class="key-head">
          at false positive rate
          <b>${formatGiven(this.at)}</b>
        </caption>
        <thead>
          <tr>
            <th scope="col"><span class="sr">Curve</span></th>
            <th scope="col" class="figure">misses</th>
            <th scope="col" class="figure">finds</th>
          </tr>
        </thead>
        <tbody>
          ${drawn.map(
            ({ band, colour }) =>
              html`<tr>
                <th scope="row">
                  <svg class=${`line ${colour}`} width="26" height="6" aria-hidden="true">
                    <path class="edge" d="M0 3H26"></path></svg
                  >${band.label}
                </th>
                ${cell(falseNegatives(band, this.at))} ${cell(truePositives(band, this.at))}
              </tr>`,
          )}
        </tbody>
      </table>
      <p class="tradeoff-hint">
        misses: false negative rate; finds: true positive rate. Read with the pointer, or with the
        arrow keys on the plot.
      </p>
    </div>`;
  }

  private spoken(): string {
    const parts = this.bands.map((band) => {
      const [misses, finds] = [falseNegatives(band, this.at), truePositives(band, this.at)];
      return `${band.label}: misses ${showInterval(misses)}, finds ${showInterval(finds)}`;
    });
    return `False positive rate ${formatGiven(this.at)}. ${parts.join('; ')}`;
  }

  private look(event: PointerEvent, x: Scale): void {
    const frame = event.currentTarget as HTMLElement;
    this.go(x.invert(event.clientX - frame.getBoundingClientRect().left), x);
  }

  private key(event: KeyboardEvent, x: Scale): void {
    const from = x.at(Math.max(x.least, this.at));
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
    if (event.key === 'Escape') this.cross = undefined;
    const to = places[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.go(x.invert(to), x);
  }

  /** Three digits: what the key shows is where the cross-hair stands. */
  private go(rate: number, x: Scale): void {
    this.cross = Number(Math.min(x.most, Math.max(x.least, rate)).toPrecision(3));
  }

  private table() {
    return html`<details class="points">
      <summary>These curves as a table</summary>
      <div class="scroll" tabindex="0" role="region" aria-label="Points of the trade-off curves">
        <table>
          <thead>
            <tr>
              <th scope="col">false positive rate</th>
              ${this.bands.map(({ label }) => html`<th scope="col" class="figure">${label}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${listed.map(
              (rate) =>
                html`<tr>
                  <th scope="row">${formatGiven(rate)}</th>
                  ${this.bands.map((band) => cell(falseNegatives(band, rate)))}
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
    </details>`;
  }

  private get caption(): string {
    return ['Trade-off of the best attack', this.heading].filter(Boolean).join(', ');
  }

  /** What the curves are of: where they came from, and a line each what they were computed from. */
  private get legend(): Legend {
    const about = Object.entries(this.about).map(([key, value]) =>
      typeof value === 'string' ? `${key}: ${value}` : `${key}: ${JSON.stringify(value)}`,
    );
    const description = [location.href, ...about].join('\n');
    return { title: this.caption, maker: `Honest Epsilon ${version}`, description };
  }

  private picture(): Picture | undefined {
    const drawing = this.querySelector<SVGSVGElement>('svg.tradeoff-drawing');
    if (!drawing) return undefined;
    const paper = getComputedStyle(this).getPropertyValue('--paper').trim();
    return pictureOf(drawing, this.legend, paper);
  }

  private exportSvg(): void {
    const made = this.picture();
    if (made) this.save('svg', 'image/svg+xml', made.text);
  }

  private async exportPng(): Promise<void> {
    const made = this.picture();
    if (made) save(`${this.name}.png`, await pngOf(made));
  }

  private exportCsv(): void {
    const { title, maker, description } = this.legend;
    const comments = [title, ...`${maker}; ${description}`.split('\n')];
    this.save('csv', 'text/csv', tradeoffCsv(comments, this.bands));
  }

  private exportJson(): void {
    const { caption, about, bands } = this;
    const curves = bands.map((band) => ({ ...band, colour: undefined }));
    const file = { caption, version, link: location.href, ...about, curves };
    this.save('json', 'application/json', `${JSON.stringify(file, null, 1)}\n`);
  }

  private save(ending: string, type: string, text: string): void {
    save(`${this.name}.${ending}`, new Blob([text], { type }));
  }
}

/** The two errors of an attack, whatever is attacked. */
const plainly = {
  falsePositive: 'the attack says that the record was used, and it was not.',
  falseNegative: 'the attack says that the record was not used, and it was.',
};

/** An attack that looks at nothing. */
const guessing: Polygons = {
  lower: [
    { falsePositiveRate: 0, falseNegativeRate: 1 },
    { falsePositiveRate: 1, falseNegativeRate: 0 },
  ],
  upper: [],
};

const cell = (interval: Interval) =>
  html`<td class="figure" title=${span(interval)}>${showInterval(interval)}</td>`;

/** Every vertex of every polygon, with all its digits. */
export function tradeoffCsv(comments: readonly string[], bands: readonly NamedBand[]): string {
  return csv(
    comments,
    ['curve', 'bound', 'false_positive_rate', 'false_negative_rate'],
    bands.flatMap((band) =>
      (['lower', 'upper'] as const).flatMap((bound) =>
        band[bound].map((rates) => [
          band.name,
          bound,
          rates.falsePositiveRate,
          rates.falseNegativeRate,
        ]),
      ),
    ),
  );
}

customElements.define('he-tradeoff-plot', TradeoffPlot);
