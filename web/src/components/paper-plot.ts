import { html, nothing, svg } from 'lit';
import { property } from 'lit/decorators.js';
import { pointwise, type LineState, type Panel, type Series } from '../../../wasm/papers/index.js';
import { frameIn } from '../charts/axes.js';
import type { Point } from '../charts/point.js';
import type { Scale } from '../charts/scale.js';
import { reportedGlyph } from '../charts/glyphs.js';
import { roomForNames } from '../charts/line-names.js';
import { linePaths, mainEnds } from '../charts/lines.js';
import { plotScale } from '../charts/scale.js';
import { format, formatInterval } from '../../../wasm/words/numbers.js';
import { keyOf, keyRow, LinePlot, type LineSet } from './line-plot.js';

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
export class PaperPlot extends LinePlot {
  @property({ attribute: false }) panel: Panel | undefined;
  @property({ attribute: false }) lines: readonly LineState[] = [];
  @property({ attribute: false }) stated: readonly StatedPoint[] = [];
  /** Unique in the document. */
  @property() name = '';

  protected override get key(): string {
    return this.name;
  }

  private get places(): number[] {
    const places = this.lines.flatMap(({ line }) => line.map(({ x }) => x));
    return [...new Set(places)].sort((a, b) => a - b);
  }

  /** Only computed points are read. */
  protected override placeAt(value: number, x: Scale): number | undefined {
    const distance = (place: number) => Math.abs(x.at(place) - x.at(value));
    const [nearest] = this.places.toSorted((a, b) => distance(a) - distance(b));
    return nearest;
  }

  protected override leave(): void {
    this.cross = undefined;
  }

  protected override render() {
    const { panel, cross: at } = this;
    if (!panel) return nothing;
    const head =
      at === undefined
        ? 'Lines, and how long they took'
        : html`at <i>${panel.x.label}</i> = <b>${format(at, { side: 'given' })}</b>`;
    return html`
      <h3 class="plot-title">${panel.title}</h3>
      ${this.readable(this.set(panel))}
      ${keyOf(
        head,
        this.lines.map((state) =>
          keyRow(
            { text: state.series.label, classes: this.classesOf(state) },
            at === undefined ? tookOf(state) : readingOf(state, at),
          ),
        ),
      )}
    `;
  }

  private set({ x: across, y: up, title }: Panel): LineSet {
    const { cross: at, stated, lines: all } = this;
    const width = Math.max(160, this.width);
    const least = this.printed ? 0 : 260;
    const height = Math.min(tallest, Math.max(least, Math.round(0.62 * this.width)));
    const names = all.map(({ series }) => ({ text: series.label }));
    const room = falling.includes(up.label) ? 0 : roomForNames(names, width);
    const frame = frameIn(width, height, { ...margin, right: margin.right + room });
    const x = plotScale(across, frame.left, frame.right, 'across');
    const y = plotScale(up, frame.bottom, frame.top, 'up');
    const lines = all
      .filter(({ line }) => line.length > 1)
      .map((state) => {
        const { series, line } = state;
        const { label } = series;
        const value = at === undefined ? '' : readingOf(state, at);
        const points = mainEnds(line);
        return {
          ...{ name: label, text: label, title: label },
          classes: this.classesOf(state),
          paths: linePaths(points, x, y, pointwise(series)),
          sampler: series.dashed === true ? undefined : series.sampler,
          points,
          spoken: `${label} ${value}`,
        };
      });
    const place = format(at ?? null, { side: 'given' });
    return {
      ...{ lines, ground: { x, y, frame }, size: { width, height }, room, at },
      axes: { x: named(across.label), y: named(up.label) },
      classes: 'paper-drawing',
      where: `${across.label} ${place}:`,
      label: `${across.label} at which the key reads ${up.label}: ${title}`,
      above: stated.map(
        (point) =>
          svg`<g>${reportedGlyph(x.at(point.x), y.at(point.y), 5.5)}<title>${point.text}</title></g>`,
      ),
    };
  }

  private classesOf({ series }: LineState): string {
    return `${colourOf(series, this.lines)}${series.dashed === true ? ' estimated' : ''}`;
  }
}

/** A sampler's line has its colour; the others of a plot are told apart by the ink. */
function colourOf(series: Series, all: readonly LineState[]): string {
  if (series.sampler !== undefined) return `s-${series.sampler}`;
  const plain = all.filter((state) => state.series.sampler === undefined);
  return `ink-${plain.findIndex((state) => state.series === series) % 3}`;
}

function readingOf({ line }: LineState, at: number): string {
  const point = line.find(({ x }) => x === at);
  return point ? formatInterval(point.y) : '–';
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
