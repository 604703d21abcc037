import { describe, expect, test } from 'vitest';
import { showGiven, showInterval, showSafe } from '../../../wasm/words/numbers.js';
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
  ] as const)('%j for a %s is none', (text, kind) => {
    expect(readNumber(text, kind)).toBeUndefined();
  });

  test('in words', () => {
    const reading = readNumber('60.000', 'count') as { readings: string[] };
    expect(askedBack(reading)).toBe('is unclear: did you mean 60000 or 60?');
  });
});

/** Reads back what showInterval and showGiven print. */
function read(text: string): number {
  if (text === '∞') return Infinity;
  const plain = text
    .replace(/[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+$/, (power) =>
      Array.from(power, (c) => (c === '⁻' ? '-' : String('⁰¹²³⁴⁵⁶⁷⁸⁹'.indexOf(c)))).join(''),
    )
    .replace(/^10(?=-?\d+$)/, (ten, _, whole: string) =>
      /[⁰¹²³⁴⁵⁶⁷⁸⁹]/.test(text) && whole ? '1e' : ten,
    )
    .replace('×10', 'e');
  return Number(plain);
}

describe('numbers as the command prints them', () => {
  test.each([
    [1e-5, '10⁻⁵'],
    [2.5e-7, '2.5×10⁻⁷'],
    [0.1, '0.1'],
    [0.001, '0.001'],
    [60000, '60000'],
    [1e6, '1000000'],
    [1e7, '10⁷'],
    [1.5, '1.5'],
    [0, '0'],
    [Infinity, '∞'],
  ])('%d', (value, text) => {
    expect(showGiven(value)).toBe(text);
    expect(read(text)).toBe(value);
  });

  const certified = (lower: number | null, upper: number | null) =>
    showInterval({ lower, upper, kind: 'certified' });

  test('an interval shows its width and no more', () => {
    expect(certified(6.532, 6.649)).toBe('[6.532, 6.649]');
    expect(certified(2.34121234, 2.34125678)).toBe('[2.34121, 2.34126]');
    expect(certified(0, 17.2)).toBe('[0, 17.20]');
    expect(certified(3, null)).toBe('≥ 3.000');
    expect(certified(null, 3.00001)).toBe('≤ 3.001');
    expect(certified(null, null)).toBe('no bound');
    expect(certified(0, null)).toBe('no bound');
    expect(certified(1e-26, 2e-26)).toBe('[1.000×10⁻²⁶, 2.000×10⁻²⁶]');
  });

  test('an estimate is never told as an exact value', () => {
    expect(showInterval({ lower: 2, upper: 2, kind: 'estimate' })).toBe('≈ 2.000');
    expect(showInterval({ lower: null, upper: null, kind: 'estimate' })).toBe('no bound');
  });

  test.each([
    [1.26831, 'up', '1.269'],
    [0.0123451, 'down', '0.01234'],
    [256, 'up', '256'],
    [2.00001e-7, 'up', '2.001×10⁻⁷'],
  ] as const)('a found value %d is cut %swards to %s', (value, side, text) => {
    expect(showSafe(value, side)).toBe(text);
  });

  test('rounding carries over nines and to a lower power', () => {
    expect(certified(0.99999999, 0.99999999999)).toBe('[0.999999, 1.00000]');
    expect(certified(1 - 2 ** -53, 2)).toBe('[0.9999, 2.000]');
  });

  test('what is printed holds what was computed', () => {
    // A small linear congruential generator: the same intervals on every run.
    let state = 12345;
    const random = () => (state = (state * 1103515245 + 12345) % 2 ** 31) / 2 ** 31;
    for (let i = 0; i < 5000; ++i) {
      const lower = 10 ** (random() * 40 - 32);
      const upper = lower * (1 + 10 ** (-12 * random()));
      const text = certified(lower, upper);
      const [left = '', right = ''] = text.slice(1, -1).split(', ');
      expect(read(left), text).toBeLessThanOrEqual(lower);
      expect(read(right), text).toBeGreaterThanOrEqual(upper);
      expect(read(right) / read(left), text).toBeLessThan((upper / lower) * (1 + 3e-3));
    }
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
