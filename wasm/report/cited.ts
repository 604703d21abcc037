/** How a quotation names its papers, in whatever markup. */

import { citedIn, linkOf, nameOf, references } from '../words/references.js';
import type { Facts } from './gather.js';

/** What citations of the program and of its sources are made from. */
export type Origin = Pick<Facts, 'version' | 'date' | 'link' | 'methods'>;

/** One or more papers by their keys, with blanks between. */
export const cited = /\[[A-Z][A-Za-z]*\d\d\](?: \[[A-Z][A-Za-z]*\d\d\])*/g;

export const keysIn = (group: string): string[] => citedIn([group]);

/** A paper's name, with its place where another one cited here has the same name. */
export function namer(sentences: readonly string[]): (key: string) => string {
  const plain = (key: string) => {
    const reference = references[key];
    return reference ? nameOf(reference) : key;
  };
  const all = citedIn(sentences);
  return (key) => {
    const name = plain(key);
    const reference = references[key];
    const same = all.some((other) => other !== key && plain(other) === name);
    return same && reference ? `${name}, ${linkOf(reference).name}` : name;
  };
}
