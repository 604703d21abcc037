import { expect, test, vi } from 'vitest';
import { EngineError, QueryError, troubles } from '../../wasm/errors.js';
import { samplers } from '../../wasm/generated/schema.js';
import type { Phase, Query } from '../../wasm/generated/schema.js';
import { LiveAnswers } from '../../web/src/live/answers.js';
import { LiveCurves } from '../../web/src/live/curves.js';
import { fakeEngine, samplerOf } from './fake-engine.js';
import type { Call } from './fake-engine.js';

const phase = (noiseMultiplier: number): Phase => ({
  sampler: 'shuffle',
  noiseMultiplier,
  samplingProbability: 0.1,
  steps: 10,
});
const question = (noiseMultiplier: number): Query => ({
  question: 'compare',
  phases: [phase(noiseMultiplier)],
  delta: 1e-5,
});

const settle = () => new Promise((resolve) => setTimeout(resolve, 0));

/** All calls that are under way are answered with this epsilon. */
function answerAll({ calls }: { calls: Call[] }, epsilon: number): void {
  for (const call of calls) if (!call.settled) call.say(epsilon);
}

test('answers: each sampler’s answer shows as it comes, the reader’s own asked first', async () => {
  const engine = fakeEngine();
  const live = new LiveAnswers(engine, () => undefined);
  const asked = live.ask(question(1));
  await settle();
  expect(engine.calls.map(({ query }) => samplerOf(query))[0]).toBe('shuffle');
  expect(engine.calls).toHaveLength(samplers.length);
  engine.open('poisson').say(0.6);
  await settle();
  expect(live.state.working).toBe(true);
  expect([...live.state.fresh]).toEqual(['poisson']);
  answerAll(engine, 1);
  await asked;
  expect(live.state.working).toBe(false);
  expect(live.state.fresh.size).toBe(samplers.length);
});

test('answers: the last question wins, and the ones before are aborted', async () => {
  const engine = fakeEngine();
  const live = new LiveAnswers(engine, () => undefined);
  const asked = [];
  for (const noise of [1, 2, 3]) {
    asked.push(live.ask(question(noise)));
    await settle();
  }
  const noiseOf = ({ query }: Call) => (query.phases[0] as Phase).noiseMultiplier;
  for (const call of engine.calls) expect(call.signal?.aborted).toBe(noiseOf(call) !== 3);
  answerAll(engine, 3);
  await Promise.all(asked);
  expect(live.state.answers.get('poisson')?.epsilon.upper).toBe(3);
  expect(live.state.query).toEqual(question(3));
});

test('answers: old ones stay, but none of them counts as fresh', async () => {
  const engine = fakeEngine();
  const live = new LiveAnswers(engine, () => undefined);
  const first = live.ask(question(1));
  await settle();
  answerAll(engine, 1);
  await first;
  void live.ask(question(2));
  await settle();
  expect(live.state.answers.get('poisson')?.epsilon.upper).toBe(1);
  expect(live.state.fresh.has('poisson')).toBe(false);
  live.clear();
  expect(live.state.answers.size).toBe(0);
});

test('answers: changing only the reader’s own sampler asks nothing new', async () => {
  const engine = fakeEngine();
  const live = new LiveAnswers(engine, () => undefined);
  const asked = live.ask(question(1));
  await settle();
  const other: Query = { ...question(1), phases: [{ ...phase(1), sampler: 'poisson' }] };
  expect(live.holds(other)).toBe(true);
  expect(live.holds(question(2))).toBe(false);
  answerAll(engine, 1);
  await asked;
  expect(live.holds(other)).toBe(true);
  live.outdate();
  expect(live.holds(other)).toBe(false);
});

test('answers: a bad question names its field, and nothing is fresh', async () => {
  const engine = fakeEngine();
  const live = new LiveAnswers(engine, () => undefined);
  const asked = live.ask(question(-1));
  await settle();
  engine
    .open('shuffle')
    .fail(
      new QueryError({ code: 'out-of-domain', field: 'noiseMultiplier', text: 'must be above 0' }),
    );
  await asked;
  expect(live.state.trouble).toEqual({ field: 'noiseMultiplier', text: 'must be above 0' });
  expect(live.state.working).toBe(false);
  expect(live.state.fresh.size).toBe(0);
  // The others' work is of no use any more.
  expect(engine.calls.every(({ signal }) => signal?.aborted)).toBe(true);
});

test('answers: of several phases, the one that the engine names is to blame', async () => {
  const engine = fakeEngine();
  const live = new LiveAnswers(engine, () => undefined);
  const asked = live.ask({ ...question(1), phases: [phase(1), phase(-1)] });
  await settle();
  const issue = { code: 'out-of-domain', field: 'noiseMultiplier', text: 'got -1', entry: 1 };
  engine.open('shuffle').fail(new QueryError(issue));
  await asked;
  expect(live.state.trouble).toMatchObject({ field: 'noiseMultiplier', text: 'got -1', entry: 1 });
});

test('answers: what another sampler refuses leaves its row empty, with the reason', async () => {
  const engine = fakeEngine();
  const live = new LiveAnswers(engine, () => undefined);
  const asked = live.ask(question(1));
  await settle();
  engine
    .open('deterministic')
    .fail(new QueryError({ code: 'out-of-domain', field: 'epochs', text: 'too many' }));
  await settle();
  answerAll(engine, 1);
  await asked;
  expect(live.state.trouble).toBeUndefined();
  expect(live.state.refused.get('deterministic')).toBe('too many');
  expect(live.state.fresh.has('deterministic')).toBe(false);
  expect(live.state.fresh.size).toBe(samplers.length - 1);
});

test('answers: a row that no sampler but one can have says so', async () => {
  const engine = fakeEngine(true);
  const live = new LiveAnswers(engine, () => undefined);
  const phases: Phase[] = [{ ...phase(1), sampler: 'balls-and-bins', participations: 2 }];
  await live.ask({ ...question(1), question: 'epsilon', phases });
  expect([...live.state.fresh]).toEqual(['balls-and-bins']);
  expect(live.state.refused.get('poisson')).toContain('only balls-and-bins');
  expect(live.state.refused.size).toBe(samplers.length - 1);
});

const calibration: Query = {
  ...question(1),
  question: 'calibrate',
  solveFor: 'noise',
  epsilon: 2,
  phases: [{ sampler: 'shuffle', samplingProbability: 0.1, steps: 10 }],
};

test('answers: a value is found first, and every sampler asked at it', async () => {
  const engine = fakeEngine();
  const live = new LiveAnswers(engine, () => undefined);
  const asked = live.ask(calibration, 1e-5);
  await settle();
  expect(engine.calls.map(({ question }) => question)).toEqual(['calibrate']);
  expect(live.holds(calibration)).toBe(true);
  engine.calls[0]?.say(2, { field: 'noiseMultiplier', value: 1.5 });
  await settle();
  expect(live.state.found?.solution?.value).toBe(1.5);
  expect(live.state.query).toEqual(question(1.5));
  expect(engine.calls).toHaveLength(1 + samplers.length);
  for (const { query } of engine.calls.slice(1)) {
    expect(query).toMatchObject({
      question: 'epsilon',
      delta: 1e-5,
      phases: [{ noiseMultiplier: 1.5 }],
    });
    expect(query.epsilon).toBeUndefined();
    expect(query.solveFor).toBeUndefined();
  }
  answerAll(engine, 2);
  await asked;
  expect(live.state.working).toBe(false);
  void live.ask(question(2));
  expect(live.state.found).toBeUndefined();
});

test('answers: a value that is found too late is dropped', async () => {
  const engine = fakeEngine();
  const live = new LiveAnswers(engine, () => undefined);
  const old = live.ask(calibration);
  const next = live.ask(question(3));
  await old;
  await settle();
  expect(live.state.found).toBeUndefined();
  answerAll(engine, 3);
  await next;
  expect(live.state.query).toEqual(question(3));
});

test('answers: mixed phases have a row of their own', async () => {
  const engine = fakeEngine();
  const live = new LiveAnswers(engine, () => undefined);
  const mixed: Query = { ...question(1), phases: [phase(1), { ...phase(2), sampler: 'poisson' }] };
  const asked = live.ask(mixed);
  await settle();
  engine.open('composition').say(5);
  answerAll(engine, 1);
  await asked;
  expect(live.state.answers.get('composition')?.epsilon.upper).toBe(5);
  expect(live.state.answers.size).toBe(samplers.length + 1);
  // The row goes with the phases.
  const single = live.ask(question(1));
  await settle();
  expect(live.state.answers.has('composition')).toBe(false);
  answerAll(engine, 1);
  await single;
});

test('curves: the coarse curve is there before the fine one, ends included', async () => {
  const engine = fakeEngine(true);
  const sizes: number[] = [];
  const live = new LiveCurves(engine, () => {
    const points = live.state.curves.get('poisson')?.points;
    if (points) sizes.push(points.length);
  });
  await live.draw(question(1), 1e-9);
  expect(sizes[0]).toBe(5);
  const curve = live.state.curves.get('poisson');
  expect(curve?.done).toBe(true);
  expect(curve?.points).toHaveLength(33);
  const epsilons = curve?.points.map(({ x }) => x) ?? [];
  expect(epsilons).toEqual([...epsilons].sort((a, b) => a - b));
  expect(epsilons[0]).toBe(0);
  expect(epsilons.at(-1)).toBeCloseTo(9 * Math.LN10);
  expect(new Set(epsilons).size).toBe(33);
});

test('curves: the same run is not drawn twice', async () => {
  const engine = fakeEngine(true);
  const live = new LiveCurves(engine, () => undefined);
  await live.draw(question(1), 1e-9);
  const calls = engine.calls.length;
  const other: Query = {
    ...question(1),
    delta: 1e-6,
    phases: [{ ...phase(1), sampler: 'poisson' }],
  };
  await live.draw(other, 1e-9);
  expect(engine.calls).toHaveLength(calls);
});

test('curves: a run that changed stops the old drawing, and its points never mix in', async () => {
  vi.useFakeTimers();
  try {
    const engine = fakeEngine();
    const live = new LiveCurves(engine, () => undefined);
    const old = live.draw(question(1), 1e-9);
    expect(engine.calls).toHaveLength(samplers.length);
    const next = live.draw(question(2), 1e-9);
    // What is short may end by itself; what is not is aborted soon.
    expect(engine.calls[0]?.signal?.aborted).toBe(false);
    vi.advanceTimersByTime(1000);
    expect(engine.calls[0]?.signal?.aborted).toBe(true);
    await old;
    expect(live.state.curves.size).toBe(0);
    expect(live.state.run?.phases).toEqual([phase(2)]);
    live.clear();
    vi.advanceTimersByTime(1000);
    await next;
  } finally {
    vi.useRealTimers();
  }
});

test('curves: each has one call under way, in the background, so that answers need not queue', async () => {
  const engine = fakeEngine();
  const live = new LiveCurves(engine, () => undefined);
  void live.draw(question(1), 1e-9);
  for (let round = 0; round < 40; ++round) {
    const open = engine.calls.filter(({ settled }) => !settled);
    expect(open.length).toBeLessThanOrEqual(samplers.length);
    expect(open.every(({ background }) => background)).toBe(true);
    open[0]?.finish();
    await settle();
  }
  expect(engine.calls.length).toBeGreaterThan(30);
});

test('curves: what is under way when they fade is drawn as old, until the next are drawn', async () => {
  const engine = fakeEngine();
  const live = new LiveCurves(engine, () => undefined);
  // The fake engine asks a curve's points one after the other.
  const finishAll = async () => {
    while (engine.calls.some(({ settled }) => !settled)) {
      for (const call of engine.calls.filter(({ settled }) => !settled)) call.finish();
      await settle();
    }
  };
  void live.draw(question(1), 1e-9);
  await settle();
  expect(live.coarsening).toBe(true);
  live.fade();
  expect(live.fits(question(1))).toBe(false);
  await finishAll();
  expect(live.coarsening).toBe(false);
  const { curves } = live.state;
  expect(curves.size).toBe(samplers.length);
  expect([...curves.values()].every(({ stale }) => stale)).toBe(true);
  void live.draw(question(2), 1e-9);
  await finishAll();
  expect([...live.state.curves.values()].every(({ stale }) => !stale)).toBe(true);
  live.clear();
});

test('curves: what is left out is not computed until it is wanted, and then kept', async () => {
  const engine = fakeEngine(true);
  const live = new LiveCurves(engine, () => undefined);
  const leftOut = samplers.map(({ name }) => name).filter((name) => name !== 'shuffle');
  const askedAbout = () => [...new Set(engine.calls.map(({ query }) => samplerOf(query)))];
  await live.draw(question(1), 1e-9, { leftOut });
  expect(askedAbout()).toEqual(['shuffle']);
  expect([...live.state.curves.keys()]).toEqual(['shuffle']);
  const { run } = live.state;

  await live.draw(question(1), 1e-9, { leftOut: leftOut.slice(1) });
  const [ticked = 'shuffle'] = leftOut;
  expect(askedAbout()).toEqual(['shuffle', ticked]);
  expect(live.state.curves.get(ticked)?.done).toBe(true);
  expect(live.state.run).toBe(run);

  const calls = engine.calls.length;
  await live.draw(question(1), 1e-9, { leftOut });
  expect([...live.state.curves.keys()]).toEqual(['shuffle']);
  await live.draw(question(1), 1e-9, { leftOut: leftOut.slice(1) });
  expect(live.state.curves.size).toBe(2);
  expect(engine.calls).toHaveLength(calls);
});

test('curves: one that is left out while it is under way is stopped', async () => {
  vi.useFakeTimers();
  try {
    const engine = fakeEngine();
    const live = new LiveCurves(engine, () => undefined);
    const all = live.draw(question(1), 1e-9);
    const rest = live.draw(question(1), 1e-9, { leftOut: ['poisson'] });
    vi.advanceTimersByTime(1000);
    const aborted = engine.calls.filter(({ signal }) => signal?.aborted);
    expect(aborted.map(({ query }) => samplerOf(query))).toEqual(['poisson']);
    live.clear();
    vi.advanceTimersByTime(1000);
    await Promise.all([all, rest]);
  } finally {
    vi.useRealTimers();
  }
});

const overNoise = { kind: 'epsilon-noise' } as const;

test('curves: over noise they do not follow the run’s own noise, until it leaves the axis', async () => {
  const engine = fakeEngine(true);
  const live = new LiveCurves(engine, () => undefined);
  await live.draw(question(1), 1e-9, overNoise);
  expect(live.state.range).toEqual([0.25, 4]);
  expect(live.state.field).toBe('noiseMultiplier');
  const calls = engine.calls.length;
  await live.draw(question(3), 1e-9, overNoise);
  expect(engine.calls).toHaveLength(calls);
  expect(live.fits(question(3), overNoise)).toBe(true);
  await live.draw(question(5), 1e-9, overNoise);
  expect(live.state.range).toEqual([1.25, 20]);
  expect(engine.calls.length).toBeGreaterThan(calls);
});

test('curves: what was drawn before is there at once', async () => {
  const engine = fakeEngine(true);
  const live = new LiveCurves(engine, () => undefined);
  await live.draw(question(1), 1e-9);
  await live.draw(question(1), 1e-9, overNoise);
  expect([...live.state.curves.values()].every(({ points }) => points[0]?.x === 0.25)).toBe(true);
  const calls = engine.calls.length;
  await live.draw(question(1), 1e-9);
  expect(engine.calls).toHaveLength(calls);
  expect(live.state.working).toBe(false);
  expect(live.state.curves.get('poisson')?.points).toHaveLength(33);
});

test('curves: one that never meets the floor is drawn as far as it falls', async () => {
  const engine = fakeEngine();
  const live = new LiveCurves(engine, () => undefined);
  const drawing = live.draw(question(1), 1e-9);
  for (let round = 0; round < 2000; ++round) {
    const call = engine.calls.find(({ settled }) => !settled);
    if (!call) break;
    const { delta = 1 } = call.query;
    if (call.question === 'epsilon' && delta < 1e-6) call.sayNothing();
    else call.finish();
    await settle();
  }
  await drawing;
  const points = live.state.curves.get('poisson')?.points ?? [];
  expect(points).toHaveLength(33);
  // The floor is raised by steps of 30 until epsilon is finite.
  expect(points.at(-1)?.x).toBeCloseTo(1.25 * -Math.log(1e-9 * 30 ** 3));
});

test('answers: a row whose computation fails costs no other row, and says why in our words', async () => {
  const engine = fakeEngine();
  const live = new LiveAnswers(engine, () => undefined);
  const asked = live.ask(question(1));
  await settle();
  engine.open('balls-and-bins').fail(new EngineError('worker-failed', troubles.computation));
  engine.open('poisson').fail(new RangeError('Maximum call stack size exceeded'));
  await settle();
  answerAll(engine, 1);
  await asked;
  expect(live.state.fresh.size).toBe(samplers.length - 2);
  expect(live.state.refused.get('balls-and-bins')).toBe(troubles.computation);
  expect(live.state.refused.get('poisson')).toBe(troubles.unexpected);
  expect(live.state).toMatchObject({ working: false, trouble: undefined });
});

test('answers: where the reader’s own row fails, the others stand, and it is asked again', async () => {
  const engine = fakeEngine();
  const live = new LiveAnswers(engine, () => undefined);
  const asked = live.ask(question(1));
  await settle();
  engine.open('shuffle').fail(new EngineError('worker-failed', troubles.death));
  await settle();
  answerAll(engine, 1);
  await asked;
  expect(live.state.fresh.size).toBe(samplers.length - 1);
  expect(live.state.trouble).toEqual({ field: undefined, text: troubles.death });
  expect(live.state.working).toBe(false);
  expect(live.holds(question(1))).toBe(false);
});

test('answers: without an engine no row is answered', async () => {
  const engine = fakeEngine();
  const live = new LiveAnswers(engine, () => undefined);
  const asked = live.ask(question(1));
  await settle();
  engine.open('poisson').fail(new EngineError('closed', 'The engine was closed.'));
  await asked;
  expect(live.state.fresh.size).toBe(0);
  expect(live.state.trouble?.text).toBe('The engine was closed.');
});
