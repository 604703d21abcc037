import { linkOf, type Reference } from '../words/references.js';
import { escapeLatex } from './latex.js';
import { papersOf, type Origin } from './cited.js';
import type { ReportModel } from './model.js';

/** An address in which nothing ends a field. */
const inBraces = (address: string): string => address.replaceAll(/[{}\\\s]/g, encodeURIComponent);

function entry(key: string, reference: Reference, methods: string | undefined): string {
  const { authors, title, conference, journal, year, arxiv, doi, section } = reference;
  const { address, name } = linkOf(reference, methods);
  const people = authors.split(', ').map(escapeLatex).join(' and ');
  const kind = conference ? 'inproceedings' : journal ? 'article' : 'misc';
  const fields: Readonly<Record<string, string | undefined>> = {
    // Braces keep a group from being read as a first name and a last one.
    author: section === undefined ? people : `{${people}}`,
    // Double braces keep the capitals.
    title: `{${escapeLatex(title)}}`,
    booktitle: conference && escapeLatex(conference),
    journal: journal && escapeLatex(journal),
    year: String(year),
    eprint: arxiv,
    archivePrefix: arxiv && 'arXiv',
    doi,
    note: section && `Not yet peer-reviewed; ${escapeLatex(name)}`,
    url: address && inBraces(address),
  };
  const lines = Object.entries(fields).flatMap(([field, value]) =>
    value === undefined ? [] : [`  ${field} = {${value}},`],
  );
  return `@${kind}{${key},\n${lines.join('\n')}\n}\n`;
}

/** The papers with these keys, and the program. */
export function bibtexOf(
  citations: readonly string[],
  { date, version, link, methods }: Origin,
): string {
  const papers = papersOf(citations, (key, reference) => entry(key, reference, methods));
  const [year = ''] = date.split('-');
  const program = `@misc{honest-epsilon,
  key = {Honest Epsilon},
  title = {{Honest Epsilon}},
  year = {${year}},
  note = {Version ${version}},${link === undefined ? '' : `\n  url = {${inBraces(link)}},`}
}
`;
  return [...papers, program].join('\n');
}

/** The papers that the report cites, and the program that wrote it. */
export const bibtex = ({ citations, facts }: ReportModel): string => bibtexOf(citations, facts);
