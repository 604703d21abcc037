import type { SamplerName } from '../../../wasm/generated/schema.js';
import { aimsAtEpsilon } from '../../../wasm/import/index.js';
import type { ImportedEntry, ImportedRun } from '../../../wasm/import/index.js';
import { defaultRelease, defaultScenario, defaultPhase, phaseNumbers } from './scenario.js';
import type { Entry, Scenario } from './scenario.js';

/** Fields that the text does not state stay empty where the run needs them: nothing is guessed. */
function entryOf(entry: ImportedEntry, sampler: SamplerName): Entry {
  if (entry.kind === 'release') {
    const { rho, ...numbers } = entry.numbers;
    return rho === undefined
      ? { ...defaultRelease, by: 'epsilon', texts: { ...defaultRelease.texts, ...numbers } }
      : { ...defaultRelease, by: 'rho', texts: { ...defaultRelease.texts, rho } };
  }
  const { numbers, mechanism, flags } = entry;
  const counts = numbers.samplingProbability === undefined && numbers.steps === undefined;
  const needed = counts ? ['datasetSize', 'batchSize', 'epochs'] : ['samplingProbability', 'steps'];
  const textOf = (name: (typeof phaseNumbers)[number]) =>
    numbers[name as keyof typeof numbers] ??
    (needed.includes(name) || name === 'noiseMultiplier' ? '' : defaultPhase.texts[name]);
  return {
    ...defaultPhase,
    sampler,
    schedule: counts ? 'counts' : 'steps',
    choices: { ...defaultPhase.choices, mechanism },
    flags: { ...defaultPhase.flags, ...Object.fromEntries(flags.map((flag) => [flag, true])) },
    texts: Object.fromEntries(
      phaseNumbers.map((name) => [name, textOf(name)]),
    ) as typeof defaultPhase.texts,
  };
}

/** The form's run as a text describes it; delta stays as it is where the text has none. */
export function scenarioFrom(run: ImportedRun, sampler: SamplerName, before: Scenario): Scenario {
  const entries = run.entries.map((entry) => entryOf(entry, sampler));
  const open = Math.max(
    0,
    entries.findIndex(({ kind }) => kind === 'phase'),
  );
  const texts = { ...defaultScenario.texts, delta: run.delta ?? before.texts.delta };
  const { epsilon } = run;
  const aims = aimsAtEpsilon(run);
  return {
    ...{ entries, open },
    accountant: before.accountant,
    proofs: before.proofs,
    target: defaultScenario.target,
    tuning: defaultScenario.tuning,
    find: aims ? 'noise' : 'epsilon',
    texts: aims ? { ...texts, epsilon: epsilon ?? '' } : { ...texts, reported: epsilon ?? '' },
  };
}
