import { expect, test } from 'vitest';
import { typedValue } from '../../web/src/state/typed.js';

test.each([
  ['number', ' ', { value: undefined }],
  ['number', '1e-5', { value: 1e-5 }],
  ['count', '60.000', { problem: 'X “60.000” is unclear: did you mean 60,000 or 60?' }],
  ['count', 'many', { problem: 'X must be a whole number, such as 60,000; got “many”.' }],
  ['choice', 'shuffle', { value: 'shuffle' }],
  ['flag', 'true', { value: true }],
  ['flag', 'false', { value: false }],
  ['numbers', '[1, 0.5]', { value: [1, 0.5] }],
  ['numbers', ',', { problem: 'X is missing; give a list of numbers.' }],
  ['numbers', '1, x', { problem: 'X must be a list of numbers, such as 1, 0.5, 0.375; got “x”.' }],
  ['ranks', '1 2 4', { value: [1, 2, 4] }],
  ['ranks', 'few', { problem: 'X must be a list of whole numbers, such as 1, 2, 4; got “few”.' }],
] as const)('a field of type %s reads “%s” as %j', (type, text, read) => {
  expect(typedValue({ type, label: 'X' }, text)).toEqual(read);
});
