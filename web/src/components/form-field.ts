import { html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { choiceLabel } from '../../../wasm/words/fields.js';
import type { InputField } from '../../../wasm/generated/schema.js';
import { stopText } from '../state/stops.js';
import type { Pace } from '../state/store.js';
import { numberIn } from '../state/typed.js';
import { slider } from './slider.js';

/** A field of the form: what the schema says of it, what stands in it, and what follows from a change. */
export interface FormField {
  key: string;
  info: Pick<InputField, 'label' | 'symbol' | 'meaning' | 'type'> & {
    choices?: readonly string[];
  };
  /** As typed or picked; 'true' of a box that is ticked. */
  value: string;
  set: (value: string, pace: Pace) => void;
  problem?: string | undefined;
  hint?: string | undefined;
  stops?: readonly number[] | undefined;
  /** Adjusts a number that the slider stopped at. */
  onStop?: ((stop: number) => number) | undefined;
  /** The reader has come to the field, or has left it. */
  onFocus?: (event: Event) => void;
  onSettle?: () => void;
}

/** What does not fit into half of the form; or of a narrow one. */
function sizeOf({ key, info }: FormField): string {
  const longest = Math.max(0, ...(info.choices ?? []).map((name) => choiceLabel(key, name).length));
  return longest > 22 || info.type === 'numbers' ? 'wide' : longest > 18 ? 'longish' : '';
}

export function formField(field: FormField) {
  const { key, info, problem } = field;
  const classes = ['field', problem === undefined ? '' : 'wrong', sizeOf(field)].join(' ').trim();
  return html`<div class=${classes}>
    <label for=${`field-${key}`}>${info.label}</label>
    ${control(field)}
    ${
      problem === undefined
        ? nothing
        : html`<p class="problem" id=${`problem-${key}`} role="alert">${problem}</p>`
    }
  </div>`;
}

function control(field: FormField) {
  switch (field.info.type) {
    case 'choice':
      return choice(field);
    case 'flag':
      return flag(field);
    default:
      return number(field);
  }
}

function choice({ key, info, value, set, problem, onFocus }: FormField) {
  return html`<select
    id=${`field-${key}`}
    name=${key}
    aria-description=${info.meaning}
    aria-invalid=${problem === undefined ? 'false' : 'true'}
    aria-describedby=${problem === undefined ? nothing : `problem-${key}`}
    @focus=${onFocus}
    @change=${({ target }: Event) => set((target as HTMLSelectElement).value, 'single')}
  >
    ${info.choices?.map(
      (name) =>
        html`<option value=${name} .selected=${live(name === value.trim())}>
          ${choiceLabel(key, name)}
        </option>`,
    )}
  </select>`;
}

function flag({ key, info, value, set, onFocus }: FormField) {
  return html`<input
    id=${`field-${key}`}
    name=${key}
    type="checkbox"
    .checked=${value === 'true'}
    aria-description=${info.meaning}
    @focus=${onFocus}
    @change=${({ target }: Event) => set(String((target as HTMLInputElement).checked), 'single')}
  />`;
}

function number(field: FormField) {
  const { key, info, value, set, problem, stops, onStop, hint = '' } = field;
  return html`<span class=${info.symbol ? 'box symbolic' : 'box'}>
    ${info.symbol ? html`<i class="symbol" aria-hidden="true">${info.symbol}</i>` : nothing}
    <input
      id=${`field-${key}`}
      name=${key}
      type="text"
      inputmode="text"
      autocomplete="off"
      autocapitalize="off"
      spellcheck="false"
      placeholder=${hint}
      .value=${value}
      aria-description=${info.meaning}
      aria-invalid=${problem === undefined ? 'false' : 'true'}
      aria-describedby=${problem === undefined ? nothing : `problem-${key}`}
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
