import { expect, test, vi } from 'vitest';
import { QueryError } from '../../wasm/errors.js';
import type { Query } from '../../wasm/generated/schema.js';
import { LiveAnswers } from '../../web/src/live/answers.js';
import { LiveCurves } from '../../web/src/live/curves.js';
import { fakeEngine } from './fake-engine.js';

const question = (noiseMultiplier: number): Query => ({
  question: 'compare',
  phases: [{ sampler: 'shuffle', noiseMultiplier, samplingProbability: 0.1, steps: 10 }],
  delta: 1e-5,
});

const settle = () => new Promise((resolve) => setTimeout(resolve, 0));

test('answers: each sampler’s answer shows as it comes', async () => {
  const engine = fakeEngine();
  const live = new LiveAnswers(engine, () => undefined);
  const asked = live.ask(question(1));
  engine.calls[0]?.say('poisson', 0.6);
  expect(live.state.working).toBe(true);
  expect([...live.state.fresh]).toEqual(['poisson']);
  engine.calls[0]?.finish();
  await asked;
  expect(live.state.working).toBe(false);
});

test('answers: the last question wins, and the ones before are aborted', async () => {
  const engine = fakeEngine();
  const live = new LiveAnswers(engine, () => undefined);
  const asked = [1, 2, 3].map((noise) => live.ask(question(noise)));
  const [first, second, third] = engine.calls;
  expect([first?.signal?.aborted, second?.signal?.aborted, third?.signal?.aborted]).toEqual([
    true,
    true,
    false,
  ]);
  // An answer that was already on its way must not show.
  first?.say('poisson', 111);
  expect(live.state.fresh.size).toBe(0);
  third?.say('poisson', 3);
  third?.finish();
  await Promise.all(asked);
  expect(live.state.answers.get('poisson')?.epsilon.upper).toBe(3);
  expect(live.state.query).toEqual(question(3));
});

test('answers: old ones stay, but none of them counts as fresh', async () => {
  const engine = fakeEngine();
  const live = new LiveAnswers(engine, () => undefined);
  const first = live.ask(question(1));
  engine.calls[0]?.say('poisson', 1);
  engine.calls[0]?.finish();
  await first;
  void live.ask(question(2)).catch(() => undefined);
  expect(live.state.answers.get('poisson')?.epsilon.upper).toBe(1);
  expect(live.state.fresh.has('poisson')).toBe(false);
  live.clear();
  expect(live.state.answers.size).toBe(0);
});

test('answers: changing only the reader’s own sampler asks nothing new', async () => {
  const engine = fakeEngine();
  const live = new LiveAnswers(engine, () => undefined);
  const asked = live.ask(question(1));
  const other: Query = {
    ...question(1),
    phases: [{ ...question(1).phases[0], sampler: 'poisson' }],
  };
  expect(live.holds(other)).toBe(true);
  expect(live.holds(question(2))).toBe(false);
  engine.calls[0]?.say('poisson', 1);
  engine.calls[0]?.finish();
  await asked;
  expect(live.holds(other)).toBe(true);
  live.outdate();
  expect(live.holds(other)).toBe(false);
});

test('answers: a bad question names its field, and nothing is fresh', async () => {
  const engine = fakeEngine();
  const live = new LiveAnswers(engine, () => undefined);
  const asked = live.ask(question(-1));
  engine.calls[0]?.fail(
    new QueryError({ code: 'out-of-domain', field: 'noiseMultiplier', text: 'must be above 0' }),
  );
  await asked;
  expect(live.state.trouble).toEqual({ field: 'noiseMultiplier', text: 'must be above 0' });
  expect(live.state.working).toBe(false);
  expect(live.state.fresh.size).toBe(0);
});

test('curves: the coarse curve is there before the fine one, ends included', async () => {
  const engine = fakeEngine(true);
  const sizes: number[] = [];
  const live = new LiveCurves(engine, () => {
    const points = live.state.curves.get('poisson')?.points;
    if (points) sizes.push(points.length);
  });
  await live.draw(question(1).phases[0] ?? {}, ['poisson', 'shuffle'], 1e-9);
  expect(sizes[0]).toBe(5);
  const curve = live.state.curves.get('poisson');
  expect(curve?.done).toBe(true);
  expect(curve?.points).toHaveLength(33);
  const epsilons = curve?.points.map(({ epsilon }) => epsilon) ?? [];
  expect(epsilons).toEqual([...epsilons].sort((a, b) => a - b));
  expect(epsilons[0]).toBe(0);
  expect(epsilons.at(-1)).toBeCloseTo(9 * Math.LN10);
  expect(new Set(epsilons).size).toBe(33);
});

test('curves: the same run is not drawn twice', async () => {
  const engine = fakeEngine(true);
  const live = new LiveCurves(engine, () => undefined);
  const phase = question(1).phases[0] ?? {};
  await live.draw(phase, ['poisson'], 1e-9);
  const calls = engine.calls.length;
  await live.draw({ ...phase, sampler: 'poisson' }, ['poisson'], 1e-9);
  expect(engine.calls).toHaveLength(calls);
});

test('curves: a run that changed stops the old drawing, and its points never mix in', async () => {
  vi.useFakeTimers();
  try {
    const engine = fakeEngine();
    const live = new LiveCurves(engine, () => undefined);
    const old = live.draw(question(1).phases[0] ?? {}, ['poisson', 'shuffle'], 1e-9);
    expect(engine.calls).toHaveLength(2);
    const next = live.draw(question(2).phases[0] ?? {}, ['poisson'], 1e-9);
    // What is short may end by itself; what is not is aborted soon.
    expect(engine.calls[0]?.signal?.aborted).toBe(false);
    vi.advanceTimersByTime(1000);
    expect(engine.calls[0]?.signal?.aborted).toBe(true);
    await old;
    expect(live.state.curves.size).toBe(0);
    expect(live.state.phase?.noiseMultiplier).toBe(2);
    live.clear();
    vi.advanceTimersByTime(1000);
    await next;
  } finally {
    vi.useRealTimers();
  }
});

test('curves: few calls are under way at once, so that answers need not queue', async () => {
  const engine = fakeEngine();
  const live = new LiveCurves(engine, () => undefined);
  void live.draw(
    question(1).phases[0] ?? {},
    ['deterministic', 'shuffle', 'balls-and-bins', 'poisson', 'without-replacement'],
    1e-9,
  );
  for (let round = 0; round < 40; ++round) {
    const open = engine.calls.filter(({ settled }) => !settled);
    expect(open.length).toBeLessThanOrEqual(2);
    open[0]?.finish();
    await settle();
  }
  expect(engine.calls.length).toBeGreaterThan(30);
});

test('curves: the cross-hair’s reading is asked once a place', async () => {
  const engine = fakeEngine(true);
  const live = new LiveCurves(engine, () => undefined);
  expect(live.read('poisson', 1)).toBeUndefined();
  await live.draw(question(1).phases[0] ?? {}, ['poisson'], 1e-9);
  const calls = engine.calls.length;
  const readings = [live.read('poisson', 1.5), live.read('poisson', 1.5)];
  expect((await readings[0])?.upper).toBeCloseTo(Math.exp(-1.5));
  expect(engine.calls).toHaveLength(calls + 1);
});
