import type { Engine } from '../../../wasm/client.js';
import { createEngine } from '../engine.js';
import { closeSoon, type Lease } from '../live/run.js';

/**
 * In milliseconds: an element that is moved, or replaced on the next page of a site, keeps the
 * engine.
 */
const grace = 1000;

let shared: Promise<Engine> | undefined;
let users = 0;
let closing: ReturnType<typeof setTimeout> | undefined;

function start(): Promise<Engine> {
  const starting = createEngine();
  // After a start that failed, the next element tries again.
  starting.catch(() => {
    if (shared === starting) shared = undefined;
  });
  return starting;
}

function close(): void {
  if (shared) closeSoon(shared);
  shared = undefined;
}

/**
 * One element's share in the document's engine: soon after the last one is released, the workers
 * end.
 */
export function lease(): Lease {
  clearTimeout(closing);
  ++users;
  const engine = (shared ??= start());
  let held = true;
  return {
    engine,
    release: () => {
      if (!held) return;
      held = false;
      if (--users === 0) closing = setTimeout(close, grace);
    },
  };
}
