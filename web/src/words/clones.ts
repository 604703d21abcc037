import type { SamplerName } from '../../../wasm/generated/schema.js';
import { samplerInfo } from '../../../wasm/words/samplers.js';

/** The figure of one epoch, on the methods page and below the plot. */
export const clonesWords = {
  title: 'Records and batches of one shuffled epoch',
  description:
    'A grid of eight records by eight batches. Every record is in one batch. Five records reveal their batches. Your record and two clones remain, and three batches that may hold your record.',
  batches: 'the T batches of an epoch',
  records: ['T records,', 'one per batch'],
  loose: ['T records'],
  own: 'your record',
  clone: 'a clone: indistinguishable from the missing record',
  other: 'a record that can be recognised',
  another: 'another record',
  fill: 'takes its place in the dataset without it',
  left: 'a batch that may hold your record',
  caption:
    'Shuffling leaks because every recognisable record reveals its batch and rules it out for yours; clones protect your record, because each of their batches could be yours.',
} as const;

/** What the figure below the plot invites its reader to do. */
export const clonesHint =
  'Drag the large dot (your record) to another batch, or use the arrow keys.';
export const clonesSlider = 'Batch of your record';

function listed(batches: readonly number[]): string {
  const names = batches.map((batch) => String(batch + 1));
  const last = names.pop() ?? '';
  return names.length > 0 ? `${names.join(', ')} and ${last}` : last;
}

/** Where the record is, and what is left to an observer, for screen readers. */
export const clonesSpoken = (batch: number, left: readonly number[]) =>
  `Batch ${batch + 1}; left: ${left.length < 8 ? listed(left) : 'all eight'}.`;

/** What hides a record's batch, by the catalog's facts. */
export type Draw = 'known' | 'shuffled' | 'alone in an epoch' | 'alone in a step' | 'of fixed size';

export function drawOf(sampler: SamplerName): Draw {
  const { cutsTheData, permutes, drawsByRecord, drawsByStep } = samplerInfo(sampler);
  if (cutsTheData) return permutes ? 'shuffled' : 'known';
  if (!drawsByRecord) return 'of fixed size';
  return drawsByStep ? 'alone in a step' : 'alone in an epoch';
}

const because: Readonly<Record<Draw, (left: string) => string>> = {
  known: (left) =>
    `The order is known, and so is the batch: only ${left} is left. Only the noise hides your record.`,
  shuffled: (left) =>
    `Every batch is full: wherever your record goes, another one makes room. Recognisable records reveal their batches. Your record can only be in ${left}, two of them thanks to clones.`,
  'alone in an epoch': () =>
    'Each record picks its batch independently: when yours moves, no other does, and all eight batches are left.',
  'alone in a step': () =>
    'Each record joins each batch independently: when yours moves, no other does. All eight batches are left, and it may be in several or in none.',
  'of fixed size': () =>
    'All eight batches are left. But the size is fixed: without your record, another one takes its place, and the sum can change by twice the clipping norm instead of once. Hiding a step as well as Poisson batches do takes twice the noise.',
};

export const clonesSentence = (sampler: SamplerName, batch: number, left: readonly number[]) =>
  `Your record is in batch ${batch + 1}. ${because[drawOf(sampler)](listed(left))}`;
