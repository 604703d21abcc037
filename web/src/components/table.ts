import { html, nothing } from 'lit';
import type { Interval } from '../../../wasm/generated/schema.js';
import { format } from '../../../wasm/words/numbers.js';

interface Table {
  label: string;
  classes?: string;
  /** What stands above the table, where the label is seen. */
  caption?: unknown;
  /** The first column's head, then those of numbers; a head that is only heard is a template. */
  head: readonly unknown[];
  body: unknown;
  /** Whether columns but the first hold numbers. */
  figures?: boolean;
}

/** A table that scrolls where it is wider than its place. */
export const dataTable = ({ label, classes, caption, head, body, figures = true }: Table) =>
  html`<div class="scroll" tabindex="0" role="region" aria-label=${label}>
    <table class=${classes ?? nothing}>
      ${
        caption === undefined
          ? nothing
          : html`<caption>
              ${caption}
            </caption>`
      }
      <thead>
        <tr>
          ${head.map((text, at) =>
            text === ''
              ? html`<td></td>`
              : html`<th scope="col" class=${figures && at > 0 ? 'figure' : nothing}>${text}</th>`,
          )}
        </tr>
      </thead>
      <tbody>
        ${body}
      </tbody>
    </table>
  </div>`;

/** A row by its name and its cells; `classes` are the name's. */
export const dataRow = (
  name: unknown,
  cells: readonly unknown[],
  { figures = true, classes }: { figures?: boolean; classes?: string | undefined } = {},
) =>
  html`<tr>
    <th scope="row" class=${classes ?? nothing}>${name}</th>
    ${cells.map((cell) => html`<td class=${figures ? 'figure' : nothing}>${cell}</td>`)}
  </tr>`;

interface PointRow {
  line: string;
  x: string;
  y: Interval;
}

interface PointsTable {
  summary: string;
  label: string;
  head: { line: string; x: string; y: string };
  rows: readonly PointRow[];
}

export function pointsTable({ summary, label, head, rows }: PointsTable) {
  return html`<details class="points">
    <summary>${summary}</summary>
    ${dataTable({
      label,
      head: [head.line, head.x, `${head.y} at least`, `${head.y} at most`],
      body: rows.map(({ line, x, y: { lower, upper } }) =>
        dataRow(line, [x, format(lower, { side: 'down' }), format(upper, { side: 'up' })]),
      ),
    })}
  </details>`;
}
