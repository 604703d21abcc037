/** The quotation's markups: what the page has at once, where the report is written later. */

export { bibtexOf } from './bibtex.js';
import type { Origin } from './cited.js';
import { quotationLatex } from './latex.js';
import { modelCard, quotationMarkdown } from './markdown.js';
import { quotationText } from './text.js';

type Sentences = readonly string[];

/** THE list of markups that the quotation is taken along in; `format` is the command's name for it. */
export const quotationFormats = {
  text: { label: 'Plain text', format: 'quotation', render: quotationText },
  latex: { label: 'LaTeX', format: 'quotation-latex', render: quotationLatex },
  markdown: { label: 'Markdown', format: 'quotation-markdown', render: quotationMarkdown },
  'model-card': { label: 'Model card', format: 'model-card', render: modelCard },
} as const satisfies Record<
  string,
  { label: string; format: string; render: (sentences: Sentences, origin: Origin) => string }
>;
export type QuotationName = keyof typeof quotationFormats;
export const quotationNames = Object.keys(quotationFormats) as QuotationName[];
