import { describe, expect, test } from 'vitest';
import { readFlags } from '../../wasm/command/flags.js';
import { countsOf, readScores, withScores } from '../../wasm/command/scores.js';

const query = { question: 'audit' as const, phases: [], delta: 1e-5 };

const sum = (numbers: readonly number[] | number | undefined) =>
  [numbers ?? []].flat().reduce((total, one) => total + one, 0);

describe('scores', () => {
  test('lines are read with any separator, with or without column names', () => {
    const lines = [
      'score,member',
      '2.5,1',
      '-1;0',
      '3\tmember',
      '1e-3 non-member',
      '',
      '4, true',
      '0,out',
    ];
    const read = { members: [2.5, 3, 4], nonMembers: [-1, 1e-3, 0] };
    expect(readScores(lines.join('\n'), 'a.csv')).toEqual(read);
    expect(readScores(lines.slice(1).join('\r\n'), 'a.csv')).toEqual(read);
  });

  test.each([
    ['2,1\n3,1\n1,0', 'at least 2 members and 2 non-members; it has 2 and 1'],
    ['', 'it has 0 and 0'],
    ['2,1\nx,0', 'line 2 of a.csv must be a score and 1 (member) or 0 (non-member)'],
    ['2,1\n3,maybe', 'got "3,maybe"'],
    ['2,1\n3,1,0', 'got "3,1,0"'],
    ['2,1\n1.2.3,0', 'line 2 of a.csv'],
  ])('%j is refused', (text, words) => {
    expect(() => readScores(text, 'a.csv')).toThrow(words);
  });

  test('what separates the two is found on one half and counted on the other', () => {
    const members = Array.from({ length: 41 }, (_, i) => (i < 30 ? 10 + i : i - 40));
    const nonMembers = Array.from({ length: 60 }, (_, i) => -i);
    const { threshold, counts } = countsOf({ members, nonMembers });
    expect(threshold).toBeGreaterThan(0);
    expect(counts).toMatchObject({ members: 21, nonMembers: 30, falsePositives: [0] });
    expect(sum(counts.truePositives)).toBeGreaterThan(8);
    const text = [...members.map((s) => `${s},1`), ...nonMembers.map((s) => `${s},0`)].join('\n');
    expect(withScores(query, text, 'a.csv')).toEqual({ query: { ...query, ...counts }, threshold });
    expect(() => withScores({ ...query, members: 5 }, text, 'a.csv')).toThrow(
      '--members must be absent beside --scores',
    );
  });

  test('scores that say nothing show nothing, on average, sorted or not', () => {
    let state = 7;
    const uniform = () => (state = (state * 16807) % 2147483647) / 2147483647;
    for (const sorted of [false, true]) {
      let difference = 0;
      const times = 400;
      for (let i = 0; i < times; ++i) {
        const draw = () => {
          const scores = Array.from({ length: 40 }, uniform);
          return sorted ? scores.toSorted((a, b) => a - b) : scores;
        };
        const { counts } = countsOf({ members: draw(), nonMembers: draw() });
        difference += (sum(counts.truePositives) - sum(counts.falsePositives)) / 20;
      }
      // A single difference deviates by at most sqrt(2 / 80); on the half that chooses it is .15.
      expect(Math.abs(difference / times)).toBeLessThan(0.03);
    }
  });
});

test('flags: the square root matrix and its bands in one word', () => {
  const phases = (words: string[]) => readFlags('epsilon', words).query.phases;
  expect(phases(['--matrix', 'sqrt:16'])).toEqual([{ matrix: 'square-root', bands: 16 }]);
  expect(phases(['--matrix=sqrt'])).toEqual([{ matrix: 'square-root' }]);
  expect(() => phases(['--matrix', 'sqrt:x'])).toThrow('bands must be a number; got "x"');
  expect(() => phases(['--matrix', 'sqrt:'])).toThrow('bands must be a number; got ""');
  expect(() => phases(['--bands', '8', '--matrix', 'sqrt:16'])).toThrow('more than once');
});
