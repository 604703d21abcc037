import type { Answer } from '../../../wasm/generated/schema.js';
import { format } from '../../../wasm/words/numbers.js';
import { drawnSampler, reportedSampler } from '../../../wasm/words/samplers.js';
import type { RowName } from '../state/scenario.js';
import { rowLabel } from './sentence.js';

type Answers = ReadonlyMap<RowName, Answer>;

/** How many times the guarantee for Poisson batches a row's guarantee is: "10.9". */
export function timesPoisson(answers: Answers, name: RowName): string | undefined {
  const own = answers.get(name)?.epsilon.upper;
  const poisson = answers.get(reportedSampler)?.epsilon.upper;
  if (typeof own !== 'number' || typeof poisson !== 'number' || poisson <= 0) return undefined;
  const times = own / poisson;
  return Number.isFinite(times) ? format(times, { side: 'nearest', digits: 3 }) : undefined;
}

/** The ladder's title: what the rows show. */
export function ladderTitle(answers: Answers, own: RowName): string {
  const other = own === reportedSampler ? drawnSampler : own;
  const times = timesPoisson(answers, other);
  if (times === undefined) return 'The same run with other samplers';
  if (Number(times) === 1) return `${rowLabel(other)}: the same ε for Poisson batches`;
  return own === reportedSampler
    ? `${rowLabel(other)} would have ${times} times this ε`
    : `${rowLabel(other)}: ${times} times the ε that Poisson accounting reports`;
}
