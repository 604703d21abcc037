import { expect, test } from 'vitest';
import { EngineError, troubles } from '../../wasm/errors.js';
import type { Engine } from '../../wasm/client.js';
import type { MonteCarloPlan } from '../../wasm/generated/schema.js';
import { emptyTally } from '../../wasm/tally.js';
import type { Tally } from '../../wasm/tally-shape.js';
import { LiveSampling, resumes } from '../../web/src/live/sampling.js';
import { fakeEngine } from './fake-engine.js';

const run = { phases: [{ sampler: 'poisson' as const, noiseMultiplier: 1, stepsPerEpoch: 10 }] };
const sampled = { query: { ...run.phases[0], epsilons: [1, 2] }, run, delta: 1e-5 };

const plan: MonteCarloPlan = {
  ...{ query: sampled.query, seed: 1, samples: 10, samplesPerChunk: 1, chunks: 10, sums: 2 },
  ...{ confidence: 0.999, simultaneous: false, adjacency: 'zero-out' },
  ...{ orders: [], assumptions: [], assumptionCodes: [], warnings: [], citations: [] },
};
const tally: Tally = emptyTally(plan);

/** An engine whose sampling runs until it is stopped or fails, and what it was asked to go on from. */
function samplingEngine() {
  const fake = fakeEngine();
  const resumed: (Tally | undefined)[] = [];
  let fail: (error: Error) => void = () => undefined;
  const monteCarlo: Engine['monteCarlo'] = (_query, options = {}) => {
    resumed.push(options.resume);
    options.onProgress?.({
      ...{ samples: 5, of: 10, samplesPerSecond: 1, secondsLeft: 5, estimates: [], tally },
    });
    return new Promise((_resolve, reject) => {
      fail = reject;
      options.signal?.addEventListener('abort', () => reject(new Error('aborted')));
    });
  };
  return { engine: { ...fake, monteCarlo }, fake, resumed, fail: (error: Error) => fail(error) };
}

const settle = () => new Promise((resolve) => setTimeout(resolve));

test('sampling: a run that failed goes on from what was finished', async () => {
  const { engine, resumed, fail } = samplingEngine();
  const live = new LiveSampling(engine, () => undefined);
  void live.start(sampled);
  await settle();
  fail(new EngineError('worker-failed', troubles.death));
  await settle();
  expect(live.state).toMatchObject({
    phase: 'failed',
    trouble: troubles.death,
  });
  expect(resumes(live.state)).toBe(true);
  void live.resume();
  await settle();
  expect(live.state.phase).toBe('running');
  expect(resumed).toEqual([undefined, tally]);
});

test('sampling: what a pause left unproved is proved when the run goes on', async () => {
  const { engine, fake } = samplingEngine();
  const live = new LiveSampling(engine, () => undefined);
  void live.start(sampled);
  await settle();
  fake.calls[0]?.finish();
  await settle();
  live.pause();
  await settle();
  expect([...live.state.proved.keys()]).toEqual([1]);
  void live.resume();
  await settle();
  fake.calls.at(-1)?.finish();
  await settle();
  expect([...live.state.proved.keys()]).toEqual([1, 2]);
  // What is proved already is not asked again.
  expect(fake.calls.map(({ query }) => query.epsilon)).toEqual([1, 2, 2]);
});
