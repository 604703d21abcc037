/** What a search costs that publishes the best of its runs, in words. */

import type { Answer, Query, TuningCost } from '../generated/schema.js';
import { format, formatInterval } from './numbers.js';

/** The query's fields that say how many runs are tried. */
export const tuningFields = ['tuning', 'runs', 'gamma', 'eta'] as const;

/** These fields of a query, and no others. */
export const tuningOf = ({ tuning, runs, gamma, eta }: Query): Partial<Query> =>
  tuning === undefined || tuning === 'none' ? {} : { tuning, runs, gamma, eta };

/** Whether the number of runs is random; else each of them counts. */
const isRandom = ({ methodCode }: Answer): boolean => methodCode === 'search';

function lawOf({ gamma, eta }: TuningCost): string {
  if (gamma === undefined) return 'Poisson';
  if (eta === 1) return 'geometric';
  return eta === 0 ? 'logarithmic' : 'negative binomial';
}

/** A mean that was solved for, without the digits of its rounding. */
const meanOf = ({ runs }: TuningCost): number => Number(runs.toPrecision(6));

/** "the best of a geometric number of runs (10 on average)"; nothing where one run is all. */
export function searchWords(answer: Answer): string | undefined {
  const { tuning } = answer;
  if (!tuning) return undefined;
  const runs = format(meanOf(tuning), { side: 'given' });
  return isRandom(answer)
    ? `the best of a ${lawOf(tuning)} number of runs (${runs} on average)`
    : `all ${runs} runs`;
}

/** "We drew the number of runs beforehand ..." */
export function searchSentence(answer: Answer): string | undefined {
  const { tuning } = answer;
  if (!tuning) return undefined;
  const runs = format(meanOf(tuning), { side: 'given' });
  return isRandom(answer)
    ? `We drew the number of such runs beforehand (${lawOf(tuning)}, ${runs} on average) and published the best run alone [PS22].`
    : `We made ${runs} such runs, and all of them count.`;
}

/** What the guarantee is about: "with every iterate of the best run released, the whole search". */
export function searchSubject(answer: Answer): string | undefined {
  if (!answer.tuning) return undefined;
  return isRandom(answer)
    ? 'with every iterate of the best run released, the whole search'
    : `with every iterate released, the search of ${format(meanOf(answer.tuning), { side: 'given' })} runs`;
}

/** A row's text in a terminal. */
export function showTuning({ tuning }: Answer): [string, string][] {
  if (!tuning) return [];
  const { gamma, eta, oneRun } = tuning;
  const law = [
    ...(gamma === undefined
      ? []
      : [`gamma ${format(Number(gamma.toPrecision(6)), { side: 'given' })}`]),
    ...(eta === undefined ? [] : [`eta ${format(eta, { side: 'given' })}`]),
  ].join(', ');
  const mean = format(meanOf(tuning), { side: 'given' });
  return [
    ['runs tried', law === '' ? mean : `${mean} on average, ${law}`],
    ['one run', formatInterval(oneRun)],
  ];
}
