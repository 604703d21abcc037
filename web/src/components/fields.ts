import { html, nothing } from 'lit';

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

export interface Selection {
  id?: string;
  title?: string;
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
    title=${list.title ?? nothing}
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

export const toggle = (
  text: string,
  on: boolean,
  onToggle: (on: boolean) => void,
  classes = 'toggle soft small',
) =>
  html`<label class=${classes}>
    <input
      type="checkbox"
      .checked=${on}
      @change=${({ target }: Event) => onToggle((target as HTMLInputElement).checked)}
    />
    ${text}
  </label>`;
