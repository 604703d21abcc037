import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { historyOf } from '../../web/src/history.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A browser that can be made to refuse, and what it was told. */
function fakeBrowser() {
  const steps: string[] = [];
  const state = { refuses: false, move: (): void => undefined };
  const step = (name: string) => (_data: null, _unused: '', address: string) => {
    if (state.refuses) throw new Error('too many calls');
    steps.push(`${name} ${address}`);
  };
  const history = historyOf({
    history: { pushState: step('push'), replaceState: step('replace') },
    location: { hash: '', pathname: '/page', search: '?a' },
    addEventListener: (_, listener) => (state.move = listener),
  });
  history.listen(() => undefined);
  return { history, steps, state };
}

describe('history', () => {
  test('the address without a state is the page itself', () => {
    const { history, steps } = fakeBrowser();
    history.push('#1');
    history.replace('');
    expect(steps).toEqual(['push #1', 'replace /page?a']);
  });

  test('a step that the browser refuses is made later, as the last edit has it', () => {
    const { history, steps, state } = fakeBrowser();
    state.refuses = true;
    history.push('#1');
    history.replace('#12');
    vi.advanceTimersByTime(5000);
    state.refuses = false;
    vi.advanceTimersByTime(1000);
    history.replace('#123');
    expect(steps).toEqual(['push #12', 'replace #123']);
  });

  test('whoever goes back meanwhile keeps the address they went to', () => {
    const { history, steps, state } = fakeBrowser();
    state.refuses = true;
    history.replace('#1');
    state.refuses = false;
    state.move();
    vi.advanceTimersByTime(5000);
    expect(steps).toEqual([]);
  });

  test('a drag is spaced so that Chromium drops nothing, and its last address is written', () => {
    const { history, steps } = fakeBrowser();
    history.push('#start');
    for (let move = 1; move <= 600; ++move) {
      history.replace(`#${move}`);
      vi.advanceTimersByTime(16);
    }
    // Chromium's limit in ten seconds.
    expect(steps.length).toBeLessThan(200);
    expect(steps.length).toBeGreaterThan(100);
    vi.advanceTimersByTime(60);
    expect(steps.at(-1)).toBe('replace #600');
    history.push('#next');
    vi.advanceTimersByTime(60);
    expect(steps.at(-1)).toBe('push #next');
  });
});
