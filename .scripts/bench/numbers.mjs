// @ts-nocheck: untyped, as nothing passes or fails by it.
// How the benchmark writes numbers.

export const ms = (value) => (Number(value) === 0 ? '' : Number(value).toFixed(2));

/** Empty for times that are too short to be compared. */
export const ratio = (a, b) => (Number(b) < 0.05 ? '' : (Number(a) / Number(b)).toFixed(2));

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
