import { describe, expect, test } from 'vitest';
import { phaseFields } from '../../wasm/generated/schema.js';
import { parseNumber } from '../../wasm/words/number-forms.js';
import { defaultRelease, defaultScenario, defaultPhase } from '../../web/src/state/scenario.js';
import { nearestStop, stopsIn, stopText, stops } from '../../web/src/state/stops.js';

const all = Object.entries(stops);
/** Runs tried may be a mean, and are whole where a slider gives them. */
const isCount = (name: string) =>
  name === 'runs' || phaseFields.some((field) => field.name === name && field.type === 'count');

describe('stops', () => {
  test('every number of the form that is not empty by default has some', () => {
    const texts = { ...defaultPhase.texts, ...defaultScenario.texts, ...defaultRelease.texts };
    const filled = Object.entries(texts).flatMap(([name, text]) =>
      parseNumber(text) === undefined ? [] : [name],
    );
    expect(Object.keys(stops).sort()).toEqual(filled.sort());
  });

  test.each(all)('of %s rise evenly, and are whole for counts', (name, list) => {
    expect(list.length).toBeGreaterThan(20);
    const percent =
      { delta: 405, noiseMultiplier: 2.6, epsilon: 2.6, mu: 2.6, rho: 2.6 }[name] ?? 10.1;
    const most = 1 + percent / 100;
    for (const [index, stop] of list.slice(1).entries()) {
      const last = list[index] ?? NaN;
      expect(stop).toBeGreaterThan(last);
      if (!(isCount(name) && stop === last + 1)) expect(stop / last).toBeLessThan(most);
      if (isCount(name)) expect(Number.isInteger(stop)).toBe(true);
    }
  });

  test.each(all)('of %s are typed in few characters that read back', (_, list) => {
    for (const stop of list) {
      const text = stopText(stop);
      expect(parseNumber(text)).toBe(stop);
      expect(text.length).toBeLessThanOrEqual(9);
      expect(text.replace(/e.*/, '').replace(/^[0.]+|\.|0+$/g, '').length).toBeLessThanOrEqual(3);
    }
  });

  test('the nearest is found by ratio, and beyond the ends it is the end', () => {
    const list = [1, 10, 100];
    const near = (value: number) => list[nearestStop(list, value) ?? NaN];
    expect([1, 10, 100].map(near)).toEqual([1, 10, 100]);
    expect([3.1, 3.2, 31, 32].map(near)).toEqual([1, 10, 10, 100]);
    expect([-1, 0, 0.5, 500, Infinity].map(near)).toEqual([1, 1, 1, 100, 100]);
    expect(nearestStop(list, NaN)).toBeUndefined();
    expect(nearestStop([1, 4], 2)).toBe(1);
    expect([0.001, 9e-4, 60000].map(stopText)).toEqual(['0.001', '9e-4', '60000']);
  });

  test('no batch is made larger than the dataset', () => {
    const ends = (
      key: 'batchSize' | 'datasetSize' | 'epochs',
      datasetSize: string,
      batch: string,
    ) => {
      const texts = { ...defaultPhase.texts, datasetSize, batchSize: batch };
      const list = stopsIn({ ...defaultPhase, texts }, key) ?? [];
      return [list.at(0), list.at(-1)];
    };
    expect(ends('batchSize', '1234', '56')).toEqual([1, 1200]);
    expect(ends('datasetSize', '1234', '5600')).toEqual([6000, 1e8]);
    expect(ends('epochs', '5', '5600')).toEqual([1, 1000]);
    // A text that is no size is no limit.
    for (const none of ['', 'many', '0'])
      expect([ends('batchSize', none, '1'), ends('datasetSize', '1', none)]).toEqual([
        [1, 1e6],
        [100, 1e8],
      ]);
  });
});
