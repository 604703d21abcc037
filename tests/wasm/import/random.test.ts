import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Phase } from '../../../wasm/generated/schema.js';
import { queryOf, readRun } from '../../../wasm/import/index.js';

interface Run {
  n: number;
  b: number;
  length: { name: 'epochs' | 'steps'; value: number };
  sigma: number;
  delta: number | undefined;
}

const runs: fc.Arbitrary<Run> = fc
  .record({
    b: fc.integer({ min: 1, max: 5000 }),
    more: fc.integer({ min: 0, max: 2_000_000 }),
    name: fc.constantFrom('epochs' as const, 'steps' as const),
    value: fc.integer({ min: 1, max: 20000 }),
    sigma: fc.integer({ min: 2, max: 900 }).map((hundredths) => hundredths / 100),
    delta: fc.option(fc.constantFrom(1e-5, 1e-6, 2.5e-7), { nil: undefined }),
  })
  .map(({ b, more, name, value, sigma, delta }) => ({
    ...{ n: b + more, b, sigma, delta },
    length: { name, value },
  }));

type Pair = readonly [name: string, value: string];

/** The names that each format uses, in any order. */
const pairsOf = (
  { n, b, length, sigma, delta }: Run,
  names: Record<string, readonly string[]>,
  pick: (of: readonly string[]) => string,
): Pair[] => [
  [pick(names.n ?? []), String(n)],
  [pick(names.b ?? []), String(b)],
  [pick(names[length.name] ?? []), String(length.value)],
  [pick(names.sigma ?? []), String(sigma)],
  ...(delta === undefined ? [] : [[pick(names.delta ?? []), String(delta)] as const]),
];

const code = {
  n: ['n', 'n_train', 'dataset_size', 'num_train_examples', 'train_size'],
  b: ['batch_size', 'b', 'lot_size'],
  epochs: ['epochs', 'num_epochs', 'n_epochs', 'max_epochs'],
  steps: ['steps', 'num_steps', 'max_steps', 'iterations'],
  sigma: ['sigma', 'noise_multiplier', 'noise_mult'],
  delta: ['delta', 'target_delta'],
};
const spoken = {
  n: ['Dataset size', 'Training examples', 'n'],
  b: ['Batch size', 'Lot size'],
  epochs: ['Epochs', 'Number of epochs'],
  steps: ['Steps', 'Number of steps', 'Iterations'],
  sigma: ['Noise multiplier', 'σ', 'Noise multiplier (σ)'],
  delta: ['δ', 'Delta'],
};

interface Format {
  name: string;
  write: (pairs: readonly Pair[]) => string[];
  names: Record<string, readonly string[]>;
  noise: readonly string[];
  join?: string;
}

const formats: readonly Format[] = [
  {
    name: 'Python',
    names: code,
    write: (pairs) => pairs.map(([name, value]) => `${name} = ${value}`),
    noise: [
      'import torch',
      'print("5 epochs")',
      'lr = 0.1',
      '# sigma = 7',
      'num_workers = 4',
      'x = [1, 2, 3]',
      'for i in range(3):\n    print(i)',
      '"""epochs = 9"""',
      'seed = 12',
      'model = Net(10)',
      'assert True',
    ],
  },
  {
    name: 'argparse',
    names: code,
    write: (pairs) =>
      pairs.map(
        ([name, value]) =>
          `parser.add_argument("--${name.replaceAll('_', '-')}", type=float, default=${value}, help="such as 3")`,
      ),
    noise: [
      'parser.add_argument("--lr", default=0.1)',
      '# parser.add_argument("--sigma", default=3)',
      'parser.add_argument("--seed", type=int, default=5)',
      'parser.add_argument("--out", required=True)',
    ],
  },
  {
    name: 'dataclass',
    names: code,
    write: (pairs) => pairs.map(([name, value]) => `    ${name}: float = ${value}`),
    noise: [
      '    lr: float = 0.1',
      '    # sigma: float = 7',
      '    name: str = "5 epochs"',
      '    seed: int = 3',
    ],
  },
  {
    name: 'LaTeX',
    names: spoken,
    write: (pairs) => pairs.map(([name, value]) => `${name} & $${value}$ \\\\`),
    noise: ['Learning rate & 0.1 \\\\', 'Optimizer & SGD \\\\', '\\midrule', 'Seed & 3 \\\\'],
  },
  {
    name: 'YAML',
    names: code,
    write: (pairs) => pairs.map(([name, value]) => `${name}: ${value}`),
    noise: [
      'lr: 0.1',
      '# sigma: 7',
      'tags:\n  - a\n  - b',
      'seed: 3',
      'optimizer:\n  eps: 1e-8',
      'name: run7',
      'eval:\n  batch_size: 999',
    ],
  },
  {
    name: 'TOML',
    names: code,
    write: (pairs) => pairs.map(([name, value]) => `${name} = ${value}`),
    noise: [
      'lr = 0.1',
      '# sigma = 7',
      'tags = ["a", "b"]',
      'seed = 3',
      'name = "run7"',
      'date = 2026-01-01',
    ],
  },
  {
    name: 'JSON',
    names: code,
    write: (pairs) => pairs.map(([name, value]) => `"${name}": ${value}`),
    noise: [
      '"lr": 0.1',
      '"tags": ["a"]',
      '"seed": 3',
      '"optimizer": {"eps": 1e-8}',
      '"note": null',
    ],
    join: ', ',
  },
  {
    name: 'flags',
    names: code,
    write: (pairs) =>
      pairs.map(([name, value], at) => `--${name}${at % 2 === 0 ? '=' : ' '}${value}`),
    noise: ['--lr 0.1', '--verbose', '--seed=3', '--output-dir runs/1'],
    join: ' ',
  },
  {
    name: 'Markdown',
    names: spoken,
    write: (pairs) => pairs.map(([name, value]) => `| ${name} | ${value} |`),
    noise: ['| Learning rate | 0.1 |', '| Optimizer | SGD |', '| Seed | 3 |'],
  },
  {
    name: 'lines',
    names: spoken,
    write: (pairs) => pairs.map(([name, value]) => `- ${name}: ${value}`),
    noise: ['- Learning rate: 0.1', '- Optimizer: SGD', '# Settings', '', 'See the appendix.'],
  },
  {
    name: 'words',
    names: {
      n: ['n =', 'dataset size', 'training set of'],
      b: ['batch size', 'lot size of', '|B| ='],
      epochs: ['epochs:', 'number of epochs is'],
      steps: ['steps:', 'number of steps is'],
      sigma: ['σ =', 'noise multiplier', 'noise multiplier of', 'sigma ='],
      delta: ['δ =', 'delta ='],
    },
    write: (pairs) => pairs.map(([name, value]) => `${name} ${value}`),
    noise: ['learning rate 0.1', 'clipping norm C = 1', 'momentum of 0.9', 'ResNet-18', 'seed 3'],
    join: ', ',
  },
];

const wrap = (format: Format, lines: readonly string[]): string => {
  const body = lines.join(format.join ?? '\n');
  if (format.name === 'JSON') return `{${body}}`;
  if (format.name === 'flags') return `python train.py ${body}`;
  if (format.name === 'Markdown') return `| Name | Value |\n|---|---|\n${body}`;
  if (format.name === 'dataclass') return `@dataclass\nclass Config:\n${body}`;
  if (format.name === 'LaTeX') return `\\begin{tabular}{ll}\n${body}\n\\end{tabular}`;
  if (format.name === 'argparse')
    return `import argparse\nparser = argparse.ArgumentParser()\n${body}`;
  return body;
};

const long = process.env.HONEST_EPSILON_LONG === '1';
const rounds = long ? 2000 : 100;
// Of sentences 93 % are read, so that 9 in 10 of 100 fresh ones would be missed now and then.
const draw = long ? { numRuns: rounds } : { numRuns: rounds, seed: 20261128 };

/** The reading is the run or leaves something open; what it has is never another run's. */
function hold(run: Run, text: string): 'whole' | 'open' {
  const read = readRun(text);
  if ('wrong' in read) return 'open';
  const query = queryOf(read, undefined);
  const phase = query.phases[0] as Phase;
  const truth: Record<string, number | undefined> = {
    ...{ datasetSize: run.n, batchSize: run.b, noiseMultiplier: run.sigma },
    [run.length.name]: run.length.value,
  };
  const open = read.missing.length + read.ambiguous.length > 0;
  for (const [name, value] of Object.entries(phase) as [string, unknown][])
    expect({ [name]: value }).toEqual({ [name]: truth[name] });
  if (query.delta !== undefined) expect(query.delta).toBe(run.delta);
  if (!open) {
    expect(phase).toEqual(truth);
    expect(query.delta).toBe(run.delta);
  }
  return open ? 'open' : 'whole';
}

test.each(formats)('import: random runs as $name, with other lines, in any order', (format) => {
  let whole = 0;
  fc.assert(
    fc.property(
      runs,
      fc.array(fc.constantFrom(...format.noise), { maxLength: 4 }),
      fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 12, maxLength: 12 }),
      (run, noise, order) => {
        let at = 0;
        const pick = (of: readonly string[]) => of[(order[at++ % 12] ?? 0) % of.length] ?? '';
        const lines = [...format.write(pairsOf(run, format.names, pick)), ...new Set(noise)];
        const shuffled = lines
          .map((line, index) => ({
            line,
            key: ((order[index % 12] ?? 0) * 7919 + index * 104729) % 1009,
          }))
          .sort((a, b) => a.key - b.key)
          .map(({ line }) => line);
        if (hold(run, wrap(format, shuffled)) === 'whole') ++whole;
      },
    ),
    draw,
  );
  // Refusals are rare: most of what is written down plainly is read.
  expect(whole).toBeGreaterThan(0.9 * rounds);
});

test('import: two formats in one text, or one cut short, are never another run', () => {
  fc.assert(
    fc.property(
      runs,
      fc.constantFrom(...formats),
      fc.constantFrom(...formats),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (run, one, other, share) => {
        const write = (format: Format) =>
          wrap(format, format.write(pairsOf(run, format.names, ([first = '']) => first)));
        hold(run, `${write(one)}\n\n${write(other)}`);
        // A text that ends early may end in a number: its last word is left out.
        const cut = write(one)
          .slice(0, Math.floor(share * write(one).length))
          .replace(/\S*$/, '');
        const read = readRun(cut);
        if ('wrong' in read) return;
        for (const [name, value] of Object.entries(queryOf(read, undefined).phases[0] ?? {}) as [
          string,
          unknown,
        ][])
          expect({ name, value }).toEqual({
            name,
            value: (
              {
                datasetSize: run.n,
                batchSize: run.b,
                noiseMultiplier: run.sigma,
                [run.length.name]: run.length.value,
              } as Record<string, number>
            )[name],
          });
      },
    ),
    { numRuns: rounds },
  );
});
