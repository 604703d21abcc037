import { html, noChange, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { choiceLabel } from '../../../wasm/words/fields.js';
import type { InputField } from '../../../wasm/generated/schema.js';
import { nearestStop, stopText } from '../state/stops.js';
import type { Pace } from '../state/store.js';
import { numberIn } from '../state/typed.js';

const textOf = ({ target }: Event): string =>
  (target as HTMLInputElement | HTMLSelectElement).value;

interface Manner {
  classes?: string;
  label?: string;
  title?: string | undefined;
  disabled?: boolean;
  expanded?: boolean;
  current?: boolean;
}

/** A button that looks like a link. */
export const button = (text: unknown, does: () => void, manner: Manner = {}) =>
  html`<button
    class=${manner.classes ?? 'plain'}
    title=${manner.title ?? nothing}
    aria-label=${manner.label ?? nothing}
    aria-expanded=${manner.expanded ?? nothing}
    aria-current=${manner.current ? 'true' : nothing}
    ?disabled=${manner.disabled ?? false}
    @click=${does}
  >
    ${text}
  </button>`;

interface Selection {
  id?: string;
  label?: string;
  disabled?: boolean;
  /** Each value, and how a reader knows it. */
  choices: readonly (readonly [value: string, text: string])[];
  chosen: string;
  onChoice: (value: string) => void;
}

export const selection = (list: Selection) =>
  html`<select
    id=${list.id ?? nothing}
    aria-label=${list.label ?? nothing}
    ?disabled=${list.disabled ?? false}
    @change=${(event: Event) => list.onChoice(textOf(event))}
  >
    ${list.choices.map(
      ([value, text]) =>
        html`<option value=${value} .selected=${value === list.chosen}>${text}</option>`,
    )}
  </select>`;

/** The choices, led by the one that is chosen where it is not among them: a list shows only what it holds. */
export const withChosen = (choices: readonly string[], chosen: string): readonly string[] =>
  choices.includes(chosen) ? choices : [chosen, ...choices];

export const toggle = (text: string, on: boolean, onToggle: (on: boolean) => void) =>
  html`<label class="toggle soft small">
    <input
      type="checkbox"
      .checked=${on}
      @change=${({ target }: Event) => onToggle((target as HTMLInputElement).checked)}
    />
    ${text}
  </label>`;

interface Radios<Value extends string> {
  legend: string;
  /** Whether the legend is seen. */
  seen?: boolean;
  classes?: string;
  name: string;
  values: readonly Value[];
  chosen: string;
  label: (value: Value) => string;
  title?: (value: Value) => string;
  pick: (value: Value) => void;
}

export const radios = <Value extends string>(all: Radios<Value>) =>
  html`<fieldset class=${`row choices ${all.classes ?? ''}`}>
    <legend class=${all.seen ? nothing : 'sr'}>${all.legend}</legend>
    ${all.values.map(
      (value) =>
        html`<label title=${all.title?.(value) ?? nothing}>
          <input
            type="radio"
            name=${all.name}
            value=${value}
            .checked=${value === all.chosen}
            @change=${() => all.pick(value)}
          /><span>${all.label(value)}</span></label
        >`,
    )}
  </fieldset>`;

interface Slider {
  id: string;
  label: string;
  stops: readonly number[];
  text: string;
  value: number | undefined;
  onSlide: (stop: number) => void;
}

/**
 * The slider of a number field: it follows what is typed, and stays where it is if that is no number. Whoever
 * uses the Tab key types the number: a stop at every slider would double the way to the answer.
 */
function slider({ id, label, stops, text, value, onSlide }: Slider) {
  const at = nearestStop(stops, value ?? NaN);
  return html`<input
    id=${id}
    class="slider"
    type="range"
    tabindex="-1"
    min="0"
    max=${stops.length - 1}
    aria-label=${label}
    aria-valuetext=${text}
    .value=${at === undefined ? noChange : live(String(at))}
    @input=${(event: Event) => {
      const stop = stops[Number((event.target as HTMLInputElement).value)];
      if (stop !== undefined) onSlide(stop);
    }}
  />`;
}

/** A field: what the schema says of it, what stands in it, and what follows from a change. */
export interface FormField {
  key: string;
  /** Unique in the document; of the form's own fields it follows from the key. */
  id?: string;
  info: Pick<InputField, 'label' | 'type'> &
    Partial<Pick<InputField, 'symbol' | 'meaning' | 'choices'>>;
  /** How a reader knows a choice; undefined for the name that the choice has everywhere. */
  choiceName?: (choice: string) => string;
  /** As typed or picked; 'true' of a box that is ticked. */
  value: string;
  set: (value: string, pace: Pace) => void;
  problem?: string | undefined;
  /** What the choice means, below it. */
  note?: string | undefined;
  hint?: string | undefined;
  stops?: readonly number[] | undefined;
  /** The reader has come to the field, or has left it. */
  onFocus?: (event: Event) => void;
  onSettle?: () => void;
}

/** What does not fit into half of the form; or of a narrow one. */
function sizeOf({ info, key, choiceName = (name) => choiceLabel(key, name) }: FormField): string {
  const longest = Math.max(0, ...(info.choices ?? []).map((name) => choiceName(name).length));
  return longest > 22 || info.type === 'numbers' ? 'wide' : longest > 18 ? 'longish' : '';
}

export function formField(field: FormField) {
  const { key, id = `field-${key}`, info, problem, note } = field;
  const classes = ['field', problem === undefined ? '' : 'wrong', sizeOf(field)].join(' ').trim();
  const about =
    problem === undefined ? (note === undefined ? nothing : `${id}-note`) : `${id}-problem`;
  return html`<div class=${classes}>
    <label for=${id}>${info.label}</label>
    ${control(field, id, about)}
    ${note === undefined ? nothing : html`<p class="why" id=${`${id}-note`}>${note}</p>`}
    ${problemNote(id, problem)}
  </div>`;
}

/** What is wrong with a field, below it. */
export const problemNote = (id: string, problem: string | undefined) =>
  problem === undefined
    ? nothing
    : html`<p class="problem" id=${`${id}-problem`} role="alert">${problem}</p>`;

function control(field: FormField, id: string, about: unknown) {
  switch (field.info.type) {
    case 'choice':
      return choice(field, id, about);
    case 'flag':
      return flag(field, id);
    default:
      return text(field, id, about);
  }
}

function choice(field: FormField, id: string, about: unknown) {
  const { key, info, value, set, problem, choiceName = (name) => choiceLabel(key, name) } = field;
  return html`<select
    id=${id}
    name=${key}
    aria-description=${info.meaning ?? nothing}
    aria-invalid=${problem === undefined ? 'false' : 'true'}
    aria-describedby=${about}
    @focus=${field.onFocus}
    @change=${({ target }: Event) => set((target as HTMLSelectElement).value, 'single')}
  >
    ${info.choices?.map(
      (name) =>
        html`<option value=${name} .selected=${live(name === value.trim())}>
          ${choiceName(name)}
        </option>`,
    )}
  </select>`;
}

function flag({ key, info, value, set, onFocus }: FormField, id: string) {
  return html`<input
    id=${id}
    name=${key}
    type="checkbox"
    .checked=${value === 'true'}
    aria-description=${info.meaning ?? nothing}
    @focus=${onFocus}
    @change=${({ target }: Event) => set(String((target as HTMLInputElement).checked), 'single')}
  />`;
}

function text(field: FormField, id: string, about: unknown) {
  const { key, info, value, set, problem, stops, hint = '' } = field;
  return html`<span class=${info.symbol ? 'box symbolic' : 'box'}>
    ${info.symbol ? html`<i class="symbol" aria-hidden="true">${info.symbol}</i>` : nothing}
    <input
      id=${id}
      name=${key}
      type="text"
      inputmode="text"
      autocomplete="off"
      autocapitalize="off"
      spellcheck="false"
      placeholder=${hint}
      .value=${value}
      aria-description=${info.meaning ?? nothing}
      aria-invalid=${problem === undefined ? 'false' : 'true'}
      aria-describedby=${about}
      @input=${({ target }: Event) => set((target as HTMLInputElement).value, 'typed')}
      @change=${field.onSettle}
      @focus=${field.onFocus}
    />
    ${
      stops === undefined
        ? nothing
        : slider({
            id: `slide-${key}`,
            label: info.label,
            ...{ stops, text: value, value: numberIn(info, value) },
            onSlide: (stop) => set(stopText(stop), 'slid'),
          })
    }
  </span>`;
}
