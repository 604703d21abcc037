import { expect, test } from 'vitest';
import { parseNumber } from '../../wasm/words/number-forms.js';
import { inEndWords, readEnds } from '../../web/src/state/curve-ends.js';

const texts = { from: '', to: '', floor: '' };

test('curve ends: are read in every form of a number; an empty one is left to the engine', () => {
  const { ends, problems } = readEnds({ ...texts, from: '1/60000', to: ' 60_000 ' }, parseNumber);
  expect(ends).toEqual({ from: 1 / 60000, to: 60000 });
  expect(problems.size).toBe(0);
  expect(readEnds(texts, parseNumber).ends).toEqual({});
  expect(readEnds({ ...texts, floor: '1e-5' }, parseNumber).ends).toEqual({ floor: 1e-5 });
});

test('curve ends: what is no number is said as it was typed, and is no end', () => {
  const { ends, problems } = readEnds({ ...texts, from: '1', to: 'far', floor: '1e' }, parseNumber);
  expect(ends).toEqual({ from: 1, to: NaN, floor: NaN });
  expect([...problems.keys()]).toEqual(['to', 'floor']);
  expect(problems.get('to')).toMatch(/^To must be a number, .*got “far”\.$/);
  expect(problems.get('floor')).toMatch(/^Least δ must be .*“1e”\.$/);
});

test('curve ends: a refusal is told in the form’s words', () => {
  expect(inEndWords('floor', 'floor must be a delta; got 2')).toBe(
    'Least δ must be a delta; got 2.',
  );
  expect(inEndWords('from', 'from must be below to; got 5, and to is 2')).toBe(
    'From must be below to; got 5, and to is 2.',
  );
});
