import { html, nothing } from 'lit';
import { citationForm, linkOf, references } from '../../../wasm/words/references.js';
import type { Block, ReportModel, Section } from '../../../wasm/report/index.js';
import { dataRow, dataTable } from './table.js';
import { methodsPage } from '../words/methods.js';

/** A button that copies a text, named by what it is. */
type CopyButton = (what: string, text: () => string) => unknown;

/** What a reader needs beside the quotation; the rest is folded. */
const needed = ['E', 'F'];

export function reportArticle({ sections }: ReportModel, copy: CopyButton) {
  const rest = sections.filter(({ letter }) => !needed.includes(letter));
  return html`<article class="report">
    ${sections.filter(({ letter }) => needed.includes(letter)).map((section) => sectionOf(section, copy))}
    <details class="report-rest">
      <summary>
        The rest:
        ${rest.map(({ title }, at) => (at === 0 ? title : title.charAt(0).toLowerCase() + title.slice(1))).join(', ')}
      </summary>
      ${rest.map((section) => sectionOf(section, copy))}
    </details>
  </article>`;
}

const sectionOf = ({ letter, title, blocks }: Section, copy: CopyButton) =>
  html`<section aria-labelledby=${`report-${letter}`}>
    <h4 id=${`report-${letter}`}><span>${letter}</span> ${title}</h4>
    ${blocks.map((block) => blockOf(block, `${title} ${letter}`, copy))}
  </section>`;

function blockOf(block: Block, name: string, copy: CopyButton) {
  switch (block.kind) {
    case 'text':
      return html`<p>${citedLinks(block.text)}</p>`;
    case 'list':
      return html`<ul>
        ${block.items.map((item) => html`<li>${citedLinks(item)}</li>`)}
      </ul>`;
    case 'rows':
      return html`<dl>
        ${block.rows.map(
          ([term, value]) =>
            html`<dt>${term}</dt>
              <dd>${citedLinks(value)}</dd>`,
        )}
      </dl>`;
    case 'table':
      return dataTable({
        ...{ label: name, head: block.head, figures: false },
        body: block.body.map(([first, ...cells]) =>
          dataRow(first, cells.map(citedLinks), { figures: false }),
        ),
      });
    case 'code':
      return html`<p class="row soft">${block.title} ${copy(block.title, () => block.code)}</p>
        <pre tabindex="0" aria-label=${block.title}>${block.code.trimEnd()}</pre>`;
  }
}

function citedLinks(text: string) {
  const parts: unknown[] = [];
  let last = 0;
  for (const match of text.matchAll(citationForm)) {
    const [whole, key = ''] = match;
    const reference = references[key];
    if (!reference) continue;
    const { address } = linkOf(reference, methodsPage);
    const link = html`<a href=${address ?? nothing} rel="noreferrer" title=${reference.title}
      >${whole}</a
    >`;
    parts.push(text.slice(last, match.index), address === undefined ? whole : link);
    last = match.index + whole.length;
  }
  return [...parts, text.slice(last)];
}
