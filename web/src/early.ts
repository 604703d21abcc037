import type { Engine } from '../../wasm/client.js';
import { createEngine } from './engine.js';

/** The first engine starts as this file is read: before the page's own parts are, which take as long. */
let early: Promise<Engine> | undefined = createEngine();
// The caller that takes it handles its error.
const settled = early.catch(() => undefined);

/** A worker whose files are kept is ready by then, in milliseconds. */
const soon = 100;

/**
 * The page is built once the engine has started, or a moment later: a worker starts by way of the thread
 * that builds the page, which would hold up its own first answer.
 */
export const mayBuild = Promise.race([
  settled,
  new Promise((resolve) => {
    setTimeout(resolve, soon);
  }),
]);

export function takeEngine(): Promise<Engine> {
  const engine = early ?? createEngine();
  early = undefined;
  return engine;
}
