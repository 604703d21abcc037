import { expect, test } from 'vitest';
import { samplers, type Query } from '../../wasm/generated/schema.js';
import { addressOf, readAddress, unreadText, wholeAddressOf } from '../../web/src/state/address.js';
import {
  aimsElsewhere,
  askedNumbers,
  fieldsInUse,
  furtherFields,
  infoIn,
  isUnusual,
  labelsOf,
  sizesOf,
  soughtField,
  unfindable,
  applies,
} from '../../web/src/state/fields.js';
import { loaderOf, loadedBy, loaders } from '../../web/src/state/loaders.js';
import { scenarioOf } from '../../web/src/state/opened.js';
import {
  inFormWords,
  outOfDomain,
  problemsOf,
  readScenario,
} from '../../web/src/state/question.js';
import {
  aloneOf,
  calibrationsOf,
  rowsKey,
  rowsOf,
  unasked,
  uncalibrated,
  withSolution,
} from '../../web/src/state/rows.js';
import {
  canRemove,
  defaultPhase,
  defaultRelease,
  defaultScenario,
  defaultView,
  finds,
  likeOpen,
  openEntry,
  ownFirst,
  ownRow,
  releaseKinds,
  withAdded,
  withAsked,
  withMoved,
  withoutOpen,
  withRelease,
  withText,
} from '../../web/src/state/scenario.js';
import type { Entry, PhaseEntry, PhaseField, Scenario } from '../../web/src/state/scenario.js';
import { nearestStop, stops, stopsIn, stopText } from '../../web/src/state/stops.js';

type Change = Partial<Pick<PhaseEntry, 'sampler' | 'schedule' | 'loader'>> &
  Partial<Record<PhaseField, string>>;

/** The default phase with some of its parts changed, by their names alone. */
function phase({ sampler, schedule, loader, ...texts }: Change = {}): PhaseEntry {
  return {
    ...defaultPhase,
    ...(sampler ? { sampler } : {}),
    ...(schedule ? { schedule } : {}),
    ...(loader === undefined ? {} : { loader }),
    texts: { ...defaultPhase.texts, ...texts },
  };
}
const scenario = (entries: readonly Entry[], more: Partial<Scenario> = {}): Scenario => ({
  ...defaultScenario,
  entries,
  ...more,
});
const aiming = (target: string, more: Partial<Scenario> = {}) =>
  withAsked(scenario([phase()], more), 'target', target);
const asking = (texts: Partial<Scenario['texts']>) => ({
  texts: { ...defaultScenario.texts, ...texts },
});

const [poisson, bins, fixed, known] = (
  ['poisson', 'balls-and-bins', 'without-replacement', 'deterministic'] as const
).map((sampler) => ({ sampler }));

/** Phases of which one part or two decide what applies. */
const changes: Record<string, Change> = {
  'Poisson batches': { ...poisson },
  'known batches': { ...known },
  'fixed batches': { ...fixed },
  bins: { ...bins },
  'sizes and steps': { schedule: 'sizes' },
  'a rate and steps': { schedule: 'steps' },
  'several epochs': { epochs: '3' },
  'several epochs by steps': { schedule: 'steps', steps: '1001' },
  'one epoch by steps': { schedule: 'steps', steps: '1000' },
  'several epochs by sizes': { schedule: 'sizes', steps: '1001' },
  'no number of epochs': { epochs: 'ten' },
  'kept order': { epochs: '3', reshuffle: 'once', noiseEnd: '0.5' },
  'kept order of one epoch': { reshuffle: 'once' },
  'falling noise': { epochs: '3', noiseEnd: '0.5', noiseSchedule: 'linear' },
  'falling noise with bands': { ...poisson, epochs: '3', noiseEnd: '0.5', bands: '4' },
  bands: { ...poisson, bands: '4' },
  'bands of a matrix': { ...bins, matrix: 'square-root', bands: '4', noiseEnd: '0.5' },
  'a matrix that no theorem has': { ...poisson, matrix: 'square-root', bands: '4' },
  'one band, in blanks': { ...poisson, bands: ' 1 ' },
  workers: { ...poisson, samplingWorkers: '3' },
  'a clipped count': { ...poisson, countNoise: '5', mechanism: 'laplace' },
  'participations of bins': { ...bins, participations: '2' },
  'participations of none': { participations: '2' },
  'replaced records': { ...fixed, replacement: 'true' },
  'replaced records, substituted': { ...fixed, replacement: 'true', adjacency: 'substitution' },
  'replaced records under Laplace noise': { ...fixed, replacement: 'true', mechanism: 'laplace' },
  'a short batch': { ...poisson, datasetSize: '60001', dropLast: 'true' },
  'a short batch of devices': {
    batchSize: '7',
    devices: '2',
    accumulationSteps: '',
    dropLast: 'true',
  },
  'a cap': { ...poisson, maxBatchSize: '70' },
  'a cap of a rate': { ...poisson, schedule: 'steps', maxBatchSize: '70' },
  'a cap of one size': { maxBatchSize: '70' },
  'swapped datasets': { swapped: 'true' },
  'swapped datasets, substituted': { swapped: 'true', adjacency: 'substitution' },
  'noise of a sum': { noiseUnit: 'sum', noiseStddev: '4', clippingNorm: '2', noiseEnd: '0.5' },
  'noise of an average': { noiseUnit: 'average', noiseStddev: '0.1', clippingNorm: '2' },
  clients: { ...poisson, privacyUnit: 'client', localEpochs: '3' },
  'local epochs of examples': { localEpochs: '3' },
  'fields left empty': { noiseMultiplier: '', datasetSize: ' ', epochs: '' },
  'words for numbers': { noiseMultiplier: 'much', batchSize: '1.000', bands: 'x' },
  'numbers out of their domains': { noiseMultiplier: '-1', batchSize: '0', epochs: '2.5' },
  'a batch above its dataset': { datasetSize: '50', devices: '2' },
  'a batch above its clients': { ...poisson, privacyUnit: 'client', datasetSize: '50' },
  'more than everything': { schedule: 'steps', samplingProbability: '1.5', steps: '1e99' },
};

const release = defaultRelease;
const scenarios: Record<string, Scenario> = {
  ...Object.fromEntries(
    finds.map((find) => [`solving for ${find}`, scenario([phase(poisson)], { find })]),
  ),
  'a cap with its own delta': scenario([phase({ ...poisson, maxBatchSize: '70' })], {
    ...{ find: 'cap', ...asking({ capDelta: '1e-9' }) },
  }),
  'noise under a unit': scenario([phase(changes['noise of a sum'])], { find: 'noise' }),
  'a batch under an average': scenario([phase(changes['noise of an average'])], {
    find: 'batch-size',
  }),
  'a probability under a sum': scenario(
    [phase({ ...changes['noise of a sum'], schedule: 'steps' })],
    { find: 'sampling-probability' },
  ),
  'a release that is open': scenario([release, phase()], { find: 'noise' }),
  'a phase beside a release': scenario([release, phase()], { find: 'steps', open: 1 }),
  'two samplers': scenario([phase(poisson), phase(bins)], { open: 1 }),
  'one sampler twice': scenario([phase(poisson), phase({ ...poisson, epochs: '4' })]),
  'faults in entries that are not open': scenario(
    [phase({ epochs: 'x' }), phase({ devices: '9999' }), { ...release, by: 'rho' }],
    { open: 1 },
  ),
  'a release without numbers': scenario([
    phase(),
    { ...release, texts: { ...release.texts, epsilon: '-1', delta: '' } },
  ]),
  'a release of epsilon and delta': scenario([phase(), release]),
  'a release of mu': scenario([phase(), { ...release, by: 'mu' }]),
  'a target of accuracy': aiming('accuracy', { find: 'noise' }),
  'a target without a place': aiming('gdp', { find: 'noise' }),
  'a target that is not asked': aiming('inference'),
  'a target that is unknown': aiming('later', { find: 'steps' }),
  'many runs': scenario([phase()], asking({ tuning: 'negative-binomial' })),
  'a fixed number of runs': scenario([phase()], { ...asking({ tuning: 'fixed' }), find: 'steps' }),
  'many runs and their noise': scenario([phase()], {
    ...asking({ tuning: 'geometric' }),
    find: 'noise',
  }),
  'another accountant and proofs': scenario(
    [phase()],
    asking({ accountant: 'rdp', proofs: 'published' }),
  ),
  'a reported epsilon': scenario([phase()], asking({ reported: '3' })),
  'a reported epsilon of 0': scenario([phase()], asking({ reported: '0' })),
  'a reported word': scenario([phase()], asking({ reported: 'x' })),
  'a reported infinity': scenario([phase()], asking({ reported: 'inf' })),
  'no delta': scenario([phase()], asking({ delta: '' })),
  'a delta of 2': scenario([phase()], asking({ delta: '2' })),
};

const json = (value: unknown): string => JSON.stringify(value) ?? 'nothing';
const pairs = (map: ReadonlyMap<string, unknown>) =>
  [...map].map(([key, value]) => `${key}: ${String(value)}`);

/** What is asked of the engine, beside the default phase, or what keeps it from being asked. */
const asked = (one: Scenario): string[] => {
  const reading = readScenario(one);
  if ('problems' in reading) return pairs(reading.problems).map((line) => `! ${line}`);
  const { query, delta, reported } = reading;
  return [`asks ${json(query)} at ${json(delta)}, reported ${json(reported)}`];
};
const rowsIn = (one: Scenario): string[] => {
  const reading = readScenario(one);
  if ('problems' in reading) return [];
  const { query } = reading;
  const names = (rows: readonly { name: string; query: Query }[]) =>
    rows.map(({ name, query: { question } }) => `${name} ${question}`).join(', ');
  return [
    `rows ${names(rowsOf(query))}; calibrated ${names(calibrationsOf(query))}`,
    ...pairs(unasked(query)).slice(0, 1),
    ...pairs(uncalibrated(query)).slice(0, 1),
    `alone ${aloneOf(query)
      .map(({ phases }) => json(phases[0]))
      .join('; ')}`,
    `key ${rowsKey(query).includes('"sampler"')}`,
  ];
};

const ofPhase = (change: Change): string[] => {
  const entry = phase(change);
  const { records, batch, name } = sizesOf(entry);
  const one = scenario([entry]);
  return [
    `uses ${fieldsInUse(entry).join()}; unusual ${furtherFields.filter((of) => isUnusual(entry, of)).join()}`,
    `without ${furtherFields.filter((of) => !applies(entry, of)).join()}`,
    `${records} records, ${batch} as ${name}, ${infoIn(entry, 'batchSize').label}, ${json(loaderOf(entry)?.name)}`,
    ...asked(one),
    ...pairs(readScenario(one).beyond).map((line) => `beyond ${line}`),
    ...rowsIn(one),
    ...finds.flatMap((find) => {
      const reason = unfindable(one, find);
      return reason === undefined ? [] : `not ${find}: ${reason}`;
    }),
  ];
};
const ofScenario = (one: Scenario): string[] => [
  `sought ${json(soughtField(one.find))}, numbers ${askedNumbers(one).join()}, elsewhere ${aimsElsewhere(one)}`,
  ...asked(one),
  ...pairs(readScenario(one).beyond).map((line) => `beyond ${line}`),
  ...rowsIn(one),
  `own ${ownRow(one)}, may go ${canRemove(one)}, like ${likeOpen(one).sampler}`,
  addressOf({ scenario: one, view: defaultView }),
];

const several = scenario([phase(poisson), release, phase(bins)], { open: 1 });
const shape = ({ entries, open }: Scenario) =>
  `${entries.map((entry) => (entry.kind === 'phase' ? `${entry.sampler}/${entry.texts.recordsPerUser}/${entry.texts.adjacency}/${entry.texts.epochs}` : `${entry.by}=${entry.texts[releaseKinds[entry.by][0]]}`)).join(' ')}, open ${open}`;

const troubles: [field: string | undefined, text: string, entry?: number][] = [
  ['batchSize', 'batchSize must be at most datasetSize 59000; got 60000'],
  ['batchSize', "batchSize must be a run's (own)", 0],
  ['epsilon', 'epsilon must be at least 0; got -1', 1],
  ['delta', 'delta must be below 1'],
  ['noiseMultiplier', 'noiseMultiplier must be above 0.'],
  ['maxBatchSize', 'maxBatchSize is too small', 2],
  ['tuning', 'tuning is not covered'],
  ['elsewhere', 'nothing is known'],
  [undefined, 'phases must be fewer', 9],
];

const links = [
  '#v1',
  '#v1,',
  '#v2,a=b',
  '#later',
  '#v1,sampler=shuffled,by=steps,by=sizes',
  '#v1,sampler=poisson,loader=opacus,loader=none',
  '#v1,batch-size=100%,noise-multiplier=%30.8,drop-last=true,swapped=yes',
  '#v1,adjacency=substitution,adjacency=other,mechanism',
  '#v1,solve-for=noise,solve-for=all,accountant=rdp,proofs=mine,tuning=geometric,target=gdp',
  '#v1,open=0,open=2,at=2,and=mu,mu=3,rho=1',
  '#v1,at=x,open=99999,and=phase,at=1,delta=1e-6,epochs=2',
  '#v1,and=other,mu=3,and=epsilon,epsilon=3,sampler=poisson',
  '#v1,directions=shown,others=hidden,more=shown,axis=log,axis=cubic',
  '#v1,hide=shuffle+poisson,hide=shuffle+other,panel=compose',
  '#v1,panel=Two,mc.samples=1e6,mc.Samples=2,and=phase,mc.seed=3,panel=x',
  `#v1,${'x'.repeat(90)}=1,=2`,
  `#v1${',and=rho'.repeat(1001)}`,
];

const solution = { field: 'epochs', value: 7, entries: [0], displaced: [] };
const query: Query = { question: 'calibrate', phases: [{ sampler: 'poisson' }], epsilon: 2 };
const { epsilon: epsilonStops = [] } = stops;

/** What differs from what is said of the default phase. */
const unlikeUsual = (change: Change): string[] => {
  const usual = ofPhase({});
  const lines = ofPhase(change);
  const gone = usual.filter((line) => !lines.includes(line));
  return [
    ...lines.filter((line) => !usual.includes(line)),
    ...gone.filter((line) => /: |^not /.test(line)).map((line) => `no longer ${line}`),
  ];
};

const tables = (): Record<string, string[]> => ({
  'the default phase': ofPhase({}),
  ...Object.fromEntries(
    Object.entries(changes).map(([name, change]) => [`a phase with ${name}`, unlikeUsual(change)]),
  ),
  ...Object.fromEntries(
    Object.entries(scenarios).map(([name, one]) => [`a question with ${name}`, ofScenario(one)]),
  ),
  'entries that are moved, added and removed': [
    shape(several),
    shape(withMoved(several, 1)),
    shape(withMoved(several, -1)),
    shape(withMoved({ ...several, open: 2 }, 1)),
    shape(withMoved({ ...several, open: 0 }, -1)),
    shape(withMoved({ ...several, open: 9 }, -1)),
    shape(withoutOpen(several)),
    shape(withoutOpen({ ...several, open: 2 })),
    shape(withoutOpen(scenario([phase(), release]))),
    shape(withAdded(several, phase(known))),
    shape(withRelease(several, { by: 'rho', rho: '9' })),
    shape(withRelease(several, { epsilon: '9' })),
    shape(withRelease({ ...several, open: 0 }, { epsilon: '9' })),
    shape(withText({ ...several, open: 0 }, 'recordsPerUser', '4')),
    shape(withText({ ...several, open: 0 }, 'epochs', '4')),
    shape(withText(several, 'adjacency', 'substitution')),
    `${likeOpen(several).sampler} ${openEntry({ ...several, open: 9 }).kind} ${openEntry(scenario([])).kind}`,
    `${ownFirst('poisson').join()} ${ownRow(scenario([release]))} ${ownRow(several)}`,
  ],
  'troubles of one phase': troubles.flatMap(([field, text, entry]) =>
    pairs(problemsOf(scenario([phase()], { find: 'noise' }), { field, text, entry })),
  ),
  'troubles of several entries': troubles.flatMap(([field, text, entry]) =>
    pairs(problemsOf(several, { field, text, entry })),
  ),
  'troubles of clients': troubles.flatMap(([field, text]) =>
    pairs(problemsOf(scenario([phase(changes.clients)]), { field, text })),
  ),
  'texts of the engine': ['', 'ends.', 'ends (so)', "it's 12345 and 1.2345678 of x/123456"].map(
    (text) => inFormWords(undefined, text),
  ),
  links: links.flatMap((link) => {
    const { state, notes, run } = readAddress(link);
    return [
      `${link.slice(0, 60)}: ${run}, ${state.scenario.entries.length} entries, ${json(state.view)}`,
      ...(state.scenario.entries.length > 9 ? [] : [addressOf(state)]),
      ...notes.slice(0, 3).map(unreadText),
    ];
  }),
  loaders: loaders.flatMap((loader) => {
    const kept = phase({ reshuffle: 'once' });
    const change = loadedBy(kept, loader);
    const loaded = { ...kept, ...change };
    return `${loader.name}: ${change.sampler} ${json(change.loader)} ${loaded.texts.reshuffle} ${loaded.texts.replacement}, ${json(loaderOf(loaded)?.name)}`;
  }),
  'loaders of other batches': [
    json(loaderOf(phase({ ...poisson, loader: 'balls' }))?.name),
    json(loaderOf(phase({ loader: 'shards' }))?.name),
    json(loaderOf(phase({ loader: 'kept-order' }))?.name),
  ],
  'questions that are opened': [
    { phases: [{ sampler: 'poisson', stepsPerEpoch: 20, epochs: 3 }], delta: 1e-6 },
    { phases: [{ stepsPerEpoch: 20 }], solveFor: 'noise', epsilon: 3, accountant: 'rdp' },
    { phases: [{ datasetSize: 100, batchSize: 10, steps: 5, dropLast: 'true' }] },
    { phases: [{ datasetSize: 100, batchSize: 10, epochs: 5, reshuffle: 'once' }] },
    { phases: [{}], target: 'accuracy', targetValue: 0.7, targetAt: 0.4, proofs: 'published' },
  ].map((one) => wholeAddressOf({ scenario: scenarioOf(one as Query), view: defaultView })),
  'solutions put in': [
    withSolution(query, solution),
    withSolution(query, solution, 1e-6),
    withSolution({ ...query, delta: 1e-5 }, { ...solution, field: 'delta', value: 0 }),
    withSolution(query, { ...solution, field: 'delta', value: 1 }),
    withSolution(
      { ...query, phases: [{ sampler: 'poisson', bands: 4 }] },
      {
        ...solution,
        field: 'noiseMultiplier',
        value: 2,
      },
    ),
  ].map(json),
  domains: samplers.length
    ? [0, 1, 1.5, NaN, Infinity, 1e99, -1].flatMap((value) =>
        (['epsilon', 'delta', 'noiseMultiplier', 'epochs', 'batchSize', 'eta'] as const).flatMap(
          (name) => outOfDomain(infoIn(phase(), name), value) ?? [],
        ),
      )
    : [],
  'stops of sliders': [
    ...Object.entries(stops).map(
      ([name, list]) => `${name}: ${list.length} from ${list[0]} to ${list.at(-1)}`,
    ),
    [0, 0.01, 0.0151, 0.5, 2.02, 99.9, 100, 1e9, NaN]
      .map((value) => json(nearestStop(epsilonStops, value)))
      .join(),
    [1e-12, 9.9e-4, 1e-3, 2.5, 1e6].map(stopText).join(),
    json([nearestStop([], 1), nearestStop([3], 1)]),
    (['batchSize', 'datasetSize', 'epochs'] as const)
      .flatMap((name) =>
        [
          ['100', '10'],
          ['', '10'],
          ['100', ''],
          ['0', '2.5'],
        ].map(([datasetSize = '', batchSize = '']) => {
          const list = stopsIn(phase({ datasetSize, batchSize }), name) ?? [];
          return `${list.at(0)} to ${list.at(-1)}`;
        }),
      )
      .join(),
  ],
  labels: [[], ['A'], ['A', 'B'], ['A', 'B', 'C']].map((list) =>
    json(labelsOf(list.map((label) => ({ label })))),
  ),
});

test('state: tables of what phases, questions and links say', async () => {
  const lines = Object.entries(tables()).map(([name, said]) => `== ${name}\n${said.join('\n')}\n`);
  await expect(lines.join('\n')).toMatchFileSnapshot('./state-tables.golden');
});
