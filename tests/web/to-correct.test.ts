import { expect, test } from 'vitest';
import { toCorrect } from '../../web/src/words/to-correct.js';

test.each([
  [['datasetSize'], 'Correct “Dataset size”.'],
  [['reported'], 'Correct “Reported ε”.'],
  [['datasetSize', 'batchSize'], 'Correct “Dataset size” and “Batch size”.'],
  [
    ['delta', '2:epochs', '3:release-mu'],
    'Correct “Delta”, “Epochs” of entry 2 and “Mu” of entry 3.',
  ],
  [['run'], 'Correct the run above.'],
])('the notice names every field to correct, whatever its colour: %s', (fields, words) => {
  expect(toCorrect(fields)).toBe(words);
});
