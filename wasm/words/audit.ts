/** An audit with one run, in words. */

import type { AuditAnswer, Query } from '../generated/schema.js';
import { batchWords } from './claims.js';
import { format, givenAs } from './numbers.js';

/** The query's fields that state what an audit saw. */
export const auditFields = ['canaries', 'guesses', 'correct', 'confidence'] as const;

/** These fields of a query, and no others; none where there is no audit. */
export const auditOf = ({ canaries, guesses, correct, confidence }: Query): Partial<Query> =>
  canaries === undefined ? {} : { canaries, guesses, correct, confidence };

export function withoutAudit(query: Query): Query {
  const isOther = ([name]: [string, unknown]) => !auditFields.some((field) => field === name);
  return { phases: query.phases, ...Object.fromEntries(Object.entries(query).filter(isOther)) };
}

/** 0.999 -> "99.9 %" */
export const percent = (share: number): string =>
  `${format(Number((100 * share).toPrecision(10)), { side: 'given' })} %`;

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
  sampler !== undefined && Object.hasOwn(batchWords, sampler)
    ? batchWords[sampler as keyof typeof batchWords]
    : 'these phases together';

/** Whether the run as it is described can have been the one that was audited. */
export function auditVerdict(answer: AuditAnswer): string | undefined {
  const { pValue, contradicts, confidence } = answer;
  if (pValue === undefined) return undefined;
  const most = format(pValue, { side: 'up', digits: 2 });
  const chance =
    pValue >= 1
      ? 'This many correct guesses is not surprising for such a run.'
      : `This many correct guesses have a probability of at most ${most}.`;
  return contradicts
    ? `The audit contradicts ${runWords(answer)} as described, with ${percent(confidence)} confidence. ${chance}`
    : `The audit is consistent with ${runWords(answer)} as described. ${chance}`;
}
