import { html, nothing, svg } from 'lit';
import { property, state } from 'lit/decorators.js';
import { pointwise, type LineState, type Panel, type Series } from '../../../wasm/papers/index.js';
import { axes, clip, frameIn, type Frame } from '../charts/axes.js';
import type { Point } from '../charts/point.js';
import type { Scale } from '../charts/scale.js';
import { reportedGlyph } from '../charts/glyphs.js';
import { crossLine, lineMarks, lineNames, strokes } from '../charts/lines.js';
import { roomForNames } from '../charts/line-names.js';
import { plotLabels, plotPaths, plotScale } from '../charts/plot.js';
import { format, formatInterval } from '../../../wasm/words/numbers.js';
import { Measured } from './measured.js';
import { placeAfter, readingBeside, readOut } from './read-out.js';

export interface StatedPoint {
  x: number;
  y: number;
  text: string;
}

const margin = { left: 52, right: 14, top: 28, bottom: 40 };
const tallest = 380;

/** A paper's letters in words, as axes name them. */
const letters: Readonly<Record<string, string>> = {
  ε: 'epsilon',
  δ: 'delta',
  σ: 'noise multiplier',
  q: 'sampling probability',
  α: 'false positive rate',
  β: 'false negative rate',
};
const named = (label: string) => [letters[label], label].filter(Boolean).join(' ');

/** What falls to the axis below, where lines end; other lines end at the right, with room for names. */
const falling = ['δ', 'β'];

/** One plot of a paper's figure: lines and bands as far as they are known, and what the paper states. */
export class PaperPlot extends Measured {
  @property({ attribute: false }) panel: Panel | undefined;
  @property({ attribute: false }) lines: readonly LineState[] = [];
  @property({ attribute: false }) stated: readonly StatedPoint[] = [];
  /** Unique in the document. */
  @property() name = '';
  /** Where the cross-hair stands: the place of a computed point. */
  @state() cross: number | undefined;

  protected override readonly frame = '.plot-frame';

  private get places(): number[] {
    const places = this.lines.flatMap(({ line }) => line.map(({ x }) => x));
    return [...new Set(places)].sort((a, b) => a - b);
  }

  protected override render() {
    const { panel } = this;
    if (!panel) return nothing;
    const { width, height } = this.size;
    const { room } = this;
    const frame = frameIn(width, height, { ...margin, right: margin.right + room });
    const x = plotScale(panel.x, frame.left, frame.right, 'across');
    const y = plotScale(panel.y, frame.bottom, frame.top, 'up');
    return html`
      <h3 class="plot-title" id=${`${this.name}-title`}>${panel.title}</h3>
      ${readOut(
        {
          class: 'plot-frame',
          label: `${panel.x.label} at which the key reads ${panel.y.label}: ${panel.title}`,
          x: { least: panel.x.from, most: panel.x.to },
          at: this.cross,
          spoken: this.spoken(panel),
          look: (pixel) => {
            this.cross = nearest(this.places, x, pixel);
          },
          key: (event) => this.key(event),
          leave: () => {
            this.cross = undefined;
          },
        },
        html`${this.drawing(panel, frame, x, y)} ${this.readingBox(panel, frame, x)}`,
      )}
      ${this.keyList(panel)}
    `;
  }

  private get room(): number {
    const { panel, lines, size } = this;
    if (!panel || falling.includes(panel.y.label)) return 0;
    return roomForNames(
      lines.map(({ series }) => ({ text: series.label })),
      size.width,
    );
  }

  private get size(): { width: number; height: number } {
    const least = this.printed ? 0 : 260;
    const height = Math.min(tallest, Math.max(least, Math.round(0.62 * this.width)));
    return { width: Math.max(160, this.width), height };
  }

  private drawing(panel: Panel, frame: Frame, x: Scale, y: Scale) {
    const { width, height } = this.size;
    const known = this.lines.filter(({ line }) => line.length > 1);
    const labels = plotLabels(
      known.map(({ series, line }) => ({ name: series.label, points: line })),
      { x, y, frame },
      this.room,
    );
    const cut = `${this.name}-clip`;
    return svg`<svg class="plot paper-drawing" width=${width} height=${height} viewBox=${`0 0 ${width} ${height}`} aria-hidden="true">
      ${clip(cut, frame)} ${axes(frame, x, y, { x: named(panel.x.label), y: named(panel.y.label) })}
      <g clip-path=${`url(#${cut})`}>${known.map((state) => this.line(state, { x, y, frame }))}</g>
      ${lineNames(labels, (name) => this.colourNamed(name))}
      ${this.cross === undefined ? nothing : crossLine(x.at(this.cross), frame)}
      ${this.stated.map(
        (point) =>
          svg`<g>${reportedGlyph(x.at(point.x), y.at(point.y), 5.5)}<title>${point.text}</title></g>`,
      )}
    </svg>`;
  }

  private colourNamed(name: string): string {
    const state = this.lines.find(({ series }) => series.label === name);
    return state ? colourOf(state.series, this.lines) : '';
  }

  private classesOf({ series }: LineState): string {
    return `${colourOf(series, this.lines)}${series.dashed === true ? ' estimated' : ''}`;
  }

  private line(state: LineState, on: { x: Scale; y: Scale; frame: Frame }) {
    const { series, line } = state;
    const paths = plotPaths(line, on.x, on.y, pointwise(series));
    const place = [this.lines.indexOf(state), this.lines.length] as const;
    const marks =
      series.sampler !== undefined && series.dashed !== true
        ? lineMarks(series.sampler, line, on, place)
        : nothing;
    return svg`<g class=${`line ${this.classesOf(state)}`} data-line=${series.label}>${strokes(paths)} ${marks}</g>`;
  }

  /** Each line's name, its value at the cross-hair, and how long it took. */
  private keyList(panel: Panel) {
    const at = this.cross;
    return html`<ul class="key">
      <li class="key-head">
        ${at === undefined ? 'Lines, and how long they took' : html`at <i>${panel.x.label}</i> = <b>${format(at, { side: 'given' })}</b>`}
      </li>
      ${this.lines.map((state) => {
        const { series } = state;
        return html`<li class="key-row">
          <svg width="26" height="10" aria-hidden="true" class=${`line ${this.classesOf(state)}`}>
            <path class="edge" d="M1 5H25"></path>
          </svg>
          <span>${series.label}</span>
          <span class="key-value"
            >${at === undefined ? tookOf(state) : this.reading(state, at)}</span
          >
        </li>`;
      })}
      <li class="fine key-foot">Hover or use the arrow keys to read values.</li>
    </ul>`;
  }

  private readingBox(panel: Panel, frame: Frame, x: Scale) {
    const at = this.cross;
    if (at === undefined) return nothing;
    const lines = this.lines.map((state) => ({
      classes: this.classesOf(state),
      name: state.series.label,
      value: this.reading(state, at),
    }));
    const head = html`${panel.y.label} at ${panel.x.label} = ${format(at, { side: 'given' })}`;
    return readingBeside(x.at(at), frame, this.size.width, head, lines);
  }

  private reading({ line }: LineState, at: number): string {
    const point = line.find(({ x }) => x === at);
    return point ? formatInterval(point.y) : '–';
  }

  private spoken(panel: Panel): string {
    const at = this.cross;
    if (at === undefined) return 'nothing is read yet';
    const parts = this.lines.map((state) => `${state.series.label} ${this.reading(state, at)}`);
    return `${panel.x.label} ${format(at, { side: 'nearest' })}: ${parts.join('; ')}`;
  }

  private key(event: KeyboardEvent): void {
    const { places } = this;
    const now = this.cross === undefined ? -1 : places.indexOf(this.cross);
    if (event.key === 'Escape') this.cross = undefined;
    const place = places[placeAfter(event, now, places.length) ?? -1];
    if (place === undefined) return;
    event.preventDefault();
    this.cross = place;
  }
}

/** A sampler's line has its colour; the others of a plot are told apart by the ink. */
function colourOf(series: Series, all: readonly LineState[]): string {
  if (series.sampler !== undefined) return `s-${series.sampler}`;
  const plain = all.filter((state) => state.series.sampler === undefined);
  return `ink-${plain.findIndex((state) => state.series === series) % 3}`;
}

function nearest(places: readonly number[], x: Scale, at: number): number | undefined {
  const distance = (place: number) => Math.abs(x.at(place) - at);
  return places.reduce<number | undefined>(
    (best, place) => (best === undefined || distance(place) < distance(best) ? place : best),
    undefined,
  );
}

/** How long the engine computed, beside what the paper says of its own. */
function tookOf({ done, milliseconds, series }: LineState): string {
  if (!done) return '…';
  const ours = `${format(Math.max(1, milliseconds) / 1000, { side: 'nearest', digits: 2 })} s`;
  return series.paperTook === undefined ? ours : `${ours}; the paper: ${series.paperTook}`;
}

export const pointsOf = (lines: readonly LineState[]): { label: string; point: Point }[] =>
  lines.flatMap(({ series, line }) => line.map((point) => ({ label: series.label, point })));

customElements.define('he-paper-plot', PaperPlot);
