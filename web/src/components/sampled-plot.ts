import { html, nothing, svg } from 'lit';
import { property } from 'lit/decorators.js';
import type { Interval, MonteCarloEstimate } from '../../../wasm/generated/schema.js';
import { axes, clip, frameIn, plot } from '../charts/axes.js';
import type { Point } from '../charts/point.js';
import type { Scale } from '../charts/scale.js';
import { linePaths, mainEnds, strokes } from '../charts/lines.js';
import { plotScale } from '../charts/scale.js';
import { Measured } from './measured.js';

const margin = { left: 56, right: 16, top: 26, bottom: 40 };
const height = 352;
const half = 5;
/** The most decades that are shown: smaller deltas are negligible. */
const decades = 40;

/** Confidence intervals as hatched bars over the proved band. */
class SampledPlot extends Measured {
  @property({ attribute: false }) proved: ReadonlyMap<number, Interval> = new Map();
  @property({ attribute: false }) estimates: readonly MonteCarloEstimate[] = [];
  @property() colour = '';

  protected override readonly frame = '.sampled-frame';

  protected override render() {
    return html`<div class="sampled-frame">${this.drawing()}</div>`;
  }

  private drawing() {
    const proved = [...this.proved].map(([x, y]) => ({ x, y })).sort((a, b) => a.x - b.x);
    const epsilons = [...proved.map(({ x }) => x), ...this.estimates.map(({ epsilon }) => epsilon)];
    const [low, high] = this.range();
    if (epsilons.length === 0 || high === 0) return nothing;
    const width = Math.max(280, this.width);
    const frame = frameIn(width, height, margin);
    const beyond = 1.06 * Math.max(...epsilons);
    const epsilon = { label: 'epsilon ε', scale: 'linear', from: 0, to: beyond } as const;
    const delta = { label: 'delta δ', scale: 'log', from: low, to: high } as const;
    const x = plotScale(epsilon, frame.left, frame.right, 'across');
    const y = plotScale(delta, frame.bottom, frame.top, 'up');
    const drawn = svg`${clip('mc-clip', frame)}
      ${axes(frame, x, y, { x: epsilon.label, y: delta.label })}
      <g class=${this.colour} clip-path="url(#mc-clip)">
        <pattern id="mc-hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <line class="hatch" x1="0" x2="0" y1="0" y2="5"></line></pattern>
        ${this.band(proved, x, y)} ${this.estimates.map((one) => this.bar(one, x, y, low, high))}
      </g>`;
    return plot(width, height, drawn, 'sampled-drawing');
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
    return svg`<g class="line">${strokes(linePaths(mainEnds(points), x, y, true))}</g>`;
  }

  private bar(one: MonteCarloEstimate, x: Scale, y: Scale, low: number, high: number) {
    const { lower, upper } = one.delta;
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
