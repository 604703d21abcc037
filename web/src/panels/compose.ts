import { html, nothing } from 'lit';
import { samplers } from '../../../wasm/generated/schema.js';
import type { Answer, Interval, SamplerName } from '../../../wasm/generated/schema.js';
import { epsilonScale } from '../charts/epsilon-scale.js';
import type { Scale } from '../charts/epsilon-scale.js';
import { intervalGlyph, mark } from '../charts/glyphs.js';
import { parseNumber } from '../engine.js';
import { fieldInfo, readScenario, releaseInfo, soughtField } from '../state/question.js';
import {
  canRemove,
  defaultRelease,
  likeOpen,
  ownRow,
  releaseKinds,
  scheduleFields,
  withAdded,
  withMoved,
  withoutOpen,
  withRelease,
  withStretch,
  withText,
} from '../state/scenario.js';
import type {
  Entry,
  OtherRelease,
  PhaseNumber,
  ReleaseNumber,
  Scenario,
  Stretch,
} from '../state/scenario.js';
import type { Pace } from '../state/store.js';
import { otherNeighbours } from '../../../wasm/neighbours.js';
import { formatInterval, givenAs, span } from '../../../wasm/number-words.js';
import { labelOf } from '../words/sentence.js';
import { Panel } from './panel.js';
import styles from '../styles/compose.css?inline';

export { styles };

/** Of the drawing of an epsilon, in pixels. */
const strip = 168;

/** The run as its phases: each with its own epsilon, were it the whole run; and all together. */
export default class Compose extends Panel {
  protected override render() {
    const { scenario } = this.state;
    const { entries, open } = scenario;
    const add = (entry: Entry) => withAdded({ ...scenario, open: entries.length - 1 }, entry);
    const scale = this.scale();
    return html`
      <h2 id="compose-title">The run, phase by phase</h2>
      <p class="panel-note">
        Every phase and every other release spends from one budget. What each would cost alone does
        not add up: the total is computed from their privacy losses together.
      </p>
      <div class="scroll" tabindex="0" role="region" aria-labelledby="compose-title">
        <table class="compose">
          <thead>
            <tr>
              <th scope="col"><span class="sr">Place</span></th>
              <th scope="col">Drawn</th>
              <th scope="col">Noise</th>
              <th scope="col">Length</th>
              <th scope="col" class="figure">ε alone</th>
              <th scope="col" class="wide"><span class="sr">Drawn to scale</span></th>
              <th scope="col"><span class="sr">Actions</span></th>
            </tr>
          </thead>
          <tbody>
            ${entries.map((entry, index) => this.row(entry, index, index === open, scale))}
          </tbody>
          <tfoot>
            ${this.total(scale)}
          </tfoot>
        </table>
      </div>
      <p class="adders">
        ${this.button('Add a phase', add(likeOpen(scenario)))}
        ${this.button('Add another release', add(defaultRelease))}
      </p>
    `;
  }

  /** An entry's own answer; a single entry is the whole run. */
  private alone(index: number): Answer | undefined {
    return this.state.scenario.entries.length > 1
      ? this.answers.asides.get(`entry ${index}`)
      : this.whole();
  }

  private whole(): Answer | undefined {
    const name = ownRow(this.state.scenario);
    return this.answers.fresh.has(name) ? this.answers.answers.get(name) : undefined;
  }

  private scale(): Scale {
    const all = [this.whole(), ...this.state.scenario.entries.map((_, index) => this.alone(index))];
    const ends = all.map((answer) => answer?.epsilon.upper ?? answer?.epsilon.lower ?? 0);
    return epsilonScale(Math.max(0, ...ends.filter(Number.isFinite)), 2, strip - 2);
  }

  private row(entry: Entry, index: number, open: boolean, scale: Scale) {
    const name = entry.kind === 'phase' ? entry.sampler : 'release';
    const answer = this.alone(index);
    return html`<tr class=${`s-${name}${open ? ' open' : ''}`}>
      <th scope="row">
        <button
          class="plain"
          aria-current=${open ? 'true' : 'false'}
          aria-label=${`${open ? 'Open in the form: ' : 'Open '}entry ${index + 1}`}
          @click=${() => {
            this.change({ ...this.state.scenario, open: index }, `open ${index}`);
          }}
        >
          ${index + 1}
        </button>
      </th>
      ${entry.kind === 'phase' ? this.phaseCells(entry, index) : this.releaseCells(entry, index)}
      ${epsilonCells(answer, `compose-alone-${index}`, scale)}
      <td class="acts">${this.acts(index)}</td>
    </tr>`;
  }

  private phaseCells(entry: Stretch, index: number) {
    const lengths: readonly PhaseNumber[] = scheduleFields[entry.schedule];
    return html`<td>
        <span class="drawn">
          <svg width="14" height="14" aria-hidden="true">${mark(entry.sampler, 7, 7, 5)}</svg>
          <select
            aria-label=${`Sampler of phase ${index + 1}`}
            .value=${entry.sampler}
            @change=${(event: Event) => {
              const sampler = (event.target as HTMLSelectElement).value as SamplerName;
              this.change(
                this.within(index, (there) => withStretch(there, { sampler })),
                'sampler',
              );
            }}
          >
            ${samplers.map(
              ({ name, label }) =>
                html`<option value=${name} .selected=${name === entry.sampler}>${label}</option>`,
            )}
          </select>
        </span>
      </td>
      <td>${this.phaseField(entry, index, 'noiseMultiplier')}</td>
      <td>
        <span class="lengths">${lengths.map((name) => this.phaseField(entry, index, name))}</span>
      </td>`;
  }

  private phaseField(entry: Stretch, index: number, name: PhaseNumber) {
    const { scenario } = this.state;
    if (index === scenario.open && name === soughtField(scenario.find)) {
      return html`<span class="panel-note">to be found</span>`;
    }
    return this.field(index, name, fieldInfo(name), entry.texts[name], (text) =>
      this.within(index, (there) => withText(there, name, text)),
    );
  }

  private releaseCells({ by, texts }: OtherRelease, index: number) {
    const names: readonly ReleaseNumber[] = releaseKinds[by];
    return html`<td>
        <span class="drawn">
          <svg width="14" height="14" aria-hidden="true">${mark('release', 7, 7, 5)}</svg> Release
        </span>
      </td>
      <td colspan="2">
        <span class="lengths"
          >${names.map((name) =>
            this.field(index, `release-${name}`, releaseInfo(name), texts[name], (text) =>
              this.within(index, (there) => withRelease(there, { [name]: text })),
            ),
          )}</span
        >
      </td>`;
  }

  private field(
    index: number,
    key: string,
    { label, symbol }: { label: string; symbol: string },
    text: string,
    next: (text: string) => Scenario,
  ) {
    const wrong = this.wrong(index, key);
    return html`<label class="cell-field">
      <i>${symbol || label.toLowerCase()}</i>
      <input
        type="text"
        autocomplete="off"
        spellcheck="false"
        size="7"
        aria-label=${`${label} of entry ${index + 1}`}
        aria-invalid=${wrong ? 'true' : 'false'}
        .value=${text}
        @input=${(event: Event) => {
          const { value } = event.target as HTMLInputElement;
          this.change(next(value), `${index} ${key}`, 'typed');
        }}
      />
    </label>`;
  }

  /** Whether what was typed is no number at all; whether it makes sense is the engine's to say. */
  private wrong(index: number, key: string): boolean {
    const { scenario } = this.state;
    const reading = readScenario(scenario, parseNumber);
    const name = index === scenario.open ? key : `${index + 1}:${key}`;
    return 'problems' in reading && reading.problems.has(name);
  }

  private acts(index: number) {
    const { scenario } = this.state;
    const here = { ...scenario, open: index };
    const entry = scenario.entries[index] ?? likeOpen(scenario);
    const last = scenario.entries.length - 1;
    const of = ` entry ${index + 1}`;
    return html`
      ${this.button('Up', withMoved(here, -1), index > 0, of)}
      ${this.button('Down', withMoved(here, 1), index < last, of)}
      ${this.button('Duplicate', withAdded(here, entry), true, of)}
      ${this.button('Remove', withoutOpen(here), canRemove(here), of)}
    `;
  }

  private button(text: string, next: Scenario, possible = true, of = '') {
    return html`<button
      class="plain"
      aria-label=${of === '' ? nothing : text + of}
      ?disabled=${!possible}
      @click=${() => {
        this.change(next, text);
      }}
    >
      ${text}
    </button>`;
  }

  private total(scale: Scale) {
    const { scenario } = this.state;
    const name = ownRow(scenario);
    const answer = this.whole();
    const at = this.answers.query?.delta;
    return html`<tr class=${`s-${name}`}>
      <th scope="row" colspan="4">
        Together${name === 'composition' ? '' : ` (${labelOf(name)})`}${at === undefined ? '' : `, at ${givenAs('δ', at)}`}
      </th>
      ${epsilonCells(answer, 'compose-total', scale)}
      <td class="acts">${this.note(answer)}</td>
    </tr>`;
  }

  private note(answer: Answer | undefined) {
    if (this.query === undefined) return 'A number of the run needs another look.';
    return answer ? nothing : this.broken === undefined ? 'computing' : 'no answer';
  }

  private within(index: number, change: (there: Scenario) => Scenario): Scenario {
    const { scenario } = this.state;
    return { ...change({ ...scenario, open: index }), open: scenario.open };
  }

  private change(scenario: Scenario, key: string, pace?: Pace): void {
    this.edit({ ...this.state, scenario }, `compose ${key}`, pace);
  }
}

function epsilonCells(answer: Answer | undefined, id: string, scale: Scale) {
  const other = answer && otherNeighbours(answer);
  return html`<td
      class="figure"
      data-label="ε alone"
      title=${answer ? span(answer.epsilon) : nothing}
    >
      ${answer ? formatInterval(answer.epsilon) : '…'}
      ${other === undefined ? nothing : html`<small>${other}</small>`}
    </td>
    <td class="wide">
      <svg class="plot" width=${strip} height="22" viewBox=${`0 0 ${strip} 22`} aria-hidden="true">
        <line class="grid" x1=${scale.at(0)} x2=${scale.at(0)} y1="0" y2="22"></line>
        ${answer ? drawn(answer.epsilon, id, scale) : nothing}
      </svg>
    </td>`;
}

const drawn = (epsilon: Interval, id: string, scale: Scale) =>
  intervalGlyph(epsilon, {
    at: (value) => scale.at(value),
    left: scale.at(0),
    right: strip,
    y: 11,
    half: 7,
    id,
  });

customElements.define('he-compose', Compose);
