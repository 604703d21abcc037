import type { FormatName } from '../../../wasm/report/index.js';

export const citeWords = {
  title: 'What to write',
  about: 'Describes the run above. Copy it into your paper, model card or audit.',
  markup: 'Markup of the quotation',
  copy: 'Copy quotation',
  erratum: 'Correction of the reported ε',
  noLink:
    'This copy of the page has no public address, so the quotation names the program and its version instead of a link.',
  waiting: 'Computing …',
  wrong: 'Nothing to quote yet.',
  broken: 'A quotation needs the calculator, which did not start.',
  report: 'Full report',
  reportAbout: 'Everything needed to assess and reproduce this ε.',
  format: 'Format of the report',
  preview: 'Preview',
  writing: 'Writing the report …',
  failed: 'The report failed to load.',
} as const;

/** The report set in type, or in one of the formats that it can be taken along in. */
export type ReportView = 'read' | FormatName;
export const reportViews = Object.keys({
  ...{ read: 0, text: 0, markdown: 0, latex: 0, bibtex: 0, json: 0 },
} satisfies Record<ReportView, 0>) as ReportView[];
