import { html, nothing, type PropertyValues } from 'lit';
import { property, state } from 'lit/decorators.js';
import { samplers, type SamplerName } from '../../../wasm/generated/schema.js';
import type { Ambiguity, Choices, ImportedRun, NoRun } from '../../../wasm/import/index.js';
import { fieldInfo } from '../../../wasm/words/fields.js';
import { mark } from '../charts/glyphs.js';
import { ableFor, scenarioFrom, unfillable } from '../state/imported.js';
import type { Scenario } from '../state/scenario.js';
import { button } from './fields.js';
import { Plain } from './plain.js';
import styles from './paste.css?inline';

export { styles };

/** A line may break after the signs that join the words of a name. */
const breakable = (text: string) =>
  text.split(/(?<=[_.=:,/-])/).map((part, at) => (at === 0 ? part : html`<wbr />${part}`));

/** A place of the text, and what it says. */
const quoted = (
  { line, quote }: Pick<ImportedRun['dangerous'][number], 'line' | 'quote'>,
  says: string,
) =>
  html`<dt><small>${line}</small> <code>${breakable(quote)}</code></dt>
    <dd>${says}</dd>`;

/** Words that begin with a field's name, as a line begins with it. */
const atStart = ({ field, words }: ImportedRun['missing'][number]) =>
  fieldInfo(field).label + words.slice(fieldInfo(field).label.length);

/** The box that fills the form: it shows what it understood, asks what it cannot know, and for the sampler. */
export class Paste extends Plain {
  @property({ attribute: false }) scenario!: Scenario;
  /** What was pasted outside of the box. */
  @property({ attribute: false }) pasted: string | undefined;
  @state() text = '';
  @state() run: ImportedRun | NoRun | undefined;
  private choices: Choices = {};

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('pasted') && this.pasted !== undefined) this.text = this.pasted;
    if (changed.has('text')) void this.readWith({});
  }

  /** The readers of formats are fetched once there is something to read. */
  private async readWith(choices: Choices): Promise<void> {
    const { text } = this;
    this.choices = choices;
    if (text.trim() === '') {
      this.run = undefined;
      return;
    }
    let run: ImportedRun | NoRun;
    try {
      const { readRun } = await import('../../../wasm/import/index.js');
      run = readRun(text, choices);
    } catch (error) {
      const why =
        error instanceof TypeError
          ? 'The reader could not be fetched'
          : 'The text could not be read';
      run = {
        wrong: [`${why}: it stays in the box; try again, or type the numbers into the form.`],
      };
    }
    // The text may have changed meanwhile.
    if (text === this.text) this.run = run;
  }

  private fill(run: ImportedRun, sampler: SamplerName): void {
    const detail: FillDetail = {
      scenario: scenarioFrom(run, sampler, this.scenario),
      missing: run.missing[0]?.field,
    };
    this.tell('fill', detail);
  }

  protected override render() {
    const { run } = this;
    return html`
      <label for="paste-text">Config, script, accountant state, or a paper’s text or table</label>
      <textarea
        id="paste-text"
        rows="4"
        spellcheck="false"
        autocapitalize="off"
        autocomplete="off"
        placeholder="sigma = 1.1, batch size 256, 60 epochs, n = 60,000"
        aria-describedby="paste-hint"
        .value=${this.text}
        @input=${(event: Event) => {
          this.text = (event.target as HTMLTextAreaElement).value;
        }}
      ></textarea>
      <p class="soft" id="paste-hint">
        Reads scripts, configurations, commands, accountants’ histories, tables and plain sentences.
        Nothing is executed, and nothing is uploaded. ${button('Close', () => this.tell('close'))}
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
    const { source, facts, missing, ignored, dangerous, ambiguous, delta } = run;
    const usual =
      delta === undefined ? [`Delta: the form’s ${this.scenario.texts.delta} stays`] : [];
    return html`
      ${
        dangerous.length === 0
          ? nothing
          : html`<p class="problem">These may change the answer and were not read:</p>
              <dl class="paste-dangers">${dangerous.map((one) => quoted(one, one.why))}</dl>`
      }
      <p>Found in ${source}, with line numbers:</p>
      <dl>
        ${facts.map((one) => quoted(one, one.means))}
        ${[...missing.map(atStart), ...usual].map(
          (words) =>
            html`<dt class="paste-missing alarm">missing</dt>
              <dd class="paste-missing alarm">${words}</dd>`,
        )}
      </dl>
      ${ignored.length > 0 ? html`<p class="soft">Ignored: ${ignored.join(', ')}.</p>` : nothing}
      ${ambiguous.length > 0 ? ambiguous.map((one) => this.question(one)) : this.samplerChoice(run)}
    `;
  }

  /** What has two readings: nothing is filled in before it is decided. */
  private question({ id, ask, readings }: Ambiguity) {
    const decide = (at: number) => () => void this.readWith({ ...this.choices, [id]: at });
    return html`<p><b>${ask}</b></p>
      <div class="paste-readings" role="group" aria-label=${ask}>
        ${[...readings, 'None of these'].map((words, at) => button(words, decide(at)))}
      </div>`;
  }

  private samplerChoice(run: ImportedRun) {
    const { sampling } = run;
    const why = unfillable(run);
    if (why !== undefined) return html`<p class="problem">${why}</p>`;
    const able = ableFor(run);
    return html`<p id="paste-asks">
        <b>How were batches really sampled?</b>
        ${
          sampling.length === 0
            ? 'The text does not say.'
            : html`The text mentions “${sampling.join('”, “')}”; check that the code really did
              this.`
        }
        ${able.length < samplers.length ? 'Nothing is proved of this run with other batches than these.' : ''}
        Choose it to fill in the form:
      </p>
      <div class="paste-samplers" role="group" aria-labelledby="paste-asks">
        ${able.map(
          ({ name, label, sentence }) =>
            html`<button
              class=${`plain s-${name}`}
              title=${sentence}
              @click=${() => this.fill(run, name)}
            >
              <svg width="14" height="14" aria-hidden="true">${mark(name, 7, 7, 5)}</svg> ${label}
            </button>`,
        )}
      </div>`;
  }
}

export interface FillDetail {
  scenario: Scenario;
  /** The first field that the run still needs. */
  missing: string | undefined;
}

customElements.define('he-paste', Paste);
