import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { samplers } from '../../../wasm/generated/schema.js';
import type { Answer, SamplerName } from '../../../wasm/generated/schema.js';
import { mark } from '../charts/glyphs.js';
import { presets } from '../state/presets.js';
import { fieldInfo } from '../state/question.js';
import type { Problems } from '../state/question.js';
import { fieldsInUse, schedules, withText } from '../state/scenario.js';
import type { NumberField, Scenario, ScheduleName } from '../state/scenario.js';
import { exact, formatGiven } from '../words/format.js';
import { Plain } from './plain.js';

export interface EditDetail {
  scenario: Scenario;
  /** What was edited: a burst of edits of one thing is one step back. */
  key: string;
  /** Typed letter by letter, so that the next edit may follow at once. */
  typing: boolean;
}

const scheduleLabels: Readonly<Record<ScheduleName, string>> = {
  counts: 'dataset and epochs',
  steps: 'steps and probability',
};

const reshuffleLabels: Readonly<Record<string, string>> = {
  'each-epoch': 'afresh each epoch',
  once: 'once, kept for all epochs',
};

/** The form: the sampler first, then the run's numbers in story order. */
export class ScenarioPanel extends Plain {
  static override properties = {
    scenario: { attribute: false },
    problems: { attribute: false },
    derived: { attribute: false },
    showReshuffle: { type: Boolean },
    explained: { state: true },
  };

  declare scenario: Scenario;
  declare problems: Problems;
  declare derived: Answer['derived'] | undefined;
  declare showReshuffle: boolean;
  declare explained: NumberField | 'reported' | undefined;

  private edit(scenario: Scenario, key: string, typing = false): void {
    const detail: EditDetail = { scenario, key, typing };
    this.dispatchEvent(new CustomEvent('edit', { detail, bubbles: true }));
  }

  protected override render() {
    const { scenario } = this;
    return html`
      <h2 id="scenario-title">The run</h2>
      ${this.presetMenu()}
      <fieldset class="samplers">
        <legend>${fieldInfo('sampler').meaning.replace(/\.$/, '')}</legend>
        ${samplers.map(({ name, label, sentence }) => this.samplerChoice(name, label, sentence))}
        ${this.problem('sampler')}
      </fieldset>
      <fieldset class="schedule">
        <legend class="sr">How the schedule is given</legend>
        ${schedules.map(
          (schedule) =>
            html`<label>
              <input
                type="radio"
                name="schedule"
                value=${schedule}
                .checked=${scenario.schedule === schedule}
                @change=${() => {
                  this.edit({ ...scenario, schedule }, 'schedule');
                }}
              /><span>by ${scheduleLabels[schedule]}</span></label
            >`,
        )}
      </fieldset>
      <div class="fields">
        ${fieldsInUse(scenario).map((name) => this.numberField(name))}
        ${this.showReshuffle ? this.reshuffleField() : nothing}
        ${this.textField('reported', 'Reported', 'ε', scenario.reported, 'optional', (text) => {
          this.edit({ ...scenario, reported: text }, 'reported', true);
        })}
      </div>
      ${this.derivedLine()}
      <p class="explained" aria-hidden="true">${this.explanation()}</p>
    `;
  }

  private presetMenu() {
    return html`<label class="presets">
      <span>Start from</span>
      <select
        @change=${(event: Event) => {
          const select = event.target as HTMLSelectElement;
          const preset = presets[Number(select.value)];
          select.value = '';
          if (preset) this.edit(preset.scenario, `preset ${preset.name}`);
        }}
      >
        <option value="" selected>a published run …</option>
        ${presets.map(
          ({ name, about }, index) => html`<option value=${index} title=${about}>${name}</option>`,
        )}
      </select>
    </label>`;
  }

  private samplerChoice(name: SamplerName, label: string, sentence: string): TemplateResult {
    const chosen = this.scenario.sampler === name;
    return html`<label class=${`sampler s-${name}${chosen ? ' chosen' : ''}`}>
      <input
        type="radio"
        name="sampler"
        value=${name}
        .checked=${chosen}
        @change=${() => {
          this.edit({ ...this.scenario, sampler: name }, 'sampler');
        }}
      />
      <svg width="14" height="14" aria-hidden="true">${mark(name, 7, 7, 5.5)}</svg>
      <span class="sampler-name">${label}</span>
      <span class="sampler-sentence">${sentence}</span>
    </label>`;
  }

  private numberField(name: NumberField) {
    const { label, symbol, meaning } = fieldInfo(name);
    return this.textField(
      name,
      label,
      symbol,
      this.scenario.texts[name],
      '',
      (text) => {
        this.edit(withText(this.scenario, name, text), name, true);
      },
      meaning,
    );
  }

  private textField(
    name: NumberField | 'reported',
    label: string,
    symbol: string,
    text: string,
    placeholder: string,
    onText: (text: string) => void,
    meaning = 'What a paper or a report says the run’s epsilon is.',
  ) {
    const problem = this.problems.get(name);
    return html`<div class=${problem === undefined ? 'field' : 'field wrong'}>
      <label for=${`field-${name}`}>${label} ${symbol ? html`<i>${symbol}</i>` : nothing}</label>
      <input
        id=${`field-${name}`}
        name=${name}
        type="text"
        inputmode="text"
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
        placeholder=${placeholder}
        .value=${text}
        aria-description=${meaning}
        aria-invalid=${problem === undefined ? 'false' : 'true'}
        aria-describedby=${problem === undefined ? nothing : `problem-${name}`}
        @input=${(event: Event) => {
          onText((event.target as HTMLInputElement).value);
        }}
        @change=${() => this.dispatchEvent(new CustomEvent('settle', { bubbles: true }))}
        @focus=${() => {
          this.explained = name;
        }}
        @blur=${() => {
          this.explained = undefined;
        }}
      />
      ${this.problem(name)}
    </div>`;
  }

  private reshuffleField() {
    const { name, label, meaning, choices } = fieldInfo('reshuffle');
    return html`<div class="field">
      <label for="field-reshuffle">${label}</label>
      <select
        id="field-reshuffle"
        name=${name}
        aria-description=${meaning}
        @change=${(event: Event) => {
          const reshuffle = (event.target as HTMLSelectElement).value;
          this.edit({ ...this.scenario, reshuffle }, 'reshuffle');
        }}
      >
        ${choices.map(
          (choice) =>
            html`<option value=${choice} ?selected=${choice === this.scenario.reshuffle}>
              ${reshuffleLabels[choice] ?? choice}
            </option>`,
        )}
      </select>
    </div>`;
  }

  private problem(name: string) {
    const text = this.problems.get(name);
    return text === undefined
      ? nothing
      : html`<p class="problem" id=${`problem-${name}`} role="alert">${text}</p>`;
  }

  /** What follows from what was typed: the reader sees at once when q is off by a factor. */
  private derivedLine() {
    const { derived } = this;
    if (!derived) return html`<p class="derived">&nbsp;</p>`;
    const { steps, samplingProbability, stepsPerEpoch, epochs } = derived;
    const item = (symbol: string, value: number, title: string) =>
      html`<span title=${`${title}: ${exact(value)}`}
        ><i>${symbol}</i> = ${formatGiven(value)}</span
      >`;
    return html`<p class="derived">
      This makes ${item('q', samplingProbability, 'Sampling probability')},
      ${item('T', stepsPerEpoch, 'Steps per epoch')}${epochs > 1 ? html`, ${item('k', epochs, 'Epochs')}` : nothing}:
      ${formatGiven(steps)} ${steps === 1 ? 'step' : 'steps'} in all.
    </p>`;
  }

  private explanation() {
    const name = this.explained;
    if (name === undefined) return 'Numbers may be typed as 0.8, 1e-5, 60_000 or 1/60000.';
    if (name === 'reported')
      return 'What a paper or a report says the run’s epsilon is; drawn as a diamond.';
    return fieldInfo(name).meaning;
  }
}

customElements.define('he-scenario', ScenarioPanel);
