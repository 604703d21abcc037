import { expect, test } from 'vitest';
import { cellText } from '../../../wasm/words/explored.js';
import { inText } from '../../../wasm/words/numbers.js';
import { certified } from '../../certified.js';

test.each([
  [undefined, '–'],
  ['n/a', 'n/a'],
  [certified(0.1, 0.2), '[0.1000, 0.2000]'],
  [{ given: 60000 }, '60,000'],
  [{ rounded: 0.123456 }, '0.1235'],
  [{ about: 0.123456 }, '≈ 0.1235'],
  [{ atMost: 0.123411 }, '≤ 0.1235'],
] as const)('words: the cell %j is %s', (cell, text) => {
  expect(cellText(cell, '–')).toBe(text);
});

test('words: a cell for programs sets no thousands apart', () => {
  expect(cellText({ given: 60000 }, '', inText)).toBe('60000');
});
