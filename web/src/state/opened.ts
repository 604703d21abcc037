import type { Phase, Query } from '../../../wasm/generated/schema.js';
import type { Exploration } from '../../../wasm/papers/index.js';
import { matrixOf } from '../../../wasm/words/trainer.js';
import { kebab } from '../../../wasm/words/kebab.js';
import {
  defaultScenario,
  defaultPhase,
  phaseChoices,
  phaseFlags,
  phaseNumbers,
} from './scenario.js';
import type { Scenario, PhaseEntry } from './scenario.js';

/** As a person would type it. */
const typed = (value: number | readonly number[] | undefined) =>
  value === undefined ? undefined : [value].flat().join(', ');

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
  const texts = Object.fromEntries(
    phaseNumbers.map((name) => [name, typed(phase[name]) ?? defaultPhase.texts[name]]),
  );
  const choices = Object.fromEntries(
    phaseChoices.map((name) => [name, phase[name] ?? defaultPhase.choices[name]]),
  );
  const flags = Object.fromEntries(
    phaseFlags.map((name) => [name, phase[name] ?? defaultPhase.flags[name]]),
  );
  return {
    kind: 'phase',
    sampler: phase.sampler ?? defaultPhase.sampler,
    loader: '',
    schedule: !counts ? 'steps' : phase.epochs === undefined && phase.steps ? 'sizes' : 'counts',
    choices: { ...defaultPhase.choices, ...choices, matrix: matrixOf(phase) },
    flags: { ...defaultPhase.flags, ...flags },
    texts: { ...defaultPhase.texts, ...texts, ...(counts ? {} : epoch) },
  };
}

/** A question about phases as the form shows it. */
export function scenarioOf(query: Query): Scenario {
  const { phases, delta, epsilon, solveFor, accountant, proofs } = query;
  const { target, targetValue, targetAt } = query;
  const asked = { delta: typed(delta), epsilon: typed(epsilon) };
  const { texts } = defaultScenario;
  return {
    ...defaultScenario,
    entries: phases.map((phase) => phaseEntryOf(phase as Phase)),
    find: solveFor ?? 'epsilon',
    accountant: accountant ?? defaultScenario.accountant,
    proofs: proofs ?? defaultScenario.proofs,
    target: target ?? defaultScenario.target,
    texts: {
      ...texts,
      delta: asked.delta ?? texts.delta,
      epsilon: asked.epsilon ?? texts.epsilon,
      targetValue: typed(targetValue) ?? texts.targetValue,
      targetAt: typed(targetAt) ?? texts.targetAt,
    },
  };
}

const typedNumber = (value: number) => (value < 1e-3 ? value.toExponential() : String(value));

/** A question of its own as its panel has it: the panel's key, and its keys in the address. */
export function exploredIn({ asks, query }: Exploration): {
  panel: string;
  texts: Readonly<Record<string, string>>;
} {
  const texts = Object.entries(query).map(([name, value]: [string, unknown]) => [
    kebab(name),
    [value]
      .flat()
      .map((one) => (typeof one === 'number' ? typedNumber(one) : String(one)))
      .join(', '),
  ]);
  return { panel: kebab(asks), texts: Object.fromEntries(texts) as Record<string, string> };
}
