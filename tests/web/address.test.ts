import { describe, expect, test } from 'vitest';
import { addressOf, readAddress } from '../../web/src/state/address.js';
import { presets } from '../../web/src/state/presets.js';
import { defaultScenario, defaultState, withText } from '../../web/src/state/scenario.js';
import type { State } from '../../web/src/state/scenario.js';

const stateWith = (scenario: Partial<State['scenario']>): State => ({
  ...defaultState,
  scenario: { ...defaultScenario, ...scenario },
});

test('address: the defaults need none', () => {
  expect(addressOf(defaultState)).toBe('');
  expect(readAddress('')).toEqual({ state: defaultState, notes: [] });
});

test('address: only what differs from the defaults is in it', () => {
  const state = stateWith({ sampler: 'poisson' });
  expect(
    addressOf({ ...state, scenario: withText(state.scenario, 'noiseMultiplier', '0.8') }),
  ).toBe('#v1,sampler=poisson,noise-multiplier=0.8');
});

describe('address: a state survives the way there and back', () => {
  const states: [string, State][] = [
    ...presets.map(({ name, scenario }): [string, State] => [name, { ...defaultState, scenario }]),
    [
      'everything changed',
      {
        scenario: {
          sampler: 'balls-and-bins',
          reshuffle: 'once',
          schedule: 'steps',
          texts: {
            noiseMultiplier: '1_0.5',
            datasetSize: '7',
            batchSize: '3',
            epochs: '2',
            samplingProbability: '256/60000',
            steps: '1e4',
            delta: '1/60000',
          },
          reported: '3.1',
        },
        view: { directions: true, hidden: ['shuffle', 'poisson'] },
      },
    ],
    [
      'what nobody should type',
      stateWith({
        texts: { ...defaultScenario.texts, delta: 'a,b=c&d#e %25 "ε" +', epochs: '' },
        reported: '<b>',
      }),
    ],
  ];
  test.each(states)('%s', (_name, state) => {
    const hash = addressOf(state);
    expect(readAddress(hash)).toEqual({ state, notes: [] });
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
    },
  ],
])('address: the golden link %s opens what it always did', (hash, expected) => {
  const { state, notes } = readAddress(hash);
  expect(notes).toEqual([]);
  expect({ ...state.scenario, ...state.scenario.texts }).toMatchObject(expected);
});

test('address: what is not understood is said and left at its default', () => {
  const { state, notes } = readAddress('#v1,sampler=roulette,colour=red,epochs=3');
  expect(state.scenario.sampler).toBe(defaultScenario.sampler);
  expect(state.scenario.texts.epochs).toBe('3');
  expect(notes).toHaveLength(2);
  expect(notes[0]).toContain('sampler=roulette');
});

test('address: a version of the future is not guessed at', () => {
  const { state, notes } = readAddress('#v9,epochs=3');
  expect(state).toEqual(defaultState);
  expect(notes).toHaveLength(1);
});

test('address: a broken escape does not break the page', () => {
  expect(readAddress('#v1,delta=%E0%A4%A').state.scenario.texts.delta).toBe('%E0%A4%A');
});
