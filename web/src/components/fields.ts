import { html, nothing } from 'lit';

interface TextInput {
  id: string;
  label: string;
  symbol?: string;
  meaning?: string;
  text: string;
  hint?: string;
  problem?: string | undefined;
  onText: (text: string) => void;
}

const textOf = ({ target }: Event): string =>
  (target as HTMLInputElement | HTMLSelectElement).value;

export const textInput = (field: TextInput) => {
  const { id, label, symbol = '', meaning, text, hint = '', problem, onText } = field;
  const wrong = problem !== undefined;
  return html`<div class=${wrong ? 'field wrong' : 'field'}>
    <label for=${id} title=${meaning ?? nothing}
      >${label}${symbol === '' ? nothing : html` <i>${symbol}</i>`}</label
    >
    <input
      id=${id}
      type="text"
      autocomplete="off"
      spellcheck="false"
      placeholder=${hint}
      aria-description=${meaning ?? nothing}
      aria-invalid=${wrong ? 'true' : 'false'}
      aria-describedby=${wrong ? `${id}-problem` : nothing}
      .value=${text}
      @input=${(event: Event) => onText(textOf(event))}
    />
    ${wrong ? html`<p class="problem" id=${`${id}-problem`} role="alert">${problem}</p>` : nothing}
  </div>`;
};

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

export interface Selection {
  id?: string;
  title?: string;
  label?: string;
  describedBy?: string | undefined;
  disabled?: boolean;
  /** Each value, and how a reader knows it. */
  choices: readonly (readonly [value: string, text: string])[];
  chosen: string;
  onChoice: (value: string) => void;
}

export const selection = (list: Selection) =>
  html`<select
    id=${list.id ?? nothing}
    title=${list.title ?? nothing}
    aria-label=${list.label ?? nothing}
    aria-describedby=${list.describedBy ?? nothing}
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

export const toggle = (
  text: string,
  on: boolean,
  onToggle: (on: boolean) => void,
  classes = 'toggle',
) =>
  html`<label class=${classes}>
    <input
      type="checkbox"
      .checked=${on}
      @change=${({ target }: Event) => onToggle((target as HTMLInputElement).checked)}
    />
    ${text}
  </label>`;
