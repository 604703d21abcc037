import { linkOf, references } from '../references.js';
import type { Reference } from '../references.js';
import { escapeLatex } from './latex.js';
import type { ReportModel } from './model.js';

function entry(key: string, reference: Reference): string {
  const { authors, title, conference, journal, year, arxiv, doi } = reference;
  const kind =
    conference === undefined ? (journal === undefined ? 'misc' : 'article') : 'inproceedings';
  const fields: (readonly [string, string | undefined])[] = [
    ['author', authors.split(', ').map(escapeLatex).join(' and ')],
    // Double braces keep the capitals.
    ['title', `{${escapeLatex(title)}}`],
    ['booktitle', conference === undefined ? undefined : escapeLatex(conference)],
    ['journal', journal === undefined ? undefined : escapeLatex(journal)],
    ['year', String(year)],
    ['eprint', arxiv],
    ['archivePrefix', arxiv === undefined ? undefined : 'arXiv'],
    ['doi', doi],
    ['url', linkOf(reference).address],
  ];
  const lines = fields.flatMap(([name, value]) =>
    value === undefined ? [] : [`  ${name} = {${value}},`],
  );
  return `@${kind}{${key},\n${lines.join('\n')}\n}\n`;
}

/** The papers that the report cites, and the program that wrote it. */
export function bibtex({ citations, facts }: ReportModel): string {
  const papers = citations.flatMap((key) => {
    const reference = references[key];
    return reference ? [entry(key, reference)] : [];
  });
  const [year = ''] = facts.date.split('-');
  const program = `@misc{honest-epsilon,
  key = {Honest Epsilon},
  title = {{Honest Epsilon}},
  year = {${year}},
  note = {Version ${facts.version}},${facts.link === undefined ? '' : `\n  url = {${facts.link.replaceAll(/[{}\\\s]/g, encodeURIComponent)}},`}
}
`;
  return [...papers, program].join('\n');
}
