/** What other trainers do that a phase may state, and which samplers it goes with. */

import { samplers } from '../generated/schema.js';
import type { Matrix, Phase, Query, SamplerInfo, SamplerName } from '../generated/schema.js';
import { formatSafely, given } from './numbers.js';
import { present } from './present.js';
import { unitOf } from './record.js';
import { isPhase, isSo } from './samplers.js';

type OfMatrix = Partial<Record<'matrixColumn' | 'bufferWeights', unknown>>;

/** The matrix that correlates the noise, by its entries where a phase states them. */
export const matrixOf = ({
  matrix = 'identity',
  matrixColumn,
  bufferWeights,
}: OfMatrix & Pick<Phase, 'matrix'>): Matrix =>
  matrixColumn === undefined ? (bufferWeights === undefined ? matrix : 'buffers') : 'column';

/** Whether the noise of different steps is correlated by a matrix that the phase states. */
export const hasMatrix = (phase: Phase): boolean => matrixOf(phase) !== 'identity';

/** Whether some sampler alone can take the phase: the others have no theorem for it. */
export const takes = (phase: Phase, sampler: SamplerName | undefined): boolean =>
  hasMatrix(phase)
    ? isSo(sampler, 'knowsBatches') ||
      (isSo(sampler, 'canKeepDraw') && isSo(sampler, 'drawsByRecord'))
    : takesPlainNoise(phase, sampler);

const takesPlainNoise = (
  { bands = 1, samplingWorkers = 1 }: Phase,
  sampler: SamplerName | undefined,
): boolean =>
  (bands === 1 || isSo(sampler, 'drawsByStep')) &&
  (samplingWorkers === 1 || isSo(sampler, 'drawsByRecord'));

/** The samplers that can take all phases. */
export const ableOf = ({ phases }: Pick<Query, 'phases'>): readonly SamplerInfo[] =>
  samplers.filter(({ name, canRepeat }) =>
    phases.every(
      (entry) =>
        !isPhase(entry) || ((canRepeat || (entry.participations ?? 1) === 1) && takes(entry, name)),
    ),
  );

/** Whether accountants elsewhere, and short programs, know less than the phase says. */
export const isPlain = (phase: Phase): boolean => trainerWords(phase).length === 0;

/** "the square root matrix, 16 bands"; nothing where the noise is independent. */
export function correlationWords(phase: Phase): string | undefined {
  if (!hasMatrix(phase)) return undefined;
  if (phase.matrixColumn !== undefined)
    return `a matrix of first column ${[phase.matrixColumn].flat().join(', ')}`;
  if (phase.bufferWeights !== undefined)
    return `a BLT matrix of weights ${[phase.bufferWeights].flat().join(', ')} and decays ${[phase.bufferDecays ?? []].flat().join(', ')}`;
  const { bands } = phase;
  return `the square root matrix${bands === undefined ? '' : `, ${given(bands)} bands`}`;
}

/** "8 bands, the records in as many groups" */
export function trainerWords(phase: Phase): string[] {
  const { bands = 1, samplingWorkers = 1, countNoise, noiseEnd, noiseSchedule } = phase;
  const correlation = correlationWords(phase);
  const stride = noiseSchedule === 'linear' ? 'amount' : 'factor';
  return present(
    noiseEnd !== undefined &&
      `changed by the same ${stride} from epoch to epoch, to σ = ${formatSafely(noiseEnd, 'up')} in the last`,
    correlation !== undefined && `noise correlated by ${correlation}`,
    bands > 1 &&
      correlation === undefined &&
      `${given(bands)} groups of ${unitOf(phase)}s in turn, noise of as many bands`,
    samplingWorkers > 1 &&
      `${given(samplingWorkers)} workers that each draw from the whole dataset`,
    countNoise !== undefined && `an adaptive clipping norm with count noise ${given(countNoise)}`,
  );
}
