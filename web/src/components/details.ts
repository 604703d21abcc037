import { html, nothing } from 'lit';
import { property } from 'lit/decorators.js';
import { version, type Answer } from '../../../wasm/generated/schema.js';
import { markNote, markOf, restsOnOwnProofs } from '../../../wasm/words/claims.js';
import { neighboursOf } from '../../../wasm/words/neighbours.js';
import { linkOf, references, whereOf } from '../../../wasm/words/references.js';
import { Copying } from '../export/clipboard.js';
import { format, formatGap, formatInterval, givenAs } from '../../../wasm/words/numbers.js';
import { explained } from '../words/methods.js';
import { kindMeaning, rowLabel } from '../words/sentence.js';
import type { RowName } from '../state/scenario.js';
import { button } from './fields.js';
import { Plain } from './plain.js';
import { remarks } from './remarks.js';

/** "How do you know?": one number's ends, kind, method, grid and sources. */
class Details extends Plain {
  @property({ attribute: false }) answer!: Answer;
  @property() name!: RowName;
  /** Whether it is the reader's own, whose remarks stand below the ladder. */
  @property({ type: Boolean }) own = false;
  @property({ attribute: false }) methods: string | undefined;
  private readonly copying = new Copying(this);

  override connectedCallback(): void {
    super.connectedCallback();
    this.role = 'group';
    this.ariaLabel = 'Where this number comes from';
  }

  protected override render() {
    const { answer, name } = this;
    const { epsilon, delta, citations, work } = answer;
    const grid =
      work.gridPoints > 0 ? `${format(work.gridPoints, { side: 'given' })} grid points, ` : '';
    return html`
      ${button('Close', () => this.tell('close'), { classes: 'plain close' })}
      <h3 tabindex="-1">
        ${rowLabel(name)}: ε at ${givenAs('δ', delta.upper ?? 0)}, ${neighboursOf(answer)}
      </h3>
      <dl>
        ${[...numbersOf(answer)].map(
          ([name, digits]) =>
            html`<dt>${name}</dt>
              <dd>${digits}</dd>`,
        )}
      </dl>
      <p>${kindMeaning(epsilon)}${restsOnOwnProofs(answer) ? ` ${markNote(answer)}` : nothing}</p>
      <p>
        <b>Method.</b> ${explained(answer, this.methods)} (${grid}${work.milliseconds.toFixed(0)}
        ms, version ${version}).
      </p>
      ${this.own ? nothing : remarks(answer, 'This ε')}
      <ul class="sources soft">
        ${citations.map((key) => this.source(key))}
      </ul>
      ${button(this.copying.words(name, 'Copy as JSON'), () => void this.copying.copy(name, JSON.stringify(answer, null, 2)))}
    `;
  }

  private source(key: string) {
    const reference = references[key];
    if (!reference) return html`<li>${key}</li>`;
    const { authors, title } = reference;
    const { address, name } = linkOf(reference, this.methods);
    return html`<li>
      ${authors}, <cite>${title}</cite>, ${whereOf(reference)},
      ${address === undefined ? name : html`<a href=${address} rel="noreferrer">${name}</a>`}
    </li>`;
  }
}

function* numbersOf(answer: Answer): Generator<readonly [name: string, text: string]> {
  const { epsilon, directions, published, rdp, gdp } = answer;
  if (epsilon.kind === 'estimate') yield ['estimate', formatInterval(epsilon)];
  else {
    yield ['at most', `${format(epsilon.upper, { side: 'up' })}${markOf(answer)}`];
    if (published)
      yield ['at most, by published theorems alone', format(published.upper, { side: 'up' })];
    yield ['at least', format(epsilon.lower, { side: 'down' })];
    const gap = formatGap(epsilon);
    yield ['gap', gap.endsWith('digits') ? `exact to ${gap}` : gap];
  }
  yield ['remove', formatInterval(directions.remove)];
  yield ['add', formatInterval(directions.add)];
  if (rdp) yield ['Rényi', formatInterval(rdp)];
  if (gdp) yield ['GDP', `${formatInterval(gdp)}, no guarantee`];
}

customElements.define('he-details', Details);
