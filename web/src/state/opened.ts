import type { Phase, Query } from '../../../wasm/generated/schema.js';
import { matrixOf } from '../../../wasm/words/trainer.js';
import { defaultPhase, defaultScenario } from './scenario.js';
import type { Scenario, PhaseEntry } from './scenario.js';

/** A record's values as a person would type them; the other texts are the defaults. */
const typed = <Texts extends object>(record: object, defaults: Texts): Texts => ({
  ...defaults,
  ...Object.fromEntries(
    Object.entries(record)
      .filter(([name, value]) => Object.hasOwn(defaults, name) && value !== undefined)
      .map(([name, value]: [string, unknown]) => [name, [value].flat().join(', ')]),
  ),
});

/** A phase's numbers as the form has them: the steps of an epoch are a probability there. */
function phaseEntryOf({ stepsPerEpoch, ...phase }: Phase): PhaseEntry {
  const counts = phase.batchSize !== undefined;
  const epoch =
    stepsPerEpoch === undefined
      ? {}
      : {
          samplingProbability: `1/${String(stepsPerEpoch)}`,
          steps: String(stepsPerEpoch * (phase.epochs ?? 1)),
        };
  const texts = typed({ ...phase, matrix: matrixOf(phase) }, defaultPhase.texts);
  return {
    kind: 'phase',
    sampler: phase.sampler ?? defaultPhase.sampler,
    loader: '',
    schedule: !counts ? 'steps' : phase.epochs === undefined && phase.steps ? 'sizes' : 'counts',
    texts: { ...texts, ...(counts ? {} : epoch) },
  };
}

/** A question about phases as the form shows it. */
export function scenarioOf(query: Query): Scenario {
  return {
    ...defaultScenario,
    entries: query.phases.map((phase) => phaseEntryOf(phase as Phase)),
    find: query.solveFor ?? 'epsilon',
    texts: typed(query, defaultScenario.texts),
  };
}
