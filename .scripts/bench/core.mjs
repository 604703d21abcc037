// @ts-nocheck: untyped, as nothing passes or fails by it.
// The core alone, natively and as WebAssembly in Node: what tests/bench/bench.cc times.

import { steps } from '../build.mjs';
import { must } from '../shell.mjs';
import { answersInChromium } from './engine.mjs';
import { ms, ratio } from './numbers.mjs';

export async function rows(program, ...args) {
  const output = await must(program, args);
  return output
    .trim()
    .split('\n')
    .map((line) => {
      const [question, sampler, sigma, T, first, median, points, transform, width] =
        line.split('\t');
      return { question, sampler, sigma, T, first, median, points, transform, width };
    });
}

async function both(...args) {
  await steps.nativeBench();
  await steps.wasmBench();
  const native = await rows('build/native/tests/core_bench', ...args);
  const wasm = await rows(process.execPath, 'build/wasm/tests/core_bench.cjs', ...args);
  return native.map((row, i) => [row, wasm[i]]);
}

const exponent = (points) => (Number(points) > 0 ? `2^${Math.log2(points).toFixed(0)}` : '');

export async function answers() {
  const pairs = await both();
  const browser = await answersInChromium(pairs.map(([row]) => row));
  const head = [
    ...['question', 'sampler', 'σ', 'T', 'grid', 'native', 'FFT', 'wasm', 'FFT', 'first'],
    ...['Chromium', 'wasm/native'],
  ];
  return [
    'Milliseconds, medians; one epoch of T steps, δ = 1e-6 or ε = 1. FFT: one bare transform of the ' +
      'largest grid used, the limit of any route through it. wasm: in Node, and first: there with ' +
      'every table still to be made. Chromium: the built engine in a worker, with the way there and back.',
    [
      head,
      ...pairs.map(([row, other], i) => [
        ...[row.question, row.sampler || '(all)', row.sigma, row.T, exponent(row.points)],
        ...[ms(row.median), ms(row.transform), ms(other.median), ms(other.transform)],
        ...[ms(other.first), ms(browser[i]), ratio(other.median, row.median)],
      ]),
    ],
  ];
}

/** The width that is asked by default. */
const widthAsked = 1e-3;

/** Least squares of log time on log T, over intervals as narrow as asked: others are not the same work. */
function slope(rows) {
  const points = rows
    .filter(({ width }) => Number(width) <= widthAsked)
    .map(({ T, median }) => [Math.log(Number(T)), Math.log(Number(median))]);
  if (points.length < 3) return '';
  const mean = (i) => points.reduce((sum, point) => sum + point[i], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  const moments = points.map((point) => [(point[0] - x) * (point[1] - y), (point[0] - x) ** 2]);
  const sum = (i) => moments.reduce((total, moment) => total + moment[i], 0);
  return (sum(0) / sum(1)).toFixed(2);
}

/** Every size of a question and sampler in a row. */
export async function growth() {
  const pairs = await both('growth');
  const kinds = new Map();
  for (const [row, other] of pairs) {
    const key = `${row.question}\t${row.sampler}`;
    kinds.set(key, [...(kinds.get(key) ?? []), [row, other]]);
  }
  const sizes = [...new Set(pairs.map(([row]) => row.T))];
  const tables = ['native', 'WebAssembly'].map((_, build) => [
    ['question', 'sampler', ...sizes.map((T) => `T = ${T}`), 'exponent', 'from 1e4'],
    ...[...kinds].map(([key, list]) => {
      const times = list.map((pair) => pair[build]);
      const large = times.filter(({ T }) => Number(T) >= 1e4);
      return [
        ...key.split('\t'),
        ...times.map(({ median, width }) => `${ms(median)} (${width})`),
        slope(times),
        slope(large),
      ];
    }),
  ]);
  return [
    'Milliseconds, medians, and in brackets the relative width of the interval; σ = 1, one epoch of T ' +
      'steps with q = 1/T, δ = 1e-6 or ε = 1. exponent: of T, by least squares in logarithms over all ' +
      'sizes whose interval is at most 1e-3 wide, and over those from 1e4 on. Natively:',
    tables[0],
    'As WebAssembly in Node:',
    tables[1],
  ];
}

/** What one core draws. */
export async function sampling() {
  const pairs = await both('monte_carlo');
  return [
    'Balls-and-bins at 12 ε from the same samples, on one core: nanoseconds per sample and coordinate ' +
      '(ranks drawn, with order statistics).',
    [
      ['estimator', 'σ', 'T', 'native', 'wasm', 'wasm/native', 'samples/s, wasm'],
      ...pairs.map(([row, other]) => [
        ...[row.question.replace('monte_carlo ', ''), row.sigma, row.T],
        ...[ms(row.transform), ms(other.transform), ratio(other.transform, row.transform)],
        ((1000 * Number(other.points)) / Number(other.median)).toFixed(0),
      ]),
    ],
  ];
}
