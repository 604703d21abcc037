import { notReviewed } from '../../../wasm/words/claims.js';
import { format } from '../../../wasm/words/numbers.js';

/** What the ghost in a row whose upper end rests on a theorem of this project stands for. */
export const ghostLegend = 'upper end from published theorems alone';
export const ghostSentence = (known: number, proved: number) =>
  `Published theorems alone prove that ε is at most ${format(known, { side: 'up' })}. A theorem of ours, ${notReviewed}, lowers that to ${format(proved, { side: 'up' })}.`;
