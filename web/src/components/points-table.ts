import { html } from 'lit';
import type { Interval } from '../../../wasm/generated/schema.js';
import { format } from '../../../wasm/words/numbers.js';
import { dataRow, dataTable } from './table.js';

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
