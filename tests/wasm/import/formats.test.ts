import { describe, expect, test, vi } from 'vitest';
import { evaluate, number, plainValue, remembered } from '../../../wasm/import/facts.js';
import type { Tree, ValueRead } from '../../../wasm/import/facts.js';
import { plainText } from '../../../wasm/import/plain.js';
import { yaml } from '../../../wasm/import/yaml.js';

describe('import: what formats are made of', () => {
  test.each([
    [String.raw`$\sigma$ \textbf{is} 5\% of a\_b\#1`, 'σ is 5% of a_b#1'],
    [String.raw`60{,}000 \times 2^{−3}, \varepsilonx`, String.raw`60,000 × 2^-3, \varepsilonx`],
    ['ϵ = −1, δ = 10⁻⁵ **at** `n`  b', 'ε = -1, δ = 10^-5 at n b'],
  ])('TeX and typography: %s', (text, expected) => {
    const { plain, place } = plainText(text);
    expect(plain).toBe(expected);
    const last = text.at(-1);
    expect(text[place(plain.lastIndexOf(last ?? ''))]).toBe(last);
    expect(place(plain.length)).toBe(text.length);
    expect(place(1e9)).toBe(text.length);
  });

  test('YAML is lines of names and values, most of them at least', () => {
    const scores: [string, number][] = [
      ['a: 1', 0.8],
      ['# note\n---\n\na: 1\nb:\n  - item', 0.8],
      ['a: 1\nb: 2\nwords', 0],
      ['a: 1\nb: 2\nc: 3\n  words', 0.8],
      ['some words\nmore words\na: 1', 0],
      ['a: [1', 0],
      ['a: 1\nb: "', 0],
      ['b: |\n  some\n  more', 0],
      ['a: 1\nb: 2\n---\nc: "', 0],
      ['words', 0],
      ['# note', 0],
      ['{"a": 1}', 0],
      ['{"a": 1}\n{"a"', 0],
    ];
    for (const [text, score] of scores) expect(yaml.recognises(text), text).toBe(score);
  });

  test('words without quotes, numbers that look like thousands, and what is parsed once', () => {
    for (const word of ['None', ' null', '~', '', 'NaN'])
      expect(plainValue(word).kind).toBe('nothing');
    const read: [string, ValueRead][] = [
      [' TRUE', { kind: 'flag', value: true }],
      ['Off', { kind: 'flag', value: false }],
      [' a b ', { kind: 'text', text: 'a b' }],
    ];
    for (const [text, value] of read) expect(plainValue(text)).toEqual(value);
    expect(['60.000', '0.123', '1.5', '1234.567'].map((text) => number(1, text).kind)).toEqual([
      'text',
      'number',
      'number',
      'number',
    ]);
    const parse = vi.fn((text: string) => text.length);
    const once = remembered(parse);
    expect(['a', 'a', 'bc', 'a'].map(once)).toEqual([1, 1, 2, 1]);
    expect(parse).toHaveBeenCalledTimes(3);
  });

  test('a formula is a number, or none', () => {
    const leaf = (is: number | string): Tree =>
      typeof is === 'number' ? { kind: 'number', value: is } : { kind: 'name', name: is };
    const of = (left: number | string, operator: string, right: number | string) =>
      evaluate({ kind: 'operation', operator, left: leaf(left), right: leaf(right) }, (tree) =>
        tree.kind === 'name' && tree.name === 'n' ? 7 : undefined,
      );
    expect(['+', '-', '*', '/', '//', '**', '%'].map((sign) => of('n', sign, 2))).toEqual([
      9,
      5,
      14,
      3.5,
      3,
      49,
      undefined,
    ]);
    for (const none of [of(1, '//', 'n'), of('n', '/', 0), of('m', '**', 0), of(1, '+', 'm')])
      expect(none).toBeUndefined();
  });
});
