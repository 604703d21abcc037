import { commandPath } from '../../wasm/words/command-name.js';
import { describe, expect, test } from 'vitest';
import { commandFor } from '../../wasm/words/command-line.js';
import { phaseFields, queryFields, samplers } from '../../wasm/generated/schema.js';
import type { Query, Solution } from '../../wasm/generated/schema.js';
import { presets } from '../../web/src/state/presets.js';
import { addressOf, readAddress } from '../../web/src/state/address.js';
import { inFormWords, problemsOf as blamed, readScenario } from '../../web/src/state/question.js';
import {
  aloneOf,
  calibrationsOf,
  rowsKey,
  rowsOf,
  uncalibrated,
  withSolution,
} from '../../web/src/state/rows.js';
import {
  askedNumbers,
  choosesTarget,
  fieldsInUse,
  furtherFields,
  soughtField,
  unfindable,
  applies,
} from '../../web/src/state/fields.js';
import {
  canRemove,
  defaultRelease,
  defaultView,
  defaultScenario,
  defaultPhase,
  finds,
  likeOpen,
  openEntry,
  ownRow,
  schedules,
  withAdded,
  withAsked,
  withMoved,
  withoutOpen,
  withPhase,
  withText,
} from '../../web/src/state/scenario.js';
import type { Find, PhaseEntry, Scenario } from '../../web/src/state/scenario.js';

const read = readScenario;

function queryOf(scenario: Scenario): Query {
  const reading = read(scenario);
  if (!('query' in reading)) throw new Error('expected a query');
  return reading.query;
}

function problemsOf(scenario: Scenario): [string, string][] {
  const reading = read(scenario);
  return 'problems' in reading ? [...reading.problems] : [];
}

const byDefault = {
  sampler: 'shuffle',
  noiseMultiplier: 0.7,
  datasetSize: 60000,
  batchSize: 60,
  epochs: 1,
};
const poisson = withPhase(defaultScenario, { sampler: 'poisson' });
const balls = withPhase(defaultScenario, { sampler: 'balls-and-bins' });
const find = (what: Find, scenario = poisson): Scenario => ({ ...scenario, find: what });

test('question: only the fields of the schedule in use are asked with', () => {
  expect(read(defaultScenario)).toEqual({
    query: { question: 'compare', phases: [byDefault], delta: 1e-5 },
    ...{ delta: 1e-5, beyond: new Map() },
    reported: undefined,
  });
  expect(read(withPhase(defaultScenario, { schedule: 'steps' }))).toMatchObject({
    query: {
      phases: [
        { sampler: 'shuffle', noiseMultiplier: 0.7, samplingProbability: 1e-3, steps: 1000 },
      ],
    },
  });
});

test('question: every field of the list is asked for somewhere', () => {
  const everyday = schedules.flatMap((schedule) => fieldsInUse({ ...defaultPhase, schedule }));
  const asked = new Set<string>(['sampler', ...everyday, ...furtherFields]);
  // The steps of an epoch follow from the others.
  expect(phaseFields.map(({ name }) => name).filter((name) => !asked.has(name))).toEqual([
    'stepsPerEpoch',
  ]);
  const solvable = queryFields.find(({ name }) => name === 'solveFor')?.choices ?? [];
  expect(finds).toEqual(['epsilon', ...solvable]);
  for (const what of finds) expect(soughtField(what) === undefined).toBe(what === 'epsilon');
});

const openPhase = (scenario: Scenario) => openEntry(scenario) as PhaseEntry;

test('question: a matrix is chosen by name, or by lists of numbers', () => {
  const known = { ...poisson, entries: [{ ...defaultPhase, sampler: 'deterministic' as const }] };
  const column = withText(known, 'matrix', 'column');
  expect(read(column)).toMatchObject({
    query: { question: 'epsilon', phases: [{ matrix: 'column', matrixColumn: [1, 0.5, 0.375] }] },
  });
  const typed = withText(column, 'matrixColumn', ' [1; 1/2 3e-1,\n0] ');
  expect(read(typed)).toMatchObject({ query: { phases: [{ matrixColumn: [1, 0.5, 0.3, 0] }] } });
  const wrong = read(withText(column, 'matrixColumn', '1, x'));
  expect([...('problems' in wrong ? wrong.problems : [])]).toEqual([
    [
      'matrixColumn',
      'First column of C must be a list of numbers, such as 1, 0.5, 0.375; got “x”.',
    ],
  ]);
  const outside = withText(column, 'matrixColumn', '1, -0.5, -2');
  expect([...readScenario(outside).beyond]).toEqual([
    ['matrixColumn', 'First column of C must be a number from 0 to 1,000; got −0.5.'],
  ]);
  const buffers = withText(known, 'matrix', 'buffers');
  expect(read(buffers)).toMatchObject({
    query: {
      phases: [{ matrix: 'buffers', bufferWeights: [0.4, 0.1], bufferDecays: [0.5, 0.95] }],
    },
  });
  // Bands belong to the square root alone; what another choice asked for is kept, and not asked.
  expect(applies(openPhase(buffers), 'bands')).toBe(false);
  expect(applies(openPhase(buffers), 'matrixColumn')).toBe(false);
  expect(applies(openPhase(withText(known, 'matrix', 'square-root')), 'bands')).toBe(true);
});

test('question: noise that changes needs epochs of new batches, and may end at 1', () => {
  const falling = withText(withText(poisson, 'epochs', '3'), 'noiseEnd', '1');
  expect(read(falling)).toMatchObject({
    query: { phases: [{ noiseMultiplier: 0.7, noiseEnd: 1 }] },
  });
  expect(read(withText(falling, 'noiseSchedule', 'linear'))).toMatchObject({
    query: { phases: [{ noiseSchedule: 'linear' }] },
  });
  const phaseOf = (scenario: Scenario) => queryOf(scenario).phases[0];
  expect(phaseOf(withText(poisson, 'noiseSchedule', 'linear'))).not.toHaveProperty('noiseSchedule');
  const kept = withText(withPhase(falling, { sampler: 'shuffle' }), 'reshuffle', 'once');
  expect(phaseOf(kept)).not.toHaveProperty('noiseEnd');
  expect(phaseOf(withText(falling, 'bands', '8'))).not.toHaveProperty('noiseEnd');
});

test('question: every number form is understood', () => {
  const scenario = withText(
    withAsked(withText(defaultScenario, 'datasetSize', '60_000'), 'delta', '1/60000'),
    'batchSize',
    '6e1',
  );
  expect(read(scenario)).toMatchObject({
    query: { phases: [{ datasetSize: 60000, batchSize: 60 }], delta: 1 / 60000 },
  });
});

test('question: what is not a number is refused by field, all at once', () => {
  const scenario = withAsked(withText(defaultScenario, 'epochs', 'ten'), 'delta', ' ');
  const problems = problemsOf(withAsked(scenario, 'reported', '-1'));
  expect(problems.map(([name]) => name).sort()).toEqual(['delta', 'epochs', 'reported']);
  expect(new Map(problems).get('epochs')).toContain('“ten”');
  const beyond = problemsOf(withText(scenario, 'noiseMultiplier', '-1'));
  expect(new Map(beyond).get('noiseMultiplier')).toContain('got −1');
});

test('question: a number that can be read in two ways is asked back, and kept', () => {
  let scenario = withText(poisson, 'datasetSize', '60.000');
  scenario = withText(withText(scenario, 'batchSize', '256'), 'noiseMultiplier', '1,100');
  scenario = withAsked(withAsked(scenario, 'delta', '1,1e-5'), 'reported', '7,4');
  // Nothing else is blamed, such as a batch above a dataset of 60.
  expect(problemsOf(scenario)).toEqual([
    ['datasetSize', 'Dataset size “60.000” is unclear: did you mean 60,000 or 60?'],
    ['noiseMultiplier', 'Noise multiplier “1,100” is unclear: did you mean 1100 or 1.100?'],
    ['delta', 'Delta “1,1e-5” is unclear: did you mean 1.1e-5?'],
    ['reported', 'Reported ε “7,4” is unclear: did you mean 7.4?'],
  ]);
  const linked = readAddress(addressOf({ scenario, view: defaultView })).state.scenario;
  expect(problemsOf(linked)).toEqual(problemsOf(scenario));
  const clear = withText(withText(poisson, 'datasetSize', '60,000'), 'noiseMultiplier', '1.125');
  expect(queryOf(clear).phases[0]).toMatchObject({ datasetSize: 60000, noiseMultiplier: 1.125 });
});

test('question: a batch above its dataset is marked beside a word in another field', () => {
  const word = withText(defaultScenario, 'epochs', 'ten');
  const large = withText(word, 'batchSize', '40000');
  const above = (scenario: Scenario) => new Map(problemsOf(scenario)).get('batchSize');
  expect(above(large)).toBeUndefined();
  expect(above(withText(large, 'devices', '2'))).toBe(
    'Batch size times devices must be at most dataset size 60,000; got 80,000.',
  );
  expect(above(withText(word, 'batchSize', '70000'))).toContain('Batch size must be at most');
  expect(above({ ...withText(word, 'batchSize', '70000'), find: 'batch-size' })).toBeUndefined();
});

test('question: a mistake in an entry that is not open is told by its place', () => {
  const wrong = withText(defaultScenario, 'epochs', 'ten');
  const two = withAdded(wrong, defaultPhase);
  expect(problemsOf(two).map(([name]) => name)).toEqual(['1:epochs']);
});

test('question: whether a number makes sense is left to the engine', () => {
  expect(read(withText(defaultScenario, 'noiseMultiplier', '-1'))).toHaveProperty('query');
});

/** What a calibration found for these entries. */
const solutionOf = (field: string, value: number, entries: number[] = []): Solution => ({
  ...{ field, value, entries, displaced: [] },
});

describe('question: a field that says nothing about the run is not asked with', () => {
  const used = (scenario: Scenario, name: (typeof furtherFields)[number]) => {
    const entry = openEntry(scenario);
    return entry.kind === 'phase' && applies(entry, name);
  };

  test('reshuffling', () => {
    const ten = withText(defaultScenario, 'epochs', '10');
    expect(used(defaultScenario, 'reshuffle')).toBe(false);
    expect(used(ten, 'reshuffle')).toBe(true);
    expect(used(withPhase(ten, { sampler: 'poisson' }), 'reshuffle')).toBe(false);
    const steps = withPhase(withText(defaultScenario, 'steps', '3000'), { schedule: 'steps' });
    expect(used(steps, 'reshuffle')).toBe(true);
    expect(queryOf(withText(ten, 'reshuffle', 'once')).phases[0]).toMatchObject({
      reshuffle: 'once',
    });
    expect(queryOf(withText(defaultScenario, 'reshuffle', 'once')).phases).toEqual([byDefault]);
  });

  test('drawing with replacement', () => {
    const ticked = withText(defaultScenario, 'replacement', 'true');
    expect(used(ticked, 'replacement')).toBe(false);
    expect(queryOf(ticked).phases).toEqual([byDefault]);
    const again = withPhase(ticked, { sampler: 'without-replacement' });
    expect(used(again, 'replacement')).toBe(true);
    expect(queryOf(again).phases).toEqual([
      { ...byDefault, sampler: 'without-replacement', replacement: true },
    ]);
    expect(commandFor(queryOf(again))).toContain('--replacement true');
    for (const other of [
      withText(again, 'adjacency', 'substitution'),
      withText(again, 'mechanism', 'laplace'),
      withPhase(again, { schedule: 'steps' }),
    ])
      expect(queryOf(other).phases[0]).not.toHaveProperty('replacement');
  });

  test('datasets swapped', () => {
    const swapped = withText(defaultScenario, 'swapped', 'true');
    expect(queryOf(swapped).phases).toEqual([{ ...byDefault, swapped: true }]);
    const substituted = withText(swapped, 'adjacency', 'substitution');
    expect(used(substituted, 'swapped')).toBe(false);
    expect(queryOf(substituted).phases).toEqual([{ ...byDefault, adjacency: 'substitution' }]);
  });

  test('what makes a step’s batch', () => {
    const steps = withPhase(defaultScenario, { schedule: 'steps' });
    for (const name of ['accumulationSteps', 'devices', 'dropLast'] as const) {
      expect(used(steps, name)).toBe(false);
    }
    expect(used(defaultScenario, 'devices')).toBe(true);
    expect(used(defaultScenario, 'dropLast')).toBe(false);
    const odd = withText(withText(defaultScenario, 'devices', '7'), 'accumulationSteps', '');
    expect(used(odd, 'dropLast')).toBe(true);
    expect(queryOf(odd).phases).toEqual([{ ...byDefault, devices: 7 }]);
    const dropped = withText(odd, 'dropLast', 'true');
    expect(queryOf(dropped).phases).toEqual([{ ...byDefault, devices: 7, dropLast: true }]);
    expect(commandFor(queryOf(dropped))).toContain('--devices 7 --drop-last true');
    expect(queryOf(withText(dropped, 'devices', '1')).phases).toEqual([byDefault]);
  });

  test('participations and a maximum batch size', () => {
    expect(used(defaultScenario, 'participations')).toBe(false);
    expect(used(balls, 'participations')).toBe(true);
    expect(used(defaultScenario, 'maxBatchSize')).toBe(false);
    expect(used(poisson, 'maxBatchSize')).toBe(true);
    expect(used(withPhase(poisson, { schedule: 'steps' }), 'maxBatchSize')).toBe(false);
    const typed = withText(withText(poisson, 'maxBatchSize', '90'), 'participations', '3');
    expect(queryOf(typed).phases[0]).toMatchObject({ maxBatchSize: 90 });
    expect(queryOf(typed).phases[0]).not.toHaveProperty('participations');
    // Typed values outlive the switch.
    expect(queryOf(withPhase(typed, { sampler: 'shuffle' })).phases).toEqual([byDefault]);
    expect(queryOf(withPhase(typed, { sampler: 'balls-and-bins' })).phases[0]).toMatchObject({
      maxBatchSize: 90,
      participations: 3,
    });
  });

  test('what is usual goes without saying', () => {
    const usual = withText(withText(balls, 'participations', '1'), 'recordsPerUser', ' ');
    expect(queryOf(usual).phases).toEqual([{ ...byDefault, sampler: 'balls-and-bins' }]);
    const unusual = withText(withText(usual, 'recordsPerUser', '2'), 'mechanism', 'laplace');
    expect(queryOf(withAsked(unusual, 'proofs', 'published'))).toMatchObject({
      proofs: 'published',
    });
    expect(queryOf(unusual)).not.toHaveProperty('proofs');
    expect(queryOf(withAsked(unusual, 'accountant', 'rdp'))).toMatchObject({
      accountant: 'rdp',
      phases: [{ recordsPerUser: 2, mechanism: 'laplace' }],
    });
  });
});

describe('question: what is to be met', () => {
  const aimed = (target: string) => withAsked({ ...poisson, find: 'noise' }, 'target', target);

  test('ε at δ goes without saying; another target is asked with its value and its place', () => {
    expect(queryOf(aimed('epsilon'))).toMatchObject({ epsilon: 2, delta: 1e-5 });
    expect(queryOf(aimed('epsilon'))).not.toHaveProperty('target');
    const rate = queryOf(aimed('true-positive-rate'));
    expect(rate).toMatchObject({
      ...{ question: 'calibrate', solveFor: 'noise', delta: 1e-5 },
      ...{ target: 'true-positive-rate', targetValue: 0.05, targetAt: 0.01 },
    });
    expect(rate).not.toHaveProperty('epsilon');
    expect(queryOf(aimed('gdp'))).not.toHaveProperty('targetAt');
  });

  test('the answer at the value found knows no target', () => {
    const filled = withSolution(queryOf(aimed('accuracy')), solutionOf('noiseMultiplier', 2, [0]));
    expect(filled.target ?? filled.targetValue ?? filled.targetAt).toBeUndefined();
    expect(filled).toMatchObject({ question: 'compare', delta: 1e-5 });
  });

  test('only where a field of the run is found, and blamed on its own field', () => {
    expect(choosesTarget({ find: 'epsilon' })).toBe(false);
    expect(askedNumbers({ ...aimed('gdp'), find: 'cap' })).not.toContain('targetValue');
    const trouble = { field: 'targetValue', text: 'targetValue must be above 0.01' };
    expect([...blamed(aimed('true-positive-rate'), trouble).keys()]).toEqual(['targetValue']);
  });
});

describe('question: how many runs are tried', () => {
  const tried = (tuning: string, texts = {}): Scenario => ({
    ...poisson,
    texts: { ...poisson.texts, tuning, ...texts },
  });

  test('one run goes without saying; a search is asked with its mean, and its shape', () => {
    expect(queryOf(tried('none', { runs: 'x' }))).toEqual(queryOf(poisson));
    expect(queryOf(tried('geometric'))).toMatchObject({ tuning: 'geometric', runs: 10 });
    expect(queryOf(tried('geometric'))).not.toHaveProperty('eta');
    expect(queryOf(tried('negative-binomial', { runs: '25', eta: '1/4' }))).toMatchObject({
      ...{ tuning: 'negative-binomial', runs: 25, eta: 0.25 },
    });
  });

  test('what is no number, or outside the domain, is blamed on its own field', () => {
    const reading = readScenario(tried('poisson', { runs: 'ten' }));
    expect('problems' in reading && [...reading.problems.keys()]).toEqual(['runs']);
    expect([...readScenario(tried('poisson', { runs: '0' })).beyond.keys()]).toEqual(['runs']);
    const trouble = { field: 'tuning', text: 'tuning must be none beside another release' };
    expect([...blamed(tried('poisson'), trouble).keys()]).toEqual(['tuning']);
  });

  test('of a search only epsilon and the noise are found', () => {
    expect(unfindable(tried('poisson'), 'noise')).toBeUndefined();
    expect(unfindable(tried('poisson'), 'epsilon')).toBeUndefined();
    expect(unfindable(tried('poisson'), 'epochs')).toContain('several runs');
    expect(unfindable(tried('none'), 'epochs')).toBeUndefined();
  });
});

describe('question: what is solved for', () => {
  test.each<[Find, string, object]>([
    ['noise', 'noiseMultiplier', { epsilon: 2, delta: 1e-5 }],
    ['epochs', 'epochs', { epsilon: 2, delta: 1e-5 }],
    ['batch-size', 'batchSize', { epsilon: 2, delta: 1e-5 }],
    ['cap', 'maxBatchSize', { epsilon: 2, delta: 1e-5 }],
  ])('%s is left out of the phase, and kept as typed', (what, field, target) => {
    const query = queryOf(find(what));
    expect(query).toMatchObject({ question: 'calibrate', solveFor: what, ...target });
    expect(query.phases[0]).not.toHaveProperty(field);
    expect(queryOf({ ...find(what), find: 'epsilon' })).toEqual(queryOf(poisson));
  });

  test('delta takes epsilon alone, and a cap may take a delta of its own', () => {
    const { question, epsilon, delta } = queryOf(find('delta'));
    expect({ question, epsilon, delta }).toEqual({
      question: 'calibrate',
      epsilon: 2,
      delta: undefined,
    });
    const cap = withAsked(find('cap'), 'capDelta', '1e-8');
    expect(queryOf(cap)).toMatchObject({ epsilon: 2, capDelta: 1e-8 });
    expect(queryOf(cap).delta).toBeUndefined();
    expect(read(cap)).toHaveProperty('delta', 1e-5);
  });

  test('what the run does not have is not found, with a reason', () => {
    const steps = withPhase(poisson, { schedule: 'steps' });
    expect(unfindable(find('epochs', steps), 'epochs')).toContain('steps');
    expect(unfindable(find('steps', poisson), 'steps')).toContain('epochs');
    expect(unfindable(steps, 'sampling-probability')).toBeUndefined();
    expect(problemsOf(find('cap', defaultScenario)).map(([name]) => name)).toEqual(['solveFor']);
  });

  test('the same is asked for every sampler that can have it, the reader’s first', () => {
    const query = queryOf(find('noise'));
    const all = calibrationsOf(query);
    expect(all[0]).toEqual({ name: 'poisson', query });
    expect(all.map(({ name }) => name).sort()).toEqual(samplers.map(({ name }) => name).sort());
    for (const { name, query: asked } of all) {
      const phases = query.phases.map((phase) => ({ ...phase, sampler: name }));
      expect(asked).toEqual({ ...query, phases });
    }
    expect(uncalibrated(query).size).toBe(0);
    const cap = queryOf(find('cap'));
    const able = samplers.filter(({ sizesVary }) => sizesVary);
    expect(calibrationsOf(cap)).toHaveLength(able.length);
    expect(uncalibrated(cap).get('shuffle')).toBe('All batches have the same size.');
    expect(uncalibrated(cap).size).toBe(samplers.length - able.length);
  });

  test('the value found is put where it was left out, and epsilon asked at the same delta', () => {
    const two = withAdded(poisson, defaultPhase);
    const solution = solutionOf('noiseMultiplier', 1.25, [1]);
    const filled = withSolution(queryOf(find('noise', two)), solution, 1e-5);
    expect(filled).toEqual({
      question: 'compare',
      phases: [
        { ...byDefault, sampler: 'poisson' },
        { ...byDefault, noiseMultiplier: 1.25 },
      ],
      delta: 1e-5,
    });
    const atDelta = withSolution(queryOf(find('delta')), solutionOf('delta', 3e-7));
    expect(atDelta).toMatchObject({ question: 'compare', delta: 3e-7 });
    expect(atDelta.epsilon).toBeUndefined();
    // Neither end of delta's range can be asked at.
    expect(withSolution(atDelta, solutionOf('delta', 0)).delta).toBeGreaterThan(0);
    expect(withSolution(atDelta, solutionOf('delta', 1)).delta).toBeLessThan(1);
  });
});

describe('question: phases', () => {
  const two = withAdded(defaultScenario, { ...defaultPhase, sampler: 'poisson' });
  const released = withAdded(two, { ...defaultRelease, by: 'mu' });

  test('are added after the open one, moved, and removed but for the last', () => {
    expect(two.open).toBe(1);
    expect(released.entries.map(({ kind }) => kind)).toEqual(['phase', 'phase', 'release']);
    const moved = withMoved(released, -1);
    expect(moved.entries.map(({ kind }) => kind)).toEqual(['phase', 'release', 'phase']);
    expect(openEntry(moved).kind).toBe('release');
    expect(withMoved({ ...moved, open: 0 }, -1).entries).toEqual(moved.entries);
    const fewer = withoutOpen({ ...released, open: 0 });
    expect(fewer.entries).toHaveLength(2);
    expect(canRemove({ ...fewer, open: 0 })).toBe(false);
    expect(withoutOpen({ ...fewer, open: 0 })).toEqual({ ...fewer, open: 0 });
    expect(canRemove({ ...fewer, open: 1 })).toBe(true);
    expect(likeOpen(released)).toEqual(two.entries[1]);
  });

  test('share what must be the same in all of them', () => {
    const both = withText(withText(two, 'recordsPerUser', '3'), 'adjacency', 'substitution');
    for (const entry of queryOf(both).phases) {
      expect(entry).toMatchObject({ recordsPerUser: 3, adjacency: 'substitution' });
    }
    expect(queryOf(withText(two, 'noiseMultiplier', '9')).phases[0]).toEqual(byDefault);
  });

  test('of one sampler are a row of its own; mixed ones have a row before them', () => {
    expect(ownRow(defaultScenario)).toBe('shuffle');
    expect(ownRow(two)).toBe('composition');
    const names = (scenario: Scenario) => rowsOf(queryOf(scenario)).map(({ name }) => name);
    expect(names(defaultScenario)[0]).toBe('shuffle');
    expect(names(defaultScenario)).toHaveLength(samplers.length);
    expect(names(released)[0]).toBe('composition');
    expect(names(released)).toHaveLength(samplers.length + 1);
    const [, ...others] = rowsOf(queryOf(released));
    for (const { name, query } of others) {
      expect(query.question).toBe('epsilon');
      expect(query.phases).toMatchObject([{ sampler: name }, { sampler: name }, { mu: 0.5 }]);
    }
  });

  test('a cap is nothing to batches of one size, and participations to other samplers', () => {
    const capped = rowsOf(queryOf(withText(poisson, 'maxBatchSize', '80')));
    expect(
      capped
        .filter(({ query }) => 'maxBatchSize' in (query.phases[0] ?? {}))
        .map(({ name }) => name),
    ).toEqual(['poisson', 'balls-and-bins']);
    const repeated = queryOf(withText(balls, 'participations', '3'));
    expect(repeated.question).toBe('epsilon');
    expect(rowsOf(repeated).map(({ name }) => name)).toEqual(['balls-and-bins']);
  });

  test('the rows of two questions are the same whichever sampler is the reader’s', () => {
    expect(rowsKey(queryOf(poisson))).toBe(rowsKey(queryOf(defaultScenario)));
    expect(rowsKey(queryOf(two))).not.toBe(
      rowsKey(queryOf(withPhase(two, { sampler: 'shuffle' }))),
    );
    expect(rowsKey(queryOf(find('noise')))).not.toBe(rowsKey(queryOf(find('noise', balls))));
    expect(rowsKey(queryOf(withText(poisson, 'maxBatchSize', '80')))).not.toBe(
      rowsKey(queryOf(poisson)),
    );
  });

  test('beside the rows, each of several entries is asked alone', () => {
    expect(aloneOf(queryOf(two)).map(({ phases }) => phases.length)).toEqual([1, 1]);
    expect(aloneOf(queryOf(defaultScenario))).toEqual([]);
  });
});

test('question: the engine’s complaints are put in the form’s words', () => {
  expect(inFormWords('noiseMultiplier', 'noiseMultiplier must be above 0; got -1')).toBe(
    'Noise multiplier must be above 0; got -1.',
  );
  expect(inFormWords('batchSize', 'batchSize must be at most datasetSize 10; got 20')).toBe(
    'Batch size must be at most dataset size 10; got 20.',
  );
  expect(inFormWords('batchSize', 'batchSize must be at most datasetSize 10; got 20', true)).toBe(
    'Clients per round must be at most clients 10; got 20.',
  );
  expect(inFormWords('', "datasetSize 60000 is 1/60000 or 0.00001 of nobody's 12345.5")).toBe(
    'Dataset size 60,000 is 1/60000 or 0.00001 of nobody’s 12345.5.',
  );
});

describe('question: the command asks the same', () => {
  test.each<[string, Scenario, string]>([
    [
      'a comparison',
      defaultScenario,
      `${commandPath} compare --noise-multiplier 0.7 --dataset-size 60000 --batch-size 60 --epochs 1 --delta 1e-5`,
    ],
    [
      'a value to be found',
      find('noise'),
      `${commandPath} calibrate noise --sampler poisson --dataset-size 60000 --batch-size 60 --epochs 1 --delta 1e-5 --epsilon 2`,
    ],
    [
      'what only one sampler can do',
      withText(balls, 'participations', '2'),
      `${commandPath} epsilon --sampler balls-and-bins --noise-multiplier 0.7 --dataset-size 60000 --batch-size 60 --epochs 1 --participations 2 --delta 1e-5`,
    ],
  ])('%s', (_name, scenario, command) => {
    expect(commandFor(queryOf(scenario))).toBe(command);
  });

  test('several phases as a file', () => {
    const two = withAdded(defaultScenario, { ...defaultPhase, sampler: 'poisson' });
    const command = commandFor(queryOf(two));
    const [, json = ''] =
      /^echo '(.*)' \| node path\/to\/\S+ epsilon --query -$/.exec(command) ?? [];
    expect(JSON.parse(json)).toEqual({
      phases: [byDefault, { ...byDefault, sampler: 'poisson' }],
      delta: 1e-5,
    });
    expect(commandFor(queryOf(find('noise', two)))).toContain(
      `${commandPath} calibrate noise --query -`,
    );
  });
});

test.each(presets)('question: the preset $name is a question', ({ scenario }) => {
  expect(read(scenario)).toHaveProperty('query');
});

describe('question: whom a refusal blames', () => {
  const trouble = { field: 'noiseMultiplier', text: 'noiseMultiplier must be above 0; got -1' };
  const two = withAdded(defaultScenario, defaultRelease);
  const words = 'Noise multiplier must be above 0; got -1.';

  test('of a single phase, the field', () => {
    expect([...blamed(defaultScenario, trouble)]).toEqual([['noiseMultiplier', words]]);
  });
  test('of several, the entry that is refused alone: its field when it is open', () => {
    expect([...blamed({ ...two, open: 0 }, { ...trouble, entry: 0 })]).toEqual([
      ['noiseMultiplier', words],
    ]);
    expect([...blamed(two, { ...trouble, entry: 0 })]).toEqual([
      ['1:noiseMultiplier', words],
      ['run', `Entry 1 of the run: ${words}`],
    ]);
    const release = { field: 'mu', text: 'mu must be at least 0; got -1', entry: 1 };
    expect([...blamed(two, release).keys()]).toEqual(['release-mu']);
  });
  test('of several that are fine alone, the run; a field of the question stays its own', () => {
    expect([...blamed(two, trouble).keys()]).toEqual(['run']);
    expect([...blamed(two, { field: 'delta', text: 'delta' }).keys()]).toEqual(['delta']);
    expect([...blamed(two, { field: undefined, text: 'lost' })]).toEqual([['run', 'lost.']]);
  });
  test('what is sought is no field to type into', () => {
    const sought = { ...defaultScenario, find: 'noise' as const };
    expect([...blamed(sought, trouble).keys()]).toEqual(['run']);
  });
});

test('question: every number outside its domain is marked, in every entry', () => {
  const wrong = withText(withText(defaultScenario, 'noiseMultiplier', '-1'), 'epochs', '1.5');
  const two = withAsked(
    withAdded(wrong, { ...defaultRelease, by: 'mu', texts: { ...defaultRelease.texts, mu: '-2' } }),
    'delta',
    '7',
  );
  const problems = readScenario({ ...two, open: 0 }).beyond;
  expect(Object.fromEntries(problems)).toEqual({
    epochs: 'Epochs must be a whole number from 0 to 10⁹; got 1.5.',
    noiseMultiplier: 'Noise multiplier must be a number from 10⁻⁶ to 1,000,000; got −1.',
    '2:release-mu': 'Mu must be a number from 0 to 1,000; got −2.',
    delta: 'Delta must be a finite number above 0 and at most 1; got 7.',
  });
  const none = readScenario(withAsked(defaultScenario, 'delta', '0')).beyond;
  expect(none.get('delta')).toBe('Delta must be a finite number above 0; got 0.');
  expect(readScenario(defaultScenario).beyond.size).toBe(0);
});
