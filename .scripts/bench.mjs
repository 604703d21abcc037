// Lays the benchmark's rows for the native and the WebAssembly build side by side, and times the
// comparison once more as the page makes it: over a pool of workers. Monte Carlo likewise.

import { availableParallelism, cpus } from 'node:os';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { steps } from './build.mjs';
import { must, root } from './shell.mjs';

async function rows(program, ...args) {
  const output = await must(program, args);
  return output
    .trim()
    .split('\n')
    .map((line) => {
      const [question, sampler, sigma, T, first, median, points, transform] = line.split('\t');
      return { question, sampler, sigma, T, first, median, points, transform };
    });
}

const ms = (text) => (Number(text) === 0 ? '' : Number(text).toFixed(2));
const ratio = (a, b) => (Number(b) < 0.05 ? '' : (Number(a) / Number(b)).toFixed(2));

function print(table) {
  const widths = table[0].map((_, i) => Math.max(...table.map((row) => row[i].length)));
  for (const row of table) {
    console.log(
      row.map((cell, i) => (i < 2 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join('  '),
    );
  }
}

async function pooled(settings) {
  const { createEngine } = await import(pathToFileURL(join(root, 'dist/node/index.js')).href);
  const engine = await createEngine();
  const table = [['compare over the workers', '', 'σ', 'T', 'first', 'median']];
  try {
    for (const { sigma, T } of settings) {
      const query = {
        phases: [{ noiseMultiplier: Number(sigma), stepsPerEpoch: Number(T) }],
        delta: 1e-6,
      };
      const times = [];
      for (let i = 0; i < 12; ++i) {
        const start = performance.now();
        await engine.compare(query);
        times.push(performance.now() - start);
      }
      const [first, ...rest] = times;
      rest.sort((a, b) => a - b);
      table.push(['', '', sigma, T, ms(first), ms(rest[Math.floor(rest.length / 2)])]);
    }
  } finally {
    engine.close();
  }
  print(table);
}

/** What one core draws, natively and as WebAssembly. */
async function sampling() {
  const native = await rows('build/native/tests/core_bench', 'monte_carlo');
  const wasm = await rows(process.execPath, 'build/wasm/tests/core_bench.cjs', 'monte_carlo');
  console.log(
    'Monte Carlo of 12 ε, one core: nanoseconds a sample and coordinate (ranks drawn, with order\n' +
      'statistics), each sample serving all ε.\n',
  );
  const table = [['estimator', '', 'σ', 'T', 'native', 'wasm', 'wasm/native', 'samples/s, wasm']];
  native.forEach((row, i) => {
    const other = wasm[i];
    const perSecond = (1000 * Number(other.points)) / Number(other.median);
    table.push([
      ...[row.question.replace('monte_carlo ', ''), '', row.sigma, row.T],
      ...[ms(row.transform), ms(other.transform), ratio(other.transform, row.transform)],
      perSecond.toFixed(0),
    ]);
  });
  print(table);
}

/** How much faster two workers are than one: pairs of runs, so that a busy moment meets both. */
async function scaling() {
  const { createEngine } = await import(pathToFileURL(join(root, 'dist/node/index.js')).href);
  const engine = await createEngine({ workers: 2 });
  const query = {
    ...{ sampler: 'balls-and-bins', noiseMultiplier: 0.4, stepsPerEpoch: 5000 },
    ...{ epsilons: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], samples: 20_000 },
  };
  const time = async (workers) => {
    const start = performance.now();
    await engine.monteCarlo(query, { workers });
    return performance.now() - start;
  };
  const middle = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
  try {
    await time(2);
    const pairs = [];
    for (let i = 0; i < 7; ++i) pairs.push([await time(1), await time(2)]);
    const one = middle(pairs.map(([first]) => first));
    const two = middle(pairs.map(([, second]) => second));
    const gain = middle(pairs.map(([first, second]) => first / second));
    console.log(
      `monte-carlo of 20_000 samples, σ = 0.4, T = 5000, in Node: ${one.toFixed(0)} ms with one worker, ` +
        `${two.toFixed(0)} ms with two, ${gain.toFixed(2)} times as fast`,
    );
  } finally {
    engine.close();
  }
}

export async function bench() {
  await steps.nativeBench();
  await steps.wasmBench();
  await steps.node();
  const native = await rows('build/native/tests/core_bench');
  const wasm = await rows(process.execPath, 'build/wasm/tests/core_bench.cjs');
  console.log(
    `Milliseconds on ${availableParallelism()} cores of ${cpus()[0]?.model ?? 'an unknown processor'}, ` +
      `one epoch of T steps, δ = 1e-6 or ε = 1.\n` +
      'first: with every table still to be made; FFT: one bare transform of the largest grid used.\n',
  );
  const table = [
    [
      'question',
      'sampler',
      'σ',
      'T',
      'grid',
      'native',
      'FFT',
      'wasm',
      'FFT',
      'first',
      'wasm/native',
    ],
  ];
  native.forEach((row, i) => {
    const other = wasm[i];
    table.push([
      row.question,
      row.sampler,
      row.sigma,
      row.T,
      Number(row.points) > 0 ? `2^${Math.log2(row.points).toFixed(0)}` : '',
      ms(row.median),
      ms(row.transform),
      ms(other.median),
      ms(other.transform),
      ms(other.first),
      ratio(other.median, row.median),
    ]);
  });
  print(table);
  console.log('');
  await pooled(native.filter(({ question }) => question === 'compare'));
  console.log('');
  await sampling();
  console.log('');
  await scaling();
  return true;
}
