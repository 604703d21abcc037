import { formatNumber } from '../../../wasm/words/numbers.js';

/** The figure of one shuffled epoch, on the methods page and below the plot. */
export const clonesWords = {
  title: 'Records and batches of one shuffled epoch',
  description:
    'A grid of eight records by eight batches. Every record is in one batch. Five records give their batches away. The record in question and two clones are left, and three batches, any of which may hold it.',
  batches: 'the T batches of an epoch',
  records: ['T records,', 'one per batch'],
  own: 'the record in question',
  clone: 'a clone: its coin fell on “act as the zeroed record”',
  other: 'a record that acts as itself',
  left: 'a batch that may hold the record in question',
  caption:
    'A shuffle leaks because every record that acts as itself gives its batch away and rules it out; the clones protect the record in question, because each of their batches could be its own.',
} as const;

/** What the folded figure is about, and what leads from it to the proof. */
export const clonesSummary = 'Why a shuffle leaks, and what protects a record';
export const clonesProof = 'The theorem and its proof';

/** What the ghost in the row of shuffled batches stands for. */
export const ghostLegend = 'upper end of deterministic batches';
export const ghostSentence = (known: number, proved: number) =>
  `With deterministic batches, ε would be at most ${formatNumber(known, 'up')}. That holds for shuffled batches too; the clone theorem lowers it to ${formatNumber(proved, 'up')}.`;
