import { references, whereOf } from '../words/references.js';
import type { Claim, NumberAsked, Paper, Relation } from './shape.js';

export function paperOf(citation: string, title?: string): Paper {
  const reference = references[citation];
  if (!reference) throw new Error(`no reference ${citation}`);
  const { authors, arxiv = '' } = reference;
  return {
    citation,
    title: title ?? reference.title,
    authors: `${authors}, ${whereOf(reference)}`,
    url: `https://arxiv.org/abs/${arxiv}`,
  };
}

/**
 * A number that a paper states, the question that finds it, and the verdict unless the two agree.
 */
export const stated = (
  what: string,
  relation: Relation,
  printed: string,
  ask: NumberAsked,
  more: Partial<Claim> = {},
): Claim => ({ what, relation, printed, ask, expected: 'agree', ...more });
