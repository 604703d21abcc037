import type { TestContext } from 'vitest';
import type { Parameters } from 'fast-check';

/** How many times as long as usual: HONEST_EPSILON_ROUNDS=1000 makes a long run of a short one. */
const rounds = Number(process.env.HONEST_EPSILON_ROUNDS ?? 1);
export const isLong = rounds !== 1;

/** A long run has its own seed each time, or the one it is given. */
const seed = isLong ? Number(process.env.HONEST_EPSILON_SEED ?? Date.now()) : 20250601;

/**
 * Settings of a property: how many inputs it is tried on, from a seed that a failure prints.
 * What was run is reported with the test, for the totals of `npm test`.
 */
export function runs(count: number, { task }: TestContext): Parameters<unknown> {
  const numRuns = Math.ceil(count * rounds);
  const counted = task.meta as { counts?: { fuzz: number } };
  counted.counts = { fuzz: (counted.counts?.fuzz ?? 0) + numRuns };
  // Shrinking asks a slow question again and again: eleven minutes, in a run of one.
  return { numRuns, seed, endOnFailure: isLong };
}
