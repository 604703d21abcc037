import { html, nothing } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { Engine } from '../../../wasm/client.js';
import type { Answer, Query } from '../../../wasm/generated/schema.js';
import { choiceLabel, fieldInfo } from '../../../wasm/words/fields.js';
import { targetAtInfo } from '../../../wasm/words/target.js';
import { isOfClients } from '../../../wasm/words/record.js';
import {
  askedNumbers,
  choosesTarget,
  fieldsInUse,
  furtherFields,
  infoIn,
  isUnusual,
  releaseInfo,
  soughtField,
  triesMany,
  tuningNumbers,
  unfindable,
  applies,
} from '../state/fields.js';
import { LiveAsking } from '../live/asking.js';
import type { Problems } from '../state/question.js';
import {
  defaultRelease,
  finds,
  likeOpen,
  openEntry,
  schedules,
  withAdded,
  withAsked,
  withPhase,
  withRelease,
  withText,
} from '../state/scenario.js';
import type {
  Entry,
  Find,
  PhaseEntry,
  PhaseField,
  QuestionField,
  Scenario,
} from '../state/scenario.js';
import { aloneOf } from '../state/rows.js';
import { stopsIn } from '../state/stops.js';
import type { Pace } from '../state/store.js';
import { meaningOf } from '../words/fields.js';
import { foundText } from '../words/sentence.js';
import { derivedLine } from './derived.js';
import { edit } from './edit.js';
import { entryList } from './entries.js';
import { button, formField, type FormField, problemNote, selection } from './fields.js';
import { loaderChoice } from './loader.js';
import { Plain } from './plain.js';
import { releaseForm } from './release.js';
import './start.js';

const scheduleLabels = {
  counts: ['dataset size and epochs', 'clients and passes over them'],
  sizes: ['dataset size and steps', 'clients and rounds'],
  steps: ['sampling rate and steps', 'sampling rate and rounds'],
} as const;

/** How a flag that is set is listed among the unusual settings; others are by their labels. */
const flagLabels: Readonly<Record<string, string>> = {
  dropLast: 'last batch dropped',
  swapped: 'datasets swapped',
  drawnDivisor: 'divides by actual batch size',
};

/** Where they apply, these stand among the everyday fields. */
const ofSampler: readonly PhaseField[] = ['reshuffle', 'replacement'];

const hints: Readonly<Record<string, string>> = {
  maxBatchSize: 'none',
  countNoise: 'fixed clipping',
  noiseEnd: 'the same in all epochs',
  localEpochs: 'optional',
  partOfData: 'all',
  capDelta: 'optional',
  reported: 'optional',
};

const reportedInfo = {
  ...({ type: 'number', label: 'Reported', symbol: 'ε' } as const),
  meaning: 'The ε that was reported for this run. Shown as a diamond.',
};

/** The form: how batches were loaded, the run's numbers, then what is asked. */
class ScenarioForm extends Plain {
  @property({ attribute: false }) scenario!: Scenario;
  @property({ attribute: false }) problems!: Problems;
  /** The reader's own answer, or another one of the same run. */
  @property({ attribute: false }) answer: Answer | undefined;
  /** What was found, and whether nothing meets the target. */
  @property({ attribute: false }) found: Answer | undefined;
  @property({ type: Boolean }) unmet = false;
  /** What was found last: shown while another value is sought. */
  private lastFound: Answer | undefined;
  @property({ type: Boolean }) behind = false;
  @property({ attribute: false }) engine: Engine | undefined;
  /** The run that the answer is of, once it is complete. */
  @property({ attribute: false }) run: Query | undefined;
  @property({ type: Boolean }) more = false;
  /** The meaning of the field that was come to last. */
  @state() explained: string | undefined;
  @state() checking = false;

  private readonly alone = new LiveAsking<readonly Query[], readonly (Answer | undefined)[]>(
    this,
    (engine, queries, options) =>
      // One that cannot be answered stays out.
      Promise.all(queries.map((query) => engine.epsilon(query, options).catch(() => undefined))),
  );

  protected override willUpdate(): void {
    if (this.run) this.alone.ask(aloneOf(this.run));
    else this.alone.clear();
  }

  private edit(scenario: Scenario, key: string, pace: Pace = 'single'): void {
    edit(this, scenario, key, pace);
  }

  protected override render() {
    const { scenario, problems } = this;
    const { answer: alone = [], working } = this.alone.state;
    const entry = openEntry(scenario);
    return html`
      <h2 id="scenario-title">The run</h2>
      <he-start .scenario=${scenario}></he-start>
      ${
        scenario.entries.length > 1
          ? entryList({
              ...{ scenario, problems, alone: working ? [] : alone },
              edit: (next, key) => this.edit(next, key),
            })
          : nothing
      }
      ${
        entry.kind === 'phase'
          ? this.phase(entry)
          : releaseForm(
              entry,
              (change, key) => this.edit(withRelease(scenario, change), key),
              (name) =>
                this.field(`release-${name}`, releaseInfo(name), entry.texts[name], (text) =>
                  withRelease(scenario, { [name]: text }),
                ),
            )
      }
      ${this.asked()}
      <p class="fine explained screen">
        ${this.explained ?? 'Number formats: 0.8, 1e-5, 10^-5, 60,000, 1/60000.'}
      </p>
      ${this.check()}
      ${derivedLine(
        this.answer,
        entry,
        scenario.entries.some(({ texts }) => texts.partOfData.trim() !== ''),
      )}
      ${entry.kind === 'phase' ? this.further(entry) : nothing}
      <p class="row small adders screen">
        ${this.adder('Add a phase', likeOpen(scenario))}
        ${this.adder('Add another release', defaultRelease)}
      </p>
    `;
  }

  private adder(text: string, entry: Entry) {
    return button(text, () => {
      this.edit(withAdded(this.scenario, entry), text);
      void this.focusOn('.entry.chosen button');
    });
  }

  private phase(entry: PhaseEntry) {
    const everyday = ofSampler.filter((name) => applies(entry, name));
    return html`
      ${loaderChoice(entry, (change, key) => this.edit(withPhase(this.scenario, change), key))}
      ${problemNote('field-sampler', this.problems.get('sampler'))}
      <label class="soft small described block screen"
        >Described by
        ${selection({
          choices: schedules.map(
            (name) => [name, scheduleLabels[name][isOfClients(entry.texts) ? 1 : 0]] as const,
          ),
          chosen: entry.schedule,
          id: 'field-schedule',
          onChoice: (name) => {
            const schedule = schedules.find((known) => known === name);
            if (schedule) this.edit(withPhase(this.scenario, { schedule }), 'schedule');
          },
        })}</label
      >
      <div class="fields">
        ${[...fieldsInUse(entry), ...everyday].map((name) => this.phaseField(entry, name))}
      </div>
    `;
  }

  /** A field of the open phase. */
  private phaseField(entry: PhaseEntry, name: PhaseField) {
    const { scenario } = this;
    const sought = soughtField(scenario.find);
    if (name === sought) return this.foundField(name);
    // What is found is a multiplier.
    if (name === 'noiseStddev' && sought === 'noiseMultiplier') return this.foundField(sought);
    const info = {
      ...infoIn(entry, name),
      meaning: meaningOf(fieldInfo(name), isOfClients(entry.texts)),
    };
    return this.field(name, info, entry.texts[name], (text) => withText(scenario, name, text));
  }

  /** Stands in for the field that is solved for. */
  private foundField(name: PhaseField | 'delta') {
    const { label, symbol } = infoIn(openEntry(this.scenario), name);
    this.lastFound = this.unmet ? undefined : (this.found ?? this.lastFound);
    const known = this.lastFound?.solution;
    const stale = this.behind || !this.found;
    return html`<div class="field">
      <label for=${`found-${name}`}>${label}</label>
      <span class=${symbol ? 'box symbolic' : 'box'}>
        ${symbol ? html`<i class="symbol" aria-hidden="true">${symbol}</i>` : nothing}
        <output id=${`found-${name}`} class=${`found${stale ? ' stale' : ''}`}
          >${known?.field === name ? foundText(known) : this.unmet ? 'none' : 'to be found'}</output
        ></span
      >
    </div>`;
  }

  private asked() {
    const { scenario } = this;
    const { find, entries, open } = scenario;
    const sought = soughtField(find);
    const findable = finds.filter((one) => one === find || unfindable(scenario, one) === undefined);
    const nameOf = (one: string) =>
      infoIn(openEntry(scenario), soughtField(one as Find) ?? 'epsilon').label;
    return html`<div class="fields asked">
      ${formField({
        key: 'solveFor',
        info: { label: 'Find', type: 'choice', choices: findable },
        choiceName: nameOf,
        value: find,
        problem: this.problems.get('solveFor'),
        set: (name) => this.edit({ ...scenario, find: name as Find }, 'solve for'),
      })}
      ${find === 'delta' ? this.foundField('delta') : nothing}
      ${choosesTarget(scenario) ? this.questionField('target') : nothing}
      ${askedNumbers(scenario).map((name) => this.questionField(name))}
      ${
        entries.length < 2 || sought === undefined || sought === 'delta'
          ? nothing
          : html`<p class="consequence">
              Found for phase ${open + 1}, the open one; the others stay as they are.
            </p>`
      }
    </div>`;
  }

  private questionField(name: QuestionField) {
    const { scenario } = this;
    const targetAt = name === 'targetAt' ? targetAtInfo(scenario.texts.target) : undefined;
    const info = name === 'reported' ? reportedInfo : { ...fieldInfo(name), ...targetAt };
    // "Find ε for δ = 1e-5": the label stands between the two.
    const label = name === 'delta' ? `for ${info.label.toLowerCase()}` : info.label;
    return this.field(name, { ...info, label }, scenario.texts[name], (text) =>
      withAsked(scenario, name, text),
    );
  }

  /** A reported epsilon to hold against the answer: a link until it is asked for. */
  private check() {
    const { find, texts } = this.scenario;
    if (find !== 'epsilon') return nothing;
    if (this.checking || texts.reported !== '' || this.problems.has('reported'))
      return html`<div class="fields check screen">${this.questionField('reported')}</div>`;
    return html`<p class="row small check screen">
      ${button('Check a reported epsilon', () => {
        this.checking = true;
        void this.focusOn('#field-reported');
      })}
    </p>`;
  }

  private further(entry: PhaseEntry) {
    const { scenario } = this;
    const rest = furtherFields.filter(
      (name) =>
        !ofSampler.includes(name) &&
        applies(entry, name) &&
        (name !== 'swapped' || scenario.entries.length > 1 || entry.texts.swapped === 'true'),
    );
    return html`<details
      class="more"
      ?open=${this.more}
      @toggle=${(event: Event) => {
        const { open } = event.target as HTMLDetailsElement;
        if (open !== this.more) this.tell('more', open);
      }}
    >
      <summary>More about the run${this.unusual(entry)}</summary>
      <div class="fields">
        ${rest.map((name) => this.phaseField(entry, name))} ${this.questionField('accountant')}
      </div>
      <fieldset class="fields tuning">
        <legend>How many runs were tried?</legend>
        ${this.questionField('tuning')}
        ${tuningNumbers(scenario).map((name) => this.questionField(name))}
        ${
          triesMany(scenario)
            ? html`<p class="consequence">
                ${
                  scenario.texts.tuning === 'fixed'
                    ? 'Every run counts as if it were published; for a fixed number of runs we have checked no better theorem.'
                    : 'ε is the cost of the whole search. Choose the number of runs at random first, publish only the best run, and never publish the number. The score may depend only on the output of its run; if it uses private data, account for that in the run.'
                }
              </p>`
            : nothing
        }
      </fieldset>
    </details>`;
  }

  /**
   * The folded fields that differ from their defaults, so that nothing that counts is out of sight.
   */
  private unusual(entry: PhaseEntry) {
    const { scenario } = this;
    const parts = furtherFields
      .filter((name) => !ofSampler.includes(name) && name !== soughtField(scenario.find))
      .filter((name) => isUnusual(entry, name))
      .map((name) => {
        const { type, label } = infoIn(entry, name);
        if (type === 'choice') return choiceLabel(name, entry.texts[name]);
        const within = label.replace(/^./, (first) => first.toLowerCase());
        return type === 'flag'
          ? (flagLabels[name] ?? within)
          : `${within} ${entry.texts[name].trim()}`;
      });
    const { accountant } = scenario.texts;
    if (accountant !== fieldInfo('accountant').choices[0])
      parts.push(choiceLabel('accountant', accountant));
    if (triesMany(scenario)) parts.push(`${scenario.texts.runs} runs tried`);
    return parts.length === 0 ? nothing : html`: <span>${parts.join(', ')}</span>`;
  }

  private field(
    key: string,
    info: FormField['info'],
    value: string,
    change: (value: string) => Scenario,
  ) {
    return formField({
      ...{ key, info, value },
      hint: hints[key],
      problem: this.problems.get(key),
      stops: stopsIn(openEntry(this.scenario), key),
      set: (next, pace) => this.edit(change(next), key, pace),
      // Not for a box that the mouse ticks: nothing may move under it between press and release.
      onFocus: ({ target }) => {
        if ((target as Element).matches(':focus-visible')) this.explained = info.meaning;
      },
      onSettle: () => this.tell('settle'),
    });
  }
}

customElements.define('he-scenario', ScenarioForm);
