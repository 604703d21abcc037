import type { InputField } from '../../../wasm/generated/schema.js';

/** What the schema's one sentence about a field leaves unsaid. */
const further: Readonly<Record<string, string>> = {
  stepsPerEpoch: 'All of them are taken as full.',
  samplingProbability:
    'Where an epoch is a pass over the dataset, it is one over the steps of an epoch, and all batches are taken as full; describe a run with a short last batch by dataset and epochs.',
};

/** What a field means, for its tooltip and its line of help. */
export function meaningOf({ name, meaning }: Pick<InputField, 'name' | 'meaning'>): string {
  return [meaning, further[name]].filter(Boolean).join(' ');
}
