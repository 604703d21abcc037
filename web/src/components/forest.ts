import { html, nothing, svg } from 'lit';
import type { TemplateResult } from 'lit';
import { samplers } from '../../../wasm/generated/schema.js';
import type { Answer, Interval, SamplerName } from '../../../wasm/generated/schema.js';
import { epsilonScale } from '../charts/epsilon-scale.js';
import type { EpsilonScale } from '../charts/epsilon-scale.js';
import {
  breakGlyph,
  conjectureGlyph,
  fadeStart,
  intervalGlyph,
  mark,
  openStart,
  reportedGlyph,
} from '../charts/glyphs.js';
import { exact, formatInterval } from '../words/format.js';
import { labelOf } from '../words/sentence.js';
import { Plain } from './plain.js';

/** Of the drawing: beside its name and number, or on a line of its own below them. */
const wideRow = 44;
const compactRow = 30;
/** Where the style sheet turns the rows to two lines. */
const compactLayout = '(max-width: 66rem)';
const directionHeight = 34;

/** One row a sampler: its interval drawn to scale, and in figures. */
export class Forest extends Plain {
  static override properties = {
    answers: { attribute: false },
    fresh: { attribute: false },
    working: { type: Boolean },
    own: {},
    reported: { attribute: false },
    directions: { type: Boolean },
    highlight: {},
    delta: {},
    plotWidth: { state: true },
  };

  declare answers: ReadonlyMap<SamplerName, Answer>;
  declare fresh: ReadonlySet<SamplerName>;
  declare working: boolean;
  declare own: SamplerName;
  declare reported: number | undefined;
  declare directions: boolean;
  declare highlight: SamplerName | undefined;
  declare delta: string;
  declare plotWidth: number;

  private order: readonly SamplerName[] = [];
  private sizes: ResizeObserver | undefined;
  private readonly layout = matchMedia(compactLayout);

  constructor() {
    super();
    this.answers = new Map();
    this.fresh = new Set();
    this.plotWidth = 0;
    this.directions = false;
    this.delta = '';
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.sizes?.disconnect();
    this.sizes = undefined;
  }

  override updated(): void {
    if (this.sizes) return;
    const axis = this.querySelector('.forest-axis .strip');
    if (!axis) return;
    this.sizes = new ResizeObserver(([entry]) => {
      if (entry) this.plotWidth = Math.floor(entry.contentRect.width);
    });
    this.sizes.observe(axis);
  }

  /** The reader's own first, then by epsilon. While answers still come, rows keep their places. */
  private rows(): readonly SamplerName[] {
    const settled = !this.working && this.fresh.size > 0;
    if (settled || this.order.length === 0) {
      const place = (name: SamplerName) => {
        const epsilon = this.answers.get(name)?.epsilon;
        return epsilon ? (epsilon.upper ?? epsilon.lower ?? Infinity) : Infinity;
      };
      this.order = samplers
        .map(({ name }) => name)
        .sort((a, b) => {
          const [first, second] = [place(a), place(b)];
          return first === second ? 0 : first - second;
        });
    }
    return [this.own, ...this.order.filter((name) => name !== this.own)];
  }

  private scale(): EpsilonScale {
    const ends: number[] = this.reported === undefined ? [] : [this.reported];
    for (const { epsilon, conjecture } of this.answers.values()) {
      for (const end of [epsilon.lower, epsilon.upper, conjecture?.upper]) {
        if (end !== null && end !== undefined && Number.isFinite(end)) ends.push(end);
      }
    }
    return epsilonScale(Math.max(0, ...ends), 10, Math.max(60, this.plotWidth - 14));
  }

  protected override render() {
    const scale = this.scale();
    const rows = this.rows();
    return html`
      <div
        class="forest"
        role="table"
        aria-label=${`Epsilon of every sampler at delta ${this.delta}`}
      >
        <div role="row" class="sr">
          <span role="columnheader">Sampler</span>
          <span role="columnheader">Drawn to scale</span>
          <span role="columnheader">Epsilon</span>
        </div>
        ${rows.map((name) => this.row(name, scale))}
        <div class="forest-axis" aria-hidden="true">
          <div class="axis-name">ε${this.delta ? html` at δ = ${this.delta}` : nothing}</div>
          <div class="strip">${this.axis(scale)}</div>
          <div></div>
        </div>
      </div>
      ${this.legend()}
    `;
  }

  private row(name: SamplerName, scale: EpsilonScale): TemplateResult {
    const answer = this.answers.get(name);
    const own = name === this.own;
    const stale = answer !== undefined && !this.fresh.has(name);
    const classes = [
      'forest-row',
      `s-${name}`,
      own ? 'own' : '',
      stale ? 'stale' : '',
      this.highlight === name ? 'lit' : '',
    ];
    return html`
      <div
        class=${classes.join(' ')}
        role="row"
        @pointerenter=${() => this.light(name)}
        @pointerleave=${() => this.light(undefined)}
      >
        <div class="name" role="rowheader">
          <svg width="14" height="14" aria-hidden="true">${mark(name, 7, 7, 5.5)}</svg>
          <span>${labelOf(name)}${own ? html`<small> yours</small>` : nothing}</span>
        </div>
        <div class="strip" role="cell">${this.strip(name, answer, scale)}</div>
        <div class="value" role="cell">
          ${
            answer
              ? html`<button
                  class="number"
                  data-sampler=${name}
                  aria-description=${`from ${exact(answer.epsilon.lower)} to ${exact(answer.epsilon.upper)}; details`}
                >
                  ${formatInterval(answer.epsilon)}
                </button>`
              : html`<span class="awaited">${this.working ? '…' : '–'}</span>`
          }
        </div>
      </div>
    `;
  }

  private strip(name: SamplerName, answer: Answer | undefined, scale: EpsilonScale) {
    const showDirections = this.directions && answer !== undefined;
    const rowHeight = this.layout.matches ? compactRow : wideRow;
    const height = rowHeight + (this.directions ? directionHeight : 0);
    const [left, right] = [scale.at(0), scale.at(scale.most)];
    const y = rowHeight / 2;
    const place = (line: number, half: number, id: string) => ({
      at: (value: number) => scale.at(value),
      left,
      right: this.plotWidth,
      y: line,
      half,
      id: `fade-${name}-${id}`,
    });
    const thin = (interval: Interval, label: string, line: number) => {
      const end = scale.at(interval.upper ?? interval.lower ?? 0);
      const start = openStart(interval) ? fadeStart(left, end) : scale.at(interval.lower ?? 0);
      const room = end + 60 < this.plotWidth;
      const x = room ? end + 8 : (start > left + 60 ? start : end) - 8;
      return svg`${intervalGlyph(interval, place(line, 5, label))}
        <text class="direction" x=${x} y=${line + 3.5} text-anchor=${room ? 'start' : 'end'}>${label}</text>`;
    };
    const conjectured = answer?.conjecture?.upper;
    return html`<svg
      class="plot"
      width=${Math.max(1, this.plotWidth)}
      height=${height}
      viewBox=${`0 0 ${Math.max(1, this.plotWidth)} ${height}`}
      aria-hidden="true"
    >
      ${scale.ticks.map(({ x }) => svg`<line class="grid" x1=${x} x2=${x} y1="0" y2=${height}></line>`)}
      <line class="thread" x1=${left} x2=${right} y1=${y} y2=${y}></line>
      ${answer ? intervalGlyph(answer.epsilon, place(y, 9, 'main')) : nothing}
      ${conjectured === null || conjectured === undefined ? nothing : conjectureGlyph(scale.at(conjectured), y, 13)}
      ${
        this.reported !== undefined && name === this.own
          ? reportedGlyph(scale.at(this.reported), y, 7)
          : nothing
      }
      ${
        showDirections
          ? svg`<g class="directions">${thin(answer.directions.remove, 'remove', rowHeight + 3)}${thin(answer.directions.add, 'add', rowHeight + 19)}</g>`
          : nothing
      }
    </svg>`;
  }

  private axis(scale: EpsilonScale) {
    return html`<svg
      class="plot"
      width=${Math.max(1, this.plotWidth)}
      height="30"
      viewBox=${`0 0 ${Math.max(1, this.plotWidth)} 30`}
    >
      <line class="axis" x1=${scale.at(0)} x2=${scale.at(scale.most)} y1="0.5" y2="0.5"></line>
      ${scale.ticks.map(
        ({ x, label }) => svg`<line class="axis" x1=${x} x2=${x} y1="0" y2="5"></line>
          <text class="tick-label" x=${x} y="20" text-anchor="middle">${label}</text>`,
      )}
      ${breakGlyph(scale, 1)}
    </svg>`;
  }

  /** The glyphs that occur in this plot, and what they mean. */
  private legend() {
    const answers = [...this.answers.values()];
    const wide = answers.some(({ epsilon }) => epsilon.kind === 'certified');
    const open = answers.some(({ epsilon }) => epsilon.kind === 'bound');
    const conjecture = answers.some((answer) => answer.conjecture);
    const at = (value: number) => value;
    const swatch = (glyph: unknown, text: string) =>
      html`<li><svg width="34" height="16" aria-hidden="true">${glyph}</svg>${text}</li>`;
    const place = { at, left: 2, right: 32, y: 8, half: 6, id: '' };
    if (answers.length === 0) return nothing;
    return html`<ul class="legend">
      ${wide ? swatch(intervalGlyph({ lower: 6, upper: 28, kind: 'certified' }, { ...place, id: 'legend-bar' }), 'both ends proved') : nothing}
      ${wide ? swatch(intervalGlyph({ lower: 17, upper: 17, kind: 'certified' }, { ...place, id: 'legend-tick' }), 'both, closer than a pixel') : nothing}
      ${open ? swatch(intervalGlyph({ lower: 0, upper: 28, kind: 'bound' }, { ...place, id: 'legend-fade' }), 'one side proved') : nothing}
      ${conjecture ? swatch(conjectureGlyph(17, 8, 7), 'if a conjecture holds (HP24, 3.2)') : nothing}
      ${this.reported === undefined ? nothing : swatch(reportedGlyph(17, 8, 6), 'as reported')}
    </ul>`;
  }

  private light(name: SamplerName | undefined): void {
    this.dispatchEvent(new CustomEvent('light', { detail: name, bubbles: true }));
  }
}

customElements.define('he-forest', Forest);
