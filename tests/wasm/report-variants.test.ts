import { expect, test } from 'vitest';
import type { Answer, AuditAnswer, Phase, TuningCost } from '../../wasm/generated/schema.js';
import { buildReport, formatNames, formats } from '../../wasm/report/index.js';
import type { Block, Facts } from '../../wasm/report/index.js';
import { certified } from '../certified.js';
import { facts } from './report-facts.js';

const [whole = { phase: {}, derived: facts.answer.derived }] = facts.phases;
/** Fields of it, or that they are left out. */
type Optional<Of> = { [Name in keyof Of]?: Of[Name] | undefined };

/** The made-up run with another phase, or several. */
const phases = (
  ...changes: (Phase & { derived?: Optional<Answer['derived']> })[]
): Partial<Facts> => ({
  phases: changes.map(({ derived, ...phase }) => ({
    phase: { ...whole.phase, ...phase },
    derived: { ...whole.derived, ...derived } as Answer['derived'],
  })),
});
const answer = (change: Optional<Answer>): Partial<Facts> => ({
  answer: { ...facts.answer, ...change } as Answer,
});
const oneRun = certified(1.2, 1.3);
const search = (tuning: Omit<TuningCost, 'oneRun'>) =>
  answer({ methodCode: 'search', tuning: { ...tuning, oneRun } });
const target = { value: certified(0.09, 0.1), limit: 0.1, ownProofs: false };
const audit: AuditAnswer = {
  epsilon: { lower: 2, upper: null, kind: 'bound' },
  delta: 1e-5,
  confidence: 0.95,
  method: '',
  methodCode: 'audit',
  assumptions: ['Canaries were drawn by fair coins.'],
  assumptionCodes: ['canaries'],
  warnings: [],
  citations: ['SNJ23', 'MNI24'],
  work: facts.answer.work,
};
const own = { ...facts.answer, published: certified(6.53, 7) };

/** Each as it differs from the made-up report: what is said of that, and what is not. */
const variants: Record<string, Partial<Facts>> = {
  'delta is asked': { asked: 'delta', epsilons: [] },
  'delta is asked, and none is proved': {
    ...{ asked: 'delta', epsilons: [] },
    ...answer({ delta: { lower: null, upper: null, kind: 'bound' } }),
  },
  'an open end': answer({ epsilon: { lower: 6.53, upper: null, kind: 'bound' } }),
  'a bound': answer({ epsilon: { lower: null, upper: 7, kind: 'bound' } }),
  'an estimate': answer({ epsilon: { lower: 6, upper: 7, kind: 'estimate' } }),
  'releases beside it': {
    releases: [{ mu: 0.5 }, { rho: 0.1 }, { epsilon: 1 }, { delta: 1e-7 }, { boundedRange: 0.1 }],
  },
  'a release alone': { phases: [], releases: [{ epsilon: 1, delta: 1e-6 }] },
  'two releases alone': { phases: [], releases: [{ epsilon: 1, delta: 1e-6 }, { mu: 1 }] },
  'one release beside it': { releases: [{ rho: 0.1 }] },
  'answered bits beside a training': phases({ mechanism: 'randomized-response' }, {}),
  'one phase of clients': phases({ privacyUnit: 'client' }, {}),
  'clients of persons': {
    ...phases({ privacyUnit: 'client', recordsPerUser: 2 }),
    ...answer({ privacyUnit: 'client' }),
  },
  'a probability without epochs': phases({ epochs: undefined, samplingProbability: 0.1 }),
  'no sampler': phases({ sampler: undefined, epochs: undefined }),
  'one epoch': phases({ epochs: 1 }),
  'an estimate at a long delta': answer({
    epsilon: { lower: 6, upper: 7, kind: 'estimate' },
    delta: certified(1.23456789e-5, 1.23456789e-5),
  }),
  'a bound at a long delta': answer({ delta: certified(1.23456789e-5, 1.23456789e-5) }),
  'nothing that is proved': answer({ epsilon: { lower: null, upper: null, kind: 'bound' } }),
  'long noise in one of two phases': phases({ noiseMultiplier: 0.123456789 }, {}),
  'mixed neighbours, not those asked for': answer({
    adjacency: 'mixed',
    warnings: [{ code: 'other-neighbours', text: 'Others were asked for.' }],
  }),
  'neighbours that one of two phases has': {
    ...phases({ adjacency: 'substitution' }, { adjacency: 'add-remove' }),
    ...answer({
      adjacency: 'add-remove',
      warnings: [{ code: 'other-neighbours', text: 'Others were asked for.' }],
    }),
  },
  'twice what is proved was reported': { reported: 13.3 },
  'nothing was reported as epsilon, of no Rényi bound': {
    reported: 0,
    poisson: { ...facts.poisson, ...({ rdp: undefined } as Optional<Answer>) } as Answer,
  },
  'Laplace noise of persons': phases({ mechanism: 'laplace', recordsPerUser: 3 }),
  'answered bits': phases({ mechanism: 'randomized-response' }),
  'no noise': phases({ noiseMultiplier: undefined, batchSize: undefined }),
  'noise that falls': phases({ noiseEnd: 0.5, countNoise: 9 }),
  'batches of a probability': phases({
    sampler: 'poisson',
    maxBatchSize: 120,
    derived: { samplingProbability: undefined, batchSize: undefined },
  }),
  'with replacement': phases({ sampler: 'without-replacement', replacement: true }),
  'kept batches': phases({ reshuffle: 'once', derived: { stepsPerEpoch: 9 } }),
  'no size of data': phases({ datasetSize: undefined }),
  'records that fill no batch': phases({ datasetSize: 1030 }),
  'no length of epochs': phases({ datasetSize: 1001, derived: { stepsPerEpoch: undefined } }),
  'no size of batches': phases({ datasetSize: 1001, derived: { batchSize: undefined } }),
  'a short batch of known ones': phases({ sampler: 'poisson', datasetSize: 1001 }),
  'as many steps as fill the data': phases({
    datasetSize: 1001,
    derived: { stepsPerEpoch: 10.01 },
  }),
  'bins, twice an epoch': phases({ sampler: 'balls-and-bins', participations: 2 }),
  'bins by our proofs': { ...phases({ sampler: 'balls-and-bins' }), answer: own },
  'shuffled by published proofs': answer({ published: undefined }),
  'two phases': phases(
    { recordsPerUser: 1 },
    { sampler: 'without-replacement', replacement: true, recordsPerUser: 2, mechanism: 'laplace' },
    { sampler: 'without-replacement', samplingWorkers: 4 },
  ),
  'two phases of Poisson batches': {
    isPoisson: true,
    ...phases({ sampler: 'poisson' }, { sampler: 'poisson', bands: 3 }),
  },
  'another phase that others cannot account': phases({}, { swapped: true }),
  'neighbours replaced': {
    ...phases({ adjacency: 'substitution' }),
    ...answer({ adjacency: 'substitution' }),
  },
  'neighbours added': answer({
    adjacency: 'add-remove',
    warnings: [{ code: 'other-neighbours', text: 'Add/remove was asked for.' }],
  }),
  'neighbours of several kinds': answer({ adjacency: 'mixed' }),
  'correlated noise': answer({ assumptionCodes: ['correlated'] }),
  'many records for delta': answer({ delta: certified(1e-2, 1e-2) }),
  'as many as delta has': answer({ delta: certified(1e-3, 1e-3) }),
  'varying sizes': answer({
    batchSizes: { mean: 100.4, p99: 124, largest: 150, capProbability: 1e-3 },
  }),
  'nothing else known': {
    ...answer({ rdp: undefined, gdp: undefined, warnings: [], citations: [] }),
    ...{ wasmSha256: undefined, link: undefined, clippingNorm: undefined, reported: undefined },
    ...{ tradeoff: undefined, poisson: undefined, epsilons: [] },
  },
  'no grid': answer({ work: { gridPoints: 0, milliseconds: 0 } }),
  'published theorems only': {
    query: { ...facts.query, proofs: 'published', accountant: 'rdp', width: 0.01 },
  },
  'a search of geometric length': search({ runs: 10.0000001, gamma: 0.1, eta: 1 }),
  'a search of logarithmic length': search({ runs: 10, gamma: 0.1, eta: 0 }),
  'a search of another length': search({ runs: 10, gamma: 0.1, eta: 0.5 }),
  'a search of Poisson length': search({ runs: 10 }),
  'a search in which every run counts': answer({ tuning: { runs: 8, oneRun } }),
  'a target of attacks': { target: { ...target, name: 'accuracy', at: 0.3, ownProofs: true } },
  'a target without a place': { target: { ...target, name: 'advantage' } },
  'an audit that contradicts': {
    audit: { ...audit, proved: oneRun, contradicts: true, pValue: 1e-9 },
  },
  'an audit that does not': {
    audit: { ...audit, proved: facts.answer.epsilon, contradicts: false, pValue: 0.2 },
    ...answer({ tuning: { runs: 8, oneRun } }),
  },
  'an audit without a run': { audit: { ...audit, citations: [] } },
  'no more than was reported': { reported: 9 },
};

test('report: where a record is a client, no line speaks of records', () => {
  const clients = {
    ...answer({
      ...{ privacyUnit: 'client', assumptions: [], assumptionCodes: [] },
      batchSizes: { mean: 100.4, p99: 124, largest: 150, capProbability: 1e-3 },
    }),
    ...phases({ sampler: 'poisson', privacyUnit: 'client', samplingWorkers: 4, maxBatchSize: 120 }),
  };
  for (const recordsPerUser of [1, 3]) {
    const { phases } = clients;
    const [one = whole] = phases ?? [];
    const run = [{ ...one, phase: { ...one.phase, recordsPerUser } }];
    const lines = linesOf({ ...facts, ...clients, phases: run });
    const spoken = lines.filter(
      (line) => /records?\b/.test(line) && !/being a record|workers/.test(line),
    );
    expect(spoken).toEqual([]);
  }
});

/** What a block says, a line each; of source text what it calls. */
const said = (block: Block): string[] => {
  if (block.kind === 'rows') return block.rows.map((row) => row.join(': '));
  if (block.kind === 'table') return [block.head, ...block.body].map((row) => row.join(' | '));
  if (block.kind === 'list') return [...block.items];
  if (block.kind === 'text') return [block.text];
  return [block.title, ...(block.code.match(/^# \(?(?:cut|batches).*|^# .* in batches.*/gm) ?? [])];
};

const linesOf = (changed: Facts) => {
  const report = buildReport(changed);
  const { sections, summary, quotation } = report;
  const told = sections.flatMap(({ letter, blocks }) =>
    blocks.flatMap(said).map((line) => `${letter} ${line}`),
  );
  return [summary, ...quotation, ...told];
};

test('report: what differs is said where it differs', async () => {
  const usual = linesOf(facts);
  const told = Object.entries(variants).map(([name, change]) => {
    const lines = linesOf({ ...facts, ...change });
    const missing = usual.filter((line) => !lines.includes(line)).length;
    const added = lines.filter((line) => !usual.includes(line));
    expect(missing + added.length, name).toBeGreaterThan(0);
    return [`== ${name}: ${missing} lines less`, ...added].join('\n');
  });
  await expect(`${told.join('\n')}\n`).toMatchFileSnapshot('./report/variants.golden');
});

test.each(formatNames)(
  'report: as %s, papers and a link that are not there leave no trace',
  (name) => {
    const few = buildReport({ ...facts, ...variants['nothing else known'] });
    const written = formats[name].render({ ...few, citations: ['unknown'] });
    expect(written).not.toMatch(/References|undefined|erratum/);
  },
);

test('report: LaTeX sets three phases beside each other, and more below them', () => {
  const tables = [2, 3, 4, 6, 7].map((count) => {
    const several = { ...facts, ...phases(...Array.from({ length: count }, () => ({}))) };
    return formats.latex.render(buildReport(several)).split('\\begin{tabular}').length;
  });
  const [first = 0] = tables;
  expect(tables.map((count) => count - first)).toEqual([0, 0, 2, 2, 4]);
});
