/** How a quotation names its papers, in whatever markup. */

import { citedIn, linkOf, nameOf, references, type Reference } from '../words/references.js';
import type { Facts } from './gather.js';

/** What citations of the program and of its sources are made from. */
export type Origin = Pick<Facts, 'version' | 'date' | 'link' | 'methods'>;

/** One or more papers by their keys, with blanks between. */
export const cited = /\[[A-Z][A-Za-z]*\d\d\](?: \[[A-Z][A-Za-z]*\d\d\])*/g;

/** The papers with these keys, each as a markup writes it. */
export const papersOf = (
  keys: readonly string[],
  write: (key: string, reference: Reference) => string,
): string[] =>
  keys.flatMap((key) => {
    const reference = references[key];
    return reference ? [write(key, reference)] : [];
  });

export const keysIn = (group: string): string[] => citedIn([group]);

/** A paper's name, with its place where another one cited here has the same name. */
export function namer(sentences: readonly string[]): (key: string) => string {
  const plain = (key: string) => papersOf([key], (_, paper) => nameOf(paper))[0] ?? key;
  const all = citedIn(sentences);
  return (key) => {
    const name = plain(key);
    const reference = references[key];
    const same = all.some((other) => other !== key && plain(other) === name);
    return same && reference ? `${name}, ${linkOf(reference).name}` : name;
  };
}
