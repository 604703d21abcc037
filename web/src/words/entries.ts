import { isUnusual, releaseInfo } from '../state/fields.js';
import { releaseKinds } from '../state/scenario.js';
import type { Entry, PhaseEntry } from '../state/scenario.js';
import { parseNumber } from '../../../wasm/words/number-forms.js';
import { format } from '../../../wasm/words/numbers.js';
import { isOfClients } from '../../../wasm/words/record.js';

/** A typed number with its thousands set apart; what is none, as it was typed. */
function shown(typed: string): string {
  const value = parseNumber(typed);
  return value === undefined ? typed : format(value, { side: 'given' });
}

export function describe(entry: Entry): string {
  const { texts } = entry;
  const part = texts.partOfData.trim() === '' ? '' : `, part ${texts.partOfData} of the data`;
  if (entry.kind === 'release') {
    const stated = releaseKinds[entry.by].filter((name) => name !== 'partOfData');
    return `${stated.map((name) => `${releaseInfo(name).symbol} = ${entry.texts[name]}`).join(', ')}${part}`;
  }
  const { noiseMultiplier, datasetSize, batchSize, epochs, samplingProbability, steps } =
    texts as PhaseEntry['texts'];
  const { noiseUnit } = entry.texts;
  const step = isOfClients(entry.texts) ? 'rounds' : 'steps';
  const run = `${
    {
      counts: `${epochs} ${epochs === '1' ? 'epoch' : 'epochs'}, n = ${shown(datasetSize)}, b = ${shown(batchSize)}`,
      sizes: `${shown(steps)} ${step}, n = ${shown(datasetSize)}, b = ${shown(batchSize)}`,
      steps: `${shown(steps)} ${step}, q = ${samplingProbability}`,
    }[entry.schedule]
  }${part}`;
  const last = isUnusual(entry, 'noiseEnd') ? ` to ${entry.texts.noiseEnd}` : '';
  if (noiseUnit === 'multiplier') return `${run}, σ = ${noiseMultiplier}${last}`;
  return `${run}, noise ${entry.texts.noiseStddev} of the ${noiseUnit}, C = ${entry.texts.clippingNorm}`;
}
