/** The Cite tab's words around the quotation. */
export const citeWords = {
  title: 'What to write',
  about:
    'True for the run above as it stands: copy it into the paper, the model card or the audit.',
  markup: 'Markup of the quotation',
  copy: 'Copy quotation',
  erratum: 'Correction of the reported ε',
  noLink:
    'This copy of the page has no public address, so the quotation names the program and its version instead of a link.',
  waiting: 'Computing …',
  wrong: 'There is nothing to quote yet. Correct the field marked in red.',
  broken: 'A quotation needs the accountant, which did not start.',
  report: 'Full report',
  reportAbout: 'Everything needed to assess and reproduce this ε.',
  format: 'Format of the report',
  preview: 'Preview',
  writing: 'Writing the report …',
} as const;
