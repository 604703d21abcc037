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
export { importRun } from './import-run.js';
export type { ImportOptions } from './import-run.js';
export { parseNumber } from './words/number-forms.js';
export { BadTally, readTally } from './tally.js';
export type { ChunkRange, Tally } from './tally-shape.js';

export interface EngineOptions {
  /** Most workers at a time; by default as many as there are cores, at most 8. */
  workers?: number | undefined;
}
