/** What other trainers do that a phase may state, and which samplers it goes with. */

import type { Phase, SamplerName } from '../generated/schema.js';
import { format } from './numbers.js';
import { isSo } from './samplers.js';

/** Whether some sampler alone can take the phase: the others have no theorem for it. */
export const takes = (
  { bands = 1, samplingWorkers = 1 }: Phase,
  sampler: SamplerName | undefined,
): boolean =>
  (bands === 1 || isSo(sampler, 'drawsByStep')) &&
  (samplingWorkers === 1 || isSo(sampler, 'drawsByRecord'));

/** Whether accountants elsewhere, and short programs, know less than the phase says. */
export const isPlain = ({ bands = 1, samplingWorkers = 1, countNoise }: Phase): boolean =>
  bands === 1 && samplingWorkers === 1 && countNoise === undefined;

/** "8 bands, the records in as many groups" */
export function trainerWords({ bands = 1, samplingWorkers = 1, countNoise }: Phase): string[] {
  return [
    ...(bands > 1
      ? [`${format(bands, { side: 'given' })} groups of records in turn, noise of as many bands`]
      : []),
    ...(samplingWorkers > 1
      ? [
          `${format(samplingWorkers, { side: 'given' })} workers that each draw from the whole dataset`,
        ]
      : []),
    ...(countNoise === undefined
      ? []
      : [`an adaptive clipping norm with count noise ${format(countNoise, { side: 'given' })}`]),
  ];
}
