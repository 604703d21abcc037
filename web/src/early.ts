import type { Engine } from '../../wasm/client.js';
import { createEngine } from './engine.js';

/** Starts the first engine before the page's own files are read, which takes as long. */
let early: Promise<Engine> | undefined = createEngine();
// The caller that takes it handles its error.
const settled = early.catch(() => undefined);

/** In milliseconds: a worker whose files are cached is ready by then. */
const soon = 100;

/**
 * Resolves once the engine has started, at the latest after `soon`. Building the page earlier would
 * hold up the worker, which starts by way of the same thread.
 */
export const mayBuild = Promise.race([
  settled,
  new Promise((resolve) => setTimeout(resolve, soon)),
]);

export function takeEngine(): Promise<Engine> {
  const engine = early ?? createEngine();
  early = undefined;
  return engine;
}
