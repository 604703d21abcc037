import { html, nothing, svg } from 'lit';
import { property, state } from 'lit/decorators.js';
import { version } from '../../../wasm/generated/schema.js';
import { axes, clip, frameIn, type Frame } from '../charts/axes.js';
import type { Point } from '../charts/point.js';
import type { Scale } from '../charts/scale.js';
import { placeNames } from '../charts/line-names.js';
import { crossLine, lineMarks, lineNames, strokes } from '../charts/lines.js';
import { plotPaths, plotScale } from '../charts/plot.js';
import { falseNegatives, tradeoffPoints, truePositives } from '../charts/tradeoff-geometry.js';
import type { Polygons } from '../charts/tradeoff-geometry.js';
import { verticesCsv } from '../../../wasm/words/csv.js';
import { format, formatInterval } from '../../../wasm/words/numbers.js';
import { exportButtons, source } from './exports.js';
import { toggle } from './fields.js';
import { Measured } from './measured.js';
import { readingBeside, readOut, steppedTo } from './read-out.js';
import styles from './tradeoff-plot.css?inline';
import { dataRow, dataTable } from './table.js';

/** A panel that holds this plot needs these styles, too. */
export { styles };

/** A curve of the plot: `{ name, label, ...answer.symmetric }`. */
export interface NamedBand extends Polygons {
  name: string;
  label: string;
  /** A class that sets --c, such as `s-poisson`; an ink by its place in the list when left out. */
  colour?: string | undefined;
}

const title = 'Trade-off of the best attack';
const margin = { left: 46, right: 16, top: 26, bottom: 44 };
const tallest = 440;
/** Left end of the logarithmic axis. */
const floor = 1e-6;
/** Where the cross-hair stands until the reader moves it. */
const resting = 0.01;
const listed = [1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9];

interface DrawnBand {
  band: NamedBand;
  points: readonly Point[];
  colour: string;
}

/**
 * The best attack's false negatives vs its false positives, each curve between a proved lower and a
 * proved upper polygon.
 *
 * Sends `scale` with true or false in its detail when the reader chooses the axis.
 */
class TradeoffPlot extends Measured {
  @property({ attribute: false }) bands: readonly NamedBand[] = [];
  /** What the curves are of: in the title, and in what is exported. */
  @property() heading = '';
  /** Unique in the document; begins ids and names the files. */
  @property() name = 'tradeoff';
  @property({ type: Boolean }) log = false;
  /** What the curves were computed from: goes with every export. */
  @property({ attribute: false }) about: Readonly<Record<string, unknown>> = {};
  /** What the two errors are, in words; in general where left out. */
  @property({ attribute: false }) errors: { falsePositive: string; falseNegative: string } =
    plainly;
  @property() link: string | undefined;
  /** What the curves show, as a sentence for the caption of a file. */
  @property() finding = '';
  @state() cross: number | undefined;

  protected override readonly frame = '.tradeoff-frame';

  private get at(): number {
    return this.cross ?? resting;
  }

  private get size(): { width: number; height: number } {
    const height = Math.min(
      tallest,
      Math.max(this.printed ? 0 : 280, Math.round(0.86 * this.width)),
    );
    return { width: Math.max(200, this.width), height };
  }

  private get frameOf(): Frame {
    return frameIn(this.size.width, this.size.height, margin);
  }

  private get scales(): { x: Scale; y: Scale } {
    const { left, right, top, bottom } = this.frameOf;
    const rate = { label: '', scale: 'linear', from: 0, to: 1 } as const;
    const across = this.log ? ({ ...rate, scale: 'log', from: floor } as const) : rate;
    return {
      x: plotScale(across, left, right, 'across'),
      y: plotScale(rate, bottom, top, 'up'),
    };
  }

  protected override render() {
    const { x, y } = this.scales;
    const drawn = this.bands.map((band, i) => ({
      band,
      points: tradeoffPoints(band, x, this.log ? 240 : 60),
      colour: band.colour ?? `ink-${i % 3}`,
    }));
    return html`
      ${this.head()}
      <div class="tradeoff-body">
        ${readOut(
          {
            class: 'tradeoff-frame',
            label: `False positive rate at which the key reads the false negative rate: ${this.heading}`,
            x,
            at: this.at,
            spoken: this.spoken(),
            look: (pixel) => this.go(x.invert(pixel)),
            key: (event) => this.key(event, x),
          },
          html`${this.drawing(drawn, x, y)} ${this.readingBox(drawn, x)}`,
        )}
        ${this.keyTable(drawn)}
      </div>
      <p class="prose">
        <b>False positive</b>: ${this.errors.falsePositive} <b>False negative</b>:
        ${this.errors.falseNegative} No attack gets below the curve (each straight piece is one
        bound); the thin diagonal is random guessing.
      </p>
      ${this.table()}
    `;
  }

  private head() {
    return html`<div class="row tradeoff-head">
      <h2>${title}${this.heading ? html`<span>${this.heading}</span>` : nothing}</h2>
      ${toggle('logarithmic axis', this.log, (on) => {
        this.log = on;
        this.dispatchEvent(new CustomEvent('scale', { detail: on, bubbles: true }));
      })}
      ${exportButtons({
        label: 'Export the trade-off',
        name: this.name,
        empty: this.bands.length === 0,
        chart: this,
        picture: () => ({
          drawing: this.querySelector('svg.tradeoff-drawing'),
          title,
          run: this.heading,
          finding: this.finding,
          description: this.comments.slice(1).join('\n'),
        }),
        csv: () => verticesCsv(this.comments, 'curve', this.bands),
        json: () => this.json,
      })}
    </div>`;
  }

  private drawing(drawn: readonly DrawnBand[], x: Scale, y: Scale) {
    const frame = this.frameOf;
    const labels = placeNames(
      drawn.map(({ band, points }) => ({
        name: band.name,
        text: band.label,
        // A line is drawn along its lower end; where nothing is proved above it, there is no band.
        points: points.map(({ x: place, y: { lower, upper, kind } }) => ({
          x: place,
          y: { lower: upper ?? lower, upper: lower, kind },
        })),
      })),
      { x, y, frame },
    );
    const cut = `${this.name}-clip`;
    const guess = plotPaths(tradeoffPoints(guessing, x, 240), x, y, false).upper;
    const { width, height } = this.size;
    return svg`<svg class="plot tradeoff-drawing" width=${width} height=${height} viewBox=${`0 0 ${width} ${height}`} aria-hidden="true">
      ${clip(cut, frame)}
      ${axes(frame, x, y, { x: 'false positive rate', y: 'false negative rate' })}
      <g clip-path=${`url(#${cut})`}>
        <path class="tradeoff-guess" d=${guess}></path>
        ${drawn.map(
          ({ band, points, colour }, index) =>
            svg`<g class=${`line ${colour}`} data-line=${band.label}>
              ${strokes(plotPaths(points, x, y, false))}
              ${colour.startsWith('s-') ? lineMarks(colour.replace(/^s-/, ''), points, { x, y, frame }, [index, drawn.length]) : nothing}
            </g>`,
        )}
      </g>
      ${lineNames(labels, (name) => drawn.find(({ band }) => band.name === name)?.colour ?? '')}
      ${crossLine(x.at(Math.max(x.least, this.at)), frame, this.cross === undefined)}
    </svg>`;
  }

  private readingBox(drawn: readonly DrawnBand[], x: Scale) {
    if (this.cross === undefined) return nothing;
    const lines = drawn.map(({ band, colour }) => ({
      classes: colour,
      name: band.label,
      value: formatInterval(falseNegatives(band, this.at)),
    }));
    const head = `false negatives at false positive rate ${format(this.at, { side: 'given' })}`;
    return readingBeside(x.at(this.at), this.frameOf, this.size.width, head, lines);
  }

  private keyTable(drawn: readonly DrawnBand[]) {
    return html`<div class="tradeoff-key">
      ${dataTable({
        label: 'Values at the cross-hair',
        caption: html`<span class="key-head"
          >at false positive rate <b>${format(this.at, { side: 'given' })}</b></span
        >`,
        head: [html`<span class="sr">Curve</span>`, 'false negatives', 'true positives'],
        body: drawn.map(({ band, colour }) =>
          dataRow(
            html`<svg class=${`line ${colour}`} width="26" height="6" aria-hidden="true">
                <path class="edge" d="M0 3H26"></path></svg
              >${band.label}`,
            [falseNegatives, truePositives].map((rates) => formatInterval(rates(band, this.at))),
          ),
        ),
      })}
      <p class="fine key-foot">Hover or use the arrow keys to read values.</p>
    </div>`;
  }

  private spoken(): string {
    const parts = this.bands.map((band) => {
      const [misses, finds] = [falseNegatives(band, this.at), truePositives(band, this.at)];
      return `${band.label}: false negatives ${formatInterval(misses)}, true positives ${formatInterval(finds)}`;
    });
    return `False positive rate ${format(this.at, { side: 'given' })}. ${parts.join('; ')}`;
  }

  private key(event: KeyboardEvent, x: Scale): void {
    if (event.key === 'Escape') this.cross = undefined;
    const to = steppedTo(event, Math.max(x.least, this.at), x);
    if (to === undefined) return;
    event.preventDefault();
    this.go(to);
  }

  /** Three digits: what the key shows is where the cross-hair stands. */
  private go(rate: number): void {
    this.cross = Number(rate.toPrecision(3));
  }

  private table() {
    return html`<details class="points">
      <summary>These curves as a table</summary>
      ${dataTable({
        label: 'Points of the trade-off curves',
        head: ['false positive rate', ...this.bands.map(({ label }) => label)],
        body: listed.map((rate) =>
          dataRow(
            format(rate, { side: 'given' }),
            this.bands.map((band) => formatInterval(falseNegatives(band, rate))),
          ),
        ),
      })}
    </details>`;
  }

  private get caption(): string {
    return [title, this.heading].filter(Boolean).join(', ');
  }

  /** What the curves are of, a line each: where they came from, and what they were computed from. */
  private get comments(): string[] {
    const about = Object.entries(this.about).map(([key, value]) =>
      typeof value === 'string' ? `${key}: ${value}` : `${key}: ${JSON.stringify(value)}`,
    );
    return [this.caption, source(this.link), ...about];
  }

  private get json(): string {
    const { caption, about, bands } = this;
    const curves = bands.map((band) => ({ ...band, colour: undefined }));
    const file = { caption, version, link: this.link, ...about, curves };
    return `${JSON.stringify(file, null, 1)}\n`;
  }
}

/** The two errors of an attack, whatever is attacked. */
const plainly = {
  falsePositive: 'the attack says that the record was used, and it was not.',
  falseNegative: 'the attack says that the record was not used, and it was.',
};

/** An attack that guesses. */
const guessing: Polygons = {
  lower: [
    { falsePositiveRate: 0, falseNegativeRate: 1 },
    { falsePositiveRate: 1, falseNegativeRate: 0 },
  ],
  upper: [],
};

customElements.define('he-tradeoff-plot', TradeoffPlot);
