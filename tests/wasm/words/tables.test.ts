import { expect, test } from 'vitest';
import { samplers } from '../../../wasm/generated/schema.js';
import type {
  Band,
  Interval,
  Phase,
  Query,
  Release,
  SamplerName,
} from '../../../wasm/generated/schema.js';
import { auditOf, isAudited, withoutAudit } from '../../../wasm/words/audit.js';
import { batchesOf, drawingOf } from '../../../wasm/words/claims.js';
import { quotationOf } from '../../../wasm/words/quotation.js';
import { commandFor } from '../../../wasm/words/command-line.js';
import { commandPath } from '../../../wasm/words/command-name.js';
import { csv, verticesCsv } from '../../../wasm/words/csv.js';
import { ofInitialisation, ofMixtures, ofShuffleModel } from '../../../wasm/words/explored.js';
import { choiceLabel, withFlags } from '../../../wasm/words/fields.js';
import { inLines, tableLines } from '../../../wasm/words/layout.js';
import { deviationWords, multiplierOf } from '../../../wasm/words/noise.js';
import { gaussianWords, meanHeading, readingRows } from '../../../wasm/words/readings.js';
import { asksOfClients, withClients } from '../../../wasm/words/record.js';
import { linkOf, nameOf, references, whereOf } from '../../../wasm/words/references.js';
import { drawnBy, filledIn, isPhase, samplerInfo } from '../../../wasm/words/samplers.js';
import { showTarget, targetAtInfo, targetOf, targetPhraseOf } from '../../../wasm/words/target.js';
import { timeLeft } from '../../../wasm/words/time-left.js';
import { takes } from '../../../wasm/words/trainer.js';
import { searchSubject, showTuning, tuningOf } from '../../../wasm/words/tuning.js';
import { certified } from '../../certified.js';
import { facts } from '../report-facts.js';

const phase: Phase = { noiseMultiplier: 1.1, datasetSize: 1000, batchSize: 10, epochs: 3 };
const poisson: Phase = { ...phase, sampler: 'poisson' };
const release: Release = { epsilon: 1, delta: 1e-6, partOfData: 1 };

/** Phases and entries of which a word or a list depends on one field each. */
const phases: Record<string, Phase> = {
  plain: phase,
  capped: { ...poisson, maxBatchSize: 12 },
  replaced: { ...phase, sampler: 'without-replacement', replacement: true },
  banded: { ...poisson, bands: 4 },
  'of one band': { ...poisson, bands: 1 },
  'of workers': { ...phase, samplingWorkers: 2 },
  'of one worker': { ...phase, samplingWorkers: 1 },
  'of a matrix': { ...phase, matrix: 'square-root' },
  'of a column': { ...phase, matrixColumn: [1, 0.5] },
  'of the identity': { ...phase, matrix: 'identity' },
  'of clients': { ...poisson, privacyUnit: 'client' },
  'of examples': { ...poisson, privacyUnit: 'example' },
  'in bins twice': { ...phase, sampler: 'balls-and-bins', participations: 2 },
  'in bins once': { ...phase, sampler: 'balls-and-bins', epochs: 1 },
  'shuffled once': { ...phase, sampler: 'shuffle', reshuffle: 'once' },
  'in bins kept': { ...phase, sampler: 'balls-and-bins', reshuffle: 'once' },
  deterministic: { ...phase, sampler: 'deterministic' },
  'of a sum': { noiseStddev: 4, noiseUnit: 'sum', clippingNorm: 2 },
  'of an average': {
    ...{ noiseStddev: 0.01, noiseUnit: 'average', clippingNorm: 2 },
    ...{ batchSize: 10, accumulationSteps: 3, devices: 2 },
  },
  'of Laplace noise': { ...poisson, mechanism: 'laplace' },
  'without replacement': { ...phase, sampler: 'without-replacement' },
  'shuffled and dropped': { ...phase, epochs: 1, sampler: 'shuffle', dropLast: true },
  'in bins kept twice': {
    ...phase,
    ...{ sampler: 'balls-and-bins', reshuffle: 'once', participations: 2 },
  },
  'in bins of several epochs': { ...phase, sampler: 'balls-and-bins' },
  'deterministic, of one epoch': { ...phase, sampler: 'deterministic', epochs: 1 },
  'of Poisson batches used twice': { ...poisson, participations: 2 },
  'of devices': { ...phase, devices: 2, accumulationSteps: 4 },
  'of a rate': { sampler: 'poisson', samplingProbability: 0.001, steps: 500, noiseMultiplier: 1 },
  'of the steps of an epoch': { stepsPerEpoch: 50, noiseMultiplier: 1 },
  'of rounds': {
    ...{ sampler: 'poisson', privacyUnit: 'client', datasetSize: 3400, batchSize: 100 },
    ...{ steps: 500, localEpochs: 5, noiseMultiplier: 1 },
  },
  'of both': { noiseMultiplier: 1, noiseStddev: 4, noiseUnit: 'sum', clippingNorm: 2 },
};

const queries: Record<string, Query> = {
  'one phase': { phases: [poisson], delta: 1e-5, question: 'epsilon' },
  'a comparison': { phases: [poisson], delta: 1e-5 },
  'a calibration': { phases: [poisson], epsilon: 1, question: 'calibrate', solveFor: 'noise' },
  'two of one sampler': { phases: [poisson, poisson], delta: 1e-5 },
  'two of two samplers': { phases: [poisson, { ...phase, sampler: 'shuffle' }], delta: 1e-5 },
  'a release beside it': { phases: [poisson, release], question: 'epsilon' },
  'a release alone': { phases: [release], question: 'delta', epsilon: 1 },
  'no entry': { phases: [], question: 'epsilon' },
  'clients beside examples': {
    phases: [{ ...poisson, privacyUnit: 'client' }, poisson, release],
    question: 'epsilon',
  },
  'an audit of guesses': { phases: [poisson], canaries: 100, guesses: 30, correct: 28 },
  'an audit of counts': { phases: [poisson], members: 9, confidence: 0.9 },
  'a target': { phases: [poisson], target: 'accuracy', targetValue: 0.6, targetAt: 0.5 },
  'a target of epsilon': { phases: [poisson], target: 'epsilon', targetValue: 2 },
  'a target without a place': { phases: [poisson], target: 'inference', targetValue: 0.6 },
  'a target that has none': { phases: [poisson], target: 'gdp', targetAt: 0.5 },
  'a search': { phases: [poisson], tuning: 'negative-binomial', runs: 10, gamma: 0.1, eta: 2 },
  'no search': { phases: [poisson], tuning: 'none', runs: 10 },
};

const zero: Interval = { lower: null, upper: null, kind: 'bound' };
const band = (rate: number): Band => ({
  lower: [{ falsePositiveRate: 0, falseNegativeRate: rate }],
  upper: [
    { falsePositiveRate: 0, falseNegativeRate: 1 },
    { falsePositiveRate: rate, falseNegativeRate: 0 },
  ],
  advantage: certified(rate, rate),
  attackRates: [{ falsePositiveRate: 0.01, truePositiveRate: certified(rate, 0.5) }],
  guesses: [{ prior: 0.5, success: certified(0.5, 0.5 + rate) }],
  gaussian: { mu: certified(rate, 1), misfit: rate, resolution: 1e-6 },
});
const { work, method, methodCode, assumptions, assumptionCodes, warnings, citations } =
  facts.answer;
const grounds = { work, method, methodCode, assumptions, assumptionCodes, warnings, citations };
const mixed = { delta: certified(0.1, 0.2), joint: zero, advancedJoint: zero, gamma: 0.3, eta: 2 };
const explored = {
  'the shuffle model': [
    ofShuffleModel,
    {
      ...{ ...grounds, cloneProbability: 0.1, knots: [], tradeOff: band(0.1), joint: band(0.2) },
      deltas: [
        { epsilon: 1, delta: certified(0.1, 0.2), closedForm: { covered: true, value: 0.3 } },
        { epsilon: 2, delta: zero, closedForm: { covered: false, value: 0.4 } },
        { epsilon: 3, delta: zero },
      ],
      epsilons: [{ delta: 1e-5, epsilon: certified(1, 2) }],
    },
  ],
  'a random start': [
    ofInitialisation,
    {
      ...{ ...grounds, tradeOff: band(0.1), gdp: band(0.2), gdpMu: 0.5, renyiInfiniteFrom: 2 },
      deltas: [{ epsilon: 1, delta: certified(0.1, 0.2), gdp: certified(0.3, 0.4) }],
      epsilons: [{ delta: 1e-5, epsilon: certified(1, 2), gdp: certified(3, 4) }],
      unclipped: [{ epsilon: 1, delta: zero, outputRemove: 0.1, outputAdd: 0.2 }],
      renyi: [{ order: 2, unclipped: 1, clipped: 2 }, { order: 3 }],
    },
  ],
  'a random start without clipping': [
    ofInitialisation,
    {
      ...{ ...grounds, tradeOff: band(0.1), renyiInfiniteFrom: 2, unclipped: [], renyi: [] },
      deltas: [{ epsilon: 1, delta: certified(0.1, 0.2) }],
      epsilons: [{ delta: 1e-5, epsilon: certified(1, 2) }],
    },
  ],
  mixtures: [
    ofMixtures,
    {
      ...{ ...grounds, tradeOff: band(0.1), joint: band(0.2), advancedJoint: band(0.3) },
      deltas: [{ epsilon: 1, remove: mixed, add: { ...mixed, eta: 5 } }],
    },
  ],
} as const;

const asked = (text: string) => text.replace(commandPath, 'honest-epsilon');
const json = (value: unknown): string => JSON.stringify(value) ?? 'nothing';
const rows = (part: object): string[] =>
  Object.entries(part).map(([name, value]) => `${name}: ${json(value)}`);

/** What another sampler makes of a phase; a release beside it stays. */
const changed = (one: Phase, sampler: SamplerName): Partial<Phase> => {
  const { phases: drawn } = drawnBy({ phases: [one, release] }, sampler);
  expect(drawn).toHaveLength(2);
  const { maxBatchSize: _, replacement: __, ...kept } = one;
  expect(drawn[0]).toMatchObject({ ...kept, sampler });
  expect(drawn[1]).toEqual(release);
  const { sampler: name, maxBatchSize, replacement } = drawn[0] as Phase;
  return { sampler: name, maxBatchSize, replacement };
};
/** A line that is not as usual. */
const unless = (usual: string, line: string) => (line === usual ? [] : [line]);
const able = samplers.map(({ name }) => name);

const ofPhase = (one: Phase): string[] => {
  const { noiseMultiplier: _, datasetSize: __, batchSize: ___, ...named } = one;
  const drawn = { ...one, sampler: one.sampler ?? 'shuffle' };
  const derived = { steps: 300, samplingProbability: 0.01, epochs: one.epochs ?? 3 };
  const [quoted = ''] = quotationOf({ ...facts, phases: [{ phase: drawn, derived }] });
  const takenBy = able.filter((name) => takes(one, name)).join(' ');
  const made = able.map((name) => Object.values(changed(one, name)).filter(Boolean).join(' '));
  return [
    `${json(named)}: ${batchesOf(drawingOf(drawn, undefined))}`,
    quoted,
    ...unless('sigma 1.1', `sigma ${json(multiplierOf(one))} ${deviationWords(one) ?? ''}`.trim()),
    ...unless(`taken by ${able.join(' ')}`, `taken by ${takenBy}`),
    ...unless(`drawn ${able.join()}`, `drawn ${made.join()}`),
  ];
};
const ofQuery = (query: Query): string[] => [
  asked(commandFor(query)),
  ...unless('audited false {}', `audited ${isAudited(query)} ${json(auditOf(query))}`),
  ...unless(`left ${Object.keys(query).join()}`, `left ${Object.keys(withoutAudit(query)).join()}`),
  ...unless('target {}', `target ${json(targetOf(query))} ${targetPhraseOf(query) ?? ''}`.trim()),
  ...unless('search {}', `search ${json(tuningOf(query))}`),
  `phases ${query.phases.map(isPhase).join()}, clients ${asksOfClients(query)}`,
];

const layouts: [text: string, indent: number, first?: number, most?: number][] = [
  ['one two three four', 2, 0, 9],
  ['one two three four', 2, 4, 10],
  ['one two three four', 0, 0, 7],
  ['onetwothree four', 3, 3, 8],
  ['onetwothree four', 2, 8, 9],
  ['', 2],
  [`${'word '.repeat(20)}end`, 4],
];

const tables = (): Record<string, string[]> => ({
  ...Object.fromEntries(
    Object.entries(phases).map(([name, one]) => [`a phase ${name}`, ofPhase(one)]),
  ),
  ...Object.fromEntries(
    Object.entries(queries).map(([name, one]) => [`a question with ${name}`, ofQuery(one)]),
  ),
  ...Object.fromEntries(
    Object.entries(explored).map(([name, [{ bands, tables: of, further }, answer]]) => [
      name,
      [
        ...bands(answer as never).map(({ name: file, label, advantage }) =>
          json([file, label, advantage.upper]),
        ),
        ...[...of(answer as never), ...(further?.(answer as never) ?? [])].flatMap(rows),
      ],
    ]),
  ),
  'lines of a terminal': layouts.flatMap(([text, ...layout]) => [
    `${layout.join()}:`,
    ...inLines(text, ...layout).split('\n'),
  ]),
  'columns of a table': tableLines([['a', 'bbb', 'c'], ['aaaa', 'b'], ['', '', '', 'dd'], []]),
  'rows of a file': [
    csv(
      ['one\nline'],
      ['a', 'b'],
      [
        [1, null],
        ['x,y', 'say "so"'],
        [undefined, 0],
      ],
    ),
    verticesCsv(['two'], 'curve', [{ name: 'n', ...band(0.5) }]),
  ],
  'time that is left': [0, 0.2, 40, 99, 100, 101, 5999, 6000, 9000, Infinity, NaN].map(timeLeft),
  'readings of curves': [
    ...readingRows([band(0.1), { ...band(0.2), attackRates: [], guesses: [] }]).map(json),
    json(readingRows([])),
    gaussianWords(band(0.1234).gaussian),
    meanHeading([{ epsilon: 1, delta: certified(0, 1), mean: zero }]),
    meanHeading([
      { epsilon: 1, delta: certified(0, 1), mean: zero },
      { epsilon: 2, delta: zero, mean: zero },
    ]),
  ],
  papers: ['HP24', 'BW18', 'DR14', 'HE26', 'Mir17', 'GA24', 'HL54'].flatMap((key) => {
    const paper = references[key];
    if (!paper) return [];
    const { address, name } = linkOf(paper, 'methods.html');
    return `${nameOf(paper)}; ${whereOf(paper)}; ${name} ${address ?? ''} ${linkOf(paper).address ?? ''}`;
  }),
  'a run that was solved': [0, 1].map((entry) =>
    json(
      filledIn([{ ...poisson, steps: 5 }, phase], {
        ...{ field: 'epochs', value: 7, entries: [entry], displaced: ['steps', 'datasetSize'] },
      }),
    ),
  ),
  'names of records': [
    json(withClients({ steps: 1 }, true)),
    json(withClients({ steps: 1 }, false)),
    json(withClients({ privacyUnit: 'example' }, true)),
    ...['batchSize must be', 'steps, datasetSize and batchSize'].map((text) =>
      withFlags(text, 'batchSize', true),
    ),
    choiceLabel('sampler', 'shuffle'),
    choiceLabel('tuning', 'none'),
    choiceLabel('matrix', 'square-root'),
  ],
  targets: [
    ...['accuracy', 'gdp', 'none'].map((name) => json(targetAtInfo(name))),
    ...[
      { name: 'accuracy', at: 0.5 },
      { name: 'accuracy', gap: 0.123, resolution: 1e-6 },
      { name: 'gdp', gap: 0.1 },
      { name: 'later' },
    ].map((one) =>
      json(
        showTarget({
          ...{ ...facts.answer, target: { limit: 0.6, value: certified(0.5, 0.6), ...one } },
        } as never),
      ),
    ),
    json(showTarget(facts.answer)),
  ],
  searches: [
    { runs: 10 },
    { runs: 10.0000001, gamma: 0.1, eta: 0 },
    { runs: 10, gamma: 0.1234567 },
  ].map((tuning) => {
    const answer = { ...facts.answer, tuning: { ...tuning, oneRun: certified(1, 2) } };
    return `${json(showTuning(answer))} ${searchSubject(answer) ?? ''} ${searchSubject({ ...answer, methodCode: 'search' }) ?? ''}`;
  }),
  'no search': [json(showTuning(facts.answer)), json(searchSubject(facts.answer))],
});

test('words: tables of what is said of phases, questions, answers and texts', async () => {
  const lines = Object.entries(tables()).map(([name, said]) => `== ${name}\n${said.join('\n')}\n`);
  await expect(lines.join('\n')).toMatchFileSnapshot('./tables.golden');
  expect(() => samplerInfo('none' as never)).toThrow('no sampler none');
});
