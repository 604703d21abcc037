import { expect, test } from 'vitest';
import { unknownParts, textsOf, withTexts } from '../../web/src/panels/panel.js';
import type { PanelInfo } from '../../web/src/panels/panel.js';
import { defaultView } from '../../web/src/state/scenario.js';

const never = () => Promise.reject(new Error('not loaded here'));
const one: PanelInfo = { key: 'one', title: 'One', load: never };
const two: PanelInfo = { key: 'the-second', prefix: 'two', title: 'Two', load: never };

test('panel: each sees its own keys alone, and replaces no others', () => {
  const all = { 'one.samples': '5', 'two.samples': '6', 'once.samples': '7' };
  expect(textsOf(one, all)).toEqual({ samples: '5' });
  expect(textsOf(two, all)).toEqual({ samples: '6' });
  expect(withTexts(two, all, { seed: '' })).toEqual({
    'one.samples': '5',
    'once.samples': '7',
    'two.seed': '',
  });
  expect(withTexts(one, all, {})).toEqual({ 'two.samples': '6', 'once.samples': '7' });
});

test('panel: what belongs to no panel is said, once each', () => {
  const view = { ...defaultView, panel: 'three', panels: { 'one.x': '', 'the-second.x': '' } };
  const notes = unknownParts([one, two], view);
  expect(notes.map(({ part }) => part)).toEqual(['panel=three', 'the-second.x']);
  expect(unknownParts([one, two], { ...defaultView, panel: 'the-second' })).toEqual([]);
});
