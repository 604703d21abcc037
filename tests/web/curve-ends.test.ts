import type { CurveKind } from '../../wasm/curve-kinds.js';
import { expect, test } from 'vitest';
import { inEndWords, readEnds } from '../../web/src/state/curve-ends.js';
import { numberKind, typedNumber } from '../../web/src/state/typed.js';

const texts = { from: '', to: '', floor: '' };

test('curve ends: are read in every form of a number; an empty one is left to the engine', () => {
  const { ends, problems } = readEnds('epsilon-noise', {
    ...texts,
    from: '1/60000',
    to: ' 60_000 ',
  });
  expect(ends).toEqual({ from: 1 / 60000, to: 60000 });
  expect(problems.size).toBe(0);
  expect(readEnds('epsilon-noise', texts).ends).toEqual({});
  expect(readEnds('epsilon-noise', { ...texts, floor: '1e-5' }).ends).toEqual({ floor: 1e-5 });
});

test('curve ends: what is no number is said as it was typed, and is no end', () => {
  const { ends, problems } = readEnds('epsilon-noise', {
    ...texts,
    from: '1',
    to: 'far',
    floor: '1e',
  });
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

test('curve ends: a spelling of two numbers is asked back, by what the axis counts', () => {
  const of = (kind: CurveKind, to: string) =>
    readEnds(kind, { from: '', to, floor: '' }).problems.get('to');
  for (const text of ['1.000', ' 1.000 '])
    expect(of('epsilon-epochs', text)).toBe('To “1.000” is unclear: did you mean 1000 or 1?');
  expect(readEnds('epsilon-epochs', { ...texts, floor: '1.000' }).ends).toEqual({ floor: 1 });
  expect(numberKind({ type: 'ranks' })).toBe('count');
  expect(typedNumber(' ', 'Noise', 'number')).toBe('Noise is missing; give a number.');
  expect(of('noise-sampling', '0.125')).toBeUndefined();
  expect(of('epsilon-noise', '1.125')).toBeUndefined();
  expect(of('epsilon-noise', '1,1')).toBe('To “1,1” is unclear: did you mean 1.1?');
});
