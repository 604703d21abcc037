import { expect, test } from 'vitest';
import { parseNumber } from '../../wasm/number-forms.js';
import { presets } from '../../web/src/state/presets.js';
import {
  asksReshuffle,
  commandFor,
  inFormWords,
  readScenario,
} from '../../web/src/state/question.js';
import { defaultScenario, withText } from '../../web/src/state/scenario.js';
import type { Scenario } from '../../web/src/state/scenario.js';

const read = (scenario: Scenario) => readScenario(scenario, parseNumber);

test('question: only the fields of the schedule in use are asked with', () => {
  expect(read(defaultScenario)).toEqual({
    query: {
      question: 'compare',
      phases: [
        { sampler: 'shuffle', noiseMultiplier: 0.7, datasetSize: 60000, batchSize: 60, epochs: 1 },
      ],
      delta: 1e-5,
    },
    reported: undefined,
  });
  expect(read({ ...defaultScenario, schedule: 'steps' })).toMatchObject({
    query: {
      phases: [
        { sampler: 'shuffle', noiseMultiplier: 0.7, samplingProbability: 1e-3, steps: 1000 },
      ],
    },
  });
});

test('question: every number form is understood', () => {
  const scenario = withText(
    withText(withText(defaultScenario, 'datasetSize', '60_000'), 'delta', '1/60000'),
    'batchSize',
    '6e1',
  );
  expect(read(scenario)).toMatchObject({
    query: { phases: [{ datasetSize: 60000, batchSize: 60 }], delta: 1 / 60000 },
  });
});

test('question: what is not a number is refused by field, all at once', () => {
  const scenario = withText(withText(defaultScenario, 'epochs', 'ten'), 'delta', ' ');
  const reading = read({ ...scenario, reported: '-1' });
  if (!('problems' in reading)) throw new Error('expected problems');
  expect([...reading.problems.keys()].sort()).toEqual(['delta', 'epochs', 'reported']);
  expect(reading.problems.get('epochs')).toContain('“ten”');
});

test('question: whether a number makes sense is left to the engine', () => {
  expect(read(withText(defaultScenario, 'noiseMultiplier', '-1'))).toHaveProperty('query');
});

test('question: reshuffling is asked only where it can matter', () => {
  const asks = (scenario: Scenario) => asksReshuffle(scenario, parseNumber);
  const ten = withText(defaultScenario, 'epochs', '10');
  expect(asks(defaultScenario)).toBe(false);
  expect(asks(ten)).toBe(true);
  expect(asks({ ...ten, sampler: 'poisson' })).toBe(false);
  expect(asks({ ...withText(defaultScenario, 'steps', '3000'), schedule: 'steps' })).toBe(true);
  expect(read({ ...ten, reshuffle: 'once' })).toMatchObject({
    query: { phases: [{ reshuffle: 'once' }] },
  });
});

test('question: the engine’s complaints are put in the form’s words', () => {
  expect(inFormWords('noiseMultiplier', 'noiseMultiplier must be above 0; got -1')).toBe(
    'Noise multiplier must be above 0; got -1.',
  );
  expect(inFormWords('batchSize', 'batchSize must be at most datasetSize 10; got 20')).toBe(
    'Batch size must be at most dataset size 10; got 20.',
  );
});

test('question: the command asks the same', () => {
  const reading = read(defaultScenario);
  if (!('query' in reading)) throw new Error('expected a query');
  expect(commandFor(reading.query)).toBe(
    'honest-epsilon compare --noise-multiplier 0.7 --dataset-size 60000 --batch-size 60 --epochs 1 --delta 0.00001',
  );
});

test.each(presets)('question: the preset $name is a question', ({ scenario }) => {
  expect(read(scenario)).toHaveProperty('query');
});
