import { describe, expect, test } from 'vitest';
import { addressOf, readAddress, unreadText } from '../../web/src/state/address.js';
import { firstNotes } from '../../web/src/state/first-notes.js';
import { linkNotice } from '../../web/src/words/link.js';
import { presets } from '../../web/src/state/presets.js';
import {
  defaultRelease,
  defaultScenario,
  defaultState,
  defaultPhase,
  openEntry,
  withPhase,
  withText,
} from '../../web/src/state/scenario.js';
import type { State, PhaseEntry } from '../../web/src/state/scenario.js';

const stateWith = (scenario: Partial<State['scenario']>): State => ({
  ...defaultState,
  scenario: { ...defaultScenario, ...scenario },
});

/** The open entry of a state, which is to be a phase. */
function phaseOf({ scenario }: State): PhaseEntry {
  const entry = openEntry(scenario);
  if (entry.kind !== 'phase') throw new Error('expected a phase');
  return entry;
}

const everything: PhaseEntry = {
  kind: 'phase',
  sampler: 'balls-and-bins',
  loader: 'balls',
  schedule: 'steps',
  texts: {
    ...{ mechanism: 'laplace', adjacency: 'substitution' },
    ...{ reshuffle: 'once', matrix: 'square-root', noiseSchedule: 'linear' },
    ...{ noiseUnit: 'average', privacyUnit: 'client' },
    ...{ dropLast: 'true', replacement: 'true', drawnDivisor: 'true', swapped: 'true' },
    ...{
      noiseStddev: '0.01',
      clippingNorm: '1.5',
      localEpochs: '3',
      matrixColumn: '[1, 0.5]',
      bufferWeights: '0.4; 0.2',
      bufferDecays: '',
      partOfData: '2',
    },
    noiseMultiplier: '1_0.5',
    datasetSize: '7',
    batchSize: '3',
    accumulationSteps: '2',
    devices: '8',
    epochs: '2',
    samplingProbability: '256/60000',
    steps: '1e4',
    participations: '3',
    maxBatchSize: '99',
    recordsPerUser: '4',
    ...{ bands: '4', countNoise: '10', samplingWorkers: '2', noiseEnd: '2' },
  },
};

test('address: the defaults need none', () => {
  expect(addressOf(defaultState)).toBe('');
  expect(readAddress('')).toEqual({ state: defaultState, notes: [], run: 'whole' });
});

test('address: only what differs from the defaults is in it', () => {
  const scenario = withPhase(defaultScenario, { sampler: 'poisson' });
  expect(
    addressOf({ ...defaultState, scenario: withText(scenario, 'noiseMultiplier', '0.8') }),
  ).toBe('#v1,sampler=poisson,noise-multiplier=0.8');
});

test('address: what is asked for and the further entries follow the first phase', () => {
  const state = stateWith({
    entries: [
      { ...defaultPhase, sampler: 'poisson' },
      { ...defaultPhase, schedule: 'steps' },
      { ...defaultRelease, by: 'mu', texts: { ...defaultRelease.texts, mu: '0.25' } },
    ],
    open: 1,
    find: 'noise',
  });
  expect(addressOf(state)).toBe(
    '#v1,sampler=poisson,solve-for=noise,open=2,and=phase,by=steps,and=mu,mu=0.25',
  );
});

describe('address: a state survives the way there and back', () => {
  const states: [string, State][] = [
    ...presets.map(({ name, scenario }): [string, State] => [name, { ...defaultState, scenario }]),
    [
      'everything changed',
      {
        scenario: {
          entries: [everything],
          open: 0,
          find: 'cap',
          texts: {
            ...{ accountant: 'rdp', proofs: 'published' },
            ...{ target: 'inference', tuning: 'negative-binomial' },
            ...{ delta: '1/60000', epsilon: '3', capDelta: '1e-9', reported: '3.1' },
            ...{ runs: '25', eta: '0.2', targetValue: '0.3', targetAt: '1/8' },
          },
        },
        view: {
          axis: 'log',
          more: true,
          hidden: ['shuffle', 'poisson'],
          panel: 'monte-carlo',
          panels: { 'mc.samples': '1e6', 'of-another-page.note': 'a,b=c', 'mc.seed': '' },
        },
      },
    ],
    [
      'phases and releases in any order',
      {
        ...stateWith({
          entries: [
            { ...defaultRelease, by: 'rho' },
            {
              ...defaultRelease,
              texts: {
                epsilon: '1',
                delta: '',
                mu: '2',
                rho: '3',
                boundedRange: '4',
                partOfData: '5',
              },
            },
            everything,
            defaultPhase,
            { ...defaultRelease, by: 'mu' },
          ],
          open: 3,
        }),
        view: { ...defaultState.view, hidden: ['composition', 'poisson'] },
      },
    ],
    [
      'what nobody should type',
      stateWith({
        entries: [
          { ...defaultPhase, texts: { ...defaultPhase.texts, epochs: '', steps: 'and=phase' } },
        ],
        texts: {
          ...defaultScenario.texts,
          delta: 'a,b=c&d#e %25 "ε" +',
          epsilon: '',
          reported: '<b>',
        },
      }),
    ],
  ];
  test.each(states)('%s', (_name, state) => {
    const hash = addressOf(state);
    const { state: read, notes } = readAddress(hash);
    expect(notes).toEqual([]);
    expect(read).toEqual({
      ...state,
      view: { ...state.view, hidden: expect.arrayContaining([...state.view.hidden]) as unknown },
    });
    expect(hash).not.toMatch(/[ "<>]/);
  });
});

// Links that people have: what they open must never change.
test.each([
  [
    '#v1,sampler=poisson,by=steps,noise-multiplier=1.1,sampling-probability=256/60000,steps=14062',
    {
      sampler: 'poisson',
      schedule: 'steps',
      noiseMultiplier: '1.1',
      samplingProbability: '256/60000',
      steps: '14062',
      delta: '1e-5',
      find: 'epsilon',
      entries: { length: 1 },
    },
  ],
  [
    '#v1,dataset-size=50000,batch-size=500,epochs=10,reshuffle=once,reported=2',
    {
      sampler: 'shuffle',
      reshuffle: 'once',
      reported: '2',
      datasetSize: '50000',
      batchSize: '500',
      epochs: '10',
      noiseMultiplier: '0.7',
      mechanism: 'gaussian',
      adjacency: 'zero-out',
      participations: '1',
      maxBatchSize: '',
      recordsPerUser: '1',
    },
  ],
  [
    '#v1,sampler=poisson,max-batch-size=99,delta=1e-6,epsilon=3,solve-for=noise,at=2,open=3,' +
      'and=epsilon,epsilon=1,delta=1e-9,and=phase,mechanism=laplace',
    {
      delta: '1e-6',
      epsilon: '3',
      find: 'noise',
      open: 2,
      mechanism: 'laplace',
      sampler: 'shuffle',
      entries: {
        length: 3,
        0: { by: 'epsilon', texts: { epsilon: '1', delta: '1e-9' } },
        1: { sampler: 'poisson', texts: { maxBatchSize: '99' } },
      },
    },
  ],
  [
    '#v1,sampler=poisson,batch-size=32,accumulation-steps=4,devices=2,drop-last=true',
    { sampler: 'poisson', batchSize: '32', accumulationSteps: '4', devices: '2', dropLast: 'true' },
  ],
  [
    '#v1,batch-size=256',
    { batchSize: '256', accumulationSteps: '1', devices: '1', dropLast: 'false' },
  ],
])('address: the golden link %s opens what it always did', (hash, expected) => {
  const { state, notes } = readAddress(hash);
  expect(notes).toEqual([]);
  const phase = phaseOf(state);
  const { texts, ...scenario } = state.scenario;
  expect({
    ...texts,
    ...scenario,
    ...phase.texts,
    sampler: phase.sampler,
    schedule: phase.schedule,
  }).toMatchObject(expected);
});

test('address: what is not understood is said and left at its default', () => {
  const { state, notes, run } = readAddress(
    '#v1,sampler=roulette,colour=red,epochs=3,open=9,and=phase,mu=3,and=magic',
  );
  expect(phaseOf({ ...state, scenario: { ...state.scenario, open: 0 } })).toMatchObject({
    sampler: defaultPhase.sampler,
    texts: { epochs: '3' },
  });
  expect(state.scenario.entries).toHaveLength(2);
  expect(state.scenario.open).toBe(1);
  expect(notes).toEqual([
    {
      part: 'sampler=roulette',
      why: expect.stringMatching(/^sampler must be poisson, .* or .*[^.]$/) as string,
    },
    expect.objectContaining({ part: 'colour=red' }),
    expect.objectContaining({ part: 'mu=3' }),
    { part: 'and=magic', why: 'and must be phase, epsilon, mu, rho or range' },
    expect.objectContaining({ part: 'open=9' }),
  ]);
  expect(run).toBe('part');
});

test.each([
  '#garbage',
  '#sampler=foo',
  '#unknown=3',
  '#v2,noise-multiplier=3',
  '#,epochs=3',
  '#V1',
])(
  'address: %s is no link that can be read: the run is the usual one, and said not to be the link’s',
  (hash) => {
    const { state, notes, run } = readAddress(hash);
    expect(state).toEqual(defaultState);
    expect(run).toBe('none');
    expect(notes.map(({ part }) => part)).toEqual([hash.slice(1).split(',')[0]]);
  },
);

test.each([
  ['unknown=3', 'unknown=3'],
  ['noise-multipler=3', 'noise-multipler=3'],
  ['steps-per-epoch=100', 'steps-per-epoch=100'],
  ['sampler=foo', 'sampler=foo'],
  ['drop-last=yes', 'drop-last=yes'],
  ['solve-for=luck', 'solve-for=luck'],
  ['accountant=best-of-all', 'accountant=best-of-all'],
  ['epochs=2,epochs=3', 'epochs=3'],
  ['open=2', 'open=2'],
  ['open=0', 'open=0'],
  ['at=3,and=mu', 'at=3'],
  ['and=mu,and=magic,mu=3', 'mu=3'],
])('address: #v1,%s is not the run that is shown, and the part is named', (parts, named) => {
  const { notes, run } = readAddress(`#v1,${parts}`);
  expect(run).toBe('part');
  expect(notes.some(({ part }) => part === named)).toBe(true);
});

test('address: nothing after an entry that cannot be read goes into another one', () => {
  const { state } = readAddress('#v1,and=mu,mu=2,and=magic,mu=3');
  expect(state.scenario.entries[1]).toMatchObject({ texts: { mu: '2' } });
});

test.each(['hide=poisson+luck', 'directions=hidden', 'panel=No'])(
  'address: #v1,%s leaves the run as it is, and is named',
  (part) => {
    const { notes, run } = readAddress(`#v1,epochs=3,${part}`);
    expect(run).toBe('whole');
    expect(notes.map((note) => note.part)).toEqual([part]);
  },
);

test('address: a panel and what it remembers stand before further entries', () => {
  const state = stateWith({ entries: [defaultPhase, { ...defaultRelease, by: 'mu' }] });
  const view = { ...state.view, panel: 'embed', panels: { 'mc.samples': '1e6' } };
  expect(addressOf({ ...state, view })).toBe('#v1,panel=embed,mc.samples=1e6,and=mu');
  for (const panels of [
    { 'b.x': '1', 'a.x': '2' },
    { 'a.x': '2', 'b.x': '1' },
  ])
    expect(addressOf({ ...defaultState, view: { ...view, panel: '', panels } })).toBe(
      '#v1,a.x=2,b.x=1',
    );
  const [note] = readAddress('#v1,at=3,and=mu').notes;
  expect(note?.why).toContain('which has 2');
  expect(readAddress('#v1,panel=,.x=1,mc.=2,Mc.x=3').notes).toHaveLength(4);
});

test('address: a version of the future is not guessed at', () => {
  const { state, notes } = readAddress('#v9,epochs=3');
  expect(state).toEqual(defaultState);
  expect(notes).toHaveLength(1);
});

test.each([
  ['and=phase,'.repeat(100_000), 'and=phase', 99_001],
  ['and=phase,epochs=3,'.repeat(50_000), 'epochs=3', 98_002],
  ['sampler=foo,'.repeat(90_000), 'sampler=foo', 90_000],
  [
    Array.from({ length: 60_000 }, (_, key) => `mc.k${String(key)}=1,epochs=3,`).join(''),
    'epochs=3',
    59_999,
  ],
])(
  'address: a link of a megabyte opens at once, with at most 1,000 entries and 20 notes (%#)',
  (parts, part, unread) => {
    // Of a processor's time: a busy machine has no say.
    const started = process.cpuUsage();
    const { state, notes, run } = readAddress(`#v1,${parts}`);
    const { user, system } = process.cpuUsage(started);
    expect((user + system) / 1000).toBeLessThan(2000);
    expect(state.scenario.entries.length).toBeLessThanOrEqual(1000);
    expect([run, notes.length, notes.at(-1)?.part]).toEqual(['part', unread, part]);
    const shown = firstNotes(notes.map(unreadText));
    expect(shown).toHaveLength(21);
    expect(shown.at(-1)).toBe(`and ${(unread - 20).toLocaleString('en')} more`);
    expect(linkNotice(run, notes).length).toBeLessThan(1000);
  },
);

test('address: a part is shown cut, where it is longer than a line', () => {
  const { notes } = readAddress(`#v1,sampler=${'x'.repeat(1e6)}`);
  expect(notes.map(({ part }) => part)).toEqual([`sampler=${'x'.repeat(72)}…`]);
});

test('address: a broken escape does not break the page', () => {
  expect(readAddress('#v1,delta=%E0%A4%A').state.scenario.texts.delta).toBe('%E0%A4%A');
});

test('address: a link from when phases had a tab shows the form, and no tab is missing', () => {
  const { state, notes } = readAddress('#v1,panel=compose,and=mu');
  expect([state.view.panel, notes, state.scenario.entries.length]).toEqual(['', [], 2]);
});
