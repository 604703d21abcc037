/** The points of a line: their places along the axis, and the order in which they are asked. */

/** `count` places from one end to the other, evenly or by equal ratios; whole numbers once each. */
export function placesOf(
  from: number,
  to: number,
  count: number,
  log: boolean,
  whole = false,
): number[] {
  const all = Array.from({ length: count }, (_, index) => {
    if (index === 0) return from;
    if (index === count - 1) return to;
    const share = index / (count - 1);
    const x = log ? from * (to / from) ** share : from + (to - from) * share;
    return whole ? Math.round(x) : x;
  });
  return [...new Set(all)];
}

/** Indices 0 to count - 1 in halving steps: both ends, the middle, the quarters, ... */
export function coarseFirst(count: number): number[] {
  const order = new Set([0, count - 1]);
  for (let step = 2 ** Math.ceil(Math.log2(count)); step >= 1; step /= 2) {
    for (let index = 0; index < count; index += step) order.add(index);
  }
  return [...order];
}
