import { html, nothing } from 'lit';
import { mark } from '../../charts/glyphs.js';
import type { RowCurve } from '../../live/curves.js';
import type { RowName } from '../../state/scenario.js';
import { rowLabel } from '../../words/sentence.js';
import { ownProofsMark } from '../../../../wasm/words/claims.js';
import { keyOf } from '../line-plot.js';
import { isMarked, placeText, symbolOf, type CurveView } from './view.js';

interface KeyParts {
  rows: readonly RowName[];
  leftOut: readonly RowName[];
  /** Every curve that there is, drawn or not. */
  curves: ReadonlyMap<RowName, RowCurve>;
  reading: (curve: RowCurve) => string;
  light: (name: string | undefined) => void;
  hide: (rows: readonly RowName[]) => void;
}

export function key(view: CurveView, parts: KeyParts) {
  const { at, field, value } = view;
  return keyOf(
    at === undefined
      ? 'Curves'
      : html`${symbolOf(value)} at <i>${symbolOf(field)}</i> = <b>${placeText(field, at)}</b>`,
    parts.rows.map((name) => row(name, view, parts)),
  );
}

/** A row of the key: pointing at it lights up its curve. */
function row(name: RowName, view: CurveView, parts: KeyParts) {
  const { rows, leftOut, hide, light, reading } = parts;
  const other = view.neighbours.get(name);
  const curve = parts.curves.get(name);
  const drawn = view.shown.find((one) => one.name === name);
  return html`<label
    class=${`key-row s-${name}${view.highlight === name ? ' lit' : ''}`}
    @pointerenter=${() => light(name)}
    @pointerleave=${() => light(undefined)}
  >
    <input
      type="checkbox"
      .checked=${!leftOut.includes(name)}
      @change=${(event: Event) => {
        const on = (event.target as HTMLInputElement).checked;
        hide(rows.filter((other) => (other === name ? !on : leftOut.includes(other))));
      }}
    />
    <svg width="14" height="14" aria-hidden="true">${mark(name, 7, 7, 5)}</svg>
    <span class="key-name nowrap"
      >${rowLabel(name)}${curve && isMarked(curve) ? ` ${ownProofsMark}` : nothing}${other === undefined ? nothing : html`<small>${other}</small>`}</span
    >
    <span class="key-value">${drawn ? reading(drawn) : nothing}</span>
  </label>`;
}
