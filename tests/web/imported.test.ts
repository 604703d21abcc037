import { expect, test } from 'vitest';
import { samplers } from '../../wasm/generated/schema.js';
import type { Phase, Query, SamplerName } from '../../wasm/generated/schema.js';
import { queryOf, readRun } from '../../wasm/import/index.js';
import type { ImportedRun } from '../../wasm/import/index.js';
import { hasMatrix } from '../../wasm/words/trainer.js';
import { drawnBy, isPhase } from '../../wasm/words/samplers.js';
import { ableFor, scenarioFrom, unfillable } from '../../web/src/state/imported.js';
import { readScenario } from '../../web/src/state/question.js';
import { defaultPhase, defaultScenario } from '../../web/src/state/scenario.js';
import { parts } from '../wasm/import/golden.js';

const runOf = (text: string) => readRun(text) as ImportedRun;

test('the form asks what the command asks, for every sampler', () => {
  const texts = [
    'sigma = 1.1, batch size 256, 60 epochs, n = 60,000, delta = 1e-6',
    '{"history": [[1.1, 0.01, 100], [0.9, 0.01, 50]], "delta": 1e-6}',
    'n=1000\nper_device_batch_size=11\nepochs=3\nsigma=2\ndelta=1e-6\ndrop_last=true\nworld_size=7',
    'n=1000\nb=10\nsteps=305\nsigma=2\ndelta=1e-6',
    'num_clients=1000\nclients_per_round=10\nrounds=300\nlocal_epochs=2\nsigma=2\ndelta=1e-6',
    'n=1000\nb=10\nsteps=305\nsum_stddev=2\nclip_norm=3\ndelta=1e-6',
  ];
  for (const text of texts) {
    for (const { name } of samplers) {
      const reading = readScenario(scenarioFrom(runOf(text), name, defaultScenario));
      const { phases, delta } = queryOf(runOf(text), name);
      expect('query' in reading && reading.query).toMatchObject({ phases, delta });
    }
  }
});

/** Shares of the data and steps, however they are stated; what else is said, as it is. */
function toldAlike({ phases, tuning, runs, eta, solveFor, epsilon }: Query): unknown {
  const told = (phase: Phase) => {
    const { datasetSize: n, batchSize: b, stepsPerEpoch, epochs, steps, ...more } = phase;
    const { samplingProbability, accumulationSteps = 1, devices = 1, dropLast, ...rest } = more;
    const isSized = b !== undefined && n !== undefined;
    const share = isSized ? (b * accumulationSteps * devices) / n : NaN;
    // A batch is drawn from its group alone.
    const group = hasMatrix(phase) ? 1 : (rest.bands ?? 1);
    const q = isSized
      ? (share * n) / Math.floor(n / group)
      : (samplingProbability ?? 1 / (stepsPerEpoch ?? NaN));
    // An epoch has whole batches, of which the last is short or dropped.
    const batches = isSized
      ? dropLast
        ? Math.floor(1 / share)
        : Math.ceil(1 / share - 1e-9)
      : 1 / q;
    const length = steps ?? Math.ceil((epochs ?? NaN) * batches - 1e-9);
    return { ...rest, q: q.toPrecision(12), length };
  };
  const entries = phases.map((entry) => (isPhase(entry) ? told(entry) : entry));
  return { entries, asked: [tuning, runs, eta, solveFor, epsilon] };
}

test('whatever text is read whole, the form asks what the command asks', () => {
  let count = 0;
  const texts = parts.flatMap(({ base, texts: after }) => after.map(({ text }) => base + text));
  for (const text of texts) {
    const run = readRun(text);
    if ('wrong' in run || run.ambiguous.length + run.missing.length > 0 || unfillable(run))
      continue;
    for (const { name } of ableFor(run)) {
      const reading = readScenario(scenarioFrom(run, name, defaultScenario));
      if (!('query' in reading)) throw new Error(`${text}: ${[...reading.problems].join()}`);
      const asked = toldAlike(drawnBy(queryOf(run, name), name));
      expect(toldAlike(reading.query), text).toEqual(asked);
      ++count;
    }
  }
  expect(count).toBeGreaterThan(700);
});

test('a run of bands is offered the samplers that have a theorem for it, and no others', () => {
  const able = (text: string) => ableFor(runOf(text)).map(({ name }) => name);
  const text = 'q=0.1\nsteps=30\nsigma=2\n';
  expect(able(text)).toEqual(samplers.map(({ name }) => name));
  expect(able(`${text}bands=4`)).toEqual(['poisson']);
  expect(able('RandomAllocationDpEvent(GaussianDpEvent(2.0), 2, 100)')).toEqual(['balls-and-bins']);
});

test('a cap, bands, replacement and repeated use reach the form beside sizes and steps', () => {
  const of = (text: string, sampler: SamplerName) => {
    const reading = readScenario(scenarioFrom(runOf(text), sampler, defaultScenario));
    return 'query' in reading ? reading.query.phases[0] : reading.problems;
  };
  const text = 'n=1000\nb=10\nsteps=305\nsigma=2\n';
  const sizes = { datasetSize: 1000, batchSize: 10, steps: 305, noiseMultiplier: 2 };
  expect(of(`${text}max_batch_size=20`, 'poisson')).toMatchObject({ ...sizes, maxBatchSize: 20 });
  expect(of(`${text}bands=4`, 'poisson')).toMatchObject({ ...sizes, bands: 4 });
  expect(of(`${text}replacement=true`, 'without-replacement')).toMatchObject({
    ...{ ...sizes, replacement: true },
  });
  const event =
    'RandomAllocationDpEvent(event=GaussianDpEvent(2.0), num_selected=2, num_steps=100)';
  expect(of(event, 'balls-and-bins')).toMatchObject({
    ...{ samplingProbability: 0.01, steps: 100, participations: 2 },
  });
});

test('a cap beside a share of the data fills the form where the batch is whole, and nothing where it is not', () => {
  const run = (q: string) => runOf(`n=1000\nq=${q}\nsteps=100\nsigma=2\nmax_batch_size=20`);
  const reading = readScenario(scenarioFrom(run('0.01'), 'poisson', defaultScenario));
  expect('query' in reading && reading.query.phases).toMatchObject([
    { datasetSize: 1000, batchSize: 10, steps: 100, maxBatchSize: 20 },
  ]);
  expect(unfillable(run('0.01'))).toBeUndefined();
  expect(unfillable(run('0.0123'))).toMatch(/maximum batch size/);
});

const defaultTexts = defaultPhase.texts;

test('epochs beside a probability, and beside steps, are steps of the form', () => {
  const of = (text: string) => scenarioFrom(runOf(text), 'poisson', defaultScenario).entries[0];
  expect(of('q=0.03\nepochs=4\nsigma=2')).toMatchObject({
    ...{ schedule: 'steps', texts: { samplingProbability: '0.03', steps: '134' } },
  });
  // 33 batches of 30 in an epoch of 1,000: the last ten records are dropped.
  expect(of('n=1000\nb=30\nepochs=4\nsteps=132\nsigma=2')).toMatchObject({
    ...{ schedule: 'counts', texts: { dropLast: 'true' } },
  });
  expect(of('n=1000\nb=30\nepochs=4\nsteps=136\nsigma=2')).toMatchObject({
    ...{ schedule: 'counts', texts: { dropLast: 'false' } },
  });
  // A length alone, the steps of an epoch, and epochs of which nothing else is known.
  for (const [text, schedule, samplingProbability, steps] of [
    ['steps=100\nsigma=2', 'steps', '', '100'],
    ['steps_per_epoch=50\nepochs=2\nsigma=2', 'steps', '1/50', '100'],
    ['epochs=2\nsigma=2', 'counts', defaultTexts.samplingProbability, defaultTexts.steps],
  ] as const)
    expect(of(text), text).toMatchObject({ schedule, texts: { samplingProbability, steps } });
});

test('releases stand beside the phases, which the form shows first', () => {
  const text =
    'ComposedDpEvent([ZCDpEvent(0.1), GaussianDpEvent(2.0), EpsilonDeltaDpEvent(1, 1e-7)])';
  const { entries, open } = scenarioFrom(runOf(text), 'poisson', defaultScenario);
  expect(entries.map((entry) => (entry.kind === 'phase' ? entry.sampler : entry.by))).toEqual([
    'rho',
    'poisson',
    'epsilon',
  ]);
  expect(open).toBe(1);
});

test('what is not said stays empty, delta as it was; a target alone is solved for', () => {
  const before = { ...defaultScenario, texts: { ...defaultScenario.texts, delta: '3e-7' } };
  const args = scenarioFrom(
    runOf('{"per_device_train_batch_size": 8, "num_train_epochs": 3}'),
    'shuffle',
    before,
  );
  expect(args.entries[0]?.texts).toMatchObject({
    ...{ datasetSize: '', noiseMultiplier: '', batchSize: '8', epochs: '3' },
  });
  expect(args.texts.delta).toBe('3e-7');
  const reading = readScenario(args);
  expect('problems' in reading && [...reading.problems.keys()]).toEqual([
    'datasetSize',
    'noiseMultiplier',
  ]);
  const plan = scenarioFrom(runOf('q = 0.1, 10 steps, ε = 2'), 'poisson', before);
  expect(plan).toMatchObject({ find: 'noise', texts: { epsilon: '2', reported: '' } });
  const told = scenarioFrom(runOf('σ = 1, q = 0.1, 10 steps, ε = 2'), 'poisson', before);
  expect(told).toMatchObject({ find: 'epsilon', texts: { reported: '2' } });
});
