import type { SamplerName } from '../../../wasm/generated/schema.js';
import { samplerInfo } from '../../../wasm/words/samplers.js';

/** The figure of one epoch, on the methods page and below the plot. */
export const clonesWords = {
  title: 'Records and batches of one shuffled epoch',
  description:
    'A grid of eight records by eight batches. Every record is in one batch. Five records give their batches away. The record in question and two clones are left, and three batches, any of which may hold it.',
  batches: 'the T batches of an epoch',
  records: ['T records,', 'one per batch'],
  loose: ['T records'],
  own: 'the record in question',
  clone: 'a clone: its coin fell on “act as the zeroed record”',
  other: 'a record that acts as itself',
  another: 'another record',
  fill: 'takes its place in a dataset without it',
  left: 'a batch that may hold the record in question',
  caption:
    'A shuffle leaks because every record that acts as itself gives its batch away and rules it out; the clones protect the record in question, because each of their batches could be its own.',
} as const;

/** What the figure below the plot invites its reader to do. */
export const clonesHint =
  'Drag the large dot, the record in question, to another batch, or use the arrow keys.';
export const clonesSlider = 'Batch of the record in question';

/** Batches, counted from one. */
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
    `The order is known, and so is the batch: only ${left} is left. Nothing hides the record but the noise.`,
  shuffled: (left) =>
    `Every batch is full: wherever this record goes, another one makes room. The records that act as themselves give their batches away. Only ${left} are left, two of them thanks to clones.`,
  'alone in an epoch': () =>
    'Each record picks its batch independently: when this one moves, no other does, and all eight batches are left.',
  'alone in a step': () =>
    'Each record joins each batch independently: when this one moves, no other does. All eight batches are left, and it may be in several or in none.',
  'of fixed size': () =>
    'All eight batches are left. But the size is fixed: in a dataset without this record, another one fills its place, and the batch’s sum may change by twice the clipping norm instead of once. It takes twice the noise to hide a step as well as Poisson batches do.',
};

/** What the figure shows. */
export const clonesSentence = (sampler: SamplerName, batch: number, left: readonly number[]) =>
  `The record is in batch ${batch + 1}. ${because[drawOf(sampler)](listed(left))}`;
