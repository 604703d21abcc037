/** Balls-and-Bins Sampling for DP-SGD, Chua and others, 2025. */

import type { Phase, SamplerName } from '../generated/schema.js';
import { ask, counted, deltaOf, epsilonOf, through } from './ask.js';
import { epoch, independent, poissonEpoch } from './runs.js';
import type { Claim, Exhibit, Panel, Paper, Relation, Series, Verdict } from './shape.js';

const paper: Paper = {
  key: 'balls-and-bins',
  citation: 'BB25',
  title: 'Balls-and-Bins Sampling for DP-SGD',
  authors: 'Chua, Ghazi, Harrison, Leeman, Kamath, Kumar, Manurangsi, Sinha, Zhang, 2025',
  url: 'https://arxiv.org/abs/2412.16802',
};

/** Every `step`-th order up to `last`. */
type Stretch = readonly [last: number, step: number];

/** A list of order statistics as the paper gives it: 1, 2, ... 500, 510, 520, ... 1000, 1100, ... */
function orders(...stretches: readonly Stretch[]): number[] {
  const list: number[] = [];
  for (const [last, step] of stretches) {
    for (let order = (list.at(-1) ?? 0) + step; order <= last; order += step) list.push(order);
  }
  return list;
}

function line(label: string, sampler: SamplerName, run: Phase, count = 33): Series {
  return { label, sampler, count, at: (epsilon) => deltaOf(run, epsilon) };
}

/** One of the paper’s four trainings. */
interface Training {
  data: string;
  records: number;
  batch: number;
  steps: number;
  orders: readonly number[];
  printedOrders: string;
  share: string;
  wrongCount?: string;
}

const pctr = { data: 'Criteo pCTR', records: 37_000_000 };
const search = { data: 'Criteo search', records: 12_796_151 };

const trainings: readonly Training[] = [
  {
    ...pctr,
    batch: 1024,
    steps: 36_133,
    orders: orders([500, 1], [1000, 10], [19_900, 100]),
    printedOrders: '739',
    share: '2',
  },
  {
    ...pctr,
    batch: 8192,
    steps: 4517,
    orders: orders([500, 1], [1000, 10], [2950, 50]),
    printedOrders: '589',
    share: '13',
  },
  {
    ...search,
    batch: 1024,
    steps: 12_497,
    orders: orders([500, 1], [1000, 10], [6900, 100]),
    printedOrders: '609',
    share: '4.8',
  },
  {
    ...search,
    batch: 8192,
    steps: 1563,
    orders: orders([500, 1], [990, 10]),
    printedOrders: '589',
    share: '35',
    wrongCount:
      'The list printed has 549 orders, which is also what the share of 35 % says; 589 is the count of another line.',
  },
];

const noise = 0.4;

function trainingPanel({ data, batch, steps }: Training): Panel {
  return {
    title: `${data}, batches of ${String(batch)}: T = ${steps.toLocaleString('en')}, σ = ${String(noise)}`,
    x: { label: 'ε', scale: 'linear', from: 0, to: 12 },
    y: { label: 'δ', scale: 'log', from: 1e-10, to: 1 },
    series: [
      line('Shuffle', 'shuffle', epoch('shuffle', noise, steps), 25),
      line('Poisson', 'poisson', poissonEpoch(noise, steps), 25),
      line('Balls-and-bins', 'balls-and-bins', epoch('balls-and-bins', noise, steps), 25),
    ],
  };
}

function trainingClaims(training: Training): Claim[] {
  const { data, records, batch, steps, printedOrders, share, wrongCount } = training;
  const of = `${data}, batches of ${String(batch)}`;
  const number = (
    what: string,
    relation: Relation,
    printed: string,
    value: number,
    expected: Verdict = 'agree',
  ): Claim => ({ what: `${what}: ${of}`, relation, printed, ask: counted(what, value), expected });
  const schedule: Phase = {
    sampler: 'balls-and-bins',
    noiseMultiplier: 1,
    datasetSize: records,
    batchSize: batch,
    epochs: 1,
  };
  const count = training.orders.length;
  return [
    {
      what: `steps: ${of}`,
      relation: 'exactly',
      printed: String(steps),
      ask: epsilonOf(schedule, 1e-6, 'stepsPerEpoch'),
      expected: 'agree',
    },
    wrongCount === undefined
      ? number('orders sampled', 'exactly', printedOrders, count)
      : {
          ...number('orders sampled', 'exactly', printedOrders, count, 'differ'),
          reason: wrongCount,
        },
    number(
      'orders, per cent of the steps',
      'about',
      share,
      Number(((100 * count) / steps).toPrecision(3)),
    ),
  ];
}

const maxima = [
  { ...pctr, largest: [1328, 2469, 4681, 9007, 17_520, 34_355, 67_754, 134_172, 266_475] },
  { ...search, largest: [1320, 2458, 4665, 8984, 17_488, 34_309, 67_687, 134_071, 266_317] },
];

/** Of Criteo search, the one maximum whose charge is not above the one aimed at. */
const withinCharge = 2458;

const overCharged =
  'For this dataset’s number of records the printed maximum gives up to 16 % more than 10⁻¹⁰; with more records than that, or fewer steps, it would not.';

/** (1 + e^10) steps Pr[Bin(n, b/n) > B], which the printed maxima are to keep below 1e-10. */
const maximaClaims = maxima.flatMap(({ data, records, largest }) =>
  largest.map((maximum, index): Claim => {
    const batch = 1024 * 2 ** index;
    const run: Phase = {
      ...independent('poisson', 1, batch / records, Math.ceil(records / batch)),
      datasetSize: records,
      maxBatchSize: maximum,
    };
    const cut = ask(
      { question: 'delta', phases: [run], epsilon: 10, accountant: 'gdp' },
      'capProbability',
    );
    const over = records === search.records && maximum !== withinCharge;
    return {
      what: `δ′ at ε = 10 of batches cut at ${maximum.toLocaleString('en')}: ${data}, batches of ${batch.toLocaleString('en')}`,
      relation: '<=',
      printed: '1e-10',
      ask: through(cut, 'timesOnePlusExp10', (probability) => (1 + Math.exp(10)) * probability),
      expected: over ? 'differ' : 'agree',
      ...(over ? { reason: overCharged } : {}),
    };
  }),
);

const figure2: Exhibit = {
  id: 'bb-fig2',
  paper,
  name: 'Figure 2',
  title: 'δ over ε of the four trainings',
  caption:
    'One epoch on two datasets, at two batch sizes. The paper needed 5 × 10⁸ samples of order statistics on 60 machines for balls-and-bins, and an error probability of 10⁻³; here both ends are proved, without a sample. Its text names no σ for the panels (the trainings have 0.1 to 0.4): this is 0.4.',
  panels: trainings.map(trainingPanel),
  claims: [...trainings.flatMap(trainingClaims), ...maximaClaims],
  scenario: { phases: [epoch('balls-and-bins', noise, 36_133)], delta: 1e-6 },
};

const sampled = (noiseMultiplier: number, steps: number, most: number): Panel => ({
  title: `σ = ${String(noiseMultiplier)}, T = ${steps.toLocaleString('en')}`,
  x: { label: 'ε', scale: 'linear', from: 0, to: most },
  y: { label: 'δ', scale: 'log', from: 1e-14, to: 1 },
  series: [
    line('Balls-and-bins', 'balls-and-bins', epoch('balls-and-bins', noiseMultiplier, steps)),
  ],
});

const figure3: Exhibit = {
  id: 'bb-fig3',
  paper,
  name: 'Figure 3',
  title: 'Importance sampling',
  caption:
    'The paper’s upper confidence bounds, with and without importance sampling, at 200,000 and 100,000 samples, over the lower bound. Here both ends are proved.',
  panels: [sampled(0.4, 5000, 13), sampled(0.35, 10_000, 15)],
  claims: [],
  scenario: { phases: [epoch('balls-and-bins', 0.4, 5000)], delta: 1e-6 },
};

const figure4: Exhibit = {
  id: 'bb-fig4',
  paper,
  name: 'Figure 4',
  title: 'Order statistics',
  caption:
    'The paper’s upper confidence bounds, with and without order statistics, took it 66 to 268 seconds a line. Here both ends are proved.',
  panels: [sampled(0.32, 100_000, 10), sampled(0.25, 1_000_000, 14)],
  claims: [],
  scenario: { phases: [epoch('balls-and-bins', 0.32, 100_000)], delta: 1e-6 },
};

export const ballsAndBins: readonly Exhibit[] = [figure2, figure3, figure4];
