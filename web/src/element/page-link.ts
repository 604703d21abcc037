import type { Phase, Query, Release } from '../../../wasm/generated/schema.js';
import { targetOf } from '../../../wasm/words/target.js';
import { wholeAddressOf } from '../state/address.js';
import { scenarioOf } from '../state/opened.js';
import { readScenario } from '../state/question.js';
import { defaultView } from '../state/scenario.js';
import { isPhase } from '../../../wasm/words/samplers.js';

/**
 * Fields of which a run needs one of two: the form may leave out the one that it did not ask for.
 */
const schedule = [
  'datasetSize',
  'batchSize',
  'epochs',
  'stepsPerEpoch',
  'samplingProbability',
  'steps',
];

/** Whether the form fills in the noise multiplier: then it is another run. */
const fillsIn = (given: Phase, read: Phase): boolean =>
  given.noiseMultiplier === undefined && read.noiseMultiplier !== undefined;

/** Whether what was given is read as it was; the form leaves out choices that change nothing. */
const holds = (given: object, read: object): boolean =>
  Object.entries(given).every(([name, value]) => {
    const found = (read as Record<string, unknown>)[name];
    return (
      value === undefined || found === value || (found === undefined && !schedule.includes(name))
    );
  });

/** Whether the form asks the same: the phases with all their fields, and the target. */
function asksSame(given: Query, read: Query): boolean {
  const pairs = given.phases.map((phase, index): [Phase | Release, Phase | Release | undefined] => [
    phase,
    read.phases[index],
  ]);
  const { delta, epsilon, solveFor, accountant, proofs, capDelta } = given;
  const target = targetOf(given);
  return (
    pairs.every(
      ([phase, other]) =>
        isPhase(phase) && other && isPhase(other) && holds(phase, other) && !fillsIn(phase, other),
    ) &&
    holds({ accountant, proofs }, read) &&
    Object.entries({ delta, epsilon, solveFor, capDelta, ...target }).every(
      ([name, value]) => value === undefined || read[name as keyof Query] === value,
    )
  );
}

/**
 * The address of the same run on the page at `page`; undefined where the page's address is unknown, or
 * its form cannot hold the run.
 */
export function runOnPage(page: string | undefined, query: Query | undefined): string | undefined {
  if (page === undefined || query === undefined) return undefined;
  const asked = query.question === 'delta' ? { ...query, solveFor: 'delta' as const } : query;
  const scenario = scenarioOf(asked);
  const reading = readScenario(scenario);
  if (!('query' in reading) || !asksSame(asked, reading.query)) return undefined;
  return page + wholeAddressOf({ scenario, view: defaultView });
}
