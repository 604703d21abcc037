import { html, nothing } from 'lit';
import { property } from 'lit/decorators.js';
import type { Query } from '../../../wasm/generated/schema.js';
import { markOf, markWords, restsOnOwnProofs } from '../../../wasm/words/claims.js';
import { otherNeighbours } from '../../../wasm/words/neighbours.js';
import { mark } from '../charts/glyphs.js';
import { noAnswers, type Need } from '../live/answers.js';
import { inFormWords } from '../state/question.js';
import { soughtField } from '../state/fields.js';
import { ownFirst, type RowName } from '../state/scenario.js';
import { rowLabel, targetPhrase, valueWords } from '../words/sentence.js';
import { Plain } from './plain.js';
import { dataTable } from './table.js';
import { fieldInfo, formatFound } from '../../../wasm/words/fields.js';

class Needed extends Plain {
  @property({ attribute: false }) asked!: Query;
  @property({ attribute: false }) needed: ReadonlyMap<RowName, Need> = noAnswers.needed;
  @property() own!: RowName;
  /** Whether all of it belongs to an earlier question. */
  @property({ type: Boolean }) behind = false;

  protected override render() {
    const rows = ownFirst(this.own);
    const { label, symbol } = fieldInfo(this.field);
    return dataTable({
      label: 'What every sampler needs',
      classes: 'needed',
      caption: targetPhrase(this.shown),
      head: [
        'Sampler',
        html`${label} ${symbol ? html`<i>${symbol}</i>` : nothing}`,
        html`<span class="sr">Notes</span>`,
      ],
      body: rows.map((name) => this.row(name)),
    });
  }

  /** The question of all values that are shown: the reader's own value comes first. */
  private get shown(): Query {
    return this.needed.get(this.own)?.asked ?? this.asked;
  }

  private get field(): string {
    return soughtField(this.asked.solveFor ?? 'epsilon') ?? 'epsilon';
  }

  /** What is known of a row; values of another question or field are left out. */
  private need(name: RowName): Need | undefined {
    const need = this.needed.get(name);
    if (need?.asked !== this.shown) return undefined;
    const other = need && 'found' in need && need.found.solution?.field !== this.field;
    return other ? undefined : need;
  }

  private row(name: RowName) {
    const need = this.need(name);
    const own = name === this.own;
    const stale = need && 'found' in need && (need.stale || this.behind);
    return html`<tr class=${`s-${name}${own ? ' own' : ''}${stale ? ' stale' : ''}`}>
      <th scope="row">
        <svg width="12" height="12" aria-hidden="true">${mark(name, 6, 6, 4.5)}</svg>
        ${rowLabel(name)}${own ? html` <small>your run</small>` : nothing}
      </th>
      ${need ? this.cells(need) : html`<td class="awaited" colspan="2">computing</td>`}
    </tr>`;
  }

  private cells(need: Need) {
    if ('refusal' in need) {
      // The caption says what is to be met, and the sentence above it what would do.
      const { refusal, nearest } = need;
      const why =
        nearest === undefined
          ? inFormWords('solveFor', refusal)
          : `Not reachable: ${valueWords({ field: this.field, value: nearest })} already exceeds it.`;
      return html`<td class="awaited" colspan="2">${why}</td>`;
    }
    const { solution, warnings } = need.found;
    if (!solution) return nothing;
    const limits = warnings.filter(({ code }) => code === 'any-value-meets');
    const own = restsOnOwnProofs(need.found) ? [markWords({})] : [];
    const notes = limits.map(({ text }) => inFormWords(solution.field, text));
    return html`<td class="figure">${formatFound(solution)}${markOf(need.found)}</td>
      <td>${[otherNeighbours(need.found), ...own, ...notes].filter(Boolean).join('. ')}</td>`;
  }
}

customElements.define('he-needed', Needed);
