import { releaseInfo } from '../state/question.js';
import { releaseKinds, phasesOf } from '../state/scenario.js';
import type { Entry, Scenario, PhaseEntry } from '../state/scenario.js';
import { samplerInfo } from '../../../wasm/words/samplers.js';

/** An entry in the words that were typed. */
export function describe(entry: Entry): string {
  const { texts } = entry;
  if (entry.kind === 'release') {
    return releaseKinds[entry.by]
      .map((name) => `${releaseInfo(name).symbol} = ${entry.texts[name]}`)
      .join(', ');
  }
  const { noiseMultiplier, datasetSize, batchSize, epochs, samplingProbability, steps } =
    texts as PhaseEntry['texts'];
  const run = {
    counts: `${epochs} ${epochs === '1' ? 'epoch' : 'epochs'} of ${batchSize} in ${datasetSize}`,
    sizes: `${steps} steps of ${batchSize} in ${datasetSize}`,
    steps: `${steps} steps at q = ${samplingProbability}`,
  }[entry.schedule];
  return `σ = ${noiseMultiplier}, ${run}`;
}

/** A whole run in the words that were typed. */
export function describeRun({ entries, texts }: Scenario): string {
  const [first, ...rest] = entries;
  const phases = phasesOf({ entries }).length;
  const others = entries.length - phases;
  const run =
    first && rest.length === 0
      ? `${first.kind === 'phase' ? `${samplerInfo(first.sampler).label}: ` : ''}${describe(first)}`
      : `${phases} ${phases === 1 ? 'phase' : 'phases'}${others > 0 ? ` beside ${others} other ${others === 1 ? 'release' : 'releases'}` : ''}`;
  return `${run}; δ = ${texts.delta}`;
}
