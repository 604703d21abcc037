import type { History } from './state/store.js';

type Step = 'pushState' | 'replaceState';

export interface Browser {
  history: Record<Step, (data: null, unused: '', address: string) => void>;
  location: Pick<Location, 'hash' | 'pathname' | 'search'>;
  addEventListener(type: 'popstate' | 'hashchange', listener: () => void): void;
}

/** In milliseconds, until the address is tried again. */
const pause = 1000;

/**
 * Addresses follow each other at this distance, after a burst. Chromium takes 200 in ten seconds, and
 * drops the rest without an error.
 */
const spacing = 60;
const burst = 1000;

/** Writes addresses no faster than browsers take them. */
function writerOf({ history, location }: Browser) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let waiting: Step | undefined;
  /** The time up to which the addresses written so far are spaced. */
  let spaced = -Infinity;
  const forget = () => {
    clearTimeout(timer);
    waiting = undefined;
  };
  const write = (how: Step, hash: string) => {
    // A step that waits is still to be made, whatever was edited since.
    const step = waiting === 'pushState' ? waiting : how;
    forget();
    const later = (delay: number) => {
      waiting = step;
      timer = setTimeout(() => write(step, hash), delay);
    };
    const now = performance.now();
    spaced = Math.max(spaced, now);
    if (spaced - now > burst) {
      later(spaced - now - burst);
      return;
    }
    spaced += spacing;
    try {
      history[step](null, '', hash || location.pathname + location.search);
    } catch {
      later(pause);
    }
  };
  return { write, forget };
}

/** The window's history. Browsers refuse a hundred steps in half a minute: the address follows later. */
export function historyOf(browser: Browser): History {
  const { write, forget } = writerOf(browser);
  return {
    hash: () => browser.location.hash,
    push: (hash) => write('pushState', hash),
    replace: (hash) => write('replaceState', hash),
    listen: (onChange) => {
      const moved = () => {
        // The reader has moved on: a waiting address is that of the place they left.
        forget();
        onChange();
      };
      browser.addEventListener('popstate', moved);
      browser.addEventListener('hashchange', moved);
    },
    now: () => performance.now(),
  };
}
