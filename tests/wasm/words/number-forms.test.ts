import { describe, expect, test } from 'vitest';
import { nearest } from '../../../wasm/words/spelling.js';
import { askedBack, parseNumber, readNumber } from '../../../wasm/words/number-forms.js';

describe('numbers as people write them', () => {
  test.each([
    ['1e-5', 1e-5],
    ['1E5', 1e5],
    ['+1e+5', 1e5],
    ['60_000', 60000],
    ['1/60000', 1 / 60000],
    ['1 / 60_000', 1 / 60000],
    [' .5 ', 0.5],
    ['5.', 5],
    ['-2.5e-3', -0.0025],
    ['1_000.000_1', 1000.0001],
    ['inf', Infinity],
    ['-Infinity', -Infinity],
    ['1/0', Infinity],
    ['60,000', 60000],
    ['1,234,567.5', 1234567.5],
    ['60 000', 60000],
    ['60\u202f000', 60000],
    ['1/60,000', 1 / 60000],
    ['1e−5', 1e-5],
    ['−2', -2],
    ['10^-5', 1e-5],
    ['10^{−5}', 1e-5],
    ['10**-5', 1e-5],
    ['10⁻⁵', 1e-5],
    ['2×10⁻⁵', 2e-5],
    ['1.2 × 10^-5', 1.2e-5],
    ['3·10^4', 3e4],
  ])('%j', (text, value) => {
    expect(parseNumber(text)).toBe(value);
  });

  test.each(['nan', 'NaN', '0/0'])('%j is not a number, but is one to refuse by name', (text) => {
    expect(parseNumber(text)).toBeNaN();
  });

  test.each([
    '',
    ' ',
    'abc',
    '1e',
    '1__0',
    '_1',
    '1_',
    '1,00',
    '1,0000',
    '0,100',
    '1,000 000',
    '1 00',
    '10^',
    '^-5',
    '210^-5',
    '0x10',
    '1/2/3',
    '/2',
    '1/',
    '.',
    '1e5.5',
    '--1',
  ])('%j is none', (text) => {
    expect(parseNumber(text)).toBeUndefined();
  });
});

describe('spellings that people read differently are asked back', () => {
  test.each([
    ['60.000', 'count', ['60000', '60']],
    [' 1.000 ', 'count', ['1000', '1']],
    ['60.123', 'count', ['60123']],
    ['1.234.567', 'count', ['1234567']],
    ['1.234.567', 'number', ['1234567']],
    ['1,100', 'number', ['1100', '1.100']],
    ['−1,100', 'number', ['-1.100', '-1100']],
    ['1,1', 'number', ['1.1']],
    ['0,125', 'number', ['0.125']],
    [',5', 'number', ['.5']],
    ['1,1e-5', 'number', ['1.1e-5']],
    ['1,1 × 10⁻⁵', 'number', ['1.1e-5']],
    ['1.234,5', 'number', ['1234.5']],
    ['60,0', 'count', ['60.0']],
    ['256/60.000', 'number', ['256/60000', '256/60']],
    ['1.000/4', 'number', ['1000/4', '1/4']],
    ['1.000/60.000', 'number', ['1000/60000', '1000/60', '1/60000', '1/60']],
  ] as const)('%j for a %s', (text, kind, readings) => {
    expect(readNumber(text, kind)).toEqual({ readings });
    // What is offered is clear.
    for (const reading of readings)
      expect(typeof readNumber(reading, kind), reading).toBe('number');
  });

  test.each([
    ['60,000', 'count', 60000],
    ['1,234,567', 'number', 1234567],
    ['1,234.5', 'number', 1234.5],
    ['60 000', 'count', 60000],
    ['60.0', 'count', 60],
    ['60.5', 'count', 60.5],
    ['6e4', 'count', 60000],
    ['60.000e3', 'count', 60000],
    ['0.125', 'count', 0.125],
    ['0.125', 'number', 0.125],
    ['1.125', 'number', 1.125],
    ['1.000', 'number', 1],
    ['1e-5', 'number', 1e-5],
    ['256/60,000', 'number', 256 / 60000],
    ['-inf', 'number', -Infinity],
  ] as const)('%j for a %s is clear', (text, kind, value) => {
    expect(readNumber(text, kind)).toBe(value);
  });

  test.each([
    ['1,1', 'count'],
    ['1,1,1', 'number'],
    ['1,', 'number'],
    ['1.1.1', 'number'],
    ['', 'number'],
    ['1/2/3', 'number'],
    ['1/x', 'number'],
    ['x/2', 'number'],
  ] as const)('%j for a %s is none', (text, kind) => {
    expect(readNumber(text, kind)).toBeUndefined();
  });

  test('in words', () => {
    const reading = readNumber('60.000', 'count') as { readings: string[] };
    expect(askedBack(reading)).toBe('is unclear: did you mean 60,000 or 60?');
  });
});

describe('suggestions', () => {
  const names = ['epsilon', 'delta', 'compare', 'batch'];
  test.each([
    ['epsilom', 'epsilon'],
    ['dleta', 'delta'],
    ['comp', 'compare'],
    ['btach', 'batch'],
    ['zzzzzzzz', undefined],
  ])('%s', (typed, meant) => {
    expect(nearest(typed, names)).toBe(meant);
  });
});
