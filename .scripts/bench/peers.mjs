// @ts-nocheck: untyped, as nothing passes or fails by it.
// What other programs take for questions of ours: program, seconds, what it answered. What stands here
// was measured apart from this benchmark, on another machine; dp_accounting is run again where the
// person's own Python has it (PYTHON names another one; nothing is installed).

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../shell.mjs';

const epsilonOf = (phase) => ({ question: 'epsilon', phases: [phase], delta: 1e-6 });
const deltaOf = (phase, epsilon) => ({ question: 'delta', phases: [phase], epsilon });

const bins = (noiseMultiplier, stepsPerEpoch, epochs = 1) => ({
  ...{ sampler: 'balls-and-bins', noiseMultiplier, stepsPerEpoch, epochs },
});

export const peerTimes = [
  {
    name: 'ε, Poisson, σ = 0.4, q = 1e-5, T = 1e5, δ = 1e-6',
    query: epsilonOf({
      ...{ sampler: 'poisson', noiseMultiplier: 0.4, samplingProbability: 1e-5, steps: 1e5 },
    }),
    others: [
      ['dp_accounting, PLD, h = 1e-4', '2.2', 'at most 2.99817'],
      ['dp_accounting, PLD, h = 1e-5', '25', '2.845 to 2.99804'],
      ['prv_accountant', '6.5', 'give or take .01'],
    ],
  },
  {
    name: 'ε, Poisson, σ = 1.1, q = 256/60000, T = 14062, δ = 1e-5',
    query: {
      ...epsilonOf({
        ...{ sampler: 'poisson', noiseMultiplier: 1.1, samplingProbability: 256 / 60000 },
        steps: 14062,
      }),
      delta: 1e-5,
    },
    others: [
      ['dp_accounting, PLD, h = 1e-4', '.45', '1.679 to 2.38169'],
      ['dp_accounting, PLD, h = 1e-5', '4.2', '2.311 to 2.38160'],
      ['prv_accountant', '1.3', 'give or take .01'],
    ],
  },
  {
    name: 'ε, Poisson, σ = 0.8, q = 1e-3, T = 1e4, δ = 1e-5',
    query: {
      ...epsilonOf({
        ...{ sampler: 'poisson', noiseMultiplier: 0.8, samplingProbability: 1e-3, steps: 1e4 },
      }),
      delta: 1e-5,
    },
    others: [
      ['dp_accounting, PLD, h = 1e-4', '1.0', '.283 to .78252'],
      ['dp_accounting, PLD, h = 1e-5', '6.9', '.732 to .78252'],
    ],
  },
  {
    name: 'δ, balls-and-bins, σ = 0.4, T = 5000, ε = 4',
    query: deltaOf(bins(0.4, 5000), 4),
    others: [
      ['importance sampling, 1e5 samples', '48', 'at most 1.35e-4'],
      ['geometric convolution, h = .1', '54', 'upper/lower 1.12'],
    ],
  },
  {
    name: 'δ, balls-and-bins, σ = 0.32, T = 1e5, ε = 4',
    query: deltaOf(bins(0.32, 1e5), 4),
    others: [['order statistics, 369 ranks, 1e4 samples, 12 ε', '10', 'nothing below 6.9e-4']],
  },
  {
    name: 'δ, balls-and-bins, σ = 0.4, T = 5000, 4 epochs, ε = 4',
    query: deltaOf(bins(0.4, 5000, 4), 4),
    others: [['geometric convolution, h = .2', '77', 'upper/lower 1.48']],
  },
  {
    name: 'δ, balls-and-bins, σ = 0.25, T = 1e6, ε = 4',
    query: deltaOf(bins(0.25, 1e6), 4),
    others: [['geometric convolution, h = .5', '38', 'upper/lower 1.14']],
  },
];

/** What dp_accounting is asked of a query, where it has that sampler; at the interval of its name. */
function askedOf({ phases: [phase], delta }, name) {
  const interval = Number(/dp_accounting, PLD, h = (\S+)/.exec(name)?.[1]);
  if (phase.sampler !== 'poisson' || !interval) return undefined;
  const { noiseMultiplier: sigma, samplingProbability: q, steps } = phase;
  return { sigma, q, steps, delta, interval };
}

/** dp_accounting's version, or why it did not run; all rows of others: program, seconds, answer, where measured. */
export function othersNow() {
  const rows = peerTimes.flatMap(({ query, others }, i) =>
    others.map(([name, seconds, answer]) => ({
      i,
      name,
      seconds,
      answer,
      query,
      where: 'recorded',
    })),
  );
  const asked = rows.filter(({ query, name }) => askedOf(query, name));
  const { status, stdout, stderr, error } = spawnSync(
    process.env.PYTHON ?? 'python3',
    [join(root, '.scripts/bench/dp_accounting_times.py')],
    {
      input: JSON.stringify(asked.map(({ query, name }) => askedOf(query, name))),
      ...{ encoding: 'utf8', timeout: 600_000 },
    },
  );
  // Libraries may print lines of their own.
  const [printed, complained] = [stdout, stderr].map((text) => text?.trim().split('\n').at(-1));
  if (status !== 0 || !printed) return { why: error?.message ?? complained, rows };
  const { version, answers } = JSON.parse(printed);
  asked.forEach((row, at) => {
    const { seconds, lower, upper } = answers[at];
    const answer = `${lower.toPrecision(6)} to ${upper.toPrecision(6)}`;
    Object.assign(row, { seconds: seconds.toPrecision(3), answer, where: 'in this run' });
  });
  return { version, rows };
}
