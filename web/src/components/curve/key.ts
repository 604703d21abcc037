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
  curves: ReadonlyMap<string, RowCurve>;
  reading: (curve: RowCurve) => string;
  light: (name: string | undefined) => void;
  hide: (rows: readonly RowName[]) => void;
}

export function key(view: CurveView, parts: KeyParts) {
  const { at, field, value, beside } = view;
  return keyOf(
    at === undefined
      ? 'Curves'
      : html`${symbolOf(value)} at <i>${symbolOf(field)}</i> = <b>${placeText(field, at)}</b>`,
    [
      ...parts.rows.map((name) => row(name, view, parts)),
      ...[...beside].map(([name, letter]) => besideRow(name, letter, view, parts)),
    ],
  );
}

/** A row of the key: pointing at it lights up its curve. */
function line(name: string, sampler: string, view: CurveView, parts: KeyParts, said: unknown[]) {
  const curve = view.shown.find((other) => other.name === name);
  const [head, label] = said;
  return html`<label
    class=${`key-row s-${sampler}${view.highlight === name ? ' lit' : ''}`}
    @pointerenter=${() => parts.light(name)}
    @pointerleave=${() => parts.light(undefined)}
  >
    ${head}
    <svg width="14" height="14" aria-hidden="true">
      ${sampler ? mark(sampler, 7, 7, 5) : nothing}
    </svg>
    <span class="key-name nowrap">${label}</span>
    <span class="key-value">${curve ? parts.reading(curve) : nothing}</span>
  </label>`;
}

function row(name: RowName, view: CurveView, parts: KeyParts) {
  const { rows, leftOut, hide } = parts;
  const other = view.neighbours.get(name);
  const curve = parts.curves.get(name);
  const box = html`<input
    type="checkbox"
    .checked=${!leftOut.includes(name)}
    @change=${(event: Event) => {
      const on = (event.target as HTMLInputElement).checked;
      hide(rows.filter((other) => (other === name ? !on : leftOut.includes(other))));
    }}
  />`;
  const label = html`${rowLabel(name)}${curve && isMarked(curve) ? ` ${ownProofsMark}` : nothing}${other === undefined ? nothing : html`<small>${other}</small>`}`;
  return line(name, name, view, parts, [box, label]);
}

const besideRow = (name: string, letter: string, view: CurveView, parts: KeyParts) =>
  line(name, parts.curves.get(name)?.sampler ?? '', view, parts, [
    html`<b class="letter">${letter}</b>`,
    'pinned',
  ]);
