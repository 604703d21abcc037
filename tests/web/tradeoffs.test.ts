import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { CallOptions } from '../../wasm/client.js';
import type { Band, Query, TradeOffAnswer } from '../../wasm/generated/schema.js';
import { gaussianWords, readingRows } from '../../wasm/words/readings.js';
import { LiveTradeOffs } from '../../web/src/live/tradeoffs.js';
import type { Row } from '../../web/src/state/rows.js';
import { attacks, errorWords } from '../../web/src/words/attack.js';
import { certified } from '../certified.js';
import { fakeEngine, samplerOf } from './fake-engine.js';

/** The band of an attack that gains this much over guessing, read off at one rate and prior. */
const bandOf = (advantage: number): Band => ({
  lower: [
    { falsePositiveRate: 0, falseNegativeRate: 1 - advantage },
    { falsePositiveRate: 1 - advantage, falseNegativeRate: 0 },
  ],
  upper: [],
  advantage: certified(advantage, advantage),
  attackRates: [{ falsePositiveRate: 0.001, truePositiveRate: certified(0.0012341, 0.0014349) }],
  guesses: [{ prior: 0.25, success: certified(0.5, 0.6) }],
  gaussian: { mu: certified(0.2, 0.3), misfit: 0.0123, resolution: 1e-6 },
});

const answerOf = (query: Query): TradeOffAnswer => ({
  sampler: samplerOf(query),
  adjacency: 'zero-out',
  ownProofs: false,
  ...{ remove: bandOf(0.1), add: bandOf(0.2), symmetric: bandOf(0.3) },
  ...{ knots: [], method: 'made up', methodCode: 'none', derived: { steps: 1 } },
  ...{ assumptions: [], assumptionCodes: [], warnings: [], citations: [] },
  work: { gridPoints: 0, milliseconds: 0 },
});

interface Call {
  query: Query;
  options: CallOptions;
  finish: () => void;
  fail: (error: Error) => void;
}

/** The engine of the other tests, whose trade-offs come when the test says so. */
function slowEngine() {
  const asked: Call[] = [];
  const tradeoff = (query: Query, options: CallOptions = {}) =>
    new Promise<TradeOffAnswer>((resolve, reject) => {
      options.signal?.addEventListener('abort', () => {
        reject(options.signal?.reason as Error);
      });
      asked.push({
        ...{ query, options, fail: reject },
        finish: () => {
          resolve(answerOf(query));
        },
      });
    });
  return { asked, engine: { ...fakeEngine(), tradeoff } };
}

const row = (name: Row['name'], noiseMultiplier = 1): Row => ({
  name,
  query: {
    phases: [
      {
        sampler: name === 'composition' ? 'poisson' : name,
        ...{ noiseMultiplier, steps: 10, samplingProbability: 0.1 },
      },
    ],
  },
});

describe('live trade-offs', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const settle = () => vi.advanceTimersByTimeAsync(1000);

  test('are asked one after another, behind the answer, the first wanted first', async () => {
    const { asked, engine } = slowEngine();
    const live = new LiveTradeOffs(engine, () => undefined);
    live.ask([row('shuffle'), row('poisson')]);
    expect(live.state.working).toBe(true);
    await settle();
    expect(asked.map(({ query }) => samplerOf(query))).toEqual(['shuffle']);
    expect(asked[0]?.options.background).toBe(true);
    asked[0]?.finish();
    await settle();
    expect(asked.map(({ query }) => samplerOf(query))).toEqual(['shuffle', 'poisson']);
    expect([...live.state.curves.keys()]).toEqual(['shuffle']);
    asked[1]?.finish();
    await settle();
    expect(live.state.working).toBe(false);
    expect([...live.state.curves.values()].map(({ stale }) => stale)).toEqual([false, false]);
  });

  test('work that is still wanted goes on; other work is aborted', async () => {
    const { asked, engine } = slowEngine();
    const live = new LiveTradeOffs(engine, () => undefined);
    live.ask([row('shuffle')]);
    await settle();
    live.ask([row('shuffle'), row('poisson')]);
    await settle();
    expect(asked).toHaveLength(1);
    expect(asked[0]?.options.signal?.aborted).toBe(false);
    live.ask([row('shuffle', 2)]);
    expect(asked[0]?.options.signal?.aborted).toBe(true);
    await settle();
    expect(asked).toHaveLength(2);
    expect(live.state.curves.size).toBe(0);
    expect(live.state.failed.size).toBe(0);
  });

  test('an earlier run stays in sight as stale, and is known when it comes back', async () => {
    const { asked, engine } = slowEngine();
    const live = new LiveTradeOffs(engine, () => undefined);
    live.ask([row('shuffle')]);
    await settle();
    asked[0]?.finish();
    await settle();
    live.ask([row('shuffle', 2)]);
    expect(live.state.curves.get('shuffle')).toMatchObject({
      stale: true,
      query: row('shuffle').query,
    });
    live.outdate();
    expect(live.state).toMatchObject({ working: false });
    expect(live.state.curves.get('shuffle')?.stale).toBe(true);
    live.ask([row('shuffle')]);
    await settle();
    expect(asked).toHaveLength(1);
    expect(live.state.curves.get('shuffle')?.stale).toBe(false);
    live.clear();
    expect(live.state.curves.size).toBe(0);
  });

  test('a row that fails says so, and the next one is asked; asked again, it is tried again', async () => {
    const { asked, engine } = slowEngine();
    const live = new LiveTradeOffs(engine, () => undefined);
    const rows = [row('shuffle'), row('poisson')];
    live.ask(rows);
    await settle();
    const trouble = new Error('no');
    asked[0]?.fail(trouble);
    await settle();
    expect(live.state.failed.get('shuffle')).toBe(trouble);
    expect(asked).toHaveLength(2);
    live.outdate();
    live.ask(rows);
    await settle();
    expect(samplerOf(asked[2]?.query ?? { phases: [] })).toBe('shuffle');
    expect(live.state.failed.size).toBe(0);
  });
});

describe('what is read off', () => {
  test('is one list: a row each, rounded outwards, a column a band', () => {
    const bands = [bandOf(0.125), bandOf(0.25)];
    expect(readingRows(bands)).toEqual([
      ['advantage', '0.1250', '0.2500'],
      [
        'true positive rate at false positive rate 0.001',
        ...Array<string>(2).fill('[0.001234, 0.001435]'),
      ],
      ['accuracy of the best attack, prior 0.25', ...Array<string>(2).fill('[0.5000, 0.6000]')],
      ['tightest μ-GDP guarantee', ...Array<string>(2).fill('[0.2000, 0.3000]')],
      ['largest distance to it', ...Array<string>(2).fill('≈ 0.012')],
    ]);
    expect(readingRows([])).toEqual([]);
  });

  test('the Gaussian’s misfit is rounded up', () => {
    const words = gaussianWords({ mu: certified(1, 1), misfit: 0.012341, resolution: 1e-6 });
    expect(words).toContain(
      'at least as private as this Gaussian; the two curves differ by at most about 0.01235 (the regret).',
    );
  });
});

describe('the two errors', () => {
  test('change places with the direction', () => {
    const query = row('poisson').query;
    const [remove, add] = [errorWords(query, 'remove'), errorWords(query, 'add')];
    expect(remove.falsePositive).toBe(
      'the attack claims that the record was used, but it had its gradients zeroed.',
    );
    expect(add).toEqual({
      falsePositive: remove.falseNegative,
      falseNegative: remove.falsePositive,
    });
    expect(errorWords(query, 'symmetric').falsePositive).toContain('or the reverse');
  });

  test('speak of the run’s neighbours, and of a person who has several records', () => {
    const said = (phase: object) =>
      attacks.map(
        (attack) =>
          errorWords({ phases: [{ ...row('poisson').query.phases[0], ...phase }] }, attack)
            .falsePositive,
      );
    for (const words of said({ adjacency: 'add-remove' })) expect(words).toMatch(/was not used/);
    for (const words of said({ adjacency: 'substitution' })) expect(words).toContain('by another');
    for (const words of said({ recordsPerUser: 3 })) expect(words).toContain('they ');
    for (const words of said({ recordsPerUser: 3, privacyUnit: 'client' }))
      expect(words).toContain('the person’s clients ');
  });
});
