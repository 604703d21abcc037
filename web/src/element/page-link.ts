import type { Query } from '../../../wasm/generated/schema.js';
import { targetOf } from '../../../wasm/words/target.js';
import { wholeAddressOf } from '../state/address.js';
import { scenarioOf } from '../state/opened.js';
import { readScenario } from '../state/question.js';
import { defaultView } from '../state/scenario.js';
import { isPhase } from '../../../wasm/words/samplers.js';

/** Fields that are part of what is asked; others may be choices that change nothing, which the form leaves out. */
const asked = new Set([
  ...['datasetSize', 'batchSize', 'epochs', 'stepsPerEpoch', 'samplingProbability', 'steps'],
  ...['delta', 'epsilon', 'solveFor', 'capDelta', 'target', 'targetValue', 'targetAt'],
]);

/** Whether what was given is read as it was. */
const holds = (given: object, read: object): boolean =>
  Object.entries(given).every(([name, value]) => {
    const found = (read as Record<string, unknown>)[name];
    return value === undefined || found === value || (found === undefined && !asked.has(name));
  });

/** Whether the form asks the same: the phases with all their fields, and the target. */
function asksSame(given: Query, read: Query): boolean {
  const { delta, epsilon, solveFor, accountant, proofs, capDelta } = given;
  const same = given.phases.every((phase, index) => {
    const other = read.phases[index];
    if (!other || !isPhase(phase) || !isPhase(other)) return false;
    // A noise multiplier that the form fills in makes another run.
    const filled = phase.noiseMultiplier === undefined && other.noiseMultiplier !== undefined;
    return holds(phase, other) && !filled;
  });
  const rest = { delta, epsilon, solveFor, capDelta, accountant, proofs, ...targetOf(given) };
  return same && holds(rest, read);
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
