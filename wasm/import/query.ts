import type { Phase, Query, Release, SamplerName } from '../generated/schema.js';
import { parseNumber } from '../words/number-forms.js';
import { isSo } from '../words/samplers.js';
import type { ImportedRun } from './imported-run.js';

const numberOf = (text: string) => parseNumber(text) ?? NaN;
const numbersOf = (texts: Readonly<Partial<Record<string, string>>>) =>
  Object.fromEntries(Object.entries(texts).map(([name, text = '']) => [name, numberOf(text)]));

/** The question that asks about a run; without a sampler, of every one side by side. */
export function queryOf(run: ImportedRun, told: SamplerName | undefined): Query {
  // Records that take part several times an epoch have one sampler alone.
  const repeated = run.entries.some(
    (entry) => entry.kind === 'phase' && entry.numbers.participations !== undefined,
  );
  const sampler = told ?? (repeated ? 'balls-and-bins' : undefined);
  const phases = run.entries.map((entry): Phase | Release => {
    if (entry.kind === 'release') return numbersOf(entry.numbers);
    const { reshuffle, ...choices } = entry.choices ?? {};
    return {
      ...(sampler === undefined ? {} : { sampler }),
      ...(entry.mechanism === 'gaussian' ? {} : { mechanism: entry.mechanism }),
      ...(sampler !== undefined && isSo(sampler, 'canKeepDraw') && reshuffle ? { reshuffle } : {}),
      ...choices,
      ...numbersOf(entry.numbers),
      ...Object.fromEntries(
        entry.flags
          .filter(
            (flag) =>
              flag !== 'replacement' || sampler === undefined || isSo(sampler, 'canReplace'),
          )
          .map((flag) => [flag, true]),
      ),
    };
  });
  const { delta, epsilon, tuning } = run;
  return {
    phases,
    ...(delta === undefined ? {} : { delta: numberOf(delta) }),
    ...(tuning
      ? {
          tuning: tuning.tuning,
          runs: numberOf(tuning.runs),
          ...(tuning.eta === undefined ? {} : { eta: numberOf(tuning.eta) }),
        }
      : {}),
    ...(run.aims
      ? { question: 'calibrate', solveFor: 'noise', epsilon: numberOf(epsilon ?? '') }
      : { question: sampler === undefined ? 'compare' : 'epsilon' }),
  };
}
