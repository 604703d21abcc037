import type { MonteCarloQuery } from './generated/schema.js';

/** Chunks from the first number on, up to the second, itself excluded. */
export type ChunkRange = readonly [first: number, beyond: number];

/**
 * The sum of some chunks of a query's samples: a small JSON document. Sums are exact integers, so
 * that parts drawn anywhere, in any order, add up to the same document.
 */
export interface Tally {
  /** The version of the program that drew the samples: another one's random numbers may differ. */
  readonly version: string;
  readonly query: MonteCarloQuery;
  readonly seed: number;
  /** How many chunks the whole run has that this is a part of. */
  readonly planned: number;
  /** The chunks counted: increasing, none twice. */
  readonly chunks: readonly ChunkRange[];
  readonly samples: number;
  readonly sums: readonly string[];
  /** The checksum of all the above. It detects accidents, not forgery. */
  readonly checksum: string;
}
