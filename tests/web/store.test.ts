import { expect, test } from 'vitest';
import { defaultState, openEntry, withText } from '../../web/src/state/scenario.js';
import { Store } from '../../web/src/state/store.js';

/** A browser's history in memory. */
function fakeHistory(start = '') {
  const stack = [start];
  let onChange: () => void = () => undefined;
  const made = {
    time: 0,
    stack,
    hash: () => stack.at(-1) ?? '',
    push: (hash: string) => {
      stack.push(hash);
    },
    replace: (hash: string) => {
      stack[stack.length - 1] = hash;
    },
    listen: (listener: () => void) => {
      onChange = listener;
    },
    now: () => made.time,
    visit: (hash: string) => {
      stack.push(hash);
      onChange();
    },
    back: () => {
      stack.pop();
      onChange();
    },
  };
  return made;
}

const typed = (store: Store, text: string) => ({
  ...store.state,
  scenario: withText(store.state.scenario, 'noiseMultiplier', text),
});

test('store: a burst of letters in one field is one step back', () => {
  const history = fakeHistory();
  const store = new Store(history);
  for (const text of ['1', '1.', '1.1']) {
    history.time += 100;
    store.edit(typed(store, text), 'noiseMultiplier');
  }
  expect(history.stack).toEqual(['', '#v1,noise-multiplier=1.1']);
  history.back();
  expect(store.state).toEqual(defaultState);
});

test('store: another field, or a pause, starts another step', () => {
  const history = fakeHistory();
  const store = new Store(history);
  store.edit(typed(store, '1'), 'noiseMultiplier');
  history.time += 5000;
  store.edit(typed(store, '2'), 'noiseMultiplier');
  store.edit({ ...store.state, view: { ...store.state.view, more: true } }, 'more');
  expect(history.stack).toHaveLength(4);
  history.back();
  expect(store.state.view.more).toBe(false);
  expect(openEntry(store.state.scenario)).toMatchObject({ texts: { noiseMultiplier: '2' } });
});

test('store: going back tells the page, and an edit after it counts as new', () => {
  const history = fakeHistory();
  const store = new Store(history);
  let told = 0;
  store.subscribe(() => ++told);
  store.edit(typed(store, '1'), 'noiseMultiplier');
  history.back();
  expect(told).toBe(2);
  store.edit(typed(store, '3'), 'noiseMultiplier');
  expect(history.stack).toEqual(['', '#v1,noise-multiplier=3']);
});

test('store: opens on what the address says', () => {
  const store = new Store(fakeHistory('#v1,sampler=poisson'));
  expect(openEntry(store.state.scenario)).toMatchObject({ sampler: 'poisson' });
});

const looked = (store: Store) => ({ ...store.state, view: { ...store.state.view, more: true } });

test('store: a run that is not the link’s is said not to be until it is edited', () => {
  const store = new Store(fakeHistory('#v1,sampler=foo'));
  expect(store.run).toBe('part');
  store.edit(looked(store), 'more');
  expect([store.run, store.notes.length]).toEqual(['part', 1]);
  store.edit(typed(store, '2'), 'noiseMultiplier');
  expect([store.run, store.notes.length]).toEqual(['whole', 0]);
});

test('store: going back from a link that cannot be read takes its notice away', () => {
  const history = fakeHistory('');
  const store = new Store(history);
  history.visit('#garbage');
  expect([store.run, store.notes.length]).toEqual(['none', 1]);
  history.back();
  expect([store.run, store.notes.length]).toEqual(['whole', 0]);
});
