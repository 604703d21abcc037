import { describe, expect, test } from 'vitest';
import { assetNames } from '../../.config/typefaces.js';

describe('typefaces', () => {
  test('a file that is cut to other letters gets another name, and other files do not', () => {
    const [before, after] = [assetNames('abc'), assetNames('abcd')];
    const font = { names: ['serif.woff2'] };
    expect(before(font)).not.toBe(after(font));
    expect(before(font)).toBe(assetNames('abc')(font));
    const sheet = { names: ['index.css'] };
    expect(before(sheet)).toBe(after(sheet));
  });
});
