import type { Phase } from '../generated/schema.js';
import { given } from './numbers.js';

/** The noise multiplier of a phase, stated or by its standard deviation, as the core computes it. */
export function multiplierOf(phase: Phase): number | undefined {
  const { noiseMultiplier, noiseStddev, noiseUnit, clippingNorm = NaN } = phase;
  if (noiseMultiplier !== undefined || noiseStddev === undefined) return noiseMultiplier;
  const { batchSize = NaN, accumulationSteps = 1, devices = 1 } = phase;
  const batch = noiseUnit === 'average' ? batchSize * accumulationSteps * devices : 1;
  return (noiseStddev * batch) / clippingNorm;
}

/** "standard deviation 0.0043 of the average, clipping norm 1"; nothing where it is not how noise is stated. */
export function deviationWords({
  noiseStddev,
  noiseUnit,
  clippingNorm,
}: Phase): string | undefined {
  if (noiseStddev === undefined) return undefined;
  return `standard deviation ${given(noiseStddev)} of the ${noiseUnit ?? ''}, clipping norm ${given(clippingNorm ?? NaN)}`;
}
