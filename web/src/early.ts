import type { Engine } from '../../wasm/client.js';
import { createEngine } from './engine.js';

/** The first engine starts as this file is read: before the page's own parts are, which take as long. */
let early: Promise<Engine> | undefined = createEngine();
// The caller that takes it handles its error.
early.catch(() => undefined);

export function takeEngine(): Promise<Engine> {
  const engine = early ?? createEngine();
  early = undefined;
  return engine;
}
