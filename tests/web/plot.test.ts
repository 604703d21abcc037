import { describe, expect, test } from 'vitest';
import type { Interval } from '../../wasm/generated/schema.js';
import { exhibits } from '../../wasm/papers/index.js';
import { placeNames } from '../../web/src/charts/line-names.js';
import { linePaths, mainEnds } from '../../web/src/charts/lines.js';
import { plotScale } from '../../web/src/charts/scale.js';
import { addressOf, readAddress } from '../../web/src/state/address.js';
import { scenarioOf } from '../../web/src/state/opened.js';
import { defaultView } from '../../web/src/state/scenario.js';

const between = (lower: number | null, upper: number | null): Interval => ({
  lower,
  upper,
  kind: 'certified',
});

const axis = { label: 'ε', scale: 'linear', from: -0.1, to: 0.1 } as const;

describe('plot', () => {
  test('a linear axis holds both its ends, below zero, too', () => {
    const scale = plotScale(axis, 50, 450, 'across');
    expect(scale.at(-0.1)).toBe(50);
    expect(scale.at(0.1)).toBe(450);
    expect(scale.invert(250)).toBeCloseTo(0, 12);
    expect(scale.ticks.map(({ value }) => value)).toContain(0);
    // What is not on the axis is beyond it, not at its end: the plot cuts it off.
    expect(scale.at(0.2)).toBeCloseTo(650, 9);
    expect(Number.isFinite(scale.at(Infinity))).toBe(true);
  });

  const x = plotScale({ ...axis, from: 0, to: 2 }, 0, 200, 'across');
  const y = plotScale({ ...axis, from: 0, to: 1 }, 100, 0, 'up');

  test('a band has two edges, what the eye cannot tell apart has one', () => {
    const wide = [0, 1, 2].map((at) => ({ x: at, y: between(0.2, 0.8) }));
    expect(linePaths(wide, x, y, true).band).not.toBe('');
    const narrow = [0, 1, 2].map((at) => ({ x: at, y: between(0.5, 0.501) }));
    expect(linePaths(narrow, x, y, true)).toMatchObject({ band: '', lower: '' });
  });

  test('what is proved from one side is drawn along that side', () => {
    const above = [0, 2].map((at) => ({ x: at, y: between(null, 0.75) }));
    expect(linePaths(mainEnds(above), x, y, false).upper).toBe('M0,25L200,25');
    const below = [0, 2].map((at) => ({ x: at, y: between(0.25, null) }));
    expect(linePaths(mainEnds(below), x, y, false).upper).toBe('M0,75L200,75');
  });

  test('a line that rises finds a place for its name, too', () => {
    const frame = { left: 0, right: 400, top: 0, bottom: 300 };
    const [across, up] = [
      plotScale({ ...axis, from: 0, to: 1 }, 0, 400, 'across'),
      plotScale({ ...axis, from: 0, to: 1 }, 300, 0, 'up'),
    ];
    const points = Array.from({ length: 11 }, (_, i) => ({
      x: i / 10,
      y: between(i / 10, i / 10),
    }));
    const lines = [{ name: 'rising', text: 'rising', points: mainEnds(points) }];
    const ground = { x: across, y: up, frame };
    expect(placeNames(lines, ground).get('rising')?.lines).toEqual(['rising']);
    // Where there is room right of the drawing, the name stands there, where the line ends.
    expect(placeNames(lines, ground, 80).get('rising')?.end).toEqual({ x: 400, y: 0 });
  });
});

describe('opened', () => {
  const withScenario = exhibits.flatMap(({ id, scenario }) => (scenario ? [{ id, scenario }] : []));

  test.each(withScenario)('$id opens as a run that its link holds', ({ scenario: query }) => {
    const scenario = scenarioOf(query);
    const { state, notes } = readAddress(addressOf({ scenario, view: defaultView }));
    expect(notes).toEqual([]);
    expect(state.scenario).toEqual(scenario);
    const [entry] = scenario.entries;
    const [phase] = query.phases;
    if (entry?.kind !== 'phase' || !phase || !('sampler' in phase)) throw new Error('no phase');
    expect(entry.sampler).toBe(phase.sampler);
    expect(entry.texts.noiseMultiplier).toBe(String(phase.noiseMultiplier));
    expect(scenario.texts.delta).toBe(String(query.delta));
  });

  test('an epoch’s steps are a probability in the form', () => {
    const { entries } = scenarioOf({
      phases: [{ sampler: 'shuffle', noiseMultiplier: 0.5, stepsPerEpoch: 1000, epochs: 3 }],
      delta: 1e-6,
    });
    expect(entries[0]).toMatchObject({
      sampler: 'shuffle',
      schedule: 'steps',
      texts: { samplingProbability: '1/1000', steps: '3000', noiseMultiplier: '0.5' },
    });
  });
});
