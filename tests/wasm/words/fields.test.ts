import { expect, test } from 'vitest';
import {
  choiceLabel,
  fieldInfo,
  formatFound,
  withFlags,
  withLabels,
} from '../../../wasm/words/fields.js';

test('fields: a reader meets them by the names of a form or of flags, never of the wire', () => {
  const refusal = 'batchSize must be at most datasetSize 59; got 60';
  expect(withLabels(refusal, 'batchSize')).toBe(
    'Batch size must be at most dataset size 59; got 60',
  );
  expect(withLabels(refusal)).toMatch(/^Batch size must/);
  expect(withFlags(refusal, 'batchSize')).toBe(
    '--batch-size must be at most --dataset-size 59; got 60',
  );
  expect(withFlags('delta is required: a number', 'delta')).toBe('--delta is required: a number');
  expect(withFlags('localEpsilon is required', 'localEpsilon')).toBe('--local-epsilon is required');
  expect(withFlags('users must be whole', 'users')).toBe('--users must be whole');
  expect(withFlags('solveFor is required: noise', 'solveFor')).toBe(
    'what to find is required: noise',
  );
  expect(withLabels('Raise maxBatchSize.')).toBe('Raise maximum batch size.');
  expect(withFlags('the batch in iPhone, --batch-size')).toBe('the batch in iPhone, --batch-size');
});

test('fields: a choice is called for what it chooses', () => {
  expect(choiceLabel('tuning', 'geometric')).toBe('geometric, random');
  expect(choiceLabel('noiseSchedule', 'geometric')).toBe('by the same factor');
  expect(choiceLabel('noiseSchedule', 'linear')).toBe('by the same amount');
});

test('fields: digits of a computer are cut, and marked as cut', () => {
  expect(withLabels('got 1.1807618932977067e-5')).toBe('got ≈ 1.181×10⁻⁵');
  expect(withLabels('q = 0.004266666666666667.')).toBe('q ≈ 0.004267.');
  expect(withFlags('epsilon 7.4321, delta 1e-5, https://x.org/1.2345678901')).toBe(
    'epsilon 7.4321, delta 1e-5, https://x.org/1.2345678901',
  );
});

test('fields: a value that was found is cut to the side that meets the target', () => {
  expect(formatFound({ field: 'noiseMultiplier', value: 1.26831 })).toBe('1.269');
  expect(formatFound({ field: 'samplingProbability', value: 0.0123459 })).toBe('0.01234');
  expect(formatFound({ field: 'epochs', value: 1281167 })).toBe('1,281,167');
});

test('fields: each is known by its name, and others are not', () => {
  expect(fieldInfo('batchSize').label).toBe('Batch size');
  expect(fieldInfo('epsilon').label).toBe('Epsilon');
  expect(() => fieldInfo('nothing')).toThrow('no field nothing');
  expect(withLabels('batchSize twice: batchSize', 'steps')).toBe('Batch size twice: batch size');
  expect(withFlags('q = 0.5 = 0.12345600')).toBe('q = 0.5 = 0.123456');
});
