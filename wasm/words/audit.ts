/** An audit with one run, or over many, in words. */

import type { AuditAnswer, Query } from '../generated/schema.js';
import { batchWords } from './claims.js';
import { format, givenAs } from './numbers.js';

/** The query's fields that state what an audit saw: guesses in one run, or counts over many. */
export const guessFields = ['canaries', 'guesses', 'correct'] as const;
export const countFields = ['members', 'truePositives', 'nonMembers', 'falsePositives'] as const;
export const auditFields = [...guessFields, ...countFields, 'confidence'] as const;

export const isAudited = ({ canaries, members }: Query): boolean =>
  canaries !== undefined || members !== undefined;

/** These fields of a query, and no others; none where there is no audit. */
export const auditOf = (query: Query): Partial<Query> =>
  isAudited(query) ? Object.fromEntries(auditFields.map((name) => [name, query[name]])) : {};

export function withoutAudit(query: Query): Query {
  const isOther = ([name]: [string, unknown]) => !auditFields.some((field) => field === name);
  return { phases: query.phases, ...Object.fromEntries(Object.entries(query).filter(isOther)) };
}

/** 0.999 -> "99.9 %"; all nines are shown, and never 100 %. */
export const percent = (share: number): string =>
  `${Math.min(Number((100 * share).toPrecision(14)), 99.999999999999)} %`;

/** "at least 2.1 at δ = 10⁻⁵, with 95 % confidence" */
export function auditLowerWords({ epsilon, delta, confidence }: AuditAnswer): string {
  const sure = `with ${percent(confidence)} confidence`;
  const lower = epsilon.lower ?? 0;
  return lower > 0
    ? `ε ≥ ${format(lower, { side: 'down' })} at ${givenAs('δ', delta)}, ${sure}`
    : `no ε above 0 is refuted at ${givenAs('δ', delta)}, ${sure}`;
}

/** "shuffled batches", "the phases together" */
const runWords = ({ sampler }: AuditAnswer): string =>
  Object.entries(batchWords).find(([name]) => name === sampler)?.[1] ?? 'these phases together';

/** Whether the run as it is described can have been the one that was audited. */
export function auditVerdict(answer: AuditAnswer): string | undefined {
  const { pValue, contradicts, confidence } = answer;
  if (pValue === undefined) return undefined;
  const most = format(pValue, { side: 'up', digits: 2 });
  const counts = answer.methodCode === 'audit-counts';
  const seen = counts ? 'Such counts' : 'This many correct guesses';
  const chance =
    pValue >= 1
      ? `${seen} ${counts ? 'are' : 'is'} not surprising for such a run.`
      : `${seen} have a ${counts ? 'p-value' : 'probability'} of at most ${most}.`;
  return contradicts
    ? `The audit contradicts ${runWords(answer)} as described, with ${percent(confidence)} confidence. ${chance}`
    : `The audit is consistent with ${runWords(answer)} as described. ${chance}`;
}
