import { html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { choiceLabel } from '../../../wasm/words/fields.js';
import type { InputField } from '../../../wasm/generated/schema.js';
import { stopText } from '../state/stops.js';
import type { Pace } from '../state/store.js';
import { numberIn } from '../state/typed.js';
import { slider } from './slider.js';

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
  /** Adjusts a number that the slider stopped at. */
  onStop?: ((stop: number) => number) | undefined;
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
  const { key, info, value, set, problem, stops, onStop, hint = '' } = field;
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
            onSlide: (stop) => set(stopText(onStop?.(stop) ?? stop), 'slid'),
          })
    }
  </span>`;
}
