import { describe, expect, test } from 'vitest';
import { queryOf, readRun } from '../../../wasm/import/index.js';
import type { ImportedRun } from '../../../wasm/import/index.js';

function runOf(text: string): ImportedRun {
  const run = readRun(text);
  if ('wrong' in run) throw new Error(run.wrong.join(' '));
  return run;
}
const phasesOf = (text: string) => queryOf(runOf(text), undefined).phases;
const dangersOf = (text: string) =>
  runOf(text)
    .dangerous.map(({ quote }) => quote)
    .join(' ; ');
const asked = (text: string) => runOf(text).ambiguous.map(({ id }) => id);
const refusal = (text: string) => {
  const run = readRun(text);
  return 'wrong' in run ? run.wrong.join(' ') : 'a run';
};

const counts = 'n = 60000\nbatch_size = 256\nepochs = 10\nsigma = 1.1\n';
const mnist = { datasetSize: 60000, batchSize: 256, epochs: 10, noiseMultiplier: 1.1 };
const step = 'PoissonSampledDpEvent(0.02, GaussianDpEvent(1.5))';
const stepOf = (steps: number) => ({
  ...{ samplingProbability: 0.02, noiseMultiplier: 1.5, steps },
});

describe('import: settings of one line are no chain of assignments', () => {
  test.each([
    'sigma=1.1, batch_size=256, epochs=10, n=60000',
    'import torch\nsigma = 1.1, batch_size = 256, epochs = 10, n = 60000',
    'sigma=1.1,batch_size=256,epochs=10,n=60000',
    'n=6e4, batch=2.56e2, epochs=1e1, sigma=1.1e0',
  ])('%s', (text) => {
    expect(phasesOf(text)).toEqual([mnist]);
  });
});

describe('import: events that are composed in loops', () => {
  test.each([
    [`for _ in range(1000):\n    acc.compose(${step})`, 1000],
    [`for e in range(10):\n    for _ in range(100):\n        acc.compose(${step}, 2)`, 2000],
    [`acc.compose(${step}, int(60 * 60000 / 256))`, 14062],
    [`acc.compose(${step}, math.ceil(60000 / 256))`, 235],
    [`acc.compose(${step}, 10 * (60000 // 256))`, 2340],
  ])('%s', (text, steps) => {
    expect(phasesOf(text)).toEqual([stepOf(steps)]);
  });

  test.each([
    `while step < total:\n    acc.compose(${step})`,
    `[acc.compose(${step}) for _ in range(1000)]`,
    `def once():\n    acc.compose(${step})\nfor i in range(50):\n    once()`,
    `for batch in loader:\n    acc.compose(${step})`,
    `if small:\n    event = ${step}\nelse:\n    event = GaussianDpEvent(2.0)\nacc.compose(event, 10)`,
  ])('%s', (text) => {
    expect(refusal(text)).toMatch(/count must be a number|set more than once/);
  });
});

describe('import: histories that are not whole', () => {
  const rows = 'history = [(1.1, 0.0042, 100)]';
  test.each([
    `${rows} * 140`,
    `${rows} + [(0.9, 0.0042, 50)]`,
    `${rows}\nhistory.append((0.9, 0.0042, 50))`,
    `${rows}\nother.history = [(0.9, 0.0042, 50)]`,
  ])('%s', (text) => {
    expect(refusal(text)).toMatch(/keep one whole list/);
  });
});

describe('import: what a text does to its data and its runs is named', () => {
  test.each([
    ['train_set = Subset(full, range(10000))', 'Subset'],
    ['a, b = random_split(data, [50000, 10000])', 'random_split'],
    ['train = train.select(range(5000))', 'select'],
    ['x_train = x_train[:5000]', 'x_train'],
    ['load_dataset("imdb", split="train[:10%]")', 'split'],
    ['model.fit(x, y, validation_split=0.2)', 'validation_split'],
    ['strategy = "ddp"', 'ddp'],
    ['for seed in range(5):\n    train(sigma=1.1, epochs=10)', 'train(sigma=1.1'],
    ['models = [train(sigma=1.1) for _ in range(10)]', 'train(sigma=1.1'],
    ['train(sigma=1.1, seed=1)\ntrain(sigma=1.1, seed=2)', 'seed=2'],
    ['ds = load("train").repeat(5).batch(256)', 'repeat(5)'],
    ['oversample = 3', 'oversample'],
    ['n_runs = 5', 'n_runs'],
    ['label_dp_epsilon = 1.0', 'label_dp_epsilon'],
    ['standard_deviation = 1.0', 'standard_deviation'],
    ['dp.enabled = False', 'enabled = False'],
    ['delta = "1/n"', 'delta'],
    ['delta = n^-1.1', 'delta'],
    ['sigma_schedule = lambda step: 1.1 if step < 100 else 0.5', 'sigma_schedule'],
    ['mode = "non-private"', 'mode'],
    ['for step in range(m):\n    if step > 50:\n        break', 'break'],
    ['cycle_length = 5', 'cycle_length'],
    ['delta = "0.001%"', 'delta'],
    ['model.fit(x, y, epochs=10)\nmodel.fit(x, y, epochs=10)', 'model.fit'],
    [
      'a = pe.make_private(module=a, noise_multiplier=1.1)\nb = pe.make_private(module=b, noise_multiplier=1.1)',
      'module=b',
    ],
  ])('%s', (line, quote) => {
    expect(phasesOf(counts + line)).toEqual([mnist]);
    expect(dangersOf(counts + line)).toContain(quote);
  });

  test('two dangers of the same words are two', () => {
    const { dangerous } = runOf(`${counts}input_noise = 2\ncritic_steps = 2`);
    expect(dangerous).toHaveLength(2);
  });

  test('a value that is set by its name is one', () => {
    expect(asked(`${counts}setattr(c, "sigma", 0.4)`)).toEqual(['noiseMultiplier']);
    expect(
      phasesOf('for m in models:\n    train(model, sigma=1.1, epochs=10, batch_size=256, n=60000)'),
    ).toEqual([mnist]);
  });

  test('points between thousands are asked about in code, too', () => {
    for (const text of ['n = 60.000\nb = 256', 'n = 60.000; sigma = 1,1; batch = 256; epochs = 20'])
      expect(runOf(text).ambiguous[0]?.readings).toEqual(['60,000', '60']);
    expect(phasesOf(`import x\n${counts.replace('1.1', '1.125')}`)).toEqual([
      { ...mnist, noiseMultiplier: 1.125 },
    ]);
  });

  test('an old engine’s sample size is the dataset’s', () => {
    expect(
      phasesOf(
        'PrivacyEngine(m, batch_size=256, sample_size=60000, noise_multiplier=1.1, epochs=10)',
      ),
    ).toEqual([mnist]);
  });

  test('a number in other digits than ten is one', () => {
    expect(phasesOf(counts.replace('256', '0x100'))).toEqual([mnist]);
    expect(phasesOf(counts.replace(/ =/g, ':').replace('256', '0x100'))).toEqual([mnist]);
  });
});

describe('import: parts of a run that say the same things', () => {
  const sizes = 'n: 10000\nbatch_size: 100\n';
  test.each([
    `${sizes}phases:\n  - {sigma: 1.0, epochs: 5}\n  - {sigma: 1.0, epochs: 5}`,
    `${sizes}run_a: {sigma: 1.0, epochs: 5}\nrun_b: {sigma: 1.0, epochs: 5}`,
    `${sizes}stage1: {sigma: 1.0, epochs: 5}\nstage2: {sigma: 1.0, epochs: 5}`,
    '{"n": 10000, "batch_size": 100, "phases": [{"sigma": 1, "epochs": 5}, {"sigma": 1, "epochs": 5}]}',
    'n = 10000\nbatch_size = 100\nphases = [dict(sigma=1.0, epochs=5), dict(sigma=1.0, epochs=5)]',
    'n = 10000\nbatch_size = 100\n[[phases]]\nsigma = 1.0\nepochs = 5\n[[phases]]\nsigma = 1.0\nepochs = 5',
  ])('%s', (text) => {
    expect(phasesOf(text)).toEqual([{ datasetSize: 10000, batchSize: 100 }]);
    expect(asked(text).sort()).toEqual(['epochs', 'noiseMultiplier']);
  });

  test('a sigma of something else is no noise', () => {
    const text = 'train: {batch_size: 256, epochs: 10, n: 60000}\n';
    for (const other of [
      'model: {kernel: rbf, sigma: 0.3}',
      'diffusion: {sigma: 0.5, steps: 1000}',
      'augmentation: {sigma: 0.5}',
    ])
      expect(phasesOf(text + other)).toEqual([{ datasetSize: 60000, batchSize: 256, epochs: 10 }]);
  });
});

describe('import: patches, comments and files', () => {
  test('a patch is what it makes', () => {
    const patch = (head: string) =>
      `${head}-sigma = 0.8\n+sigma = 1.1\n batch_size = 256\n-epochs = 99\n+epochs = 10\n n = 60000\n`;
    expect(phasesOf(patch(''))).toEqual([mnist]);
    expect(phasesOf(patch('--- a/c.py\n+++ b/c.py\n@@ -1,4 +1,4 @@\n'))).toEqual([mnist]);
    expect(phasesOf('- n: 60000\n- batch_size: 256\n- epochs: 10\n- sigma: 1.1')).toEqual([mnist]);
  });

  test.each([
    '% sigma = 4',
    '<!-- sigma = 4 -->',
    '// sigma = 4',
    '; sigma = 4',
    '/* sigma = 4 */',
  ])('%s is a comment', (line) => {
    expect(phasesOf(`${line}\nsigma = 1.1, batch size 256, 10 epochs, n = 60000`)).toEqual([mnist]);
  });

  test('a notebook’s file and marks that turn numbers are refused', () => {
    const cell = '{"cell_type": "code", "source": ["sigma = 1.1\\n", "# sigma = 4"]}';
    expect(refusal(`{"cells": [${cell}], "nbformat": 4}`)).toMatch(/notebook/);
    expect(refusal('sigma = \u202e1.2\u202c\nepochs = 10')).toMatch(/direction/);
  });
});

describe('import: commands and tables', () => {
  const flags = '--n 60000 --batch_size 256 --epochs 10 --sigma 1.1';
  test.each([
    [`python x.py ${flags} -k=3`, '-k=3'],
    [`python x.py ${flags} -k3`, '-k3'],
    [`#!/bin/bash\n#SBATCH --array=1-5\nsrun python x.py ${flags}`, '--array=1-5'],
    [`for seed in 1 2 3\ndo\n  python x.py ${flags} --seed $seed\ndone`, 'for seed in 1 2 3'],
    [`#!/bin/bash\n#SBATCH --nodes=2\nsrun python x.py ${flags}`, '--nodes=2'],
  ])('%s', (text, quote) => {
    expect(phasesOf(text)).toEqual([mnist]);
    expect(dangersOf(text)).toContain(quote);
  });

  test('a list of devices counts them', () => {
    const text = 'n: 60000\nbatch_size: 256\nepochs: 10\nsigma: 1.1\n';
    for (const line of ['gpus: [0, 1, 2, 3]', 'devices: [4, 5, 6, 7]'])
      expect(runOf(text + line).ambiguous[0]?.readings).toEqual([
        '256 in a step',
        '1,024 in a step',
      ]);
  });

  test('long flags of one dash, and processes', () => {
    expect(phasesOf('python x.py -sigma 1.1 -n_train=60000 -batch_size 256 -epochs 10')).toEqual([
      mnist,
    ]);
    expect(asked(`mpirun -np 4 python x.py ${flags}`)).toEqual(['batch']);
  });

  test('cells over several columns belong to each', () => {
    const text =
      '\\begin{tabular}{lcc}\nDataset & \\multicolumn{2}{c}{MNIST} \\\\\n$\\sigma$ & 2.1 & 1.1 \\\\\nEpochs & 20 & 60 \\\\\n\\end{tabular}';
    expect(runOf(text).ambiguous[0]?.readings).toEqual(['MNIST, 2.1, 20', 'MNIST, 1.1, 60']);
    expect(phasesOf('| σ | n | B | epochs |\n|-|-|-|-|\n| **1.1** | 60000 | 256 | 10 |')).toEqual([
      mnist,
    ]);
  });
});

describe('import: words', () => {
  const rest = ', batch size 256, 10 epochs, n = 60,000';
  test.each([
    ['Each step draws 500 records', 'datasetSize'],
    ['Batches hold 256 examples', 'datasetSize'],
    ['We evaluate on 10,000 images', 'datasetSize'],
    ['80% of the 60,000 examples', 'datasetSize'],
    ['The population of 4 million devices', 'devices'],
    ['Steps of 256 samples', 'steps'],
    ['A sampling ratio 1:250', 'samplingProbability'],
    ['A sampling rate of 1 in 250', 'samplingProbability'],
    ['A batch size of 65,536 tokens', 'batchSize'],
    ['3 × 10 epochs', 'epochs'],
    ['We use 100 of 3,400 clients per round', 'batchSize'],
  ] as const)('%s', (words, field) => {
    const run = readRun(`${words}. σ = 1.1.`);
    if ('wrong' in run) throw new Error(run.wrong.join(' '));
    expect(queryOf(run, undefined).phases[0]).not.toHaveProperty(field);
    expect(run.dangerous).not.toEqual([]);
  });

  test.each([
    ['Noise of standard deviation σ = 4 is added', []],
    ['We begin with noise multiplier 2', ['noiseMultiplier']],
    ['We decay the noise multiplier from 2', []],
  ])('%s', (words, ids) => {
    expect(phasesOf(`${words}. We use${rest}.`)[0]).not.toHaveProperty('noiseMultiplier');
    expect(asked(`${words}. We use${rest}.`)).toEqual(ids);
  });

  test('a dataset after augmentation is asked about', () => {
    const text =
      'After augmentation the dataset has 60,000 images. σ = 1.1, batch size 256, 10 epochs.';
    expect(asked(text)).toEqual(['datasetSize']);
  });

  test('a stroke between two values is no quotient', () => {
    expect(phasesOf(`σ = 1.1/2.2${rest}`)[0]).not.toHaveProperty('noiseMultiplier');
    expect(phasesOf('sigma: 1.1/2.2\nq: 1/250\nsteps: 10')).toEqual([
      { samplingProbability: 1 / 250, steps: 10 },
    ]);
    expect(refusal('name,value,unit\nepochs,10,\nbatch size,256,\nn,60,thousand')).toMatch(/units/);
  });

  test('the last word of a number is none', () => {
    expect(phasesOf('Twenty five epochs, σ = 1.1')).toEqual([{ noiseMultiplier: 1.1 }]);
  });

  test('what a step costs is no target, nor a run’s delta', () => {
    expect(runOf(`We spend ε = 0.1 per record. σ = 1.1${rest}`).epsilon).toBeUndefined();
    expect(runOf(`δ = 1e-7 per step. σ = 1.1${rest}`).delta).toBeUndefined();
  });

  test('a batch of more than the data is asked about', () => {
    expect(asked('n: 12\nsigma: 1.1\nbatch_size: 256\nepochs: 10')).toEqual([
      'datasetSize or batchSize',
    ]);
  });

  test('ten epochs, five of them private', () => {
    expect(asked('Ten epochs, five of them private. σ = 1.1, batch size 256, n = 60,000.')).toEqual(
      ['epochs'],
    );
  });

  test('two datasets, a part of a run for each', () => {
    const text =
      'For MNIST we use batch size 256. For CIFAR-10 we use σ = 1.1, 10 epochs, n = 50,000.';
    expect(phasesOf(text)).toEqual([{}]);
    expect(asked(text)).toHaveLength(4);
  });

  test('powers and apostrophes', () => {
    expect(phasesOf('q = 2⁻⁸, σ = 1.1, 100 steps')).toEqual([{ steps: 100, noiseMultiplier: 1.1 }]);
    expect(phasesOf(`σ = 1.1${rest.replace('60,000', "60'000")}`)).toEqual([mnist]);
  });

  test('configurations that were tried are named', () => {
    expect(dangersOf(`We tuned over 50 configurations. σ = 1.1${rest}`)).toContain('50');
    expect(dangersOf(`It was repeated with 3 seeds. σ = 1.1${rest}`)).toContain('3');
  });

  test.each([
    'CIFAR-10 (50,000 images), batch size 250, 10 epochs, σ = 1.1',
    '250-example batches, 10 epochs over 50,000 examples, σ = 1.1',
    'batch size of 250 on 50,000 examples, 10 epochs, σ = 1.1, weight decay 5e-4',
  ])('%s', (text) => {
    expect(phasesOf(text)).toEqual([
      { datasetSize: 50000, batchSize: 250, epochs: 10, noiseMultiplier: 1.1 },
    ]);
  });
});

describe('import: what is said twice may be two trainings', () => {
  test('lines of JSON that are alike but for a seed', () => {
    const line = (seed: number) =>
      `{"noise_multiplier": 1.1, "batch_size": 256, "epochs": 10, "n": 60000, "seed": ${seed}}`;
    expect(asked(`${line(1)}\n${line(2)}`)).toContain('epochs');
    expect(asked(line(1))).toEqual([]);
  });
  test('loops over epochs inside one another', () => {
    const loops = 'for epoch in range(10):\n  for epoch in range(10):\n    step()\n';
    expect(dangersOf(`n = 60000\nbatch_size = 256\nsigma = 1.1\n${loops}`)).toContain('range(10)');
  });
});
