import type { Phase, SamplerName } from '../generated/schema.js';

/** T steps in which each record takes part once, or 1/T of the time. */
export function epoch(
  sampler: Exclude<SamplerName, 'poisson' | 'without-replacement'>,
  noiseMultiplier: number,
  stepsPerEpoch: number,
): Phase {
  return { sampler, noiseMultiplier, stepsPerEpoch, epochs: 1 };
}

export function independent(
  sampler: 'poisson' | 'without-replacement',
  noiseMultiplier: number,
  samplingProbability: number,
  steps: number,
): Phase {
  return { sampler, noiseMultiplier, samplingProbability, steps };
}

/** Poisson batches over one epoch of T steps. */
export const poissonEpoch = (noiseMultiplier: number, steps: number): Phase =>
  independent('poisson', noiseMultiplier, 1 / steps, steps);
