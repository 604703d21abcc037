import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EngineError, QueryError, createEngine, readTally } from '../../wasm/node.js';
import type { Engine, MonteCarloProgress, MonteCarloQuery, Phase, Tally } from '../../wasm/node.js';
import { troubles } from '../../wasm/errors.js';
import createModule from '../../wasm/generated/engine.mjs';
import { isRecord, isResult } from '../../wasm/protocol.js';
import { countChunks, crc32, missingFrom } from '../../wasm/tally.js';
import { closeAll, localEngine, threadEngine } from './monte-carlo-ports.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

const phase: Phase = { sampler: 'balls-and-bins', noiseMultiplier: 0.5, stepsPerEpoch: 20 };

/** 61 chunks of 4096 samples, some 1 ms each. */
const query: MonteCarloQuery = {
  ...phase,
  epsilons: [0.5, 2],
  samples: 249_000,
  seed: 11,
};
const chunks = 61;

let engine: Engine;
let whole: Tally;
beforeAll(async () => {
  engine = await createEngine({ workers: 2 });
  whole = (await engine.monteCarlo(query)).tally;
});
afterAll(() => {
  engine.close();
  closeAll();
});

/** The error that something is refused with. */
async function refusal(work: Promise<unknown>): Promise<QueryError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof QueryError) return error;
    throw error;
  }
  throw new Error('it was not refused');
}

/** A tally with its checksum made to fit, as a forger would. */
function forged(changes: Record<string, unknown>): Tally {
  const text = (value: unknown): string => {
    if (Array.isArray(value)) return `[${value.map(text).join(',')}]`;
    if (!isRecord(value)) return JSON.stringify(value);
    const keys = Object.keys(value).sort();
    return `{${keys.map((key) => `${JSON.stringify(key)}:${text(value[key])}`).join(',')}}`;
  };
  const content = Object.fromEntries(
    Object.entries({ ...whole, ...changes }).filter(([key]) => key !== 'checksum'),
  ) as Omit<Tally, 'checksum'>;
  return { ...content, checksum: crc32(text(content)) };
}

describe('a tally', () => {
  test('is that of the core’s own chunks, added up there', async () => {
    expect(countChunks(whole.chunks)).toBe(chunks);
    const wasmBinary = await readFile(`${root}wasm/generated/engine.wasm`);
    const module = await createModule({ wasmBinary });
    const shard = { ...whole.query, seed: whole.seed, firstChunk: 0, chunkCount: chunks };
    const outcome = module.call('monteCarloChunks', shard);
    if (!isRecord(outcome) || !isResult('monteCarloChunks', outcome.result)) {
      throw new Error('nothing was drawn');
    }
    expect(outcome.result.samples).toBe(whole.samples);
    expect(outcome.result.sums).toEqual(whole.sums);
  });

  test.each([1, 2, 8])('is the same for %i workers', async (workers) => {
    const other = await createEngine({ workers });
    try {
      expect((await other.monteCarlo(query)).tally).toEqual(whole);
    } finally {
      other.close();
    }
  });

  test('is the same for fewer workers than the engine has', async () => {
    expect((await engine.monteCarlo(query, { workers: 1 })).tally).toEqual(whole);
  });

  test('of several participations adds up likewise', async () => {
    const several = { ...query, participations: 3, samples: 20_000 };
    const [one, two] = [
      await engine.monteCarlo(several, { workers: 1 }),
      await engine.monteCarlo(several),
    ];
    expect(one.tally).toEqual(two.tally);
    expect(one.tally.query).toMatchObject({ participations: 3, method: 'plain' });
    expect(one.tally.sums).not.toEqual(
      (await engine.monteCarlo({ ...several, participations: 1, method: 'plain' })).tally.sums,
    );
  });

  test('is another for another seed, and for more samples', async () => {
    const other = await engine.monteCarlo({ ...query, seed: 12 });
    expect(other.tally.sums).not.toEqual(whole.sums);
    const more = await engine.monteCarlo({ ...query, samples: 400_000 });
    expect(more.tally.samples).toBeGreaterThan(whole.samples);
  });

  test('is a small document that survives JSON', () => {
    const text = JSON.stringify(whole);
    expect(text.length).toBeLessThan(1000);
    expect(readTally(JSON.parse(text))).toEqual(whole);
  });
});

describe('a run', () => {
  test('reports how far it is, each time with a tally to go on from', async () => {
    const seen: MonteCarloProgress[] = [];
    const long = { ...query, samples: 1_000_000 };
    const result = await engine.monteCarlo(long, { onProgress: (progress) => seen.push(progress) });
    expect(seen.length).toBeGreaterThan(1);
    for (const { samples, of, tally, estimates, samplesPerSecond, secondsLeft } of seen) {
      expect(of).toBe(result.samples);
      expect(samples).toBe(tally.samples);
      expect(readTally(tally)).toEqual(tally);
      expect(estimates.map(({ epsilon }) => epsilon)).toEqual(query.epsilons);
      expect(samplesPerSecond).toBeGreaterThan(0);
      expect(secondsLeft).toBeGreaterThanOrEqual(0);
    }
    const counts = seen.map(({ samples }) => samples);
    expect(counts).toEqual([...counts].sort((a, b) => a - b));
    expect(seen.at(-1)?.tally).toEqual(result.tally);
    expect(seen.at(-1)?.estimates).toEqual(result.estimates);
    expect(result.missing).toEqual([]);
  });

  test('says delta within the certified interval, and what its numbers are', async () => {
    const result = await engine.monteCarlo({ ...query, confidence: 1 - 1e-9 });
    for (const { epsilon, delta, mean, standardError } of result.estimates) {
      const certified = (await engine.delta({ phases: [phase], epsilon })).directions.remove;
      expect(delta.kind).toBe('confidence');
      expect(mean.kind).toBe('estimate');
      expect(delta.lower).toBeLessThanOrEqual(certified.upper ?? 1);
      expect(delta.upper).toBeGreaterThanOrEqual(certified.lower ?? 0);
      expect(standardError).toBeGreaterThan(0);
    }
    expect(result.confidence).toBe(1 - 1e-9);
    expect(result.citations).toContain('BB25');
  });

  test('that is stopped keeps its chunks, and goes on to the same tally', async () => {
    let tally: Tally | undefined;
    let stops = 0;
    for (;;) {
      const stop = new AbortController();
      const already = tally?.samples ?? 0;
      try {
        const result = await engine.monteCarlo(query, {
          signal: stop.signal,
          resume: tally,
          onProgress: (progress) => {
            tally = progress.tally;
            if (progress.samples > already && stops < 3) stop.abort(new Error('enough for now'));
          },
        });
        tally = result.tally;
        break;
      } catch (error) {
        expect(error).toMatchObject({ message: 'enough for now' });
        ++stops;
        expect(tally?.samples).toBeGreaterThan(already);
      }
    }
    expect(stops).toBeGreaterThan(0);
    expect(tally).toEqual(whole);
  });

  test('that is stopped before it starts rejects with the signal’s reason', async () => {
    const signal = AbortSignal.abort(new Error('no'));
    await expect(engine.monteCarlo(query, { signal })).rejects.toThrow('no');
  });

  test('goes on to more samples than were first asked for', async () => {
    const part = await engine.monteCarlo({ ...query, samples: 50_000 });
    expect((await engine.monteCarlo(query, { resume: part.tally })).tally).toEqual(whole);
    const none = await engine.monteCarlo(query, { resume: whole });
    expect(none.tally).toEqual(whole);
    const shrunk = await refusal(
      engine.monteCarlo({ ...query, samples: 50_000 }, { resume: whole }),
    );
    expect(shrunk).toMatchObject({ code: 'bad-tally', field: 'tally' });
  });

  test.each(['die before', 'die after', 'trap'] as const)(
    'counts nothing twice when workers %s',
    async (fault) => {
      const frail = await localEngine(3, (call) => (call % 4 === 2 ? fault : undefined));
      expect((await frail.monteCarlo(query)).tally).toEqual(whole);
    },
  );

  test('has its estimates where workers die over their last call, too', async () => {
    const faults = (call: number) => (call <= 2 ? 'die before' : undefined);
    const frail = await localEngine(2, faults, 'monteCarloEstimates');
    expect((await frail.monteCarlo(query)).tally).toEqual(whole);
  });

  test('survives threads that are killed under it', async () => {
    const { engine: frail, kill } = await threadEngine(2);
    let kills = 0;
    const { tally } = await frail.monteCarlo(query, {
      onProgress: ({ samples, of }) => {
        if (samples < of) kills += kill();
      },
    });
    expect(kills).toBeGreaterThan(0);
    expect(tally).toEqual(whole);
  });

  test('gives up on a range that kills every worker, and hands out the rest', async () => {
    const frail = await localEngine(2, (_, request) =>
      request.type === 'call' &&
      isRecord(request.question) &&
      Number(request.question.firstChunk) <= 20 &&
      Number(request.question.firstChunk) + Number(request.question.chunkCount) > 20
        ? 'trap'
        : undefined,
    );
    const error: unknown = await frail.monteCarlo(query).catch((caught: unknown) => caught);
    if (!(error instanceof EngineError)) throw new Error('no EngineError');
    expect(error.code).toBe('worker-failed');
    expect(error).toMatchObject({ message: troubles.computation, cause: 'unreachable' });
    const { tally } = error;
    if (!tally) throw new Error('no tally');
    expect(missingFrom(tally.chunks, [20, 21])).toEqual([[20, 21]]);
    expect((await engine.monteCarlo(query, { resume: tally })).tally).toEqual(whole);
  });

  test('rejects with a tally when the engine is closed under it', async () => {
    const closing = await localEngine(2);
    const error: unknown = await closing
      .monteCarlo(query, {
        onProgress: () => {
          closing.close();
        },
      })
      .catch((caught: unknown) => caught);
    if (!(error instanceof EngineError)) throw new Error('no EngineError');
    expect(error.code).toBe('closed');
    expect(error.tally?.samples).toBeGreaterThan(0);
  });
});

describe('shards', () => {
  const shard = async (k: number, n: number) =>
    (await engine.monteCarlo(query, { shard: [k, n] })).tally;

  test('seven of them, merged out of order and by twos, are the whole', async () => {
    const parts: Tally[] = [];
    for (let k = 1; k <= 7; ++k) parts.push(await shard(k, 7));
    const [a, b, c, d, e, f, g] = parts;
    if (!a || !b || !c || !d || !e || !f || !g) throw new Error('too few');
    const all = await engine.mergeTallies([f, b, g, a, d, c, e]);
    expect(all.tally).toEqual(whole);
    const left = (await engine.mergeTallies([g, c, a])).tally;
    const right = (await engine.mergeTallies([d, b, f, e])).tally;
    expect((await engine.mergeTallies([right, left])).tally).toEqual(whole);
    const { estimates } = await engine.monteCarlo(query);
    expect(all.estimates).toEqual(estimates);
  });

  test('what none of them drew is named', async () => {
    const { missing, samples } = await engine.mergeTallies([await shard(1, 3), await shard(3, 3)]);
    expect(missing).toEqual([[20, 40]]);
    expect(samples).toBe(41 * 4096);
    const tail = await engine.mergeTallies([await shard(1, 3)]);
    expect(tail.missing).toEqual([[20, chunks]]);
  });

  test('may be told by their chunks', async () => {
    const { tally } = await engine.monteCarlo(query, { chunks: [20, 40] });
    expect(tally).toEqual(await shard(2, 3));
  });

  test.each([
    [{ chunks: [0, 62] as const }, 'chunks', 'within 0:61'],
    [{ chunks: [5, 5] as const }, 'chunks', '5:5'],
    [{ chunks: [0.5, 2] as const }, 'chunks', '0.5:2'],
    [{ shard: [0, 3] as const }, 'shard', '0/3'],
    [{ shard: [4, 3] as const }, 'shard', '4/3'],
    [{ shard: [1, 62] as const }, 'shard', '0:61'],
    [{ shard: [1, 2] as const, chunks: [0, 1] as const }, 'shard', 'both'],
  ])('%j is refused', async (options, field, hint) => {
    const error = await refusal(engine.monteCarlo(query, options));
    expect(error).toMatchObject({ code: 'out-of-domain', field });
    expect(error.message).toContain(hint);
  });
});

describe('a bad tally is refused:', () => {
  const refused = async (tallies: readonly unknown[]) => {
    const error = await refusal(engine.mergeTallies(tallies as Tally[]));
    expect(error.code).toBe('bad-tally');
    return error.message;
  };

  test.each([
    ['another number of samples than its chunks hold', { samples: 4096 }, 'hold'],
    ['a query that is none', { query: { sampler: 'poisson' } }, 'refused'],
    ['too few sums', { sums: ['0'.repeat(32)] }, 'sums'],
    ['chunks beyond the plan', { planned: 3 }, 'planned'],
    ['sums that no samples make', 'sums', 'no 249856 samples'],
  ])('%s, even with a checksum that fits', async (_, changes, reason) => {
    const sums = whole.sums.map(() => 'f'.repeat(32));
    const bad = typeof changes === 'string' ? forged({ sums }) : forged(changes);
    const error = await refusal(engine.mergeTallies([bad]));
    expect(error.code).toBe('bad-tally');
    expect(error.message).toContain(reason);
  });

  test('what no JSON can say', async () => {
    let deep: unknown = 1;
    for (let level = 0; level < 100_000; ++level) deep = [deep];
    expect(await refused([{ ...whole, version: 5n }])).toContain('it must be of version');
    for (const odd of [5n, deep])
      expect(await refused([{ ...whole, query: { ...query, width: odd } }])).toContain(
        'query must be plain data, a few levels deep',
      );
  });

  test('tallies that do not belong together', async () => {
    const { tally: seed } = await engine.monteCarlo({ ...query, seed: 12 }, { shard: [2, 2] });
    const noisy = { ...query, noiseMultiplier: 0.51 };
    const { tally: noise } = await engine.monteCarlo(noisy, { shard: [2, 2] });
    const resumed = (tally: Tally) => refusal(engine.monteCarlo(query, { resume: tally }));
    expect((await resumed(seed)).message).toContain('seed 12');
    expect((await resumed(noise)).message).toContain('another query');
  });
});

describe('a bad question is refused by field:', () => {
  test.each([
    [{ sampler: 'deterministic' }, 'sampler'],
    [{ epsilons: '1' }, 'epsilons'],
    [{ orderStatistics: 'some' }, 'orderStatistics'],
    [{ orderStatistics: [1, 'x'] }, 'orderStatistics'],
    [{ orderStatistics: [2, 3] }, 'orderStatistics'],
    [{ simultaneous: 'yes' }, 'simultaneous'],
    [{ confidence: 1 }, 'confidence'],
    [{ sigma: 1 }, 'sigma'],
    [{ seed: '1' }, 'seed'],
  ])('%j', async (changes, field) => {
    const error = await refusal(engine.monteCarlo({ ...query, ...changes } as MonteCarloQuery));
    expect(error.field).toBe(field);
  });

  test('no object at all', async () => {
    const none = 5 as unknown as MonteCarloQuery;
    expect((await refusal(engine.monteCarlo(none))).code).toBe('wrong-type');
  });
});
