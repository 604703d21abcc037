/** What the engine's entries have in common, in a browser and in Node. */

import type { Query, SamplerName } from './generated/schema.js';
import type { Choices, ImportedRun, NoRun } from './import/index.js';

export type { CallOptions, CompareOptions, Comparison, CurveOptions, Engine } from './client.js';
export type { Curve, CurvePoint } from './curve.js';
export { curveKinds } from './curve-kinds.js';
export type { CurveKind } from './curve-kinds.js';
export { EngineError, QueryError } from './errors.js';
export type { EngineErrorCode } from './errors.js';
export * from './generated/schema.js';
export type {
  Certainty,
  MonteCarloOptions,
  MonteCarloProgress,
  MonteCarloResult,
} from './monte-carlo.js';
export type { Ambiguity, Choices, ImportedRun, NoRun } from './import/index.js';
export { parseNumber } from './words/number-forms.js';
export { BadTally, readTally } from './tally.js';
export type { ChunkRange, Tally } from './tally.js';

export interface EngineOptions {
  /** Most workers at a time; by default as many as there are cores, at most 8. */
  workers?: number | undefined;
}

export interface ImportOptions {
  /** How the batches were really drawn; every sampler is asked about where that is not said. */
  sampler?: SamplerName | undefined;
  /** Readings of what is ambiguous, by its name. */
  choices?: Choices | undefined;
}

/**
 * A run as another program's text or a paper states it, with the question that asks about it: none while
 * something is ambiguous. The readers of formats are loaded when they are first wanted.
 */
export async function importRun(
  text: string,
  { sampler, choices }: ImportOptions = {},
): Promise<NoRun | (ImportedRun & { query: Query | null })> {
  const { queryOf, readRun } = await import('./import/index.js');
  const run = readRun(text, choices);
  if ('wrong' in run) return run;
  return { ...run, query: run.ambiguous.length > 0 ? null : queryOf(run, sampler) };
}
