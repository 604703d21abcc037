import { html, nothing } from 'lit';
import { mark } from '../../charts/glyphs.js';
import type { RowCurve } from '../../live/curves.js';
import type { RowName } from '../../state/scenario.js';
import { rowLabel } from '../../words/sentence.js';
import { ownProofsMark } from '../../../../wasm/words/claims.js';
import { isMarked, placeText, symbolOf, type CurveView } from './view.js';

interface KeyParts {
  rows: readonly RowName[];
  leftOut: readonly RowName[];
  /** Every curve that there is, drawn or not. */
  curves: ReadonlyMap<string, RowCurve>;
  reading: (curve: RowCurve) => string;
  light: (name: string | undefined) => void;
  hide: (rows: readonly RowName[]) => void;
}

export function key(view: CurveView, parts: KeyParts) {
  const { at, field, value, beside } = view;
  return html`<div class="key" role="group" aria-label="Curves">
    <p class="key-head">
      ${at === undefined ? 'Curves' : html`${symbolOf(value)} at <i>${symbolOf(field)}</i> = <b>${placeText(field, at)}</b>`}
    </p>
    ${parts.rows.map((name) => row(name, view, parts))}
    ${[...beside].map(([name, letter]) => besideRow(name, letter, view, parts))}
    <p class="fine key-foot">Hover or use the arrow keys to read values.</p>
  </div>`;
}

const readingOf = (name: string, { shown }: CurveView, { reading }: KeyParts) => {
  const curve = shown.find((other) => other.name === name);
  return html`<span class="key-value">${curve ? reading(curve) : nothing}</span>`;
};

const icon = (sampler: string) =>
  html`<svg width="14" height="14" aria-hidden="true">
    ${sampler ? mark(sampler, 7, 7, 5) : nothing}
  </svg>`;

/** What all rows of the key share: pointing at one lights up its curve. */
function line(name: string, sampler: string, { highlight }: CurveView, { light }: KeyParts) {
  return {
    classes: `key-row s-${sampler}${highlight === name ? ' lit' : ''}`,
    enter: () => light(name),
    leave: () => light(undefined),
  };
}

function row(name: RowName, view: CurveView, parts: KeyParts) {
  const { rows, leftOut, hide } = parts;
  const { classes, enter, leave } = line(name, name, view, parts);
  const other = view.neighbours.get(name);
  const curve = parts.curves.get(name);
  return html`<label class=${classes} @pointerenter=${enter} @pointerleave=${leave}>
    <input
      type="checkbox"
      .checked=${!leftOut.includes(name)}
      @change=${(event: Event) => {
        const on = (event.target as HTMLInputElement).checked;
        hide(rows.filter((other) => (other === name ? !on : leftOut.includes(other))));
      }}
    />
    ${icon(name)}
    <span class="key-name"
      >${rowLabel(name)}${curve && isMarked(curve) ? ` ${ownProofsMark}` : nothing}${other === undefined ? nothing : html`<small>${other}</small>`}</span
    >
    ${readingOf(name, view, parts)}
  </label>`;
}

function besideRow(name: string, letter: string, view: CurveView, parts: KeyParts) {
  const sampler = parts.curves.get(name)?.sampler ?? '';
  const { classes, enter, leave } = line(name, sampler, view, parts);
  return html`<div class=${classes} @pointerenter=${enter} @pointerleave=${leave}>
    <b class="letter">${letter}</b>
    ${icon(sampler)}
    <span class="key-name">pinned</span>
    ${readingOf(name, view, parts)}
  </div>`;
}
