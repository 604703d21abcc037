// @ts-nocheck: untyped, as nothing passes or fails by it.
// How wide epsilon's intervals are over realistic runs, and how long one answer takes.

import { withEngine } from './engine.mjs';
import { median } from './numbers.mjs';

const runs = 200;
const samplers = ['shuffle', 'balls-and-bins', 'without-replacement'];
const relations = ['zero-out', 'substitution'];

/** Uniform in [0, 1), the same on every machine. */
function dice(seed) {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** Sizes of data and batches, noise, epochs and delta, each log-uniform over what people train with. */
function realistic(random) {
  const between = (low, high) => low * (high / low) ** random();
  const data = between(1e3, 1e7);
  const batch = between(16, Math.min(65536, data / 2));
  return {
    phase: {
      noiseMultiplier: between(0.4, 8),
      stepsPerEpoch: Math.floor(data / batch),
      epochs: Math.floor(between(1, 101)),
    },
    delta: between(1e-10, 1e-5),
  };
}

const quantile = (values, part) =>
  values.sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(part * values.length))];

export async function widths() {
  const rows = [['sampler', 'neighbours', 'width, median', '95 %', 'worst', 'ms, median', '95 %']];
  await withEngine({ workers: 1 }, async (engine) => {
    for (const sampler of samplers) {
      for (const adjacency of relations) {
        const random = dice(20261128);
        const found = [];
        const times = [];
        for (let i = 0; i < runs; i += 1) {
          const { phase, delta } = realistic(random);
          const start = performance.now();
          const { epsilon } = await engine.epsilon({
            phases: [{ ...phase, sampler, adjacency }],
            delta,
          });
          times.push(performance.now() - start);
          found.push((epsilon.upper - epsilon.lower) / epsilon.upper);
        }
        rows.push([
          sampler,
          adjacency,
          ...[median(found), quantile(found, 0.95), Math.max(...found)].map((width) =>
            width.toPrecision(3),
          ),
          median(times).toFixed(0),
          quantile(times, 0.95).toFixed(0),
        ]);
      }
    }
  });
  return [`${runs} random runs each.`, rows];
}
