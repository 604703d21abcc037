import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { samplers } from '../../wasm/generated/schema.js';
import { queryOf, readRun } from '../../wasm/import/index.js';
import type { ImportedRun } from '../../wasm/import/index.js';

/** A run in short: the numbers of each entry, what is asked with, what it lacks. */
function short(text: string): unknown {
  const run = readRun(text);
  if ('wrong' in run) return run.wrong;
  return {
    entries: run.entries.map((entry) =>
      entry.kind === 'phase'
        ? {
            ...entry.numbers,
            ...(entry.mechanism === 'laplace' ? { mechanism: 'laplace' } : {}),
            ...Object.fromEntries(entry.flags.map((flag) => [flag, true])),
          }
        : { release: entry.numbers },
    ),
    ...(run.delta === undefined ? {} : { delta: run.delta }),
    ...(run.epsilon === undefined ? {} : { epsilon: run.epsilon }),
    ...(run.missing.length === 0 ? {} : { missing: run.missing.map(({ field }) => field) }),
    ...(run.aside.length === 0 ? {} : { aside: run.aside }),
  };
}

const steps = (noiseMultiplier: string, samplingProbability: string, count: string) => ({
  ...{ noiseMultiplier, samplingProbability, steps: count },
});

interface Fixture {
  name: string;
  text: string;
  is: unknown;
}

/** Runs as programs write them and papers tell them, read right. */
const readable: readonly Fixture[] = [
  {
    name: 'Opacus: the history of one phase, as print shows it',
    text: '[(1.1, 0.004266666666666667, 2350)]',
    is: { entries: [steps('1.1', '0.004266666666666667', '2350')] },
  },
  {
    name: 'Opacus: state_dict(), noise lowered halfway',
    text: "{'history': [(1.3, 0.01, 500), (0.9, 0.01, 1_500)], 'mechanism': 'prv'}",
    is: {
      entries: [steps('1.3', '0.01', '500'), steps('0.9', '0.01', '1_500')],
      aside: ['mechanism'],
    },
  },
  {
    name: 'Opacus: a checkpoint as JSON, with a delta beside it',
    text: '{"epoch": 12, "accountant": {"history": [[0.8, 0.0021333, 5640]], "mechanism": "rdp"}, "delta": 1e-6}',
    is: {
      entries: [steps('0.8', '0.0021333', '5640')],
      delta: '1e-6',
      aside: ['epoch', 'accountant.mechanism'],
    },
  },
  {
    name: 'Opacus: an ordered dictionary of NumPy numbers',
    text: "OrderedDict([('history', [(np.float64(0.75), np.float64(0.02), 300)]), ('mechanism', 'gdp')])",
    is: { entries: [steps('0.75', '0.02', '300')], aside: ['mechanism'] },
  },
  {
    name: 'Opacus: the arguments of make_private_with_epsilon',
    text: `model, optimizer, loader = engine.make_private_with_epsilon(
      module=model, optimizer=optimizer, data_loader=loader,
      target_epsilon=4.0, target_delta=1e-5, epochs=20, max_grad_norm=1.2, poisson_sampling=False)`,
    is: {
      entries: [{ epochs: '20' }],
      ...{ delta: '1e-5', epsilon: '4.0' },
      missing: ['datasetSize', 'batchSize'],
      aside: ['module', 'optimizer', 'data_loader', 'max_grad_norm'],
    },
  },
  {
    name: 'dp_accounting: the repr of Poisson steps',
    text: 'SelfComposedDpEvent(event=PoissonSampledDpEvent(sampling_probability=0.0042, event=GaussianDpEvent(noise_multiplier=1.1)), count=14062)',
    is: { entries: [steps('1.1', '0.0042', '14062')] },
  },
  {
    name: 'dp_accounting: source, arguments by position and a ratio',
    text: 'event = dp_accounting.SelfComposedDpEvent(dp_accounting.PoissonSampledDpEvent(256 / 60000, dp_accounting.LaplaceDpEvent(2.0)), 100)',
    is: { entries: [{ ...steps('2.0', '256 / 60000', '100'), mechanism: 'laplace' }] },
  },
  {
    name: 'dp_accounting: parts composed, equal ones in a row are one phase, and other releases',
    text: `ComposedDpEvent(events=[
      PoissonSampledDpEvent(sampling_probability=0.01, event=GaussianDpEvent(noise_multiplier=1.0)),
      SelfComposedDpEvent(PoissonSampledDpEvent(0.01, GaussianDpEvent(1.0)), 99),
      GaussianDpEvent(noise_multiplier=20),
      SelfComposedDpEvent(ZCDpEvent(rho=0.01), 3), NoOpDpEvent(), EpsilonDeltaDpEvent(epsilon=0.1, delta=0)])`,
    is: {
      entries: [
        steps('1.0', '0.01', '100'),
        steps('20', '1', '1'),
        { release: { rho: '0.03' } },
        { release: { epsilon: '0.1', delta: '0' } },
      ],
      aside: ['NoOpDpEvent'],
    },
  },
  {
    name: 'dp_accounting: batches of fixed size',
    text: 'SelfComposedDpEvent(SampledWithoutReplacementDpEvent(source_dataset_size=50000, sample_size=500, event=GaussianDpEvent(2.5)), count=1000)',
    is: { entries: [steps('2.5', '500/50000', '1000')] },
  },
  {
    name: 'dp_accounting: batches cut at a maximum',
    text: 'SelfComposedDpEvent(TruncatedSubsampledGaussianDpEvent(dataset_size=10000, sampling_probability=0.01, truncated_batch_size=140, noise_multiplier=0.8), 500)',
    is: {
      entries: [
        {
          ...{ datasetSize: '10000', batchSize: '100', epochs: '5' },
          ...{ maxBatchSize: '140', noiseMultiplier: '0.8' },
        },
      ],
    },
  },
  {
    name: 'Hugging Face: training arguments on two GPUs',
    text: `{"output_dir": "out", "per_device_train_batch_size": 8, "per_device_eval_batch_size": 64,
      "gradient_accumulation_steps": 32, "num_train_epochs": 3.0, "max_steps": -1, "learning_rate": 0.0005,
      "dataloader_drop_last": true, "_n_gpu": 2, "seed": 42, "train_batch_size": 16, "run_name": null}`,
    is: {
      entries: [
        { batchSize: '8', accumulationSteps: '32', devices: '2', epochs: '3.0', dropLast: true },
      ],
      missing: ['datasetSize', 'noiseMultiplier'],
      aside: [
        ...['max_steps = -1 (no limit)', 'train_batch_size = 16 (it follows from the others)'],
        ...['output_dir', 'per_device_eval_batch_size', 'learning_rate', 'seed'],
      ],
    },
  },
  {
    name: 'Hugging Face: steps overrule epochs, privacy arguments beside them',
    text: `{"per_device_train_batch_size": 64, "num_train_epochs": 3, "max_steps": 1200,
      "privacy": {"noise_multiplier": 0.6, "target_delta": 1e-6, "per_sample_max_grad_norm": 1.0}, "train_examples": 67349, "dataset_size": 67349}`,
    is: {
      entries: [steps('0.6', '64/67349', '1200')],
      delta: '1e-6',
      aside: [
        'num_train_epochs = 3 (the steps overrule it)',
        'privacy.per_sample_max_grad_norm',
        'train_examples',
      ],
    },
  },
  {
    name: 'Hugging Face: steps of several devices and accumulations, of a known dataset',
    text: `{"per_device_train_batch_size": 8, "_n_gpu": 2, "gradient_accumulation_steps": 4,
      "max_steps": 1000, "dataset_size": 6400, "noise_multiplier": 0.6}`,
    is: { entries: [steps('0.6', '64/6400', '1000')] },
  },
  {
    name: 'Lightning: a YAML file with headings',
    text: `# training
trainer:
  max_epochs: 40
  accumulate_grad_batches: 4
data:
  batch_size: 128
  num_train_examples: 45000
dp:
  noise_multiplier: 1.5   # of the sum
  delta: 1e-5
optimizer: sgd
`,
    is: {
      entries: [
        {
          ...{ datasetSize: '45000', batchSize: '128', accumulationSteps: '4', epochs: '40' },
          noiseMultiplier: '1.5',
        },
      ],
      delta: '1e-5',
      aside: ['optimizer'],
    },
  },
  {
    name: 'JAX-privacy: lines of a config, a name that stands for the one around it',
    text: `config.training.batch_size.init_value = 4096
config.training.batch_size.per_device_per_step = 64
config.training.num_updates = 875
config.training.dp.noise_multiplier = 3.0
config.training.dp.clipping_norm = 1.0
config.data.num_samples = 50_000
config.training.dp.delta = 1e-5`,
    is: {
      entries: [steps('3.0', '4096/50000', '875')],
      delta: '1e-5',
      aside: ['config.training.batch_size.per_device_per_step', 'config.training.dp.clipping_norm'],
    },
  },
  {
    name: 'JAX-privacy: a plan with a target',
    text: `DpsgdExecutionPlanConfig(iterations=2000, epsilon=3.0, delta=1e-6, noise_multiplier=None,
      sampling_prob=0.02, num_samples=100_000, l2_clip_norm=1.0, truncated_batch_size=None)`,
    is: {
      entries: [{ samplingProbability: '0.02', steps: '2000' }],
      delta: '1e-6',
      epsilon: '3.0',
      aside: ['l2_clip_norm'],
    },
  },
  {
    name: 'draws with replacement',
    text: 'n: 60000\nbatch_size: 256\nepochs: 60\nsigma: 1.1\nreplacement: true\ndrop_last: false',
    is: {
      entries: [
        {
          ...{ datasetSize: '60000', batchSize: '256', epochs: '60', noiseMultiplier: '1.1' },
          replacement: true,
        },
      ],
    },
  },
  {
    name: 'a command line',
    text: `python train.py --sigma 1.1 --batch-size=256 \\
      --epochs 60 --lr 0.25 --dataset-size 60000 --drop-last`,
    is: {
      entries: [
        {
          ...{ datasetSize: '60000', batchSize: '256', epochs: '60', noiseMultiplier: '1.1' },
          dropLast: true,
        },
      ],
      aside: ['lr'],
    },
  },
  {
    name: 'prose: the shortest',
    text: 'sigma = 1.1, batch size 256, 60 epochs, n = 60,000',
    is: {
      entries: [{ datasetSize: '60,000', batchSize: '256', epochs: '60', noiseMultiplier: '1.1' }],
    },
  },
  {
    name: 'prose: a paragraph in TeX, with a guarantee and other numbers',
    text: String.raw`We fine-tune WideResNet-16-4 on the $50{,}000$ training images of CIFAR-10 for 875 steps with batches of
      $4{,}096$ examples, clipping norm $C = 1$, noise multiplier $\sigma = 3.0$ and learning rate $4$; this gives
      $(\varepsilon, \delta) = (1.8, 10^{-5})$.`,
    is: {
      entries: [steps('3.0', '4096/50000', '875')],
      ...{ delta: '10^-5', epsilon: '1.8' },
      aside: ['clipping norm C = 1', 'learning rate 4'],
    },
  },
  {
    name: 'prose: thousands as k, epochs by words, Greek letters',
    text: 'The model saw 60k images for 15 epochs, 600 images per batch, σ ≈ 4 (δ = 10⁻⁵).',
    is: {
      entries: [{ datasetSize: '60000', batchSize: '600', epochs: '15', noiseMultiplier: '4' }],
      delta: '10^-5',
    },
  },
  {
    name: 'prose: rate and iterations, a letter that papers use for two things',
    text: 'sampling rate q = 0.01, σ = 2, T = 10000',
    is: {
      entries: [{ noiseMultiplier: '2', samplingProbability: '0.01' }],
      missing: ['steps'],
      aside: [
        'T = 10000 (steps of an epoch or of the run? Write “10000 steps” or “10000 steps per epoch”)',
      ],
    },
  },
  {
    name: 'prose: steps per epoch, devices and accumulation',
    text: '1,000 steps per epoch over 5 epochs with a noise multiplier of 0.9 at δ of 1e−6',
    is: { entries: [steps('0.9', '1/1,000', '5000')], delta: '1e-6' },
  },
];

/** What is refused, by the name of what is in the way. */
const refused: readonly Fixture[] = [
  {
    name: 'mechanisms that are not accounted for here',
    text: 'SelfComposedDpEvent(DiscreteGaussianDpEvent(noise_multiplier=1.0), 10)',
    is: ['DiscreteGaussianDpEvent is not accounted for here.'],
  },
  {
    name: 'sampling with replacement',
    text: 'SampledWithReplacementDpEvent(1000, 10, GaussianDpEvent(1.0))',
    is: ['SampledWithReplacementDpEvent is not accounted for here.'],
  },
  {
    name: 'one batch used by several mechanisms',
    text: 'PoissonSampledDpEvent(0.1, ComposedDpEvent([GaussianDpEvent(1.0), GaussianDpEvent(2.0)]))',
    is: [
      'PoissonSampledDpEvent around ComposedDpEvent: a batch is accounted for here only with Gaussian or Laplace noise added once.',
    ],
  },
  {
    name: 'a variable in the place of a number',
    text: 'SelfComposedDpEvent(PoissonSampledDpEvent(batch / n, GaussianDpEvent(1.0)), 10)',
    is: ['PoissonSampledDpEvent: sampling_probability must be a number; got “batch / n”.'],
  },
  {
    name: 'a formula in a configuration',
    text: 'noise_multiplier = sigma * 2\nsample_rate = 0.01\nsteps = 100',
    is: [
      '“noise_multiplier = sigma * 2”: noise multiplier must be a number; write the number in its place.',
    ],
  },
  {
    name: 'two values for one field',
    text: 'Batch size 256, 10 epochs, n = 60,000. With σ = 1.1 we get ε = 2; with σ = 1.3, less.',
    is: [
      'Noise multiplier is given twice, as 1.1 (“σ = 1.1”) and as 1.3 (“σ = 1.3”): keep the one that ran.',
    ],
  },
  {
    name: 'numbers that do not fit each other',
    text: 'n = 60,000, batch size 256, q = 0.01, 100 steps, sigma = 1',
    is: [
      'Sampling probability 0.01 does not fit batches of 256 in 60,000, which make 0.004267: keep what ran.',
    ],
  },
  {
    name: 'steps that are not those of the epochs',
    text: 'n = 60,000, batch size 100, 10 epochs, 600 steps, sigma = 1',
    is: ['600 steps do not fit 10 epochs of 600 steps: keep what ran.'],
  },
  {
    name: 'a batch size that may be one device’s',
    text: '{"train_batch_size": 32, "gradient_accumulation_steps": 4, "epochs": 3, "n": 1000, "sigma": 1}',
    is: [
      '“train_batch_size = 32” may be the batch of a step or that of one device, which makes 128 a step: write effective_batch_size or per_device_train_batch_size in its place.',
    ],
  },
  {
    name: 'a history with something else in it',
    text: '{"history": [[1.1, 0.01, 100], [1.1, "q", 100]]}',
    is: [
      'Entry 2 of the history must be three numbers: noise multiplier, sample rate and number of steps.',
    ],
  },
  {
    name: 'a history without a step',
    text: "{'history': [], 'mechanism': 'rdp'}",
    is: ['The history is empty: no step was taken.'],
  },
];

describe('import: reading a run', () => {
  test.each(readable)('$name', ({ text, is }) => {
    expect(short(text)).toEqual(is);
  });

  test.each(refused)('refused: $name', ({ text, is }) => {
    expect(short(text)).toEqual(is);
  });

  test.each(['', '  \n', 'lunch at 12', '{"colour": "red"}', '[]', '[1, 2]', 'δ = 1e-5'])(
    '%j says nothing of a run, and a sentence says what to paste',
    (text) => {
      const run = readRun(text);
      expect('wrong' in run && run.wrong.join()).toMatch(
        /nothing to read yet|Nothing here says how/,
      );
    },
  );

  test('what a text says of sampling is quoted, and decides nothing', () => {
    const of = (text: string) => (readRun(text) as ImportedRun).sampling;
    expect(of('sigma = 1, q = 0.1, 10 steps, Poisson subsampling')).toEqual([
      'Poisson subsampling',
    ]);
    expect(of('sigma: 1\nq: 0.1\nsteps: 10\npoisson_sampling: false')).toEqual([
      'poisson_sampling = false',
    ]);
    expect(of('[(1.0, 0.1, 10)]')).toEqual([]);
    for (const { text } of readable) {
      const run = readRun(text);
      if ('entries' in run) expect(JSON.stringify(run.entries)).not.toMatch(/sampler/);
    }
  });

  test('every word that became a number stands among what was understood', () => {
    for (const { text } of readable) {
      const run = readRun(text);
      if ('wrong' in run) continue;
      expect(run.understood.length).toBeGreaterThan(0);
      for (const { words, means } of run.understood) {
        expect(words).not.toBe('');
        expect(means).toMatch(/^[A-Z]/);
      }
    }
  });

  test('whatever is pasted, it is a run or a refusal in sentences, and soon', () => {
    const piece = fc.constantFrom(
      ...[
        'sigma',
        ' = ',
        '1.1',
        '(',
        ')',
        '[',
        ']',
        '{',
        '}',
        ',',
        ':',
        '"',
        "'",
        '\n',
        '--n ',
        '6',
        '60,000',
      ],
      ...[
        'history',
        'GaussianDpEvent',
        'SelfComposedDpEvent',
        'count=',
        ' epochs',
        'n/0',
        '10^-5',
        '\\',
        'σ',
        '#',
      ],
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(piece, { maxLength: 60 }).map((all) => all.join('')),
        ),
        (text) => {
          const run = readRun(text);
          if ('wrong' in run)
            expect(run.wrong.every((one) => /[.”]$/.test(one) && one.length > 9)).toBe(true);
          else expect(run.entries.length).toBeGreaterThan(0);
        },
      ),
      { numRuns: 2000 },
    );
    const start = performance.now();
    for (const deep of ['(', '[1,', '{"a":', 'F(', '1 ', 'a=', '60,000 '])
      readRun(deep.repeat(Math.floor(19_900 / deep.length)));
    expect(performance.now() - start).toBeLessThan(3_000);
  });

  test('its question has the sampler that was told, or compares them all', () => {
    const run = readRun('n = 60,000, b = 256, 10 epochs, sigma = 1.1, δ = 10^-5') as ImportedRun;
    const numbers = { datasetSize: 60000, batchSize: 256, epochs: 10, noiseMultiplier: 1.1 };
    expect(queryOf(run, undefined)).toEqual({
      question: 'compare',
      phases: [numbers],
      delta: 1e-5,
    });
    for (const { name } of samplers)
      expect(queryOf(run, name).phases).toEqual([{ sampler: name, ...numbers }]);
    const plan = readRun('q = 0.1, 10 steps, ε = 2') as ImportedRun;
    expect(queryOf(plan, 'poisson')).toMatchObject({
      question: 'calibrate',
      solveFor: 'noise',
      epsilon: 2,
    });
  });
});
