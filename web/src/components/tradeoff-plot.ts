import { html, nothing, svg } from 'lit';
import { property } from 'lit/decorators.js';
import { version } from '../../../wasm/generated/schema.js';
import { frameIn } from '../charts/axes.js';
import { linePaths, mainEnds } from '../charts/lines.js';
import { plotScale } from '../charts/scale.js';
import { falseNegatives, tradeoffPoints, truePositives } from '../charts/tradeoff-geometry.js';
import type { Polygons } from '../charts/tradeoff-geometry.js';
import { verticesCsv } from '../../../wasm/words/csv.js';
import { format, formatInterval } from '../../../wasm/words/numbers.js';
import { exportButtons, source } from './exports.js';
import { toggle } from './fields.js';
import { keyOf, keyRow, LinePlot, type LineSet, type PlotLine } from './line-plot.js';
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

interface TradeoffLine extends PlotLine {
  /** The false negatives at the cross-hair, and the true positives. */
  value: string;
  finds: string;
}

/**
 * The best attack's false negatives vs its false positives, each curve between a proved lower and a
 * proved upper polygon.
 *
 * Sends `scale` with true or false in its detail when the reader chooses the axis.
 */
class TradeoffPlot extends LinePlot {
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

  protected override get key(): string {
    return this.name;
  }

  private set(): Omit<LineSet, 'lines'> & { lines: readonly TradeoffLine[] } {
    const height = Math.min(
      tallest,
      Math.max(this.printed ? 0 : 280, Math.round(0.86 * this.width)),
    );
    const size = { width: Math.max(200, this.width), height };
    const frame = frameIn(size.width, size.height, margin);
    const rate = { label: '', scale: 'linear', from: 0, to: 1 } as const;
    const across = this.log ? ({ ...rate, scale: 'log', from: floor } as const) : rate;
    const x = plotScale(across, frame.left, frame.right, 'across');
    const y = plotScale(rate, frame.bottom, frame.top, 'up');
    const at = this.cross ?? resting;
    const lines = this.bands.map((band, i): TradeoffLine => {
      const { name, label, colour = `ink-${i % 3}` } = band;
      const points = tradeoffPoints(band, x, this.log ? 240 : 60);
      const value = formatInterval(falseNegatives(band, at));
      const finds = formatInterval(truePositives(band, at));
      return {
        ...{ name, text: label, title: label, classes: colour },
        paths: linePaths(mainEnds(points), x, y, false),
        sampler: colour.startsWith('s-') ? colour.slice(2) : undefined,
        // A line is drawn along its lower end; where nothing is proved above it, there is no band.
        points: points.map(({ x: place, y: { lower, upper, kind } }) => ({
          x: place,
          y: { lower: upper ?? lower, upper: lower, kind },
        })),
        ...{ value, finds },
        spoken: `${label}: false negatives ${value}, true positives ${finds}`,
      };
    });
    const guess = linePaths(mainEnds(tradeoffPoints(guessing, x, 240)), x, y, false).upper;
    const place = format(at, { side: 'given' });
    return {
      ...{ lines, ground: { x, y, frame }, size, room: 0, at },
      axes: { x: 'false positive rate', y: 'false negative rate' },
      classes: 'tradeoff-drawing',
      where: `False positive rate ${place}.`,
      label: `False positive rate at which the key reads the false negative rate: ${this.heading}`,
      below: svg`<path class="tradeoff-guess" d=${guess}></path>`,
    };
  }

  protected override render() {
    const set = this.set();
    return html`
      ${this.head()}
      <div class="tradeoff-body">
        ${this.readable(set)}
        ${keyOf(
          html`false negatives, and true positives in small, at false positive rate
            <b>${format(set.at ?? 0, { side: 'given' })}</b>`,
          set.lines.map((line) => keyRow(line, html`${line.value} <small>${line.finds}</small>`)),
        )}
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
        this.tell('scale', on);
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
