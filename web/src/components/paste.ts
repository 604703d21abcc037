import { html, nothing } from 'lit';
import type { PropertyValues } from 'lit';
import { samplers } from '../../../wasm/generated/schema.js';
import type { SamplerName } from '../../../wasm/generated/schema.js';
import { readRun } from '../../../wasm/import/index.js';
import type { ImportedRun } from '../../../wasm/import/index.js';
import { mark } from '../charts/glyphs.js';
import { scenarioFrom } from '../state/imported.js';
import type { Scenario } from '../state/scenario.js';
import { Plain } from './plain.js';
import styles from './paste.css?inline';

export { styles };

/** What the reader starts from. */
export type InHand = 'config' | 'paper';

const examples: Readonly<Record<InHand, string>> = {
  config: '{"history": [[1.1, 0.00427, 2350]]}',
  paper: 'sigma = 1.1, batch size 256, 60 epochs, n = 60,000',
};

const labels: Readonly<Record<InHand, string>> = {
  config: 'A config or an accountant’s state',
  paper: 'A paper’s sentence',
};

/** The box that fills the form: it shows what it understood, and asks for the sampler. */
export class Paste extends Plain {
  static override properties = {
    source: { type: String },
    scenario: { attribute: false },
    pasted: { attribute: false },
    text: { state: true },
  };

  declare source: InHand;
  declare scenario: Scenario;
  declare text: string;
  /** What was pasted outside of the box. */
  declare pasted: string | undefined;

  constructor() {
    super();
    this.source = 'config';
    this.text = '';
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('pasted') && this.pasted !== undefined) this.text = this.pasted;
  }

  private fill(run: ImportedRun, sampler: SamplerName): void {
    const detail: FillDetail = {
      scenario: scenarioFrom(run, sampler, this.scenario),
      missing: run.missing[0]?.field,
    };
    this.dispatchEvent(new CustomEvent('fill', { detail, bubbles: true }));
  }

  protected override render() {
    const run = this.text.trim() === '' ? undefined : readRun(this.text);
    return html`
      <label for="paste-text">${labels[this.source]}</label>
      <textarea
        id="paste-text"
        rows="4"
        spellcheck="false"
        autocapitalize="off"
        autocomplete="off"
        placeholder=${examples[this.source]}
        aria-describedby="paste-hint"
        .value=${this.text}
        @input=${(event: Event) => {
          this.text = (event.target as HTMLTextAreaElement).value;
        }}
      ></textarea>
      <p class="paste-hint" id="paste-hint">
        Reads Opacus histories, dp_accounting events, training arguments, YAML, flags and plain
        sentences. It stays in this page.
        <button
          class="plain"
          @click=${() => this.dispatchEvent(new CustomEvent('close', { bubbles: true }))}
        >
          Close
        </button>
      </p>
      <div aria-live="polite">
        ${
          run === undefined
            ? nothing
            : 'wrong' in run
              ? run.wrong.map((text) => html`<p class="problem">${text}</p>`)
              : this.read(run)
        }
      </div>
    `;
  }

  private read(run: ImportedRun) {
    const { source, understood, missing, aside, sampling, delta } = run;
    const left = [
      ...missing.map(({ words }) => words),
      ...(delta === undefined ? [`delta (the form’s ${this.scenario.texts.delta} stays)`] : []),
    ];
    return html`
      <p>Read as ${source}:</p>
      <dl>
        ${understood.map(
          ({ words, means }) =>
            html`<dt><code>${words}</code></dt>
              <dd>${means}</dd>`,
        )}
      </dl>
      ${left.length > 0 ? html`<p>Not said: ${left.join(', ')}.</p>` : nothing}
      ${aside.length > 0 ? html`<p class="paste-hint">Not used: ${aside.join(', ')}.</p>` : nothing}
      <p id="paste-asks">
        <b>Which sampler really ran?</b>
        ${
          sampling.length === 0
            ? 'The text does not say.'
            : html`The text says “${sampling.join('”, “')}”, which need not be what ran.`
        }
        Choose it to fill in the form:
      </p>
      <div class="paste-samplers" role="group" aria-labelledby="paste-asks">
        ${samplers.map(
          ({ name, label, sentence }) =>
            html`<button
              class=${`plain s-${name}`}
              title=${sentence}
              @click=${() => {
                this.fill(run, name);
              }}
            >
              <svg width="14" height="14" aria-hidden="true">${mark(name, 7, 7, 5)}</svg> ${label}
            </button>`,
        )}
      </div>
    `;
  }
}

export interface FillDetail {
  scenario: Scenario;
  /** The first field that the run still needs. */
  missing: string | undefined;
}

customElements.define('he-paste', Paste);
