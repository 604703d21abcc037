import type { Phase, Query, Release, SamplerName } from '../generated/schema.js';
import { isSo } from '../words/samplers.js';
import { aimsAtEpsilon, numberOf } from './run.js';
import type { ImportedRun } from './run.js';

const numbersOf = (texts: Readonly<Partial<Record<string, string>>>) =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, numberOf(text)]));

/** The question that asks about a run; without a sampler, of every one side by side. */
export function queryOf(run: ImportedRun, sampler: SamplerName | undefined): Query {
  const phases = run.entries.map((entry): Phase | Release => {
    if (entry.kind === 'release') return numbersOf(entry.numbers);
    return {
      ...(sampler === undefined ? {} : { sampler }),
      ...(entry.mechanism === 'gaussian' ? {} : { mechanism: entry.mechanism }),
      ...numbersOf(entry.numbers),
      ...Object.fromEntries(
        entry.flags
          .filter((flag) => flag !== 'replacement' || isSo(sampler, 'canReplace'))
          .map((flag) => [flag, true]),
      ),
    };
  });
  return {
    phases,
    ...(run.delta === undefined ? {} : { delta: numberOf(run.delta) }),
    ...(aimsAtEpsilon(run)
      ? { question: 'calibrate', solveFor: 'noise', epsilon: numberOf(run.epsilon) }
      : { question: sampler === undefined ? 'compare' : 'epsilon' }),
  };
}
