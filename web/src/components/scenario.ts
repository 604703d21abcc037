import { html, nothing } from 'lit';
import type { LitElement, TemplateResult } from 'lit';
import { samplers } from '../../../wasm/generated/schema.js';
import type { Answer, InputField, SamplerName } from '../../../wasm/generated/schema.js';
import { mark } from '../charts/glyphs.js';
import { samplerPicture } from '../charts/sampler-picture.js';
import type { Need } from '../live/answers.js';
import { presets } from '../state/presets.js';
import {
  askedNumbers,
  choosesTarget,
  fieldsInUse,
  furtherFields,
  releaseInfo,
  soughtField,
  triesMany,
  tuningNumbers,
  unfindable,
  whyUnused,
} from '../state/question.js';
import type { FurtherField, Problems } from '../state/question.js';
import {
  canRemove,
  defaultRelease,
  finds,
  likeOpen,
  openEntry,
  phaseChoices,
  phaseFlags,
  releaseKinds,
  schedules,
  withAdded,
  withAsked,
  withChoice,
  withFlag,
  withMoved,
  withoutOpen,
  withRelease,
  withPhase,
  withTarget,
  withText,
} from '../state/scenario.js';
import type {
  Entry,
  Find,
  OtherRelease,
  PhaseChoice,
  PhaseFlag,
  PhaseNumber,
  QuestionNumber,
  ReleaseKind,
  Scenario,
  ScheduleName,
  PhaseEntry,
} from '../state/scenario.js';
import { heldBack, stopText, stops } from '../state/stops.js';
import type { Pace } from '../state/store.js';
import { numberIn } from '../state/typed.js';
import { describe } from '../words/entries.js';
import { meaningOf } from '../words/fields.js';
import { loaderHelp } from '../words/loaders.js';
import { assumed } from '../../../wasm/words/assumed.js';
import { targetAtInfo } from '../../../wasm/words/target.js';
import { otherNeighbours } from '../../../wasm/words/neighbours.js';
import { markOf } from '../../../wasm/words/claims.js';
import { format, formatInterval, givenAs } from '../../../wasm/words/numbers.js';
import { foundText, otherDrawSentence, sizesSentence } from '../words/sentence.js';
import type { FillDetail, InHand } from './paste.js';
import { Plain, adopt } from './plain.js';
import { radios } from './radios.js';
import { slider } from './slider.js';
import { samplerInfo } from '../../../wasm/words/samplers.js';
import { fieldInfo } from '../../../wasm/words/fields.js';

export interface EditDetail {
  scenario: Scenario;
  /** What was edited: a burst of edits of one thing is one step back. */
  key: string;
  pace: Pace;
}

const scheduleLabels: Readonly<Record<ScheduleName, string>> = {
  counts: 'dataset size and epochs',
  sizes: 'dataset size and steps',
  steps: 'sampling rate and steps',
};

const releaseLabels: Readonly<Record<ReleaseKind, string>> = {
  epsilon: '(ε, δ)',
  mu: 'μ-GDP',
  rho: 'ρ-zCDP',
};

/** Labels of choices whose wire names mean nothing to a reader. */
const choiceLabels: Readonly<Record<string, string>> = {
  'each-epoch': 'every epoch',
  once: 'once',
  'randomized-response': 'randomised response',
  gaussian: 'Gaussian noise',
  laplace: 'Laplace noise',
  'zero-out': 'zero-out',
  'add-remove': 'add or remove one',
  substitution: 'substitute one',
  best: 'the best of all',
  pld: 'privacy loss (PLD)',
  rdp: 'Rényi (RDP)',
  gdp: 'central limit (GDP)',
  all: 'all proofs',
  published: 'published theorems only',
  epsilon: 'ε at δ',
  advantage: 'advantage of the best attack',
  'true-positive-rate': 'its true positive rate',
  accuracy: 'its accuracy',
  inference: 'attribute inference, reconstruction',
  none: 'one run',
  poisson: 'Poisson, random',
  geometric: 'geometric, random',
  logarithmic: 'logarithmic, random',
  'negative-binomial': 'negative binomial, random',
  fixed: 'a fixed number',
};
const choiceLabel = (choice: string) => choiceLabels[choice] ?? choice;

/** How a flag that is set is listed among the unusual settings. */
const flagLabels: Readonly<Record<PhaseFlag, string>> = {
  dropLast: 'last batch dropped',
  swapped: 'datasets swapped',
  replacement: 'with replacement',
  drawnDivisor: 'divides by actual batch size',
};

/** Where they matter, these stand among the everyday fields. */
const ofSampler: readonly FurtherField[] = ['reshuffle', 'replacement'];

/** Placeholders of fields that may stay empty. */
const emptyMeans: Readonly<Record<string, string>> = {
  maxBatchSize: 'none',
  countNoise: 'fixed clipping',
  capDelta: 'optional',
  reported: 'optional',
};

interface TextField {
  key: string;
  info: Pick<InputField, 'label' | 'symbol' | 'meaning' | 'type'>;
  text: string;
  onText: (text: string, pace: Pace) => void;
  /** The numbers that its slider stops at, if it has one. */
  stops?: readonly number[] | undefined;
  /** Adjusts a number that the slider stopped at. */
  onStop?: (stop: number) => number;
  /** Why it does not apply now. */
  unused?: string | undefined;
}

/** The form: the sampler first, then the run's numbers in story order, then what is asked. */
class ScenarioPanel extends Plain {
  static override properties = {
    scenario: { attribute: false },
    problems: { attribute: false },
    answer: { attribute: false },
    need: { attribute: false },
    behind: { type: Boolean },
    asides: { attribute: false },
    more: { type: Boolean },
    explained: { state: true },
    pasting: { state: true },
  };

  declare scenario: Scenario;
  declare problems: Problems;
  /** The reader's own answer, or another one of the same run. */
  declare answer: Answer | undefined;
  /** The value found last for the reader's own sampler. */
  declare need: Need | undefined;
  /** Whether it belongs to an earlier question. */
  declare behind: boolean;
  declare asides: ReadonlyMap<string, Answer>;
  declare more: boolean;
  /** The field whose meaning stands under it: the one that was typed into last. */
  declare explained: string | undefined;
  /** The box for pasting: once open, it stays with its text. */
  declare pasting: { source: InHand; open: boolean; text?: string } | undefined;

  private readonly sizes = new ResizeObserver(() => {
    this.style.setProperty('--stick', `${Math.min(0, innerHeight - this.offsetHeight)}px`);
  });

  override connectedCallback(): void {
    super.connectedCallback();
    this.sizes.observe(this);
    this.sizes.observe(document.documentElement);
    document.addEventListener('paste', this.pasted);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.sizes.disconnect();
    document.removeEventListener('paste', this.pasted);
  }

  /** A text pasted anywhere but into a field opens the box that reads it. */
  private readonly pasted = (event: ClipboardEvent): void => {
    const [target] = event.composedPath();
    const text = event.clipboardData?.getData('text/plain') ?? '';
    const typing = target instanceof Element && target.matches('input, textarea, select');
    if (typing || text.trim() === '') return;
    event.preventDefault();
    void this.paste('config', text);
  };

  private edit(scenario: Scenario, key: string, pace: Pace = 'single'): void {
    const detail: EditDetail = { scenario, key, pace };
    this.dispatchEvent(new CustomEvent('edit', { detail, bubbles: true }));
  }

  protected override render() {
    const { scenario } = this;
    const entry = openEntry(scenario);
    return html`
      <h2 id="scenario-title">The run</h2>
      ${this.presetMenu()} ${this.ways()}
      ${scenario.entries.length > 1 ? this.entryList() : nothing}
      ${entry.kind === 'phase' ? this.phaseForm(entry) : this.releaseForm(entry)}
      <div class="fields asked">
        ${this.findField()}
        ${choosesTarget(scenario) ? this.choiceField('target', scenario.target) : nothing}
        ${askedNumbers(scenario).map((name) => this.questionField(name))}
        ${scenario.find === 'epsilon' ? this.questionField('reported') : nothing}
      </div>
      ${this.derivedLine()} ${entry.kind === 'phase' ? this.furtherForm(entry) : nothing}
      <p class="adders">
        <button
          class="plain"
          @click=${() => {
            this.edit(withAdded(scenario, likeOpen(scenario)), 'add phase');
          }}
        >
          Add a phase
        </button>
        <button
          class="plain"
          @click=${() => {
            this.edit(withAdded(scenario, defaultRelease), 'add release');
          }}
        >
          Add another release
        </button>
      </p>
      <p class="explained">Number formats: 0.8, 1e-5, 10^-5, 60,000, 1/60000.</p>
    `;
  }

  private presetMenu() {
    return html`<label class="presets">
      <span>Example</span>
      <select
        @change=${(event: Event) => {
          const select = event.target as HTMLSelectElement;
          const preset = presets[Number(select.value)];
          select.value = '';
          if (preset) this.edit(preset.scenario, `preset ${preset.name}`);
        }}
      >
        <option value="" selected>choose …</option>
        ${presets.map(
          ({ name, about }, index) => html`<option value=${index} title=${about}>${name}</option>`,
        )}
      </select>
    </label>`;
  }

  /** The choice of what the reader starts from. */
  private ways() {
    const { pasting } = this;
    const paste = (source: InHand, text: string) =>
      html`<button
        class="plain"
        aria-expanded=${pasting?.open === true && pasting.source === source ? 'true' : 'false'}
        @click=${() => void this.paste(source)}
      >
        ${text}
      </button>`;
    return html`<p class="ways">
        Paste ${paste('config', 'a config')} or ${paste('paper', 'a paper’s numbers')}, or
        <button
          class="plain"
          @click=${() => {
            this.edit({ ...this.scenario, find: 'noise', target: 'epsilon' }, 'plan');
            void this.focusOn('#field-epsilon');
          }}
        >
          plan a run</button
        >.
      </p>
      ${
        pasting === undefined
          ? nothing
          : html`<he-paste
              ?hidden=${!pasting.open}
              source=${pasting.source}
              .pasted=${pasting.text}
              @keydown=${(event: KeyboardEvent) => {
                if (event.key === 'Escape') this.closePaste();
              }}
              .scenario=${this.scenario}
              @close=${() => {
                this.closePaste();
              }}
              @fill=${({ detail }: CustomEvent<FillDetail>) => {
                this.pasting = { ...pasting, open: false };
                this.edit(detail.scenario, 'paste');
                void this.focusOn(
                  detail.missing === undefined
                    ? '.sampler input:checked'
                    : `#field-${detail.missing}`,
                );
              }}
            ></he-paste>`
      }`;
  }

  private closePaste(): void {
    if (this.pasting) this.pasting = { ...this.pasting, open: false };
    void this.focusOn('.ways button');
  }

  /** Opens the box, or closes it; its reader is fetched when it is first wanted. */
  private async paste(source: InHand, text?: string): Promise<void> {
    const shown = this.pasting?.open === true && this.pasting.source === source;
    const open = text !== undefined || !shown;
    const { styles } = await import('./paste.js');
    if (this.pasting === undefined) adopt(this, styles);
    this.pasting = { source, open, ...(text === undefined ? {} : { text }) };
    if (open) await this.focusOn('#paste-text');
  }

  /** Moves the focus once the change is rendered. */
  private async focusOn(selector: string): Promise<void> {
    await this.updateComplete;
    await this.querySelector<LitElement>('he-paste')?.updateComplete;
    this.querySelector<HTMLElement>(selector)?.focus();
  }

  // --- several entries

  private entryList() {
    const { scenario } = this;
    const { entries, open } = scenario;
    const tool = (text: string, next: Scenario, possible: boolean) =>
      html`<button
        class="plain"
        ?disabled=${!possible}
        @click=${() => {
          this.edit(next, text);
        }}
      >
        ${text}
      </button>`;
    const opened = openEntry(scenario);
    return html`<div class="entries" role="group" aria-label="Phases and releases of the run">
      <ol>
        ${entries.map((entry, index) => this.entryRow(entry, index))}
      </ol>
      <p class="entry-tools" role="group" aria-label=${`Entry ${open + 1}`}>
        ${tool('Up', withMoved(scenario, -1), open > 0)}
        ${tool('Down', withMoved(scenario, 1), open < entries.length - 1)}
        ${tool('Duplicate', withAdded(scenario, opened), true)}
        ${tool('Remove', withoutOpen(scenario), canRemove(scenario))}
      </p>
    </div>`;
  }

  private entryRow(entry: Entry, index: number) {
    const { scenario } = this;
    const isOpen = index === scenario.open;
    const name = entry.kind === 'phase' ? entry.sampler : 'release';
    const label = entry.kind === 'phase' ? samplerInfo(entry.sampler).label : 'Release';
    const alone = this.asides.get(`entry ${index}`);
    const other = alone && otherNeighbours(alone);
    const wrong = [...this.problems.keys()].some((key) => key.startsWith(`${index + 1}:`));
    return html`<li class=${`entry s-${name}${isOpen ? ' chosen' : ''}${wrong ? ' wrong' : ''}`}>
      <button
        class="entry-open"
        aria-current=${isOpen ? 'true' : 'false'}
        @click=${() => {
          this.edit({ ...scenario, open: index }, `open ${index}`);
        }}
      >
        <span class="entry-number">${index + 1}</span>
        <svg width="14" height="14" aria-hidden="true">${mark(name, 7, 7, 5)}</svg>
        <span class="entry-text"
          ><b>${label}</b> <small>${describe(entry)}${wrong ? ' – has an error' : ''}</small></span
        >
      </button>
      <span
        class="entry-alone"
        title=${['ε of this phase alone', ...(other === undefined ? [] : [other])].join(', ')}
        >${alone ? html`<i>ε</i> ${formatInterval(alone.epsilon)}${markOf(alone)}` : nothing}</span
      >
    </li>`;
  }

  // --- a phase

  private phaseForm(entry: PhaseEntry) {
    const { scenario } = this;
    const sought = soughtField(scenario.find);
    const [kept, replaces] = ofSampler.map((name) => whyUnused(entry, name) === undefined);
    return html`
      <fieldset class="samplers">
        <legend>
          ${fieldInfo('sampler').meaning.replace(/\.$/, '')}
          <small
            title="One epoch with six records (columns) and three batches (rows); one record is marked."
            >each row is a batch</small
          >
        </legend>
        ${samplers.map(({ name, label, sentence }) =>
          this.samplerChoice(entry, name, label, sentence),
        )}
        ${this.problem('sampler')}
      </fieldset>
      ${loaderHelp()}
      <fieldset class="schedule">
        <legend class="sr">How the schedule is given</legend>
        ${radios({
          name: 'schedule',
          values: schedules,
          chosen: entry.schedule,
          label: (schedule) => `by ${scheduleLabels[schedule]}`,
          pick: (schedule) => {
            this.edit(withPhase(scenario, { schedule }), 'schedule');
          },
        })}
      </fieldset>
      <div class="fields">
        ${fieldsInUse(entry).map((name) =>
          name === sought ? this.foundField(name) : this.numberField(entry, name),
        )}
        ${kept ? this.reshuffleField(entry) : nothing}
        ${replaces ? this.flagField('replacement', entry.flags.replacement) : nothing}
      </div>
    `;
  }

  private samplerChoice(
    entry: PhaseEntry,
    name: SamplerName,
    label: string,
    sentence: string,
  ): TemplateResult {
    const chosen = entry.sampler === name;
    return html`<label class=${`sampler s-${name}${chosen ? ' chosen' : ''}`}>
      <input
        type="radio"
        name="sampler"
        value=${name}
        .checked=${chosen}
        @change=${() => {
          this.edit(withPhase(this.scenario, { sampler: name }), 'sampler');
        }}
      />
      <svg width="14" height="14" aria-hidden="true">${mark(name, 7, 7, 5.5)}</svg>
      <span class="sampler-name">${label}</span>
      <span class="sampler-sentence">${sentence}</span>
      ${samplerPicture(name)}
    </label>`;
  }

  private numberField(entry: PhaseEntry, name: PhaseNumber, unused?: string) {
    return this.textField({
      key: name,
      info: { ...fieldInfo(name), meaning: meaningOf(fieldInfo(name)) },
      text: entry.texts[name],
      onText: (text, pace) => {
        this.edit(withText(this.scenario, name, text), name, pace);
      },
      stops: stops[name],
      onStop: (stop) =>
        heldBack(name, stop, {
          datasetSize: numberIn(fieldInfo('datasetSize'), entry.texts.datasetSize),
          batchSize: numberIn(fieldInfo('batchSize'), entry.texts.batchSize),
        }),
      unused,
    });
  }

  /** Stands in for the field that is solved for. */
  private foundField(name: PhaseNumber | 'delta') {
    const { label, symbol } = fieldInfo(name);
    const { need } = this;
    const none = need !== undefined && 'refusal' in need;
    const known = need && 'found' in need ? need.found.solution : undefined;
    const stale = this.behind || (need && 'found' in need && need.stale);
    return html`<div class="field">
      <label for=${`found-${name}`}>${label} ${symbol ? html`<i>${symbol}</i>` : nothing}</label>
      <output id=${`found-${name}`} class=${`found${stale ? ' stale' : ''}`}
        >${known?.field === name ? foundText(known) : none ? 'none' : 'to be found'}</output
      >
    </div>`;
  }

  /** The choice between one draw and many, with the effect of the other. */
  private reshuffleField(entry: PhaseEntry) {
    const other = this.asides.get('reshuffle');
    const kept = entry.choices.reshuffle === 'once';
    return html`${this.choiceField('reshuffle', entry.choices.reshuffle)}
      <p class="consequence">${other ? otherDrawSentence(kept, other) : html`&nbsp;`}</p>`;
  }

  // --- another release

  private releaseForm(entry: OtherRelease) {
    const { scenario } = this;
    return html`
      <fieldset class="schedule">
        <legend>Another release from the same data. Its guarantee:</legend>
        ${radios({
          name: 'release',
          values: Object.keys(releaseKinds) as ReleaseKind[],
          chosen: entry.by,
          label: (by) => releaseLabels[by],
          pick: (by) => {
            this.edit(withRelease(scenario, { by }), 'release');
          },
        })}
      </fieldset>
      <div class="fields">
        ${releaseKinds[entry.by].map((name) =>
          this.textField({
            key: `release-${name}`,
            info: releaseInfo(name),
            text: entry.texts[name],
            onText: (text, pace) => {
              this.edit(withRelease(scenario, { [name]: text }), `release ${name}`, pace);
            },
            stops: stops[name],
          }),
        )}
        ${
          entry.by === 'mu'
            ? html`<p class="consequence">
                Noise by matrix factorisation, without sampling: μ is the largest column norm
                divided by σ.
              </p>`
            : nothing
        }
      </div>
    `;
  }

  // --- what is asked

  private findField() {
    const { scenario } = this;
    const { label, meaning } = fieldInfo('solveFor');
    const name = (find: Find) => fieldInfo(soughtField(find) ?? 'epsilon').label;
    return html`<div class="field">
        <label for="field-solveFor">${label}</label>
        <select
          id="field-solveFor"
          aria-description=${meaning}
          aria-invalid=${this.problems.has('solveFor') ? 'true' : 'false'}
          aria-describedby=${this.problems.has('solveFor') ? 'problem-solveFor' : nothing}
          .value=${scenario.find}
          @change=${(event: Event) => {
            const find = (event.target as HTMLSelectElement).value as Find;
            this.edit({ ...scenario, find }, 'solve for');
          }}
        >
          ${finds.map((find) => {
            const why = unfindable(scenario, find);
            const chosen = find === scenario.find;
            return html`<option
              value=${find}
              .selected=${chosen}
              ?disabled=${why !== undefined && !chosen}
              title=${why ?? nothing}
            >
              ${name(find)}
            </option>`;
          })}
        </select>
        ${this.problem('solveFor')} ${this.findNote()}
      </div>
      ${scenario.find === 'delta' ? this.foundField('delta') : nothing}`;
  }

  /** With several entries: whose number is solved for. */
  private findNote() {
    const { entries, open, find } = this.scenario;
    const sought = soughtField(find);
    if (entries.length < 2 || sought === undefined || sought === 'delta') return nothing;
    return html`<p class="consequence">
      Found for phase ${open + 1}, the open one; the others stay as they are.
    </p>`;
  }

  private questionField(name: QuestionNumber) {
    const info =
      name === 'reported'
        ? {
            type: 'number' as const,
            label: 'Reported',
            symbol: 'ε',
            meaning: 'The ε that was reported for this run. Shown as a diamond.',
          }
        : {
            ...fieldInfo(name),
            ...(name === 'targetAt' ? targetAtInfo(this.scenario.target) : {}),
          };
    return this.textField({
      key: name,
      info,
      text: this.scenario.texts[name],
      onText: (text, pace) => {
        this.edit(withAsked(this.scenario, name, text), name, pace);
      },
      stops: stops[name],
    });
  }

  // --- more about the run

  private furtherForm(entry: PhaseEntry) {
    const fields = furtherFields.map((name) => ({
      name,
      unused: whyUnused(entry, name),
    }));
    const rest = fields.filter(({ name, unused }) => {
      if (ofSampler.includes(name)) return unused !== undefined;
      return name !== 'swapped' || this.scenario.entries.length > 1 || entry.flags.swapped;
    });
    return html`<details
      class="more"
      ?open=${this.more}
      @toggle=${(event: Event) => {
        const { open } = event.target as HTMLDetailsElement;
        if (open !== this.more)
          this.dispatchEvent(new CustomEvent('more', { detail: open, bubbles: true }));
      }}
    >
      <summary>More about the run${this.unusual(entry)}</summary>
      <div class="fields">
        ${rest.map(({ name, unused }) => this.furtherField(entry, name, unused))}
        ${this.choiceField('accountant', this.scenario.accountant)}
        ${this.choiceField('proofs', this.scenario.proofs)}
      </div>
      ${this.tuningGroup()}
    </details>`;
  }

  private tuningGroup() {
    const { scenario } = this;
    return html`<fieldset class="fields tuning">
      <legend>How many runs were tried?</legend>
      ${this.choiceField('tuning', scenario.tuning)}
      ${tuningNumbers(scenario).map((name) => this.questionField(name))}
      ${
        triesMany(scenario)
          ? html`<p class="consequence">
              ${
                scenario.tuning === 'fixed'
                  ? 'Every run counts as if it were published; for a fixed number of runs no better theorem is known.'
                  : 'ε is the cost of the whole search. Choose the number of runs at random first, publish only the best run, and never publish the number. The score may depend only on the output of its run; if it uses private data, account for that in the run.'
              }
            </p>`
          : nothing
      }
    </fieldset>`;
  }

  private furtherField(entry: PhaseEntry, name: FurtherField, unused: string | undefined) {
    const choice = phaseChoices.find((other) => other === name);
    const flag = phaseFlags.find((other) => other === name);
    if (flag) return this.flagField(flag, entry.flags[flag], unused);
    if (name === soughtField(this.scenario.find)) return this.foundField(name);
    if (!choice) return this.numberField(entry, name as PhaseNumber, unused);
    const neighbours =
      choice === 'adjacency' ? this.answer && assumed(this.answer, 'neighbours')[0] : undefined;
    return html`${this.choiceField(choice, entry.choices[choice], unused)}
    ${neighbours === undefined ? nothing : html`<p class="consequence">${neighbours}</p>`}`;
  }

  /**
   * The folded fields that differ from their defaults, so that nothing that counts is out of sight.
   */
  private unusual(entry: PhaseEntry) {
    const parts = furtherFields.flatMap((name) => {
      if (ofSampler.includes(name) || whyUnused(entry, name) !== undefined) return [];
      const choice = phaseChoices.find((other) => other === name);
      if (choice) {
        const picked = entry.choices[choice];
        return picked === fieldInfo(choice).choices[0] ? [] : [choiceLabel(picked)];
      }
      const flag = phaseFlags.find((other) => other === name);
      if (flag) return entry.flags[flag] ? [flagLabels[flag]] : [];
      const text = entry.texts[name as PhaseNumber].trim();
      const usual = ['', '1'].includes(text) || name === soughtField(this.scenario.find);
      return usual ? [] : [`${fieldInfo(name).label.toLowerCase()} ${text}`];
    });
    for (const name of ['accountant', 'proofs'] as const) {
      const picked = this.scenario[name];
      if (picked !== fieldInfo(name).choices[0]) parts.push(choiceLabel(picked));
    }
    if (triesMany(this.scenario)) parts.push(`${this.scenario.texts.runs} runs tried`);
    return parts.length === 0 ? nothing : html`: <span>${parts.join(', ')}</span>`;
  }

  // --- kinds of field

  private textField({ key, info, text, onText, stops, onStop, unused }: TextField) {
    const problem = this.problems.get(key);
    const note = problem === undefined ? unused : undefined;
    return html`<div class=${problem === undefined ? 'field' : 'field wrong'}>
      <label for=${`field-${key}`}
        >${info.label} ${info.symbol ? html`<i>${info.symbol}</i>` : nothing}</label
      >
      <input
        id=${`field-${key}`}
        name=${key}
        type="text"
        inputmode="text"
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
        placeholder=${emptyMeans[key] ?? ''}
        ?disabled=${unused !== undefined}
        .value=${text}
        aria-description=${info.meaning}
        aria-invalid=${problem === undefined ? 'false' : 'true'}
        aria-describedby=${problem !== undefined ? `problem-${key}` : note !== undefined ? `why-${key}` : nothing}
        @input=${(event: Event) => {
          onText((event.target as HTMLInputElement).value, 'typed');
        }}
        @change=${() => this.dispatchEvent(new CustomEvent('settle', { bubbles: true }))}
        @focus=${() => {
          this.explained = key;
        }}
      />
      ${
        stops === undefined
          ? nothing
          : slider({
              id: `slide-${key}`,
              label: info.label,
              stops,
              text,
              value: numberIn(info, text),
              disabled: unused !== undefined,
              onSlide: (stop) => {
                onText(stopText(onStop?.(stop) ?? stop), 'slid');
              },
            })
      }
      ${this.problem(key)} ${this.why(key, note)} ${this.help(key, info.meaning)}
    </div>`;
  }

  private choiceField(
    name: PhaseChoice | 'accountant' | 'proofs' | 'tuning' | 'target',
    picked: string,
    unused?: string,
  ) {
    const { label, meaning, choices } = fieldInfo(name);
    const problem = this.problems.get(name);
    return html`<div class=${problem === undefined ? 'field' : 'field wrong'}>
      <label for=${`field-${name}`}>${label}</label>
      <select
        id=${`field-${name}`}
        name=${name}
        ?disabled=${unused !== undefined}
        aria-description=${meaning}
        aria-describedby=${unused === undefined ? nothing : `why-${name}`}
        .value=${picked}
        @focus=${this.explain(name)}
        @change=${(event: Event) => {
          const { value } = event.target as HTMLSelectElement;
          this.edit(
            name === 'target'
              ? withTarget(this.scenario, value)
              : name === 'accountant' || name === 'proofs' || name === 'tuning'
                ? { ...this.scenario, [name]: value }
                : withChoice(this.scenario, name, value),
            name,
          );
        }}
      >
        ${choices.map(
          (choice) =>
            html`<option value=${choice} .selected=${choice === picked}>
              ${choiceLabel(choice)}
            </option>`,
        )}
      </select>
      ${this.problem(name)} ${this.why(name, unused)} ${this.help(name, meaning)}
    </div>`;
  }

  private flagField(name: PhaseFlag, value: boolean, unused?: string) {
    const { label, meaning } = fieldInfo(name);
    return html`<div class="field">
      <label for=${`field-${name}`}>${label}</label>
      <input
        id=${`field-${name}`}
        name=${name}
        type="checkbox"
        ?disabled=${unused !== undefined}
        .checked=${value}
        aria-description=${meaning}
        aria-describedby=${unused === undefined ? nothing : `why-${name}`}
        @focus=${this.explain(name)}
        @change=${(event: Event) => {
          const { checked } = event.target as HTMLInputElement;
          this.edit(withFlag(this.scenario, name, checked), name);
        }}
      />
      ${this.problem(name)} ${this.why(name, unused)} ${this.help(name, meaning)}
    </div>`;
  }

  private problem(name: string) {
    const text = this.problems.get(name);
    return text === undefined
      ? nothing
      : html`<p class="problem" id=${`problem-${name}`} role="alert">${text}</p>`;
  }

  /** On keyboard focus only: nothing may move under the pointer between press and release. */
  private explain(name: string) {
    return ({ target }: Event) => {
      if ((target as Element).matches(':focus-visible')) this.explained = name;
    };
  }

  /** A field's meaning, beside it and as its description for assistive technology. */
  private help(name: string, meaning: string) {
    return this.explained === name
      ? html`<p class="why" aria-hidden="true">${meaning}</p>`
      : nothing;
  }

  private why(name: string, text: string | undefined) {
    return text === undefined ? nothing : html`<p class="why" id=${`why-${name}`}>${text}</p>`;
  }

  // --- what follows

  /** What follows from what was typed: the reader sees at once when q is off by a factor. */
  private derivedLine() {
    const { answer } = this;
    if (!answer) return html`<p class="derived">&nbsp;</p>`;
    const { steps, samplingProbability, stepsPerEpoch, batchSize } = answer.derived;
    const split = openEntry(this.scenario);
    const several =
      split.kind === 'phase' &&
      (['accumulationSteps', 'devices'] as const).some(
        (name) => numberIn(fieldInfo(name), split.texts[name]) !== 1,
      );
    const item = (symbol: string, value: number, title: string) =>
      html`<span title=${title}><i>${symbol}</i>${givenAs('', value)}</span>`;
    const total = html`${format(steps, { side: 'given' })} ${steps === 1 ? 'step' : 'steps'} in
    total.`;
    if (samplingProbability === undefined || stepsPerEpoch === undefined) {
      return html`<p class="derived">${total}</p>`;
    }
    return html`<p class="derived">
      ${several && batchSize !== undefined ? html`${item('b', batchSize, 'Batch size of a step')}, ` : nothing}${item('q', samplingProbability, 'Sampling probability')},
      ${format(stepsPerEpoch, { side: 'given' })} steps per epoch, ${total}
      ${answer.batchSizes ? sizesSentence(answer.batchSizes) : nothing}
    </p>`;
  }
}

customElements.define('he-scenario', ScenarioPanel);
