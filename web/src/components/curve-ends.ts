import { html, nothing, type PropertyValues } from 'lit';
import { property, state } from 'lit/decorators.js';
import { endLabels, endNames, type EndName, type EndTexts } from '../state/curve-ends.js';
import { Plain } from './plain.js';

/** A half-typed number is no mistake yet. */
const problemPause = 600;

export interface EndsDetail {
  name: EndName;
  text: string;
}

type EndProblems = ReadonlyMap<EndName, string>;

/** Compared by their text: a problem that stays is not delayed again. */
const isOther = (next: EndProblems, before: EndProblems | undefined) =>
  JSON.stringify([...next]) !== JSON.stringify([...(before ?? [])]);

/** Where curves begin and end: a text field each, empty for what the run suggests. */
class CurveEndsForm extends Plain {
  /** Of the field along the curves. */
  @property() symbol = '';
  @property({ attribute: false }) texts: EndTexts = { from: '', to: '', floor: '' };
  /** The ends that this kind of curve has. */
  @property({ attribute: false }) names: readonly EndName[] = endNames;
  @property({ attribute: false, hasChanged: isOther }) problems: EndProblems = new Map();
  /** The problems that have lasted long enough to be shown. */
  @state() said: EndProblems = new Map();

  private timer: ReturnType<typeof setTimeout> | undefined;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.timer);
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (!changed.has('problems')) return;
    clearTimeout(this.timer);
    const pause = this.problems.size > 0 ? problemPause : 0;
    this.timer = setTimeout(() => {
      this.said = this.problems;
    }, pause);
  }

  protected override render() {
    return html`<div
      class="row small curve-ends"
      role="group"
      aria-label=${`Ends of the curves over ${this.symbol}`}
    >
      <i aria-hidden="true">${this.symbol}</i>
      ${this.names.map((name) => this.field(name))}
      ${this.names.map((name) => {
        const problem = this.said.get(name);
        return problem === undefined
          ? nothing
          : html`<p class="problem" id=${`curves-${name}-problem`} role="alert">${problem}</p>`;
      })}
    </div>`;
  }

  private field(name: EndName) {
    const wrong = this.said.has(name);
    return html`<label class="cell-field">
      ${endLabels[name]}
      <input
        type="text"
        autocomplete="off"
        spellcheck="false"
        size="8"
        placeholder="automatic"
        aria-invalid=${wrong ? 'true' : 'false'}
        aria-describedby=${wrong ? `curves-${name}-problem` : nothing}
        .value=${this.texts[name]}
        @input=${({ target }: Event) => {
          const detail: EndsDetail = { name, text: (target as HTMLInputElement).value };
          this.dispatchEvent(new CustomEvent('ends', { detail, bubbles: true }));
        }}
      />
    </label>`;
  }
}

customElements.define('he-curve-ends', CurveEndsForm);
