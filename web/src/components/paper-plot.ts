import { html, nothing, svg } from 'lit';
import type { LineState, Panel, Series } from '../../../wasm/papers/index.js';
import { plotLabels, plotPaths, plotScale } from '../charts/plot.js';
import type { Point } from '../charts/curve-geometry.js';
import type { Scale } from '../charts/epsilon-scale.js';
import { formatGiven, formatInterval, formatNumber } from '../words/format.js';
import { Measured } from './measured.js';

/** A number that the paper states, where it stands. */
export interface StatedPoint {
  x: number;
  y: number;
  text: string;
}

const margin = { left: 52, right: 14, top: 28, bottom: 40 };
const tallest = 380;

/** One plot of a paper's figure: lines and bands as far as they are known, and what the paper states. */
export class PaperPlot extends Measured {
  static override properties = {
    panel: { attribute: false },
    lines: { attribute: false },
    stated: { attribute: false },
    name: {},
    cross: { state: true },
  };

  declare panel: Panel | undefined;
  declare lines: readonly LineState[];
  declare stated: readonly StatedPoint[];
  /** Unique in the document. */
  declare name: string;
  /** Where the reader looks: one of the points' places. */
  declare cross: number | undefined;

  protected override readonly frame = '.plot-frame';

  constructor() {
    super();
    this.lines = [];
    this.stated = [];
    this.name = '';
  }

  /** Every place at which some line is known. */
  private get places(): number[] {
    const places = this.lines.flatMap(({ line }) => line.map(({ x }) => x));
    return [...new Set(places)].sort((a, b) => a - b);
  }

  protected override render() {
    const { panel } = this;
    if (!panel) return nothing;
    const height = Math.min(tallest, Math.max(260, Math.round(0.62 * this.width)));
    const x = plotScale(panel.x, margin.left, Math.max(160, this.width) - margin.right, 'across');
    const y = plotScale(panel.y, height - margin.bottom, margin.top, 'up');
    const at = this.cross;
    return html`
      <h3 class="plot-title" id=${`${this.name}-title`}>${panel.title}</h3>
      <div
        class="plot-frame"
        role="slider"
        tabindex="0"
        aria-label=${`${panel.x.label} at which the key reads ${panel.y.label}: ${panel.title}`}
        aria-valuemin=${panel.x.from}
        aria-valuemax=${panel.x.to}
        aria-valuenow=${at ?? panel.x.from}
        aria-valuetext=${this.spoken(panel)}
        @keydown=${(event: KeyboardEvent) => {
          this.key(event);
        }}
        @pointermove=${(event: PointerEvent) => {
          this.look(event, x);
        }}
        @pointerdown=${(event: PointerEvent) => {
          this.look(event, x);
        }}
        @pointerleave=${() => {
          this.cross = undefined;
        }}
      >
        ${this.drawing(panel, x, y, height)}
      </div>
      ${this.keyList(panel)}
    `;
  }

  private drawing(panel: Panel, x: Scale, y: Scale, height: number) {
    const [left, right] = [margin.left, Math.max(160, this.width) - margin.right];
    const [top, bottom] = [margin.top, height - margin.bottom];
    const known = this.lines.filter(({ line }) => line.length > 1);
    const labels = plotLabels(
      known.map(({ series, line }) => ({ name: series.label, points: line })),
      x,
      y,
      { x: left, y: top, width: right - left, height: bottom - top },
    );
    const clip = `${this.name}-clip`;
    const crossX = this.cross === undefined ? undefined : x.at(this.cross);
    return svg`<svg class="plot paper-drawing" width=${Math.max(1, this.width)} height=${height} aria-hidden="true">
      <clipPath id=${clip}>
        <rect x=${left} y=${top - 2} width=${right - left + 2} height=${bottom - top + 3}></rect>
      </clipPath>
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
      <text class="axis-label" x=${right} y=${bottom + 37} text-anchor="end">${panel.x.label}</text>
      <text class="axis-label" x=${left - 8} y=${top - 14} text-anchor="end">${panel.y.label}</text>
      <g clip-path=${`url(#${clip})`}>${known.map((state) => this.line(state, x, y))}</g>
      ${[...labels.values()].map(
        (label) =>
          svg`<text class="line-label" x=${label.x} y=${label.y + 4.5} text-anchor=${label.anchor}>${label.text}</text>`,
      )}
      ${
        crossX === undefined
          ? nothing
          : svg`<line class="cross" data-passing x1=${crossX} x2=${crossX} y1=${top} y2=${bottom}></line>`
      }
      ${this.stated.map(({ x: value, y: height, text }) => {
        const [px, py] = [x.at(value), y.at(height)];
        return svg`<path class="reported" d=${`M${px} ${py - 5.5}L${px + 5.5} ${py}L${px} ${py + 5.5}L${px - 5.5} ${py}Z`}><title>${text}</title></path>`;
      })}
    </svg>`;
  }

  private line({ series, line }: LineState, x: Scale, y: Scale) {
    const { band, main, lower } = plotPaths(line, x, y, !('draw' in series));
    const classes = [
      'line',
      colourOf(series, this.lines),
      series.dashed === true ? 'estimated' : '',
    ];
    return svg`<g class=${classes.join(' ')}>
      ${band ? svg`<path class="band" d=${band}></path>` : nothing}
      ${lower ? svg`<path class="edge" d=${lower}></path>` : nothing}
      <path class="edge" d=${main}></path>
    </g>`;
  }

  /** Which line is which, what each is where the reader looks, and how long it took. */
  private keyList(panel: Panel) {
    const at = this.cross;
    return html`<ul class="plot-key">
      <li class="plot-at">
        ${
          at === undefined
            ? html`Read with the pointer or the arrow keys.
                <span class="plot-reading">computed in</span>`
            : html`at <i>${panel.x.label}</i> = <b>${formatGiven(at)}</b>`
        }
      </li>
      ${this.lines.map((state) => {
        const { series } = state;
        return html`<li class=${colourOf(series, this.lines)}>
          <svg
            width="26"
            height="10"
            aria-hidden="true"
            class="line ${series.dashed === true ? 'estimated' : ''}"
          >
            <path class="edge" d="M1 5H25"></path>
          </svg>
          <span>${series.label}</span>
          <span class="plot-reading"
            >${at === undefined ? tookOf(state) : this.reading(state, at)}</span
          >
        </li>`;
      })}
    </ul>`;
  }

  private reading({ line }: LineState, at: number): string {
    const point = line.find(({ x }) => x === at);
    return point ? formatInterval(point.y, 4) : '–';
  }

  private spoken(panel: Panel): string {
    const at = this.cross;
    if (at === undefined) return 'nothing is read yet';
    const parts = this.lines.map((state) => `${state.series.label} ${this.reading(state, at)}`);
    return `${panel.x.label} ${formatNumber(at)}: ${parts.join('; ')}`;
  }

  private look(event: PointerEvent, x: Scale): void {
    const frame = event.currentTarget as HTMLElement;
    const place = event.clientX - frame.getBoundingClientRect().left;
    this.cross = nearest(this.places, x, place);
  }

  private key(event: KeyboardEvent): void {
    const { places } = this;
    const now = this.cross === undefined ? -1 : places.indexOf(this.cross);
    const to: Readonly<Record<string, number>> = {
      ArrowLeft: Math.max(0, now - 1),
      ArrowDown: Math.max(0, now - 1),
      ArrowRight: Math.min(places.length - 1, now + 1),
      ArrowUp: Math.min(places.length - 1, now + 1),
      Home: 0,
      End: places.length - 1,
    };
    if (event.key === 'Escape') this.cross = undefined;
    const place = places[to[event.key] ?? -1];
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
  const ours = `${formatNumber(Math.max(1, milliseconds) / 1000, 2)} s`;
  return series.paperTook === undefined ? ours : `${ours}; the paper: ${series.paperTook}`;
}

/** What the table behind the plot lists. */
export const pointsOf = (lines: readonly LineState[]): { label: string; point: Point }[] =>
  lines.flatMap(({ series, line }) => line.map((point) => ({ label: series.label, point })));

customElements.define('he-paper-plot', PaperPlot);
