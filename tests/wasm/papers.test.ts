import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Engine } from '../../wasm/client.js';
import type { Answer, Interval, MonteCarloQuery, Query } from '../../wasm/generated/schema.js';
import { createEngine } from '../../wasm/node.js';
import { findNumber } from '../../wasm/papers/ask.js';
import { exhibits, reproduce, unexpected } from '../../wasm/papers/index.js';
import type { Claim, ClaimState, Exhibit, ExhibitState, Series } from '../../wasm/papers/index.js';
import { coarseFirst } from '../../wasm/points.js';
import { gridOf } from '../../wasm/papers/reproduce.js';
import { binomialTail } from '../../wasm/papers/binomial.js';
import {
  readPrinted,
  showPrinted,
  verdictOf,
  verdictWords,
  verdicts,
} from '../../wasm/papers/verdict.js';
import type { PaperQuestion } from '../../wasm/papers/shape.js';

const within = (lower: number | null, upper: number | null): Interval => ({
  lower,
  upper,
  kind: 'certified',
});

describe('papers: what is printed', () => {
  test.each([
    ['1.96', 1.96, 0.01],
    ['1.18e-5', 1.18e-5, 1e-7],
    ['3', 3, 1],
    ['1e-10', 1e-10, 1e-10],
    ['0.80', 0.8, 0.01],
    ['11/48', 11 / 48, 0],
  ])('%s is a value and a last digit', (text, value, unit) => {
    const printed = readPrinted(text);
    expect(printed.value).toBe(value);
    expect(printed.unit).toBeCloseTo(unit, 15);
  });

  test('what is no number is refused', () => {
    expect(() => readPrinted('about 3')).toThrow('no number');
  });

  test('is shown with all its digits', () => {
    expect(showPrinted('0.80')).toBe('0.80');
    expect(showPrinted('1.18e-5')).toBe('1.18 × 10⁻⁵');
    expect(showPrinted('1e-10')).toBe('10⁻¹⁰');
    expect(showPrinted('11/48')).toBe('11/48');
  });
});

describe('papers: verdicts', () => {
  const verdict = (
    found: Interval,
    relation: Claim['relation'],
    printed: string,
    ownMethod?: number,
  ) => verdictOf(found, { relation, printed, ...(ownMethod === undefined ? {} : { ownMethod }) });

  test('a bound agrees when the end on its side proves it as printed', () => {
    expect(verdict(within(2.997, 2.999), '<=', '3')).toBe('agree');
    expect(verdict(within(2.997, 3.001), '<=', '3')).toBe('ours-looser');
    expect(verdict(within(null, 3.0), '<=', '3')).toBe('agree');
    expect(verdict(within(2, null), '<=', '3')).toBe('ours-looser');
    expect(verdict(within(14.4507, 14.4508), '>=', '14.45')).toBe('agree');
    expect(verdict(within(null, 20), '>=', '14.45')).toBe('ours-looser');
  });

  test('a bound that holds is looser when ours is better by more than its last digit', () => {
    expect(verdict(within(0.7822, 0.7826), '<=', '0.79')).toBe('agree');
    expect(verdict(within(0.7822, 0.7826), '<=', '0.80')).toBe('paper-looser');
    expect(verdict(within(null, 0.7826), '<=', '0.80')).toBe('paper-looser');
    expect(verdict(within(0.397, 0.398), '>=', '0.369')).toBe('paper-looser');
    expect(verdict(within(0.397, 0.398), '>=', '0.396')).toBe('agree');
  });

  test('a bound that is refuted is wrong, or was rounded the wrong way', () => {
    expect(verdict(within(7.4734e-5, 7.4744e-5), '>=', '7.5e-5')).toBe('paper-rounded');
    expect(verdict(within(7.3e-5, 7.4e-5), '>=', '7.5e-5')).toBe('paper-wrong');
    expect(verdict(within(3.01, 3.02), '<=', '3')).toBe('paper-wrong');
    expect(verdict(within(3.01, null), '<=', '3.00')).toBe('paper-wrong');
    expect(verdict(within(3.001, 3.002), '<=', '3.00')).toBe('paper-rounded');
  });

  test('where we cannot tell, the paper’s own method may', () => {
    expect(verdict(within(0.001, 0.13), '>=', '0.004')).toBe('ours-looser');
    expect(verdict(within(0.001, 0.13), '>=', '0.004', 9.99e-4)).toBe('paper-wrong');
    expect(verdict(within(1.5999e-4, 1e-3), '>=', '1.6e-4', 1.5958e-4)).toBe('paper-rounded');
    expect(verdict(within(0.001, 0.13), '>=', '0.004', 0.0041)).toBe('ours-looser');
    expect(verdict(within(0.005, 0.13), '>=', '0.004', 9.99e-4)).toBe('agree');
  });

  test('an estimate proves no bound and refutes none', () => {
    const estimate = (value: number): Interval => ({
      lower: value,
      upper: value,
      kind: 'estimate',
    });
    expect(verdict(estimate(2), '<=', '3')).toBe('ours-looser');
    expect(verdict(estimate(4), '<=', '3')).toBe('ours-looser');
    expect(verdict(estimate(4.444), '=', '4.444')).toBe('agree');
  });

  test('a rounded number agrees when the interval meets what rounds to it', () => {
    expect(verdict(within(12.9756, 12.9766), '=', '12.98')).toBe('agree');
    expect(verdict(within(12.9851, 12.986), '=', '12.98')).toBe('paper-wrong');
    expect(verdict(within(12.9849, 12.986), '=', '12.98')).toBe('agree');
    expect(verdict(within(4.87, 4.88), 'about', '4.8')).toBe('agree');
    expect(verdict(within(4.87, 4.88), '=', '4.8')).toBe('paper-wrong');
  });

  test('a wide interval or half of one agrees with no rounded number', () => {
    expect(verdict(within(12, 14), '=', '12.98')).toBe('ours-looser');
    expect(verdict(within(null, 12.98), '=', '12.98')).toBe('ours-looser');
    expect(verdict(within(null, null), 'about', '4.8')).toBe('ours-looser');
  });

  test('an exact number allows for round-off and for nothing else', () => {
    expect(verdict(within(11 / 48 - 1e-15, 11 / 48 + 1e-15), 'exactly', '11/48')).toBe('agree');
    expect(verdict(within(0.2291, 0.2292), 'exactly', '11/48')).toBe('ours-looser');
    expect(verdict(within(0.2292, 0.2293), 'exactly', '11/48')).toBe('paper-wrong');
    expect(verdict(within(549, 549), 'exactly', '589')).toBe('paper-wrong');
  });

  test('a reader is told whose the difference is', () => {
    const told = verdicts.map((one) => verdictWords(one, {}));
    expect(new Set(told).size).toBe(verdicts.length);
    for (const text of told) expect(text).toMatch(/^(agrees|paper|ours)/);
    expect(verdictWords('paper-wrong', { guess: 'n = 94' })).toBe('does not fit n = 94');
  });
});

describe('papers: a binomial tail from below', () => {
  test.each([
    [20_000, 0.1, 2100],
    [20_000, 0.1, 2400],
    [5000, 0.5, 2600],
  ])('of %i at %f above %i is the sum of its terms, and barely less', (n, p, least) => {
    let log = n * Math.log1p(-p);
    let exact = 0;
    for (let k = 0; k < n; ++k) {
      log += Math.log(((n - k) / (k + 1)) * (p / (1 - p)));
      if (k + 1 > least) exact += Math.exp(log);
    }
    const tail = binomialTail(n, p, least);
    expect(tail / exact).toBeLessThan(1);
    expect(tail / exact).toBeGreaterThan(1 - 1e-7);
  });
});

describe('papers: the order of points', () => {
  test.each([2, 3, 9, 25, 33, 40, 41])('%i points come coarse first, each once', (count) => {
    const order = coarseFirst(count);
    expect([...order].sort((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, i) => i));
    expect(new Set(order.slice(0, 2))).toEqual(new Set([0, count - 1]));
  });

  test('a grid has both ends, evenly along its axis', () => {
    const linear = { label: '', scale: 'linear', from: -1, to: 1 } as const;
    expect(gridOf(linear, 5)).toEqual([-1, -0.5, 0, 0.5, 1]);
    expect(gridOf(linear, 5, 3)).toEqual([-1, 0, 1]);
    const log = { label: '', scale: 'log', from: 1e-4, to: 1 } as const;
    const grid = gridOf(log, 5);
    expect(grid.at(-1)).toBe(1);
    grid.forEach((x, i) => {
      expect(Math.log10(x)).toBeCloseTo(i - 4, 12);
    });
  });
});

/** An engine that answers with epsilon itself, and counts. */
function counting(): { engine: Engine; asked: () => number } {
  let asked = 0;
  const answer = (query: Query): Promise<Answer> => {
    asked += 1;
    const value = within(query.epsilon ?? 0, query.epsilon ?? 0);
    return Promise.resolve({
      sampler: 'poisson',
      epsilon: value,
      delta: value,
      adjacency: 'zero-out',
      directions: { remove: value, add: value },
      method: '',
      methodCode: 'none',
      derived: { steps: 1 },
      assumptions: [],
      assumptionCodes: [],
      warnings: [],
      citations: [],
      work: { gridPoints: 0, milliseconds: 2 },
    });
  };
  return { engine: { answer } as unknown as Engine, asked: () => asked };
}

const run = { sampler: 'poisson', noiseMultiplier: 1, samplingProbability: 0.5, steps: 1 } as const;

const ask = (epsilon: unknown, read = 'delta'): PaperQuestion => ({
  ...{ call: 'answer', read, query: { question: 'delta', phases: [run], epsilon } },
});

const small: Exhibit = {
  id: 'small',
  paper: { citation: '', title: '', authors: '', url: '' },
  name: '',
  title: '',
  caption: '',
  panels: [
    {
      title: '',
      x: { label: 'ε', scale: 'linear', from: 0, to: 8 },
      y: { label: 'δ', scale: 'linear', from: 0, to: 8 },
      series: [
        { label: 'one', count: 9, ask: ask('x') },
        { label: 'same', count: 9, ask: ask('x', 'directions.remove') },
      ],
    },
  ],
  claims: [
    { what: 'three', relation: '=', printed: '3', ask: ask(3), expected: 'agree' },
    { what: 'four', relation: '=', printed: '5', ask: ask(4), expected: 'agree' },
  ],
};

describe('papers: a reproduction', () => {
  test('tells claims first, then every line a little before any in full', async () => {
    const { engine, asked } = counting();
    const seen: ExhibitState[] = [];
    const state = await reproduce(engine, small, {
      lanes: 1,
      onProgress: (progress) => seen.push(progress),
    });
    expect(state.done).toBe(true);
    expect(seen[1]?.claims.map(({ verdict }) => verdict)).toEqual(['agree', 'paper-wrong']);
    expect(seen[1]?.panels[0]?.every(({ line }) => line.length === 0)).toBe(true);
    expect(seen[5]?.panels[0]?.map(({ line }) => line.map(({ x }) => x))).toEqual([
      [0, 8],
      [0, 8],
    ]);
    const [one] = state.panels[0] ?? [];
    expect(one?.line.map(({ x, y }) => [x, y.lower])).toEqual(
      Array.from({ length: 9 }, (_, x) => [x, x]),
    );
    expect(one?.milliseconds).toBe(18);
    // Nine epsilons, among them both claims': no question is asked twice.
    expect(asked()).toBe(9);
    expect(unexpected(state).map(({ claim }) => claim.what)).toEqual(['four']);
  });

  test('a line that comes whole comes last, and is shown as it grows', async () => {
    const { engine, asked } = counting();
    const [panel] = small.panels;
    if (!panel) throw new Error('no panel');
    let askedBefore = 0;
    const samples: unknown[] = [];
    const monteCarlo = (
      query: MonteCarloQuery,
      { onProgress }: { onProgress: (state: unknown) => void },
    ) => {
      askedBefore = asked();
      samples.push(query.samples);
      const estimate = (lower: number, upper: number) => ({
        epsilon: 0,
        delta: within(lower, upper),
      });
      onProgress({ estimates: [estimate(0, 1)] });
      return Promise.resolve({ estimates: [estimate(0.5, 0.6)], work: { milliseconds: 7 } });
    };
    Object.assign(engine, { monteCarlo });
    const whole: Series = {
      ...{ label: 'whole', count: 2 },
      ask: { call: 'monteCarlo', query: { samples: 1000 }, read: '' },
    };
    const exhibit = { ...small, panels: [{ ...panel, series: [whole, ...panel.series] }] };
    const seen: (number | null | undefined)[] = [];
    const state = await reproduce(engine, exhibit, {
      lanes: 1,
      onProgress: ({ panels }) => seen.push(panels[0]?.[0]?.line[0]?.y.upper),
    });
    expect(askedBefore).toBe(9);
    expect(samples).toEqual([1000]);
    expect(seen.slice(-3)).toEqual([1, 0.6, 0.6]);
    expect(state.panels[0]?.[0]).toMatchObject({ milliseconds: 7, done: true });
  });

  test('no points leaves the lines out', async () => {
    const { engine, asked } = counting();
    const state = await reproduce(engine, small, { points: 0 });
    expect(asked()).toBe(2);
    expect(state.panels[0]?.every(({ line }) => line.length === 0)).toBe(true);
  });

  test('aborting rejects with the reason, and asks no more', async () => {
    const { engine, asked } = counting();
    const stop = new AbortController();
    let told = 0;
    const running = reproduce(engine, small, {
      signal: stop.signal,
      lanes: 1,
      onProgress: () => {
        told += 1;
        if (told === 3) stop.abort(new Error('left'));
      },
    });
    await expect(running).rejects.toThrow('left');
    expect(told).toBe(3);
    expect(asked()).toBeLessThan(9);
    await expect(
      reproduce(engine, small, { signal: AbortSignal.abort(new Error('gone')) }),
    ).rejects.toThrow('gone');
  });
});

describe('papers: the list', () => {
  test('every figure and table is there once', () => {
    const ids = exhibits.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const wanted = [
      ...[1, 2, 3, 4, 5, 6, 7].map((number) => `hp-fig${number}`),
      'he-conjecture',
      ...['ap-table1', 'ap-fig1', 'ap-fig2', 'ap-fig3', 'ap-fig4'],
      ...['bb-fig2', 'bb-appc', 'bb-fig3', 'bb-fig4'],
      ...['fd-table1', 'fd-table2', 'fd-fig1', 'fd-fig2', 'fd-fig3'],
    ];
    expect(ids).toEqual(wanted);
  });

  test('what differs has a reason, and what is printed can be read', () => {
    for (const { id, claims, panels, caption } of exhibits) {
      expect(caption, id).not.toBe('');
      expect(claims.length + panels.length, id).toBeGreaterThan(0);
      for (const { printed, expected, reason, what } of claims) {
        expect(() => readPrinted(printed), what).not.toThrow();
        if (!['agree', 'paper-looser'].includes(expected)) expect(reason, what).toBeTruthy();
      }
    }
  });
});

describe('papers: the engine', () => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await createEngine();
  });
  afterAll(() => {
    engine.close();
  });

  /** With samples that show a line is there, no more. */
  const briefly = (exhibit: Exhibit): Exhibit => {
    const brief = (one: Series): Series =>
      one.ask.call === 'monteCarlo'
        ? { ...one, ask: { ...one.ask, query: { ...one.ask.query, samples: 16 } } }
        : one;
    const panels = exhibit.panels.map((panel) => ({ ...panel, series: panel.series.map(brief) }));
    return { ...exhibit, panels };
  };

  const shown = ({ claim, value }: ClaimState) =>
    `${claim.what} ${claim.relation} ${claim.printed}: ${JSON.stringify(value)}`;

  test.each(exhibits.map((exhibit) => [exhibit.id, exhibit] as const))(
    '%s comes out as on record',
    async (_, exhibit) => {
      const state = await reproduce(engine, briefly(exhibit), { points: 2, lanes: 4 });
      expect(unexpected(state).map(shown)).toEqual([]);
      for (const { series, line, done } of state.panels.flat()) {
        expect(done, series.label).toBe(true);
        expect(line.length, series.label).toBeGreaterThan(1);
        for (const { y } of line) {
          expect(y.lower ?? 0).toBeLessThanOrEqual(y.upper ?? Infinity);
          expect(y.lower === null && y.upper === null, series.label).toBe(false);
        }
      }
    },
    120_000,
  );

  test('the counterexample’s attacks are proved above the static one, and the proofs have its numbers', async () => {
    const exhibit = exhibits.find(({ id }) => id === 'he-conjecture');
    if (!exhibit) throw new Error('no counterexample');
    const { claims } = await reproduce(engine, exhibit);
    const column = (name: string) => claims.filter(({ claim }) => claim.cell?.column === name);
    const attacks = column('this attack');
    expect(attacks.length).toBe(6);
    column('static attack').forEach(({ value: fixed }, row) => {
      expect(fixed?.kind).toBe('certified');
      expect(attacks[row]?.value?.lower).toBeGreaterThan(fixed?.upper ?? 1);
      expect(attacks[row]?.value?.upper).toBeLessThan(
        column('deterministic batches')[row]?.value?.upper ?? 0,
      );
    });
    const proofs = await readFile(new URL('../../web/docs/proofs.md', import.meta.url), 'utf8');
    for (const { claim } of [...attacks, ...column('static attack')])
      expect(proofs).toContain(claim.printed);
  });

  test('below zero the hockey stick is that of the pair turned round', async () => {
    // One step of full batches: the pair is its own mirror, and the Gaussian formula holds for any x.
    const whole: PaperQuestion = {
      ...{ call: 'answer', read: 'directions.add' },
      query: { question: 'delta', phases: [{ ...run, samplingProbability: 1 }], epsilon: 'x' },
    };
    const source = {
      engine,
      call: {},
      once: <Type>(_: unknown, make: () => Promise<Type>) => make(),
    };
    for (const [x, delta] of [
      [-0.5, 0.5380794],
      [-2, 0.8674964],
    ] as const) {
      const { value } = await findNumber(whole, source, x);
      expect(value.lower).toBeCloseTo(delta, 6);
      expect(value.upper).toBeCloseTo(delta, 6);
      expect(value.lower ?? 1).toBeLessThanOrEqual(value.upper ?? 0);
    }
  });
});
