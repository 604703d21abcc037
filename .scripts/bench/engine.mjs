// @ts-nocheck: untyped, as nothing passes or fails by it.
// The built engine as its callers meet it: in Node, and in a worker of Chromium.

import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { steps } from '../build.mjs';
import { root } from '../shell.mjs';
import { inChromium } from './chromium.mjs';
import { median, ms } from './numbers.mjs';
import { othersNow, peerTimes } from './peers.mjs';

export async function withEngine(options, use) {
  await steps.node();
  const { createEngine } = await import(pathToFileURL(join(root, 'dist/node/index.js')).href);
  const engine = await createEngine(options);
  try {
    return await use(engine);
  } finally {
    engine.close();
  }
}

/**
 * The median of a query's times in milliseconds, without the first, and the last answer.
 * Whole in itself: a browser gets it as text.
 */
async function timeQueries(engine, queries) {
  const results = [];
  for (const query of queries) {
    const times = [];
    let answer;
    for (let spent = 0; times.length < 6 || (spent < 1000 && times.length < 101);) {
      const start = performance.now();
      answer = await engine.answer(query);
      times.push(performance.now() - start);
      spent += times.at(-1);
    }
    const rest = times.slice(1).sort((a, b) => a - b);
    results.push({ median: rest[Math.floor(rest.length / 2)], answer });
  }
  return results;
}

async function timedInChromium(queries) {
  await steps.browser();
  return inChromium(join(root, 'dist/browser'), async (page) =>
    page.evaluate(
      async ({ timer, queries }) => {
        const module = './index.js';
        const { createEngine } = await import(module);
        const engine = await createEngine({ workers: 1 });
        try {
          // oxlint-disable-next-line typescript/no-implied-eval -- a function reaches the page as text
          return await new Function(`return (${timer})`)()(engine, queries);
        } finally {
          engine.close();
        }
      },
      { timer: timeQueries.toString(), queries },
    ),
  );
}

/** The core's rows as questions to the engine. */
function queryOf({ question, sampler, sigma, T }) {
  const phase = { noiseMultiplier: Number(sigma), stepsPerEpoch: Number(T) };
  return {
    question,
    phases: [sampler === '(all)' ? phase : { ...phase, sampler }],
    ...(question === 'delta' ? { epsilon: 1 } : { delta: 1e-6 }),
  };
}

export async function answersInChromium(rows) {
  const results = await timedInChromium(rows.map(queryOf));
  return results.map((result) => result.median);
}

const digits = (value) => Number(value.toPrecision(6)).toString();

export async function peers() {
  const queries = peerTimes.map(({ query }) => query);
  const node = await withEngine({ workers: 1 }, (engine) => timeQueries(engine, queries));
  const browser = await timedInChromium(queries);
  const { version, why, rows } = othersNow();
  const here = version
    ? `dp_accounting ${version} ran in this run, its default (pessimistic) estimate timed; the others’ times`
    : `dp_accounting did not run (${why}): all times of others`;
  return [
    `The same questions. Our times are medians in this run, in milliseconds. ${here} were recorded ` +
      'elsewhere, on one core of a two-core virtual Xeon that was shared (give or take half). Theirs are in seconds.',
    [
      [
        ...['question', 'our interval', 'Node', 'Chromium', 'other program'],
        ...['its time, s', 'times ours', 'its answer', 'measured'],
      ],
      ...rows.map(({ i, name, seconds, answer, where }, at) => {
        const { lower, upper } = node[i].answer[queries[i].question];
        const ours = [
          peerTimes[i].name,
          `[${digits(lower)}, ${digits(upper)}]`,
          ms(node[i].median),
          ms(browser[i].median),
        ];
        const first = rows[at - 1]?.i !== i;
        const ratio = Number(((1000 * Number(seconds)) / node[i].median).toPrecision(2));
        return [
          ...(first ? ours : ['', '', '', '']),
          ...[name, seconds, ratio.toLocaleString('en'), answer, where],
        ];
      }),
    ],
  ];
}

export async function pooled() {
  const rows = [['σ', 'T', 'first', 'median']];
  await withEngine({}, async (engine) => {
    for (const [noiseMultiplier, stepsPerEpoch] of [
      [0.4, 1e4],
      [1, 1e6],
    ]) {
      const query = { phases: [{ noiseMultiplier, stepsPerEpoch }], delta: 1e-6 };
      const times = [];
      for (let i = 0; i < 12; ++i) {
        const start = performance.now();
        await engine.compare(query);
        times.push(performance.now() - start);
      }
      const [first, ...rest] = times;
      rows.push([`${noiseMultiplier}`, `${stepsPerEpoch}`, ms(first), ms(median(rest))]);
    }
  });
  return [
    'Every sampler’s ε at δ = 1e-6, in Node, over as many workers as there are cores; milliseconds.',
    rows,
  ];
}

/** How much faster two workers are than one: pairs of runs, so that a busy moment meets both. */
export async function scaling() {
  const query = {
    ...{ sampler: 'balls-and-bins', noiseMultiplier: 0.4, stepsPerEpoch: 5000 },
    ...{ epsilons: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], samples: 20_000 },
  };
  return withEngine({ workers: 2 }, async (engine) => {
    const time = async (workers) => {
      const start = performance.now();
      await engine.monteCarlo(query, { workers });
      return performance.now() - start;
    };
    await time(2);
    const pairs = [];
    for (let i = 0; i < 7; ++i) pairs.push([await time(1), await time(2)]);
    const [one, two] = [0, 1].map((i) => median(pairs.map((pair) => pair[i])));
    const gain = median(pairs.map(([first, second]) => first / second));
    return [
      `20,000 samples at σ = 0.4, T = 5000, in Node: ${one.toFixed(0)} ms with one worker, ` +
        `${two.toFixed(0)} ms with two, ${gain.toFixed(2)} times as fast (median of seven pairs).`,
    ];
  });
}
