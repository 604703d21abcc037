import { html, nothing } from 'lit';
import { property } from 'lit/decorators.js';
import type { Engine } from '../../../wasm/client.js';
import type { Answer, Query } from '../../../wasm/generated/schema.js';
import { markOf, markWords, restsOnOwnProofs } from '../../../wasm/words/claims.js';
import { fieldInfo, formatFound } from '../../../wasm/words/fields.js';
import { otherNeighbours } from '../../../wasm/words/neighbours.js';
import { mark } from '../charts/glyphs.js';
import { LiveAsking } from '../live/asking.js';
import { troubleOf, type Trouble } from '../live/trouble.js';
import { soughtField } from '../state/fields.js';
import { inFormWords } from '../state/question.js';
import { calibrationsOf, uncalibrated } from '../state/rows.js';
import { ownFirst, rowNames, type RowName } from '../state/scenario.js';
import { rowLabel, targetPhrase, valueWords } from '../words/sentence.js';
import { Plain } from './plain.js';
import { dataTable } from './table.js';

/** What came of a question: the value that was found, or why there is none. */
interface Known {
  query: Query;
  answer?: Answer | undefined;
  trouble?: Trouble | undefined;
}

/** What every sampler needs for the target; asked once the reader's own value is there. */
class Needed extends Plain {
  @property({ attribute: false }) engine: Engine | undefined;
  /** What the form asks, and what came of the reader's own question; nothing while that is sought. */
  @property({ attribute: false }) query!: Query;
  @property({ attribute: false }) known: Known | undefined;
  @property() own!: RowName;
  /** Whether the answer above is complete: these questions must not delay it. */
  @property({ type: Boolean }) idle = false;

  private readonly asking = new Map(
    rowNames.map((name) => [
      name,
      new LiveAsking<Query, Known>(this, (engine, query, options) =>
        engine.calibrate(query, options).then(
          (answer) => ({ query, answer }),
          (error: unknown) => {
            const trouble = troubleOf(error);
            if (trouble.field === undefined) throw error;
            return { query, trouble };
          },
        ),
      ),
    ]),
  );
  /** What came of the reader's own question last: all that is shown is about its target. */
  private shown: Known | undefined;

  private get asked(): Query {
    return this.shown?.query ?? this.query;
  }

  protected override willUpdate(): void {
    this.shown = this.known ?? this.shown;
    const [, ...others] = calibrationsOf(this.asked);
    for (const [name, asking] of this.asking) {
      const row = others.find((one) => one.name === name);
      if (!this.known || !row) asking.outdate();
      else if (this.idle) asking.ask(row.query);
    }
  }

  protected override render() {
    const { asked } = this;
    const field = soughtField(asked.solveFor ?? 'epsilon') ?? 'epsilon';
    const { label, symbol } = fieldInfo(field);
    return dataTable({
      label: 'What every sampler needs',
      classes: 'needed',
      caption: targetPhrase(asked),
      head: [
        'Sampler',
        html`${label} ${symbol ? html`<i>${symbol}</i>` : nothing}`,
        html`<span class="sr">Notes</span>`,
      ],
      body: ownFirst(this.own).map((name) => this.row(name, field)),
    });
  }

  private row(name: RowName, field: string) {
    const own = name === this.own;
    return html`<tr class=${`s-${name}${own ? ' own' : ''}${this.known ? '' : ' stale'}`}>
      <th scope="row">
        <svg width="12" height="12" aria-hidden="true">${mark(name, 6, 6, 4.5)}</svg>
        ${rowLabel(name)}${own ? html` <small>your run</small>` : nothing}
      </th>
      ${this.cells(name, field)}
    </tr>`;
  }

  private cells(name: RowName, field: string) {
    const why = (text: string) => html`<td class="awaited" colspan="2">${text}</td>`;
    const never = uncalibrated(this.asked).get(name);
    if (never !== undefined) return why(inFormWords('solveFor', never));
    const { answer, trouble } = this.knownOf(name) ?? {};
    // The caption says what is to be met, and the sentence above it what would do.
    if (trouble?.nearest !== undefined) {
      const value = valueWords({ field, value: trouble.nearest });
      return why(`Not reachable: ${value} already exceeds it.`);
    }
    if (trouble) return why(inFormWords('solveFor', trouble.text));
    const solution = answer?.solution;
    if (!answer || !solution) return why('computing');
    const limits = answer.warnings.filter(({ code }) => code === 'any-value-meets');
    const own = restsOnOwnProofs(answer) ? [markWords({})] : [];
    const notes = limits.map(({ text }) => inFormWords(solution.field, text));
    return html`<td class="figure">${formatFound(solution)}${markOf(answer)}</td>
      <td>${[otherNeighbours(answer), ...own, ...notes].filter(Boolean).join('. ')}</td>`;
  }

  /** What is known of a row for the target that is shown. */
  private knownOf(name: RowName): Known | undefined {
    const [own, ...others] = calibrationsOf(this.asked);
    if (name === own?.name) return this.shown;
    const known = this.asking.get(name)?.state.answer;
    const row = others.find((one) => one.name === name);
    return known && JSON.stringify(known.query) === JSON.stringify(row?.query) ? known : undefined;
  }
}

customElements.define('he-needed', Needed);
