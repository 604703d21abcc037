import { describe, expect, test } from 'vitest';
import type { MonteCarloPlan, MonteCarloQuery } from '../../wasm/generated/schema.js';
import * as tallies from '../../wasm/tally.js';
import type { ChunkRange, Tally } from '../../wasm/tally-shape.js';

const query: MonteCarloQuery = { sampler: 'poisson', noiseMultiplier: 0.5, epsilons: [0.5, 2] };
const plan = { query, seed: 3, chunks: 6, sums: 2 } as MonteCarloPlan;
const empty = tallies.emptyTally(plan);

/** The numbers below six that a word's bits say. */
const bitsOf = (set: number) => [0, 1, 2, 3, 4, 5].filter((bit) => (set >> bit) & 1);

/** In ranges, each as long as it can be. */
function rangesOf(set: number): ChunkRange[] {
  const firsts = bitsOf(set & ~(set << 1));
  const lasts = bitsOf(set & ~(set >> 1));
  return firsts.map((first, i) => [first, (lasts[i] ?? 0) + 1]);
}

/** Chunk i has i + 1 samples, which add up to as many sixteenths of all that a sum holds. */
const tallyOf = (set: number): Tally =>
  bitsOf(set).reduceRight(
    (tally, i) =>
      tallies.extended(tally, [i, i + 1], {
        samples: i + 1,
        sums: [(i + 1).toString(16), `${(i + 1).toString(16)}${'0'.repeat(30)}`],
      }),
    empty,
  );

describe('a tally', () => {
  test('is what its chunks are, however they were put together', () => {
    const all = Array.from({ length: 64 }, (_, set) => tallyOf(set));
    all.forEach((tally, set) => {
      const chunks = bitsOf(set);
      const total = chunks.reduce((sum, i) => sum + i + 1, 0);
      expect(tally.chunks).toEqual(rangesOf(set));
      expect(tallies.countChunks(tally.chunks)).toBe(chunks.length);
      expect(tally.samples).toBe(total);
      expect(tally.sums.map((sum) => BigInt(`0x${sum}`))).toEqual([
        BigInt(total),
        BigInt(total) << 120n,
      ]);
      expect(tallies.readTally(tally)).toEqual(tally);
      for (let first = 0; first < 6; ++first)
        for (let beyond = first + 1; beyond <= 6; ++beyond) {
          const wanted = (1 << beyond) - (1 << first);
          expect(tallies.missingFrom(tally.chunks, [first, beyond])).toEqual(
            rangesOf(wanted & ~set),
          );
        }
      all.forEach((other, with_) => {
        expect(tallies.covers(tally, other)).toBe((with_ & ~set) === 0);
        if (with_ & set) expect(() => tallies.merged([tally, other])).toThrow('overlap');
        else expect(tallies.merged([tally, other])).toEqual(all[set | with_]);
      });
      for (const i of chunks)
        expect(() => tallies.extended(tally, [i, i + 1], { samples: 0, sums: ['0', '0'] })).toThrow(
          'overlap',
        );
    });
  });

  test('of another run is another, and of a longer one as long', () => {
    const seed = tallies.emptyTally({ ...plan, seed: 4 });
    const noise = tallies.emptyTally({ ...plan, query: { ...query, noiseMultiplier: 0.6 } });
    const list = { ...query, epsilons: Array.from({ length: 40 }, (_, i) => i) };
    for (const other of [seed, noise]) expect(tallies.covers(empty, other)).toBe(false);
    expect(() => tallies.merged([empty, seed])).toThrow('seeds, 3 and 4');
    expect(() => tallies.merged([empty, noise])).toThrow(
      'noiseMultiplier 0.5 and noiseMultiplier 0.6',
    );
    expect(() => tallies.merged([empty, tallies.emptyTally({ ...plan, query: list })])).toThrow(
      /epsilons \[0\.5,2\] and epsilons \[0,1,.{35}\.\.\.$/,
    );
    expect(() => tallies.merged([empty, tallies.emptyTally({ ...plan, query: {} })])).toThrow(
      'epsilons [0.5,2] and epsilons none',
    );
    expect(() => tallies.merged([])).toThrow('none to merge');
    for (const parts of [
      [0b101100, 0b111],
      [0b111, 0b101100],
    ].map((sets) => sets.map(tallyOf)))
      expect(() => tallies.merged(parts)).toThrow('0:3 and 2:4 overlap');
    expect(tallies.missingFrom([[3, 5]], [0, 0])).toEqual([]);
    const longer = tallies.replanned(tallyOf(1), 9);
    expect(tallies.merged([tallyOf(2), longer])).toEqual(tallies.replanned(tallyOf(3), 9));
    expect(tallies.sameQuery({ ...query, steps: undefined }, query)).toBe(true);
  });

  test('has the checksum that others compute', () => {
    // The check value that the polynomial's definitions give, one beyond ASCII.
    expect(tallies.crc32('123456789')).toBe('cbf43926');
    expect(tallies.crc32('ε')).toBe('afabaf3c');
    expect(tallies.crc32('')).toBe('00000000');
  });
});

describe('a bad tally is refused:', () => {
  const whole = tallyOf(0b101101);

  test('every edit of a value shows', () => {
    const edits: Record<string, unknown>[] = [
      { seed: 12 },
      { samples: whole.samples + 1 },
      { planned: 7 },
      { chunks: [[0, 1]] },
      { chunks: Array.from({ length: 1e5 }, (_, i) => [2 * i, 2 * i + 1]) },
      { sums: ['0'.repeat(32)] },
      { sums: Array.from({ length: 1e4 }, () => '0'.repeat(32)) },
      { query: { ...query, noiseMultiplier: 0.51 } },
      { checksum: '00000000' },
      { checksum: undefined },
    ];
    for (const edit of edits)
      expect(() => tallies.readTally({ ...whole, ...edit })).toThrow('its checksum does not match');
  });

  test.each([
    ['no object', [1], 'it must be an object'],
    [
      'another version',
      { version: '9.9.9' },
      'of version "0.2.0", as this program is; got "9.9.9"',
    ],
    ['a long version', { version: '9'.repeat(50) }, `got "${'9'.repeat(40)}"`],
    ['no version', { version: 5n }, 'got none'],
    ['no query', { query: 'x' }, 'query must be an object'],
    ['a foreign field', { note: 'hello' }, '"note"'],
    ['ranges that overlap', { chunks: [[0, 3] as const, [2, 5] as const] }, 'overlap'],
    ['ranges that touch', { chunks: [[0, 2] as const, [2, 5] as const] }, 'out of order'],
    ['ranges turned round', { chunks: [[6, 0]] }, 'list of ranges'],
    ['an empty range', { chunks: [[1, 1]] }, 'list of ranges'],
    ['three ends', { chunks: [[1, 2, 3]] }, 'list of ranges'],
    ['half a chunk', { chunks: [[0.5, 2]] }, 'list of ranges'],
    ['a chunk before 0', { chunks: [[-1, 2]] }, 'list of ranges'],
    ['no chunks', { chunks: '0:6' }, 'chunks must be a list'],
    ['too many ranges', { chunks: Array.from({ length: 1e5 + 1 }, () => [0, 1]) }, 'too large'],
    ['a sum of 31 digits', { sums: ['0'.repeat(31)] }, '32 hexadecimal'],
    ['a sum that is a number', { sums: ['0'.repeat(32), 5] }, '32 hexadecimal'],
    ['no sums', { sums: {} }, 'sums must be a list'],
    ['too many sums', { sums: Array.from({ length: 1e4 + 1 }, () => '0') }, 'too large'],
    ['half a seed', { seed: 0.5 }, 'seed must be a whole number'],
    ['a plan below 0', { planned: -1 }, 'planned must be a whole number'],
    ['samples in words', { samples: '1' }, 'samples must be a whole number'],
    ['what no JSON can say', { query: { ...query, width: 5n } }, 'query must be plain data'],
  ])('%s', (_, changes, reason) => {
    const bad: unknown = Array.isArray(changes) ? changes : { ...whole, ...changes };
    expect(() => tallies.readTally(bad)).toThrow(reason);
  });
});
