import { html, nothing, svg, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { samplers, type Answer, type Interval } from '../../../wasm/generated/schema.js';
import { plot, ruler } from '../charts/axes.js';
import { epsilonScale, type AxisKind, type Scale } from '../charts/scale.js';
import {
  fadeStart,
  ghostGlyph,
  intervalGlyph,
  mark,
  openStart,
  reportedGlyph,
} from '../charts/glyphs.js';
import type { GlyphPlace } from '../charts/glyphs.js';
import { inFormWords } from '../state/question.js';
import type { RowName } from '../state/scenario.js';
import {
  kindOf,
  markOf,
  markWords,
  ownProofsMark,
  restsOnOwnProofs,
} from '../../../wasm/words/claims.js';
import { otherNeighbours } from '../../../wasm/words/neighbours.js';
import { formatInterval, givenAs } from '../../../wasm/words/numbers.js';
import { reportedSampler } from '../../../wasm/words/samplers.js';
import { ghostLegend, ghostSentence } from '../words/clone-theorem.js';
import { ladderTitle, timesPoisson } from '../words/ladder.js';
import { rowLabel } from '../words/sentence.js';
import { toggle } from './fields.js';
import { Measured } from './measured.js';

/** A row's height in pixels: beside its name and number, or on a line of its own below them. */
const wideRow = 44;
const compactRow = 30;
/** Two thin lines under an interval. */
const pairHeight = 34;
/** A ghost nearer than this to its interval, in pixels, would be taken for a thick tick. */
const ghostGap = 6;
/** Beyond so many times the largest end, another accountant's number is drawn at the edge. */
const farOff = 1.5;

/** How far an upper end would move without the better theorem, in words too. */
interface Ghost {
  from: number;
  to: number;
  words: string;
}

/** One row per sampler: its interval drawn to scale and in figures; a row opens in place. */
class Forest extends Measured {
  @property({ attribute: false }) answers: ReadonlyMap<RowName, Answer> = new Map();
  @property({ attribute: false }) fresh: ReadonlySet<RowName> = new Set();
  @property({ type: Boolean }) working = false;
  @property() own!: RowName;
  @property({ attribute: false }) reported: number | undefined;
  @property({ attribute: false }) refused: ReadonlyMap<RowName, string> = new Map();
  /** Whether answers come with the other accountants' numbers. */
  @property({ type: Boolean }) comparing = false;
  @property() highlight: RowName | undefined;
  @property() opened: RowName | undefined;
  /** Where a method is explained. */
  @property({ attribute: false }) methods: string | undefined;
  @property() delta = '';
  @property() axis: AxisKind;
  /** Whether the style sheet has the rows on two lines. */
  @state() compact = false;

  protected override readonly frame = '.forest-axis .strip';

  protected override resized(): void {
    const row = this.querySelector('.forest-row');
    this.compact = row !== null && getComputedStyle(row).gridTemplateAreas !== 'none';
  }

  /** The picker's order, below a run of several samplers. */
  private get rows(): readonly RowName[] {
    const rows = samplers.map(({ name }): RowName => name);
    return this.own === 'composition' ? ['composition', ...rows] : rows;
  }

  private scale(): Scale {
    const ends: number[] = this.reported === undefined ? [] : [this.reported];
    const take = (end: number | null | undefined, most = Infinity) => {
      if (end !== null && end !== undefined && Number.isFinite(end) && end <= most) ends.push(end);
    };
    for (const { epsilon } of this.answers.values()) {
      take(epsilon.lower);
      take(epsilon.upper);
    }
    const most = ends.length > 0 ? farOff * Math.max(...ends) : Infinity;
    for (const [name, { rdp, gdp }] of this.answers) {
      if (this.compares(name)) for (const other of [rdp, gdp]) take(other?.upper, most);
    }
    const scale = epsilonScale(ends, 10, Math.max(60, this.width - 14), this.axis);
    // Without a value the axis would be invented.
    return ends.length > 0 ? scale : { ...scale, ticks: [] };
  }

  protected override render() {
    const scale = this.scale();
    const { rows } = this;
    return html`
      <h2>${ladderTitle(this.answers, this.own)}</h2>
      <div class="forest" role="table" aria-label=${`Epsilon of every sampler at ${this.delta}`}>
        <div role="row" class="sr">
          <span role="columnheader">Sampler</span>
          <span role="columnheader">Drawn to scale</span>
          <span role="columnheader">Epsilon</span>
          <span role="columnheader">Times Poisson</span>
        </div>
        ${rows.map((name) => this.row(name, scale))}
        <div class="forest-axis" aria-hidden="true">
          <div class="fine axis-name">ε${this.delta ? html` at ${this.delta}` : nothing}</div>
          <div class="strip">${this.ruler(scale)}</div>
          <div></div>
          <div class="times soft">× Poisson</div>
        </div>
      </div>
      ${this.legend(rows.some((name) => this.ghost(name, scale)))} ${this.axisChoice(scale)}
    `;
  }

  private axisChoice({ logarithmic }: Scale) {
    if (this.answers.size === 0) return nothing;
    return html`<p class="row toggles screen">
      ${toggle('logarithmic ε axis', logarithmic === true, (on) => {
        this.axis = on ? 'log' : 'linear';
        this.tell('axis', this.axis);
      })}
    </p>`;
  }

  /** Whether a row shows the other accountants: where it is open, as it does both directions. */
  private compares(name: RowName): boolean {
    return this.comparing && name === this.opened;
  }

  /**
   * Where the upper end would be by published theorems alone. Undefined where it does not rest on
   * others, or the two are too close to tell apart.
   */
  private ghost(name: RowName, scale: Scale): Ghost | undefined {
    const own = this.answers.get(name);
    const from = own?.epsilon.upper ?? null;
    const to = own?.published?.upper ?? null;
    if (from === null || to === null) return undefined;
    if (scale.at(to) - scale.at(from) < ghostGap) return undefined;
    return { from, to, words: ghostSentence(to, from) };
  }

  private row(name: RowName, scale: Scale): TemplateResult {
    const answer = this.answers.get(name);
    const ghost = this.ghost(name, scale);
    const own = name === this.own;
    const stale = answer !== undefined && !this.fresh.has(name);
    const other = answer && otherNeighbours(answer);
    const classes = [
      'forest-row',
      `s-${name}`,
      own ? 'own chosen' : '',
      stale ? 'stale' : '',
      this.highlight === name ? 'lit' : '',
    ];
    return html`
      <div
        class=${classes.join(' ')}
        role="row"
        @pointerenter=${() => this.tell('light', name)}
        @pointerleave=${() => this.tell('light')}
      >
        <div class="name" role="rowheader">
          <svg width="14" height="14" aria-hidden="true">${mark(name, 7, 7, 5.5)}</svg>
          <span
            >${rowLabel(name)}${this.earlier(answer)}${own && name !== 'composition' ? html`<small> your run</small>` : nothing}${other === undefined ? nothing : html`<small class="neighbours"> ${other}</small>`}</span
          >
        </div>
        <div class="strip" role="cell">
          ${this.strip(name, answer, scale, ghost)}
          ${ghost ? html`<span class="sr">${ghost.words}</span>` : nothing}
        </div>
        <div class="value" role="cell">
          ${
            answer
              ? html`<button
                  class="number"
                  data-sampler=${name}
                  aria-expanded=${name === this.opened ? 'true' : 'false'}
                  aria-description=${`${[kindOf(answer.epsilon), other, restsOnOwnProofs(answer) ? markWords(answer) : ''].filter(Boolean).join(', ')}; details`}
                >
                  ${formatInterval(answer.epsilon)}${markOf(answer)}
                </button>`
              : this.awaited(name)
          }
        </div>
        <div class="times soft" role="cell">${this.times(name)}</div>
      </div>
      ${this.below(name, answer)}
    `;
  }

  private times(name: RowName) {
    const times = timesPoisson(this.answers, name);
    return times === undefined || name === reportedSampler ? nothing : html`${times} ×`;
  }

  /** Below a row: where its number comes from, or why it has none. */
  private below(name: RowName, answer: Answer | undefined) {
    const why = this.refused.get(name);
    const opened = name === this.opened ? answer : undefined;
    if (!opened && why === undefined) return nothing;
    return html`<div
      role="row"
      class=${`forest-details s-${name}${name === this.own ? ' chosen' : ''}`}
    >
      ${
        opened
          ? html`<div role="cell">
              <he-details
                .answer=${opened}
                .name=${name}
                ?own=${name === this.own}
                .methods=${this.methods}
              ></he-details>
            </div>`
          : html`<p class="why" role="cell">${inFormWords('', why ?? '')}</p>`
      }
    </div>`;
  }

  /** Marks a value of an earlier delta until it is computed again. */
  private earlier(answer: Answer | undefined) {
    const delta = givenAs('δ', answer?.delta.upper ?? 0);
    if (!answer || this.delta === '' || delta === this.delta) return nothing;
    return html`<small> at ${delta}</small>`;
  }

  private awaited(name: RowName) {
    if (this.refused.has(name)) return html`<span class="awaited">not for this run</span>`;
    return html`<span class="awaited">${this.working ? '…' : '–'}</span>`;
  }

  private strip(name: RowName, answer: Answer | undefined, scale: Scale, ghost?: Ghost) {
    const rowHeight = this.compact ? compactRow : wideRow;
    const pairs = Number(name === this.opened) + Number(this.compares(name));
    const height = rowHeight + pairs * pairHeight;
    const y = rowHeight / 2;
    const main = this.placeIn(scale, { y, half: 9, id: `fade-${name}-main` });
    const drawn = svg`${scale.ticks.map(({ x }) => svg`<line class="grid" x1=${x} x2=${x} y1="0" y2=${height}></line>`)}
      ${ghost ? ghostGlyph(scale.at(ghost.from), scale.at(ghost.to), y, 9, ghost.words) : nothing}
      ${answer ? intervalGlyph(answer.epsilon, main) : nothing}
      ${
        this.reported !== undefined && name === this.own
          ? reportedGlyph(scale.at(this.reported), y, 7)
          : nothing
      }
      ${answer && pairs > 0 ? this.thinLines(name, answer, scale, rowHeight, height - pairHeight) : nothing}`;
    return plot(Math.max(1, this.width), height, drawn);
  }

  /** Of a row that is open: both directions from `below` on, what the other accountants say from `last` on. */
  private thinLines(
    name: RowName,
    { directions, rdp, gdp }: Answer,
    scale: Scale,
    below: number,
    last: number,
  ) {
    const thin = (y: number, interval: Interval, label: string, id = label) =>
      thinLine(interval, label, this.placeIn(scale, { y, half: 5, id: `fade-${name}-${id}` }));
    const other = (y: number, kind: OtherAccountant, interval: Interval | undefined) =>
      interval
        ? thin(y, interval, `${accountantNames[kind]} ${formatInterval(interval)}`, kind)
        : noLine(scale.at(0), y, kind);
    return svg`<g class="directions">${thin(below + 3, directions.remove, 'remove')}${thin(below + 19, directions.add, 'add')}</g>${
      this.compares(name)
        ? svg`<g class="others">${other(last + 3, 'rdp', rdp)}${other(last + 19, 'gdp', gdp)}</g>`
        : nothing
    }`;
  }

  private placeIn(scale: Scale, line: Pick<GlyphPlace, 'y' | 'half' | 'id'>): GlyphPlace {
    return { at: (value) => scale.at(value), left: scale.at(0), right: this.width, ...line };
  }

  private ruler(scale: Scale) {
    const ends = [scale.at(0), scale.at(scale.most)];
    const line = svg`<line class="axis" x1=${ends[0]} x2=${ends[1]} y1="0.5" y2="0.5"></line>`;
    return plot(Math.max(1, this.width), 30, [line, ...ruler(scale.ticks, 0)]);
  }

  private legend(ghost: boolean) {
    const answers = [...this.answers.values()];
    const wide = answers.some(({ epsilon }) => epsilon.kind === 'certified');
    const shown = [...this.answers]
      .filter(([name]) => this.compares(name))
      .flatMap(([, { rdp, gdp }]) => [rdp, gdp]);
    const has = (kind: Interval['kind']) =>
      answers.some(({ epsilon }) => epsilon.kind === kind) ||
      shown.some((other) => other?.kind === kind);
    const open = has('bound');
    const at = (value: number) => value;
    const swatch = (glyph: unknown, text: string) =>
      html`<li><svg width="34" height="16" aria-hidden="true">${glyph}</svg>${text}</li>`;
    const place = { at, left: 2, right: 32, y: 8, half: 6, id: '' };
    if (answers.length === 0) return nothing;
    return html`<ul class="row fine legend">
      ${wide ? swatch(intervalGlyph({ lower: 6, upper: 28, kind: 'certified' }, { ...place, id: 'legend-bar' }), 'both ends proved; one tick where they agree') : nothing}
      ${open ? swatch(intervalGlyph({ lower: 0, upper: 28, kind: 'bound' }, { ...place, id: 'legend-fade' }), 'one end proved') : nothing}
      ${has('estimate') ? swatch(intervalGlyph({ lower: 17, upper: 17, kind: 'estimate' }, { ...place, id: 'legend-dot' }), 'estimate, nothing proved') : nothing}
      ${ghost ? swatch(ghostGlyph(4, 26, 8, 6, ghostLegend), ghostLegend) : nothing}
      ${answers.some(restsOnOwnProofs) ? html`<li><b>${ownProofsMark}</b>${markWords({})}</li>` : nothing}
      ${this.reported === undefined ? nothing : swatch(reportedGlyph(17, 8, 6), 'as reported')}
    </ul>`;
  }
}

const accountantNames = { rdp: 'Rényi', gdp: 'GDP' } as const;
type OtherAccountant = keyof typeof accountantNames;

/** A thin interval with its label, right of it where there is room. */
function thinLine(interval: Interval, label: string, place: GlyphPlace): TemplateResult<2> {
  const { at, left, right, y } = place;
  const end = at(interval.upper ?? interval.lower ?? 0);
  const start = openStart(interval) ? fadeStart(left, end) : at(interval.lower ?? 0);
  const wide = 6 * label.length + 16;
  const room = end + wide < right;
  const x = room ? end + 8 : (start > left + wide ? start : end) - 8;
  return svg`${intervalGlyph(interval, place)}
    <text class="direction" x=${x} y=${y + 3.5} text-anchor=${room ? 'start' : 'end'}>${label}</text>`;
}

const noLine = (left: number, y: number, kind: OtherAccountant) =>
  svg`<text class="direction" x=${left + 2} y=${y + 3.5}>no ${accountantNames[kind]} ${kind === 'rdp' ? 'bound' : 'estimate'} here</text>`;

customElements.define('he-forest', Forest);
