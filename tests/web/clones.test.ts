import { expect, test } from 'vitest';
import { phaseFields } from '../../wasm/generated/schema.js';
import { ghostSentence } from '../../web/src/words/clone-theorem.js';
import { fieldInfo } from '../../wasm/words/fields.js';
import { meaningOf } from '../../web/src/words/fields.js';

test('clones: the ghost’s sentence rounds both ends up', () => {
  expect(ghostSentence(4.3771, 1.32640001)).toContain('at most 4.378.');
  expect(ghostSentence(4.3771, 1.32640001)).toMatch(/to 1\.327\.$/);
});

test('fields: where the dataset’s size is not given, batches are said to be full', () => {
  for (const name of ['stepsPerEpoch', 'samplingProbability']) {
    const field = phaseFields.find((other) => other.name === name);
    if (!field) throw new Error(`no field ${name}`);
    expect(meaningOf(field)).toContain(field.meaning);
    expect(meaningOf(field)).toContain('assumed to be full');
  }
  const epochs = { name: 'epochs', meaning: 'Passes over the dataset.' };
  expect(meaningOf(epochs)).toBe(epochs.meaning);
  expect(meaningOf(fieldInfo('maxBatchSize'), true)).toMatch(/^Batches with more clients than/);
});
