import { html, nothing, svg } from 'lit';
import type { Interval, MonteCarloEstimate } from '../../../wasm/generated/schema.js';
import type { Point } from '../charts/curve-geometry.js';
import type { Scale } from '../charts/epsilon-scale.js';
import { plotPaths, plotScale } from '../charts/plot.js';
import { Measured } from './measured.js';

const margin = { left: 56, right: 16, top: 14, bottom: 40 };
const height = 340;
/** Half the width of a confidence bar. */
const half = 5;
/** Decades shown at the most: below, a delta is as good as none. */
const decades = 40;

/** Confidence intervals as hatched bars on the band that is proved. */
export class SampledPlot extends Measured {
  static override properties = {
    proved: { attribute: false },
    estimates: { attribute: false },
    colour: {},
  };

  declare proved: ReadonlyMap<number, Interval>;
  declare estimates: readonly MonteCarloEstimate[];
  /** The class that carries the sampler's colour. */
  declare colour: string;

  protected override readonly frame = '.sampled-frame';

  constructor() {
    super();
    this.proved = new Map();
    this.estimates = [];
    this.colour = '';
  }

  protected override render() {
    return html`<div class="sampled-frame">${this.drawing()}</div>`;
  }

  private drawing() {
    const proved = [...this.proved].map(([x, y]) => ({ x, y })).sort((a, b) => a.x - b.x);
    const epsilons = [...proved.map(({ x }) => x), ...this.estimates.map(({ epsilon }) => epsilon)];
    const [low, high] = this.range();
    if (epsilons.length === 0 || high === 0) return nothing;
    const width = Math.max(280, this.width);
    const [left, right] = [margin.left, width - margin.right];
    const [top, bottom] = [margin.top, height - margin.bottom];
    const beyond = 1.06 * Math.max(...epsilons);
    const x = plotScale({ label: '', scale: 'linear', from: 0, to: beyond }, left, right, 'across');
    const y = plotScale({ label: '', scale: 'log', from: low, to: high }, bottom, top, 'up');
    return svg`<svg class="plot sampled-drawing" width=${width} height=${height} aria-hidden="true">
      <clipPath id="mc-clip"><rect x=${left} y=${top - 2} width=${right - left + 2} height=${bottom - top + 3}></rect></clipPath>
      <pattern id="mc-hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <line class="hatch" x1="0" x2="0" y1="0" y2="5"></line></pattern>
      ${y.ticks.map(
        ({
          x: at,
          label,
        }) => svg`<line class="grid" x1=${left} x2=${right} y1=${at} y2=${at}></line>
          <text class="tick-label" x=${left - 8} y=${at + 4} text-anchor="end">${label}</text>`,
      )}
      ${x.ticks.map(
        ({ x: at, label }) =>
          svg`<text class="tick-label" x=${at} y=${bottom + 19} text-anchor="middle">${label}</text>`,
      )}
      <line class="axis" x1=${left} x2=${right} y1=${bottom} y2=${bottom}></line>
      <text class="axis-label" x=${right} y=${bottom + 37} text-anchor="end">ε</text>
      <text class="axis-label" x=${left - 36} y=${top + 5} text-anchor="end">δ</text>
      <g class=${this.colour} clip-path="url(#mc-clip)">
        ${this.band(proved, x, y)} ${this.estimates.map((one) => this.bar(one, x, y, low, high))}
      </g>
    </svg>`;
  }

  /** From the least to the largest delta on the plot, in whole decades. */
  private range(): readonly [number, number] {
    const ends = [
      ...[...this.proved.values()].flatMap(({ lower, upper }) => [lower, upper]),
      ...this.estimates.map(({ mean }) => mean.upper),
    ].filter((end): end is number => end !== null && end > 0 && Number.isFinite(end));
    if (ends.length === 0) return [0, 0];
    const high = Math.min(0, Math.ceil(Math.log10(Math.max(...ends))));
    const low = Math.max(high - decades, Math.floor(Math.log10(Math.min(...ends))));
    return [10 ** Math.min(low, high - 1), 10 ** high];
  }

  private band(points: readonly Point[], x: Scale, y: Scale) {
    if (points.length < 2) return nothing;
    const { band, main, lower } = plotPaths(points, x, y, true);
    return svg`<g class="line">
      ${band ? svg`<path class="band" d=${band}></path>` : nothing}
      ${lower ? svg`<path class="edge" d=${lower}></path>` : nothing}
      <path class="edge" d=${main}></path>
    </g>`;
  }

  /** The conjectured value of a pair whose delta has no upper end is drawn as what it is. */
  private bar(one: MonteCarloEstimate, x: Scale, y: Scale, low: number, high: number) {
    const { lower, upper } = one.conjecture ?? one.delta;
    const at = x.at(one.epsilon);
    const inside = (value: number | null, otherwise: number) =>
      y.at(Math.min(high, Math.max(low, value ?? otherwise)));
    const [y0, y1] = [inside(upper, high), inside(lower, low)];
    const tall = Math.max(1, y1 - y0);
    const end = (place: number) =>
      svg`<line class="tick" x1=${at - half} x2=${at + half} y1=${place} y2=${place}></line>`;
    return svg`<rect class="bar hatched" fill="url(#mc-hatch)" x=${at - half} y=${y0} width=${2 * half} height=${tall}></rect>
      ${upper === null ? nothing : end(y0)} ${lower === null || lower <= low ? nothing : end(y1)}`;
  }
}

customElements.define('he-sampled-plot', SampledPlot);
