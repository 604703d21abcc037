import type { History } from './state/store.js';

type Step = 'pushState' | 'replaceState';

/** What is used of a window. */
export interface Browser {
  history: Record<Step, (data: null, unused: '', address: string) => void>;
  location: Pick<Location, 'hash' | 'pathname' | 'search'>;
  addEventListener(type: 'popstate' | 'hashchange', listener: () => void): void;
}

/** Until the address is tried again. */
const pause = 1000;

/** The window's history. Browsers refuse a hundred steps in half a minute: the address follows later. */
export function historyOf(browser: Browser): History {
  const { history, location } = browser;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let waiting: Step | undefined;
  const forget = () => {
    clearTimeout(timer);
    waiting = undefined;
  };
  const write = (how: Step, hash: string) => {
    // A step that waits is still to be made, whatever was edited since.
    const step = waiting === 'pushState' ? waiting : how;
    forget();
    try {
      history[step](null, '', hash || location.pathname + location.search);
    } catch {
      waiting = step;
      timer = setTimeout(() => {
        write(step, hash);
      }, pause);
    }
  };
  return {
    hash: () => location.hash,
    push: (hash) => {
      write('pushState', hash);
    },
    replace: (hash) => {
      write('replaceState', hash);
    },
    listen: (onChange) => {
      const moved = () => {
        // The reader has gone elsewhere: what waits is of where they were.
        forget();
        onChange();
      };
      browser.addEventListener('popstate', moved);
      browser.addEventListener('hashchange', moved);
    },
    now: () => performance.now(),
  };
}
