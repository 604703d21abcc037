/** What a search costs that publishes the best of its runs, in words. */

import type { Answer, Query, TuningCost } from '../generated/schema.js';
import { formatInterval, given } from './numbers.js';
import { present } from './present.js';

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

/** "the best of several runs (number of runs: geometric, mean 10)"; nothing where one run is all. */
export function searchWords(answer: Answer): string | undefined {
  const { tuning } = answer;
  if (!tuning) return undefined;
  const runs = given(meanOf(tuning));
  return isRandom(answer)
    ? `the best of several runs (number of runs: ${lawOf(tuning)}, mean ${runs})`
    : `all ${runs} runs`;
}

/** "We chose the number of runs at random beforehand ..." */
export function searchSentence(answer: Answer): string | undefined {
  const { tuning } = answer;
  if (!tuning) return undefined;
  const runs = given(meanOf(tuning));
  return isRandom(answer)
    ? `We chose the number of such runs at random beforehand (${lawOf(tuning)}, mean ${runs}) and published only the best one [PS22].`
    : `We made ${runs} such runs, and all of them count.`;
}

/** What the guarantee is about: "even if every intermediate model of the best run is released, ...". */
export function searchSubject(answer: Answer): string | undefined {
  if (!answer.tuning) return undefined;
  return isRandom(answer)
    ? 'even if every intermediate model of the best run is released, the whole search'
    : `even if every intermediate model is released, the search of ${given(meanOf(answer.tuning))} runs`;
}

export function showTuning({ tuning }: Answer): [string, string][] {
  if (!tuning) return [];
  const { gamma, eta, oneRun } = tuning;
  const law = present(
    gamma !== undefined && `gamma ${given(Number(gamma.toPrecision(6)))}`,
    eta !== undefined && `eta ${given(eta)}`,
  ).join(', ');
  const mean = given(meanOf(tuning));
  return [
    ['runs tried', law === '' ? mean : `mean ${mean}, ${law}`],
    ['one run', formatInterval(oneRun)],
  ];
}
