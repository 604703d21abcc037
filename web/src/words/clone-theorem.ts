import { formatNumber } from '../../../wasm/words/numbers.js';

/** The folded figure's title, and its link to the proof. */
export const clonesSummary = 'Why shuffling leaks, and what a fixed batch size costs';
export const clonesProof = 'The theorem and its proof';

/** What the ghost in the row of shuffled batches stands for. */
export const ghostLegend = 'upper end of deterministic batches';
export const ghostSentence = (known: number, proved: number) =>
  `With deterministic batches, ε would be at most ${formatNumber(known, 'up')}. That holds for shuffled batches too; the clone theorem lowers it to ${formatNumber(proved, 'up')}.`;
