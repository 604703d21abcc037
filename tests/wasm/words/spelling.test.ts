import { expect, test } from 'vitest';
import { phaseFields, queryFields } from '../../../wasm/generated/schema.js';
import { meantName, nearest } from '../../../wasm/words/spelling.js';

test.each([
  ['epsilno', 'epsilon'], // neighbours exchanged: one typo
  ['pesilon', 'epsilon'],
  ['espiolno', undefined], // three of them are too many for eight letters
  ['eps', 'epsilon'], // shortened
  ['ep', undefined], // too short for that, and five letters away
  ['delat', 'delta'],
  ['edlat', 'delta'], // two pairs exchanged
  ['edltx', 'delta'],
  ['etdla', undefined],
  ['dlta', 'delta'],
  ['deltaa', 'delta'],
  ['dexta', 'delta'],
  ['dxyta', 'delta'],
  ['dxyza', undefined],
  ['atled', undefined],
  ['st', undefined],
  ['noise', 'noise-multiplier'],
  ['niose-multiplire', 'noise-multiplier'],
  ['n', undefined],
] as const)('spelling: %s is meant to be %s', (typed, meant) => {
  expect(nearest(typed, ['epsilon', 'delta', 'noise-multiplier', 'steps-per-epoch'])).toBe(meant);
});

test('spelling: of two as near the first is taken', () => {
  expect(nearest('sted', ['step', 'stem'])).toBe('step');
  expect(nearest('stem', ['step', 'stem'])).toBe('stem');
  expect(nearest('abc', [])).toBeUndefined();
  expect(nearest('', ['ab', 'abc'])).toBe('ab');
});

test.each([
  ['sigma', 'noise-multiplier'],
  ['σ', 'noise-multiplier'],
  ['q', 'sampling-probability'],
  ['b', 'batch-size'],
  ['neighbors', 'adjacency'],
  ['noise-multiplir', 'noise-multiplier'],
  ['verison', 'version'],
  ['', undefined],
  ['wholly-unlike', undefined],
] as const)('spelling: the flag --%s is meant to be --%s', (typed, meant) => {
  expect(meantName(typed, [...phaseFields, ...queryFields], ['version'])).toBe(meant);
});
