import { expect, test } from 'vitest';
import { addressOf, readAddress } from '../../web/src/state/address.js';
import { isPinned, mostPins, readPins, writePins } from '../../web/src/state/pins.js';
import { presets } from '../../web/src/state/presets.js';
import {
  defaultRelease,
  defaultScenario,
  defaultState,
  defaultPhase,
  openEntry,
  withText,
} from '../../web/src/state/scenario.js';
import type { Scenario } from '../../web/src/state/scenario.js';
import { describeRun } from '../../web/src/words/entries.js';

const mixed: Scenario = {
  ...defaultScenario,
  entries: [defaultPhase, { ...defaultRelease, by: 'mu' }, { ...defaultPhase, sampler: 'poisson' }],
  open: 2,
};
const odd = withText(defaultScenario, 'epochs', 'a;b:c;;d,e=f');
const pins = [defaultScenario, mixed, odd, ...presets.slice(1, 3).map(({ scenario }) => scenario)];

test('pins: runs survive the way into the address and back', () => {
  expect(readPins(writePins(pins))).toEqual({ pins, notes: [] });
  expect(readPins('')).toEqual({ pins: [], notes: [] });
  const view = { ...defaultState.view, panels: { 'curves.pins': writePins(pins) } };
  const { state, notes } = readAddress(addressOf({ ...defaultState, view }));
  expect(notes).toEqual([]);
  expect(readPins(state.view.panels['curves.pins'] ?? '').pins).toEqual(pins);
});

test('pins: a link with one is still readable', () => {
  const pin = writePins([withText(mixed, 'noiseMultiplier', '0.8')]);
  const view = { ...defaultState.view, panels: { 'curves.pins': pin } };
  expect(addressOf({ ...defaultState, view })).toMatch(
    /^#v1,curves\.pins=v1;sampler:shuffle;by:counts;noise-multiplier:0\.7;[a-z0-9.:;-]*open:3;and:mu;mu:0\.5;and:phase;sampler:poisson;by:counts;noise-multiplier:0\.8;/,
  );
});

test('pins: there are at most six, and none twice', () => {
  const nine = readPins(writePins(Array.from({ length: 9 }, () => mixed)));
  expect(nine.pins).toHaveLength(mostPins);
  expect(nine.notes).toHaveLength(3);
  expect(isPinned(pins, withText(odd, 'epochs', 'a;b:c;;d,e=f'))).toBe(true);
  expect(isPinned(pins, withText(odd, 'epochs', '2'))).toBe(false);
});

test('pins: what cannot be read is no run, and is named', () => {
  const { pins: read, notes } = readPins('v1;epochs:3;;garbage;;v1;sampler:foo;;v2;epochs:3;;');
  expect(read.map((pin) => openEntry(pin))).toMatchObject([{ texts: { epochs: '3' } }]);
  expect(notes).toHaveLength(4);
  expect(notes[0]).toContain('“garbage”');
  const [long] = readPins(`v1;${'and:mu;'.repeat(9999)}`).notes;
  expect(long).toMatch(/entries\. and 8,980 more$/);
  expect(notes[1]).toContain('sampler must be');
});

test('pins: a run is told in the words that were typed', () => {
  expect(describeRun(defaultScenario)).toBe(
    'Shuffled batches: 1 epoch, n = 60,000, b = 60, σ = 0.7; δ = 1e-5',
  );
  expect(describeRun(mixed)).toBe('2 phases and 1 other release; δ = 1e-5');
});
