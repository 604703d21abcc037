import { references, type Reference } from '../generated/references.js';

export { references };
export type { Reference };

/** How texts name a paper: [HP24], or [HP24, Thm 4.1]. */
export const citationForm = /\[([A-Z][A-Za-z]*\d\d)(?:,\s+([^\]]+))?\]/g;

/** "ICML 2024", "Not yet peer-reviewed 2026" */
export const whereOf = ({ conference, journal, year, section }: Reference): string =>
  [conference ?? journal ?? (section === undefined ? undefined : 'Not yet peer-reviewed'), year]
    .filter((part) => part !== undefined)
    .join(' ');

/** Its name where it is read, and its address there. `methods`: the methods page, where there is one. */
export function linkOf(
  { arxiv, doi, section }: Reference,
  methods?: string,
): { name: string; address: string | undefined } {
  if (arxiv !== undefined)
    return { address: `https://arxiv.org/abs/${arxiv}`, name: `arXiv:${arxiv}` };
  if (doi !== undefined) return { address: `https://doi.org/${doi}`, name: `doi:${doi}` };
  const address =
    methods === undefined || section === undefined ? undefined : `${methods}#${section}`;
  return { address, name: 'proof in the documentation of Honest Epsilon' };
}

/** The keys that texts name, in the order of their first mention. */
export const citedIn = (texts: readonly string[]): string[] => [
  ...new Set(texts.flatMap((text) => [...text.matchAll(citationForm)].map(([, key = '']) => key))),
];

/** "Chua et al. 2024", as prose names a paper. */
export function nameOf({ authors, year, section }: Reference): string {
  if (section !== undefined) return `${authors.replace(/^The authors of /, '')}, ${year}`;
  const people = authors.split(', ').map((name) => name.replace(/^([A-Z][a-z]?\.-?\s?)+/, ''));
  const [first = '', second, ...more] = people;
  if (second === undefined) return `${first} ${year}`;
  return more.length > 0 ? `${first} et al. ${year}` : `${first} and ${second} ${year}`;
}
