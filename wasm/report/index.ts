/** The disclosure report: what a reader needs to judge and to recompute an epsilon. */

import { bibtex } from './bibtex.js';
import { json } from './json.js';
import { latex } from './latex.js';
import { markdown } from './markdown.js';
import type { ReportModel } from './model.js';
import { text } from './text.js';

export { checkedText, checkReport } from './check.js';

export { gather } from './gather.js';
export type { Facts, ReportOptions } from './gather.js';
export { citedIn } from '../words/references.js';
export { erratumOf, quotationOf } from '../words/quotation.js';
export { buildReport } from './model.js';
export type { Block, Section } from './block.js';
export type { ReportModel } from './model.js';

/** THE list of formats: the command's flag and the page's tabs follow from it. */
export const formats = {
  text: { label: 'Text', extension: 'txt', type: 'text/plain', render: text },
  markdown: { label: 'Markdown', extension: 'md', type: 'text/markdown', render: markdown },
  latex: { label: 'LaTeX', extension: 'tex', type: 'application/x-tex', render: latex },
  bibtex: { label: 'BibTeX', extension: 'bib', type: 'application/x-bibtex', render: bibtex },
  json: { label: 'JSON', extension: 'json', type: 'application/json', render: json },
} as const satisfies Record<
  string,
  { label: string; extension: string; type: string; render: (report: ReportModel) => string }
>;
export type FormatName = keyof typeof formats;
export const formatNames = Object.keys(formats) as FormatName[];

export { quotationFormats, quotationNames } from './quotations.js';
