import { html, nothing } from 'lit';

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
