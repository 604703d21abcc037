import { html } from 'lit';
import type { Interval } from '../../../wasm/generated/schema.js';
import { format } from '../../../wasm/words/numbers.js';

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
    <div class="scroll" tabindex="0" role="region" aria-label=${label}>
      <table>
        <thead>
          <tr>
            <th scope="col">${head.line}</th>
            <th scope="col" class="figure">${head.x}</th>
            <th scope="col" class="figure">${head.y} at least</th>
            <th scope="col" class="figure">${head.y} at most</th>
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            ({ line, x, y }) =>
              html`<tr>
                <th scope="row">${line}</th>
                <td class="figure">${x}</td>
                <td class="figure">${format(y.lower, { side: 'down' })}</td>
                <td class="figure">${format(y.upper, { side: 'up' })}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </details>`;
}
