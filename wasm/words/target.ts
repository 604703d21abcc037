/** What a calibration is to meet instead of ε at δ, in words. */

import type { Answer, Query, Target } from '../generated/schema.js';
import { format, formatInterval, given } from './numbers.js';

/** The query's fields that state it. */
export const targetFields = ['target', 'targetValue', 'targetAt'] as const;

/** These fields of a query, and no others; none where ε is the target. */
export const targetOf = ({ target, targetValue, targetAt }: Query): Partial<Query> =>
  target === undefined || target === 'epsilon' ? {} : { target, targetValue, targetAt };

/** What of a run it bounds, and what it is meant at. */
interface TargetWords {
  noun: string;
  at?: { lead: string; label: string; meaning: string };
}

const words: Readonly<Record<Exclude<Target, 'epsilon'>, TargetWords>> = {
  advantage: { noun: 'advantage of the best attack' },
  'true-positive-rate': {
    noun: 'true positive rate of the best attack',
    at: {
      lead: 'at a false positive rate of',
      label: 'At false positive rate',
      meaning: 'How often the attack may claim a record that was not used.',
    },
  },
  accuracy: {
    noun: 'accuracy of the best attack',
    at: {
      lead: 'at prior',
      label: 'At prior',
      meaning: 'Probability that the record was used, before the attack.',
    },
  },
  gdp: { noun: 'μ of μ-GDP' },
  inference: {
    noun: 'success of attribute inference or reconstruction',
    at: {
      lead: 'from baseline',
      label: 'Baseline',
      meaning: 'Success rate of the best guess without the model.',
    },
  },
};

const wordsOf = (name: string | undefined): TargetWords | undefined =>
  Object.entries(words).find(([key]) => key === name)?.[1];

/** The label and the meaning of `targetAt` beside this target; nothing where it has none. */
export const targetAtInfo = (target: string) => wordsOf(target)?.at;

const placeOf = ({ at }: TargetWords, value: number | undefined) =>
  at === undefined || value === undefined ? '' : ` ${at.lead} ${given(value)}`;

/** "true positive rate of the best attack ≤ 0.05 at a false positive rate of 0.01" */
export function targetPhraseOf({ target, targetValue = 0, targetAt }: Query): string | undefined {
  const known = wordsOf(target);
  if (!known) return undefined;
  return `${known.noun} ≤ ${given(targetValue)}${placeOf(known, targetAt)}`;
}

/** "advantage of the best attack (at most 0.1 requested)" */
export function targetName({ name, limit, at }: NonNullable<Answer['target']>): string {
  const known = wordsOf(name);
  if (!known) return name;
  return `${known.noun}${placeOf(known, at)} (at most ${given(limit)} requested)`;
}

export function showTarget({ target }: Answer): [string, string][] {
  if (!target) return [];
  const { value, gap, resolution } = target;
  const where =
    gap === undefined || resolution === undefined
      ? ''
      : `, where both error rates are at least ${given(resolution)}; largest gap ≈ ${format(gap, { side: 'nearest', digits: 2 })}`;
  return [['target', `${targetName(target)}: ${formatInterval(value)}${where}`]];
}
