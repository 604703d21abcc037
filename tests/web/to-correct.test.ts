import { expect, test } from 'vitest';
import { toCorrect } from '../../web/src/words/to-correct.js';

test.each([
  [['datasetSize'], 'Correct “Dataset size”, marked in red.'],
  [['delta'], 'Correct “Delta”, marked in red.'],
  [['reported'], 'Correct “Reported ε”, marked in red.'],
  [['datasetSize', 'batchSize'], 'Correct the 2 fields marked in red.'],
  [['from'], 'Correct the field marked in red.'],
])('the notice names the field to correct, or counts several: %s', (fields, words) => {
  expect(toCorrect(fields)).toBe(words);
});
