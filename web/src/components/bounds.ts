import { html, nothing } from 'lit';
import type { Answer, Interval } from '../../../wasm/generated/schema.js';
import { mark } from '../charts/glyphs.js';
import { inFormWords } from '../state/question.js';
import { markNote, markOf, restsOnOwnProofs } from '../../../wasm/words/claims.js';
import { otherNeighbours } from '../../../wasm/words/neighbours.js';
import { ownFirst } from '../state/scenario.js';
import type { RowName } from '../state/scenario.js';
import { format, formatGap, formatInterval } from '../../../wasm/words/numbers.js';
import { rowLabel } from '../words/sentence.js';
import { toggle } from './fields.js';
import { Plain } from './plain.js';

/** All bounds in figures: both directions, the method, then the warnings. */
export class Bounds extends Plain {
  static override properties = {
    answers: { attribute: false },
    fresh: { attribute: false },
    working: { type: Boolean },
    own: {},
    refused: { attribute: false },
    directions: { type: Boolean },
    others: { type: Boolean },
    comparing: { type: Boolean },
    highlight: {},
  };

  declare answers: ReadonlyMap<RowName, Answer>;
  declare fresh: ReadonlySet<RowName>;
  declare working: boolean;
  declare own: RowName;
  declare refused: ReadonlyMap<RowName, string>;
  declare directions: boolean;
  declare others: boolean;
  declare comparing: boolean;
  declare highlight: string | undefined;

  protected override render() {
    const rows = ownFirst(this.own);
    const tell = (event: 'directions' | 'others') => (detail: boolean) => {
      this.dispatchEvent(new CustomEvent(event, { detail, bubbles: true }));
    };
    return html`
      <div class="bounds-head">
        <h2>All bounds</h2>
        <span class="toggles">
          ${this.comparing ? toggle('Rényi and GDP of every row', this.others, tell('others')) : nothing}
          ${toggle('remove and add separately', this.directions, tell('directions'))}
        </span>
      </div>
      <div class="scroll" tabindex="0" role="region" aria-label="Bounds of every sampler">
        <table class="bounds">
          <thead>
            <tr>
              <th scope="col">Sampler</th>
              <th scope="col" class="figure">ε at least</th>
              <th scope="col" class="figure">ε at most</th>
              <th scope="col" class="figure">gap</th>
              ${
                this.directions
                  ? html`<th scope="col" class="figure">remove</th>
                      <th scope="col" class="figure">add</th>`
                  : nothing
              }
              ${
                this.showsOthers
                  ? html`<th scope="col" class="figure">Rényi</th>
                      <th scope="col" class="figure">GDP</th>`
                  : nothing
              }
              <th scope="col">method</th>
            </tr>
          </thead>
          <tbody>
            ${rows.map((name) => this.row(name))}
          </tbody>
        </table>
      </div>
      ${this.markNote(rows)} ${this.warnings(rows)} ${this.assumptions()}
    `;
  }

  private get showsOthers(): boolean {
    return this.comparing && this.others;
  }

  /** What the mark at some upper end means. */
  private markNote(rows: readonly RowName[]) {
    const answers = rows.flatMap((name) => this.answers.get(name) ?? []);
    const own = answers.find(restsOnOwnProofs);
    return own ? html`<p class="mark-note">${markNote(own)}</p>` : nothing;
  }

  /** The assumptions behind the reader's own number, in the core's words. */
  private assumptions() {
    const own = this.answers.get(this.own);
    if (!own || own.assumptions.length === 0) return nothing;
    return html`<p class="assumptions">
      <b>Your ε assumes.</b> ${own.assumptions.map((text) => inFormWords('', text)).join(' ')}
    </p>`;
  }

  private whyAwaited(name: RowName): string {
    const refusal = this.refused.get(name);
    if (refusal !== undefined) return inFormWords('', refusal);
    return this.working ? 'computing' : 'no answer';
  }

  private row(name: RowName) {
    const answer = this.answers.get(name);
    const stale = answer && !this.fresh.has(name) ? ' stale' : '';
    const other = answer && otherNeighbours(answer);
    const head = html`<th scope="row">
      <svg width="12" height="12" aria-hidden="true">${mark(name, 6, 6, 4.5)}</svg>
      ${rowLabel(name)}${other === undefined ? nothing : html`<small> ${other}</small>`}
    </th>`;
    if (!answer) {
      return html`<tr class=${`s-${name}`}>
        ${head}
        <td class="awaited" colspan=${4 + (this.directions ? 2 : 0) + (this.showsOthers ? 2 : 0)}>
          ${this.whyAwaited(name)}
        </td>
      </tr>`;
    }
    const { epsilon, directions, method } = answer;
    const own = name === this.own ? ' own' : '';
    const lit = name === this.highlight ? ' lit' : '';
    const light = (on: RowName | undefined) => () =>
      this.dispatchEvent(new CustomEvent('light', { detail: on, bubbles: true }));
    return html`<tr
      class=${`s-${name}${stale}${own}${lit}`}
      @pointerenter=${light(name)}
      @pointerleave=${light(undefined)}
    >
      ${head} ${endCells(epsilon, markOf(answer))}
      <td class="figure" title="upper end above the lower one">${formatGap(epsilon)}</td>
      ${this.directions ? html`${directionCell(directions.remove)}${directionCell(directions.add)}` : nothing}
      ${this.showsOthers ? html`${otherCell(answer.rdp)}${otherCell(answer.gdp)}` : nothing}
      <td class="method">
        <button
          class="number"
          data-sampler=${name}
          aria-label=${`${method}: details of ${rowLabel(name)}`}
        >
          ${method}
        </button>
      </td>
    </tr>`;
  }

  /** Each warning once; those of the same samplers in one paragraph. */
  private warnings(rows: readonly RowName[]) {
    const about = new Map<string, RowName[]>();
    for (const name of rows) {
      for (const { text } of this.answers.get(name)?.warnings ?? []) {
        about.set(text, [...(about.get(text) ?? []), name]);
      }
    }
    const paragraphs = new Map<string, string[]>();
    for (const [text, names] of about) {
      const whom = names.length === rows.length ? 'Every row' : names.map(rowLabel).join(', ');
      const words = inFormWords('', text);
      const sentence = `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
      paragraphs.set(whom, [...(paragraphs.get(whom) ?? []), sentence]);
    }
    if (paragraphs.size === 0) return nothing;
    return html`<ul class="warnings" aria-label="Warnings">
      ${[...paragraphs].map(([whom, sentences]) => html`<li><b>${whom}.</b> ${sentences.join(' ')}</li>`)}
    </ul>`;
  }
}

/** Both ends; an estimate has none apart. */
function endCells(epsilon: Interval, mark: string) {
  const { lower, upper, kind } = epsilon;
  if (kind === 'estimate')
    return html`<td class="figure" colspan="2">${formatInterval(epsilon)}</td>`;
  return html`<td class="figure">${format(lower, { side: 'down' })}</td>
    <td class="figure">${format(upper, { side: 'up' })}${mark}</td>`;
}

function otherCell(interval: Interval | undefined) {
  return interval ? directionCell(interval) : html`<td class="figure">–</td>`;
}

function directionCell(interval: Interval) {
  return html`<td class="figure">${formatInterval(interval)}</td>`;
}

customElements.define('he-bounds', Bounds);
