import { describe, expect, test } from 'vitest';
import { samplers } from '../../../wasm/generated/schema.js';
import { importRun } from '../../../wasm/import-run.js';
import { queryOf, readRun } from '../../../wasm/import/index.js';
import type { Choices, ImportedRun } from '../../../wasm/import/index.js';

/** A run, which the text must be. */
function runOf(text: string, choices?: Choices): ImportedRun {
  const run = readRun(text, choices);
  if ('wrong' in run) throw new Error(run.wrong.join(' '));
  return run;
}

const phaseOf = (text: string, choices?: Choices) =>
  queryOf(runOf(text, choices), undefined).phases[0];
const missingOf = (text: string) => runOf(text).missing.map(({ field }) => field);
const dangersOf = (text: string) =>
  runOf(text)
    .dangerous.map(({ quote }) => quote)
    .join(' ; ');
const readingsOf = (text: string) => runOf(text).ambiguous.map(({ readings }) => readings);
const refusal = (text: string) => {
  const run = readRun(text);
  return 'wrong' in run ? run.wrong.join(' ') : 'a run';
};

const counts = 'n = 60000\nbatch_size = 256\nepochs = 10\nsigma = 1.1\n';
const mnist = { datasetSize: 60000, batchSize: 256, epochs: 10, noiseMultiplier: 1.1 };

describe('import: formulas are computed whole or not at all', () => {
  test.each([
    ['delta = 0.9/len(dataset)', 0.9 / 60000],
    ['delta = 0.5/n', 0.5 / 60000],
    ['delta = 1/n', 1 / 60000],
    ['delta = 1 / (2 * n)', 1 / 120000],
    ['delta = 1 / n**1.1', 1 / 60000 ** 1.1],
    ['delta = n ** -1.1', 60000 ** -1.1],
    ['delta = 1e-1 * 1e-4', 1e-5],
    ['delta = 1 / len(test_set)', undefined],
    ['delta = 1 / m', undefined],
    ['delta = f(n)', undefined],
    ['delta = 1e-5 if private else 1', undefined],
    ['delta = 1 // n', undefined],
  ])('%s', (line, delta) => {
    const { phases, delta: read } = queryOf(runOf(`${counts}${line}`), undefined);
    expect(phases).toEqual([mnist]);
    if (delta === undefined) expect(read).toBeUndefined();
    else expect(read).toBeCloseTo(delta, 15);
  });

  test.each([
    ['δ = 1/n', 1 / 60000],
    ['δ = 1/(2n)', 1 / 120000],
    ['δ = 1/N^1.1', 1 / 60000 ** 1.1],
    [String.raw`$\delta = n^{-1.1}$`, 60000 ** -1.1],
    ['delta of 0.5/n', 0.5 / 60000],
  ])('in words: %s', (words, delta) => {
    const text = `We use n = 60,000, batch size 256, 10 epochs, σ = 1.1 and ${words}.`;
    expect(queryOf(runOf(text), undefined).delta).toBeCloseTo(delta, 15);
  });

  test.each([
    ['q = 0.0043', []],
    ['q = 0.004352', ['Sampling probability 0.004352', 'Batch size 256']],
    ['q = 0.00448', ['Sampling probability 0.00448', 'Batch size 256']],
    ['steps = 2340', []],
    ['steps = 2350', []],
    ['steps = 2397', ['Steps 2,397', 'Epochs 10']],
    ['steps = 2461', ['Steps 2,461', 'Epochs 10']],
  ])('beside its sizes, 234.4 batches an epoch, %s leaves open %j', (line, readings) => {
    expect(readingsOf(`${counts}${line}`).flat()).toEqual(readings);
  });

  test('a sampling rate over a loader is refused by name', () => {
    const text = 'sample_rate = 1/len(loader)\nsteps = 100\nsigma = 1';
    expect(phaseOf(text)).toEqual({ steps: 100, noiseMultiplier: 1 });
    expect(runOf(text).missing[0]?.words).toContain('1/len(loader)');
    expect(phaseOf(`${counts}sample_rate = 1/len(loader)`)).toEqual(mnist);
  });

  test('names are followed where they have one value', () => {
    expect(phaseOf('base = 0.55\nsigma = 2 * base\nq = 0.01\nsteps = 10')).toMatchObject({
      noiseMultiplier: 1.1,
    });
    expect(missingOf('base = 0.5\nbase = 1\nsigma = 2 * base\nq = 0.01\nsteps = 10')).toEqual([
      'noiseMultiplier',
    ]);
    expect(missingOf('a = b\nb = a\nsigma = a\nq = 0.01\nsteps = 10')).toEqual(['noiseMultiplier']);
  });
});

describe('import: no phrase spans a line', () => {
  test.each([
    'print("start")\n',
    '@decorator\ndef f():\n    pass\n',
    'num_workers = 4\n',
    'seed = 3\n',
    '# 4 epochs\n',
    '"""5 epochs"""\n',
  ])('a foreign line before a script: %j', (line) => {
    expect(phaseOf(line + counts)).toEqual(mnist);
    expect(phaseOf(counts + line)).toEqual(mnist);
  });

  test.each([
    'defaults:\n  - resnet\n',
    'num_workers: 4\n',
    'tags: [a, b]\n',
    'notes: |\n  long\n  text\n',
  ])('a foreign line in YAML: %j', (line) => {
    const text = `${line}epochs: 10\nbatch_size: 256\nsigma: 1.1\nn: 60000\n`;
    expect(phaseOf(text)).toEqual(mnist);
  });

  test('words that follow are names of their own', () => {
    expect(missingOf('batch_size = 256\nepochs = 10')).toEqual(['datasetSize', 'noiseMultiplier']);
    expect(missingOf('seed = 3\nexamples = 60000\nbatch_size = 256')).toContain('datasetSize');
    expect(phaseOf('We used a batch size of 64\nepochs = 10\nsigma = 1\nn = 1000')).toEqual({
      ...{ batchSize: 64, epochs: 10, noiseMultiplier: 1, datasetSize: 1000 },
    });
    expect(missingOf('σ = 1, n = 1000 for 10\nepochs in batches of\n64 examples')).toEqual([
      ...['batchSize', 'epochs'],
    ]);
  });
});

describe('import: units, and numbers that may be two', () => {
  test.each(['Sampling rate 1%', 'sampling rate: 1 %', 'sample_rate=1%', 'sampling rate of 1%'])(
    '%s is a hundredth',
    (words) => {
      expect(phaseOf(`${words}\nsigma = 1\n100 steps`)).toEqual({
        ...{ samplingProbability: 0.01, noiseMultiplier: 1, steps: 100 },
      });
    },
  );

  test('devices beside a batch that may be the whole one', () => {
    const text =
      'We train on 8 GPUs for 5 epochs, batch size 1,024, on 50,000 examples, noise multiplier 1.';
    expect(readingsOf(text)).toEqual([['1,024 in a step', '8,192 in a step']]);
    expect(phaseOf(text, { batch: 0 })).toMatchObject({ batchSize: 1024 });
    expect(phaseOf(text, { batch: 0 })).not.toHaveProperty('devices');
    expect(phaseOf(text, { batch: 1 })).toMatchObject({ batchSize: 1024, devices: 8 });
    expect(phaseOf(text.replace('batch size', 'per-device batch size'))).toMatchObject({
      ...{ batchSize: 1024, devices: 8 },
    });
    expect(phaseOf(text.replace('batch size', 'global batch size'))).not.toHaveProperty('devices');
    expect(readingsOf(`${counts}gpus = 2`)).toEqual([['256 in a step', '512 in a step']]);
  });

  test('decimal commas, and points between thousands', () => {
    const text = 'n = 60.000, b = 256, 10 epochs, sigma = 1,1';
    expect(readingsOf(text)).toEqual([['60,000', '60'], ['1.1']]);
    const [n, sigma] = runOf(text).ambiguous;
    expect(phaseOf(text, { [n?.id ?? '']: 0, [sigma?.id ?? '']: 0 })).toEqual(mnist);
    expect(phaseOf(text, { [n?.id ?? '']: 2, [sigma?.id ?? '']: 1 })).toEqual({
      ...{ batchSize: 256, epochs: 10 },
    });
    expect(readingsOf('epochs: 3\nbatch_size: 1.024\nn: 9000\nsigma: 1')).toEqual([['1,024']]);
  });

  test('a sigma with a unit, a square and a set are no multiplier', () => {
    for (const sigma of [
      'σ = 1.1 C',
      'σ² = 1.21',
      'σ ∈ {0.5, 1}',
      'σ = 0.5, 1.0 and 2.0',
      'σ_b = 10',
    ])
      expect(missingOf(`${sigma}, b = 256, n = 60,000, 10 epochs`)).toEqual(['noiseMultiplier']);
  });
});

describe('import: what is understood stays', () => {
  test('sizes and steps, a cap, bands, replacement', () => {
    const text = 'n: 1000\nbatch_size: 100\nsteps: 105\nsigma: 1\n';
    const phase = { datasetSize: 1000, batchSize: 100, steps: 105, noiseMultiplier: 1 };
    expect(phaseOf(text)).toEqual(phase);
    expect(phaseOf(`${text}truncated_batch_size: 140`)).toEqual({ ...phase, maxBatchSize: 140 });
    expect(phaseOf(`${text}num_bands: 4`)).toEqual({ ...phase, bands: 4 });
    expect(phaseOf(`${text}replacement: true`)).toEqual({ ...phase, replacement: true });
  });

  test('bands beside a cap are the truncated steps of a group', () => {
    const text =
      'n: 1000\nbatch_size: 100\nsteps: 105\nsigma: 1\ntruncated_batch_size: 140\nbands: 4';
    expect(phaseOf(text)).toEqual({
      ...{ datasetSize: 250, batchSize: 100, steps: 27, noiseMultiplier: 1, maxBatchSize: 140 },
    });
    expect(refusal(text.replace('1000', '1001'))).toMatch(/Bands beside a maximum/);
  });

  test('epochs and sizes beside a sampling rate, where they agree', () => {
    expect(phaseOf('q = 0.01\nepochs = 5\nsigma = 1')).toEqual({
      ...{ samplingProbability: 0.01, epochs: 5, noiseMultiplier: 1 },
    });
    expect(phaseOf('n = 60000\nb = 256\nq = 0.00427\nsteps = 100\nsigma = 1')).toEqual({
      ...{ datasetSize: 60000, batchSize: 256, steps: 100, noiseMultiplier: 1 },
    });
    const text = 'n = 60000\nb = 256\nq = 0.01\nsteps = 100\nsigma = 1';
    expect(readingsOf(text)).toEqual([['Sampling probability 0.01', 'Batch size 256']]);
    expect(readingsOf(`${counts}steps = 1000`)).toEqual([['Steps 1,000', 'Epochs 10']]);
    expect(phaseOf(`${counts}steps = 2340`)).toEqual({ ...mnist, steps: 2340 });
  });

  test('every value of the question stands among the facts', () => {
    const run = runOf(`${counts}delta = 1e-5\nmax_batch_size = 300`);
    expect(run.facts.map(({ field }) => field).sort()).toEqual([
      ...['batchSize', 'datasetSize', 'delta', 'epochs', 'maxBatchSize', 'noiseMultiplier'],
    ]);
    expect(run.facts[0]).toEqual({
      ...{ quote: 'n = 60000', line: 1, column: 1 },
      ...{ field: 'datasetSize', means: 'Dataset size 60,000' },
    });
  });
});

describe('import: what changes the answer and was not read', () => {
  const text = 'n: 60000\nbatch_size: 256\nepochs: 10\nsigma: 1.1\n';

  test.each([
    'discriminator_steps: 5',
    'noise_std: 2.0',
    'preprocessor_eps: 0.5',
    'num_clients: 100',
    'nodes: 2',
    'n_trials: 50',
    'noise_schedule: {start: 2, end: 1}',
    'notes: then 5 epochs at sigma 0.5',
    'adaptive_clipping: true',
    'noise_is_relative: false',
    'CUDA_VISIBLE_DEVICES: "0,1"',
    'noise multiplier (generator): 0.5',
    'sampling rate (%): 1',
    'algorithm: dp_ftrl',
    'adjacency: substitution',
    'duplicates: 3',
    'noise: {schedule: 3}',
    'dp: false',
  ])('%s', (line) => {
    expect(phaseOf(text + line)).toEqual(mnist);
    expect(dangersOf(text + line)).not.toBe('');
  });

  test.each([
    'lr: 0.5',
    'seed: 3',
    'eval_batch_size: 1000',
    'warmup_steps: 100',
    'target_epsilon: -1',
    'max_steps: -1',
    'clip: 1.0',
    'use_dp: true',
    'num_workers: 4',
    'optimizer: {eps: 1e-8}',
    'validation: {batch_size: 512}',
    'pretraining: {epochs: 90}',
    'adam_epsilon: 1e-8',
    'used_microbatching: false',
    'nodes: 1',
  ])('%s has no bearing', (line) => {
    const run = runOf(text + line);
    expect(queryOf(run, undefined).phases).toEqual([mnist]);
    expect({ dangerous: run.dangerous, epsilon: run.epsilon }).toEqual({ dangerous: [] });
  });

  test('microbatches halve the noise multiplier', () => {
    expect(phaseOf(`${text}used_microbatching: true`)).toEqual({ ...mnist, noiseMultiplier: 0.55 });
    expect(phaseOf(`${text}num_microbatches: 256`)).toEqual(mnist);
    expect(phaseOf(`${text}num_microbatches: 16`)).toMatchObject({ noiseMultiplier: 0.55 });
    const words =
      'DP-SGD performed over 60000 examples with 256 examples per iteration, noise multiplier 1.1 for 10 epochs with microbatching.';
    expect(phaseOf(words)).toEqual({ ...mnist, noiseMultiplier: 0.55 });
    expect(phaseOf(words.replace('with mi', 'without mi'))).toEqual(mnist);
  });

  test('what is said of sampling is quoted, and decides nothing', () => {
    expect(runOf(`${text}poisson_sampling: False`).sampling).toEqual(['poisson_sampling: False']);
    expect(runOf('sigma = 1, q = 0.1, 10 steps, Poisson subsampling').sampling).toEqual([
      'Poisson subsampling',
    ]);
    expect(runOf('engine.make_private(noise_multiplier=1.0)').sampling.join()).toMatch(
      /without poisson_sampling, which draws Poisson/,
    );
  });

  test('a letter under another heading, and a part of the run, are asked about', () => {
    const under = (heading: string) =>
      runOf(`${heading}\n  n: 60000\nb: 256\nepochs: 10\nsigma: 1`);
    expect(under('model:').ambiguous.map(({ id }) => id)).toEqual(['datasetSize']);
    expect(under('data:').ambiguous).toEqual([]);
    expect(
      readingsOf('discriminator:\n  batch_size: 64\nepochs: 10\nsigma: 1\nn: 60000'),
    ).toHaveLength(1);
  });

  test('a federated run is that of its clients', () => {
    const federated =
      'num_users: 1000\nusers_per_round: 50\nnum_rounds: 200\nepochs: 5\nbatch_size: 16\nsigma: 1';
    expect(phaseOf(federated)).toEqual({
      ...{ datasetSize: 1000, batchSize: 50, steps: 200, noiseMultiplier: 1 },
      ...{ privacyUnit: 'client', localEpochs: 5 },
    });
    expect(runOf(federated).ignored.join()).toMatch(/each client’s own/);
  });

  test('a federated run whose examples are private is asked about, and may be one client’s own', () => {
    const text =
      'num_clients: 1000\nclients_per_round: 50\nrounds: 20\nlocal_epochs: 5\nbatch_size: 16\ndataset_size: 400\nsigma: 1\n# example-level DP';
    expect(runOf(text).ambiguous.map(({ id }) => id)).toEqual(['record']);
    expect(phaseOf(text, { record: 0 })).toEqual({
      ...{ datasetSize: 1000, batchSize: 50, steps: 20, noiseMultiplier: 1 },
      ...{ privacyUnit: 'client', localEpochs: 5 },
    });
    expect(phaseOf(text, { record: 1 })).toEqual({
      ...{ datasetSize: 400, batchSize: 16, epochs: 100, noiseMultiplier: 1 },
    });
  });

  test('a standard deviation takes the clipping norm, and is asked what it is of', () => {
    const sizes = 'n: 60000\nbatch_size: 256\nepochs: 10\n';
    const text = `${sizes}noise_std: 0.0171875\nmax_grad_norm: 4\n`;
    expect(runOf(text).ambiguous.map(({ id }) => id)).toEqual(['noiseUnit']);
    const said = { datasetSize: 60000, batchSize: 256, epochs: 10, clippingNorm: 4 };
    for (const [at, noiseUnit] of ['sum', 'average'].entries())
      expect(phaseOf(text, { noiseUnit: at })).toEqual({
        ...{ ...said, noiseUnit, noiseStddev: 0.0171875 },
      });
    expect(phaseOf(`${sizes}sum_stddev: 4.4\nl2_norm_clip: 4\nnum_microbatches: 16`)).toEqual({
      ...{ ...said, noiseUnit: 'sum', noiseStddev: 2.2 },
    });
    expect(missingOf(`${sizes}sum_stddev: 4.4`)).toEqual(['clippingNorm']);
    expect(phaseOf(`${sizes}sigma: 1.1\nsum_stddev: 4.4\nclipping_norm: 4`)).toEqual(mnist);
  });
});

describe('import: scripts', () => {
  test.each([
    ['overwritten later', `${counts}sigma = 2.0`],
    ['changed in place', `${counts}sigma *= 2`],
    ['in a branch', `${counts}if args.large:\n    sigma = 2.0`],
    ['in a function that is not called', `${counts}def old():\n    sigma = 0.5`],
    [
      'in a loop over several',
      `${counts.replace('sigma = 1.1\n', '')}for sigma in [0.5, 1.1]:\n    train(noise_multiplier=sigma)`,
    ],
    [
      'in a subclass',
      `${counts.replace('sigma = 1.1\n', '')}class A:\n    sigma = 1.1\nclass B(A):\n    sigma = 0.8`,
    ],
    [
      'as an argument of the parser',
      `${counts.replace('sigma = 1.1', 'p.add_argument("--sigma", default=1.1)')}p.parse_args(["--sigma", "2"])`,
    ],
    ['in place of a default', `class A:\n    sigma = 0.5\n${counts}`],
    ['as a function that is not known', `${counts}sigma = tune(3)`],
  ])('a value %s is asked about', (_, text) => {
    const run = runOf(text);
    expect(run.ambiguous.map(({ id }) => id)).toEqual(['noiseMultiplier']);
    expect(queryOf(run, undefined).phases[0]).not.toHaveProperty('noiseMultiplier');
  });

  test('a reader who chooses none leaves the field empty', () => {
    const run = runOf(`${counts}sigma = 2.0`, { noiseMultiplier: 2 });
    expect(run.missing.map(({ field }) => field)).toEqual(['noiseMultiplier']);
  });

  test.each([
    [
      'the private branch',
      'if not args.disable_dp:\n    sigma = 1.1\nelse:\n    pass\nn = 60000\nbatch_size = 256\nepochs = 10',
    ],
    [
      'a default that the call replaces',
      'def train(sigma=0.5, epochs=10, batch_size=256):\n    pass\nn = 60000\ntrain(sigma=1.1)',
    ],
    [
      'positions of a function of the text',
      'def train(sigma, epochs, batch_size):\n    pass\nn = 60000\ntrain(1.1, 10, 256)',
    ],
    [
      'one function that the text does not call',
      'def main():\n    sigma = 1.1\n    n, batch_size = 60000, 256\n    epochs = 10',
    ],
    [
      'attributes and keys',
      'c.dp["sigma"] = 1.1\nc.n = 60000\nc["batch_size"] = 256\nself.epochs = 10',
    ],
    [
      'the loader of the training set',
      'a = DataLoader(train, batch_size=256)\ntest_loader = DataLoader(test, batch_size=99)\nsigma = 1.1\nn_train = 60000\nepochs = 10',
    ],
    [
      'headings that name fields',
      'c = {"noise": {"multiplier": 1.1}, "dataset": {"size": 60000}, "batch": {"size": 256}, "train": {"epochs": 10}}',
    ],
    [
      'a function of an evaluation',
      'def test(batch_size=999):\n    epochs = 99\ntest()\nsigma, n, batch_size, epochs = 1.1, 60000, 256, 10',
    ],
    ['statements on one line', 'sigma = 1.1; n = 60000; batch_size = 256; epochs = 10'],
    [
      'a call over several lines, with a comment',
      'Config(\n  sigma=1.1,  # not 0.9\n  n=60_000,\n  batch_size=2**8,\n  epochs=10,\n)',
    ],
    [
      'arguments of optparse',
      'p.add_option("--sigma", default=1.1)\np.add_argument("--n", default=60000)\np.add_argument("--batch-size", default="256")\np.add_argument("-e", "--epochs", default=10)',
    ],
  ])('%s', (_, text) => {
    expect(phaseOf(text)).toEqual(mnist);
  });

  test('a statement that is not whole is named, and the others are read', () => {
    expect(dangersOf(`import x\n${counts}steps = = 5\n`)).toContain('steps');
    expect(refusal('{"sigma": 1.1, "epochs": 10')).toMatch(/left open/);
  });

  test('nothing is run', () => {
    const evil = `${counts}__import__("os").system("rm -rf /")\ndelta = eval("1e-5")\n`;
    expect(phaseOf(evil)).toEqual(mnist);
    expect(runOf(evil).delta).toBeUndefined();
  });
});

describe('import: tables and commands', () => {
  test('a heading may hold a unit', () => {
    expect(phaseOf('Sampling rate (%),Noise multiplier,Steps\n1,1.1,1000')).toMatchObject({
      samplingProbability: 0.01,
    });
    expect(missingOf('n (thousands),batch size,epochs,sigma\n60,256,10,1.1')).toEqual([
      'datasetSize',
    ]);
  });

  test('one of several runs is chosen', () => {
    const text = 'n,batch_size,epochs,sigma\n60000,256,10,1.1\n60000,256,10,0.8';
    expect(phaseOf(text)).toEqual({});
    expect(phaseOf(text, { run: 0 })).toEqual(mnist);
    expect(refusal(`n,b\n${'1,2\n'.repeat(30)}`)).toMatch(/30 runs/);
  });

  test('flags', () => {
    expect(phaseOf('--n 60000 --batch-size 256 --epochs=10 --sigma 1.1')).toEqual(mnist);
    expect(
      readingsOf('x.py --n 60000 --batch-size 256 --epochs 10 --sigma 1.1 0.8')[0],
    ).toHaveLength(2);
    expect(dangersOf('python x.py -s 1.1 --n 60000 --batch-size 256 --epochs 10')).toContain(
      '-s 1.1',
    );
  });
});

describe('import: words', () => {
  test.each([
    'We do not train for 10 epochs. We use σ = 1.1, batch size 256 and n = 60,000.',
    'Pre-training took 10 epochs. We use σ = 1.1, batch size 256 and n = 60,000.',
    'Unlike others, who train for 10 epochs, we train. σ = 1.1, batch size 256, n = 60,000.',
    'We train for up to 10 epochs. σ = 1.1, batch size 256, n = 60,000.',
    'We train for 10-20 epochs, σ = 1.1, batch size 256, n = 60,000.',
    'We train for 10, 20 and 30 epochs, σ = 1.1, batch size 256, n = 60,000.',
    'The learning rate is halved every 10 epochs, σ = 1.1, batch size 256, n = 60,000.',
    'We evaluate after 10 epochs, σ = 1.1, batch size 256, n = 60,000.',
    'We decay the rate for the first 10 epochs, σ = 1.1, batch size 256, n = 60,000.',
    'The baseline takes 10 epochs. σ = 1.1, batch size 256, n = 60,000.',
    'One epoch takes 10 steps; we take more. σ = 1.1, batch size 256, n = 60,000.',
    'Of 100 epochs, the first 10 were private. σ = 1.1, batch size 256, n = 60,000.',
    'Let T = 10. We use σ = 1.1, batch size 256 and n = 60,000.',
  ])('%s', (text) => {
    expect(phaseOf(text)).not.toHaveProperty('epochs');
    const { ambiguous, missing } = runOf(text);
    expect(ambiguous.length + missing.length).toBeGreaterThan(0);
  });

  test('what is commented out, and what is another kind of run', () => {
    expect(
      phaseOf('; sigma = 9\n// epochs = 3\nsigma = 1.1\nn = 60,000\nbatch size: 256\nepochs: 10'),
    ).toEqual(mnist);
    expect(dangersOf('DP-FTRL with σ = 1.1, batch size 256, n = 60,000, 10 epochs')).toBe(
      'DP-FTRL',
    );
    expect(dangersOf('n: 9\nb: 3 # per gpu\nsigma: 1\nepochs: 2')).toBe('per gpu');
    expect(dangersOf('Laplace noise, σ = 1.1, batch size 256, n = 60,000, 10 epochs')).toBe(
      'Laplace',
    );
    expect(dangersOf('σ = 1.1; δ = 1e-5; b = 256; n = 60000; 10 epochs')).toBe('');
  });

  test('an epsilon of several is no target', () => {
    const run = runOf('σ = 1, q = 0.1, 10 steps, ε = 2 or ε = 3');
    expect(run.epsilon).toBeUndefined();
    expect(runOf('q = 0.1, 10 steps, epsilon <= 2.0 at delta <= 1e-10')).toMatchObject({
      ...{ epsilon: '2.0', delta: '1e-10', aims: true },
    });
  });

  test('its question has the sampler that was told, or compares them all', () => {
    const run = runOf('n = 60,000, b = 256, 10 epochs, sigma = 1.1, δ = 10^-5');
    expect(queryOf(run, undefined)).toEqual({ question: 'compare', phases: [mnist], delta: 1e-5 });
    for (const { name } of samplers)
      expect(queryOf(run, name).phases).toEqual([{ sampler: name, ...mnist }]);
    expect(queryOf(runOf('q = 0.1, 10 steps, ε = 2'), 'poisson')).toMatchObject({
      ...{ question: 'calibrate', solveFor: 'noise', epsilon: 2 },
    });
  });
});

describe('import: the package', () => {
  test('has a run with its question, none while something is ambiguous, or the refusal', async () => {
    const text = 'n = 60.000, b = 256, 10 epochs, sigma = 1.1, delta = 1e-5';
    const asked = await importRun(text, { sampler: 'poisson' });
    expect(asked).toMatchObject({ query: null, ambiguous: [{ readings: ['60,000', '60'] }] });
    const [{ id } = { id: '' }] = 'wrong' in asked ? [] : asked.ambiguous;
    expect(await importRun(text, { sampler: 'poisson', choices: { [id]: 0 } })).toMatchObject({
      query: { question: 'epsilon', delta: 1e-5, phases: [{ sampler: 'poisson', ...mnist }] },
    });
    expect(await importRun('lunch')).toEqual({
      wrong: [expect.stringMatching(/^No training settings/)],
    });
  });
});

describe('import: what cannot be accounted for, by name', () => {
  test.each([
    [
      'SelfComposedDpEvent(DiscreteGaussianDpEvent(noise_multiplier=1.0), 10)',
      /DiscreteGaussianDpEvent is not/,
    ],
    [
      'PoissonSampledDpEvent(0.1, ComposedDpEvent([GaussianDpEvent(1.0), LaplaceDpEvent(2.0)]))',
      /around ComposedDpEvent/,
    ],
    [
      'SelfComposedDpEvent(PoissonSampledDpEvent(batch / n, GaussianDpEvent(1.0)), 10)',
      /sampling_probability must be a number; got “batch \/ n”/,
    ],
    ['NonPrivateDpEvent()', /has no epsilon/],
    ['a = GaussianDpEvent(1.0)\nb = GaussianDpEvent(2.0)', /2 events: delete those/],
    ['{"history": [[1.1, 0.01, 100], [1.1, "q", 100]]}', /Entry 2 of the history/],
    ["{'history': [], 'mechanism': 'rdp'}", /The history is empty/],
    ['epochs: 2.5\nn: 100\nb: 10\nsigma: 1', /epochs must be a whole number/],
    ['lunch at 12', /No training settings/],
    ['{"colour": "red"}', /No training settings/],
    ['δ = 1e-5', /No training settings/],
    ['-sigma: 1\n+sigma: 2\nepochs: 3', /difference between two texts/],
    ['', /nothing to read/],
  ])('%s', (text, words) => {
    expect(refusal(text)).toMatch(words);
  });
});
