import { html, nothing } from 'lit';

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
