import type { Answer, TradeOffAnswer } from '../../wasm/generated/schema.js';
import type { Facts } from '../../wasm/report/index.js';
import { certified } from '../certified.js';

const answer: Answer = {
  sampler: 'shuffle',
  epsilon: certified(6.53, 6.65),
  delta: certified(1e-5, 1e-5),
  adjacency: 'zero-out',
  directions: { remove: certified(6.53, 6.65), add: certified(0.59, 6.65) },
  published: certified(6.53, 6.652),
  rdp: { lower: null, upper: 7.123, kind: 'bound' },
  gdp: { lower: 6.641, upper: 6.641, kind: 'estimate' },
  method: 'made up: 100% of A & B_1 [ZZ99], a-word-that-is-longer-than-a-line-may-be, or so',
  methodCode: 'none',
  derived: { steps: 20, samplingProbability: 0.1, stepsPerEpoch: 10, epochs: 2, batchSize: 100 },
  assumptions: ['Zero-out neighbours: one record’s gradient is replaced by zero.'],
  assumptionCodes: ['neighbours'],
  warnings: [{ code: 'wide-interval', text: 'Mind the {gap} of 5%.' }],
  citations: ['HP24', 'HE26', 'CG24'],
  work: { gridPoints: 4096, milliseconds: 12 },
};

const { published: _, ...unmarked } = answer;
const poisson: Answer = {
  ...unmarked,
  sampler: 'poisson',
  epsilon: certified(0.6066, 0.607),
  citations: ['AP24'],
};

const curve = { lower: [], upper: [], guesses: [] };
const { sampler, adjacency, method, methodCode, derived, warnings, citations, work } = answer;
const { assumptions, assumptionCodes } = answer;
const tradeoff: TradeOffAnswer = {
  ...{ sampler, adjacency, method, methodCode, derived, warnings, citations, work },
  ...{ assumptions, assumptionCodes },
  ownProofs: true,
  knots: [],
  remove: {
    ...curve,
    advantage: certified(0.3, 0.4),
    attackRates: [],
    gaussian: { mu: certified(1.2, 1.3), misfit: 0.01, resolution: 1e-6 },
  },
  add: {
    ...curve,
    advantage: certified(0.2, 0.4),
    attackRates: [],
    gaussian: { mu: certified(1.1, 1.3), misfit: 0.02, resolution: 1e-6 },
  },
  symmetric: {
    ...curve,
    advantage: certified(0.31, 0.42),
    attackRates: [
      { falsePositiveRate: 1e-3, truePositiveRate: certified(0.0123, 0.0456) },
      { falsePositiveRate: 1e-2, truePositiveRate: certified(0.123, 0.234) },
    ],
    gaussian: { mu: certified(1.294, 1.3), misfit: 0.0975, resolution: 1e-6 },
  },
};

const phase = {
  sampler: 'shuffle',
  noiseMultiplier: 0.7,
  datasetSize: 1000,
  batchSize: 25,
  accumulationSteps: 2,
  devices: 2,
  epochs: 2,
} as const;

/** A report's facts, made up, the same on every machine. */
export const facts: Facts = {
  version: '9.8.7',
  date: '2025-11-30',
  link: 'https://example.org/#v1,devices=2,%C3%A9',
  methods: 'https://example.org/methods.html',
  wasmSha256: 'ab'.repeat(32),
  clippingNorm: 1.5,
  reported: 0.61,
  query: { phases: [phase], delta: 1e-5 },
  asked: 'epsilon',
  answer,
  poisson,
  isPoisson: false,
  phases: [{ phase, derived: answer.derived }],
  releases: [],
  epsilons: [
    { delta: 1e-3, epsilon: certified(4.1, 4.2) },
    { delta: 1e-5, epsilon: answer.epsilon },
    { delta: 1e-7, epsilon: certified(8.1, 8.2) },
  ],
  tradeoff,
  target: undefined,
  audit: undefined,
};
