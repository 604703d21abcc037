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
} as const;
