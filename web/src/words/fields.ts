import type { InputField } from '../../../wasm/generated/schema.js';

/** What the schema's one sentence about a field leaves unsaid. */
const further: Readonly<Record<string, string>> = {
  stepsPerEpoch: 'All batches are assumed to be full.',
  samplingProbability:
    'For samplers that pass over the dataset, it is 1 / (steps per epoch), and all batches are assumed to be full; if the last batch is short, give dataset size and epochs instead.',
};

/** What a field means, for its tooltip and its line of help; `clients`: where each record is one. */
export function meaningOf(
  { name, meaning }: Pick<InputField, 'name' | 'meaning'>,
  clients = false,
): string {
  const text = [meaning, further[name]].filter(Boolean).join(' ');
  return clients
    ? text.replaceAll(/\b([Rr])ecord/g, (_, r) => (r === 'R' ? 'Client' : 'client'))
    : text;
}
