import type { Answer, SamplerName } from '../generated/schema.js';
import { restsOnOwnProofs } from '../words/claims.js';
import { isSo } from '../words/samplers.js';
import type { AccountedPhase } from './gather.js';

const theorems: Readonly<Record<SamplerName, string>> = {
  deterministic:
    'deterministic batches: a Gaussian mechanism in closed form, whose squared shifts add up over epochs [HP24, Prop 3.1] [BW18, Thm 8]',
  shuffle:
    'shuffled batches: the upper end is that of deterministic batches, which are never more private [HP24, Thm 4.1]; the lower end is an attack on shuffled batches [HP24]',
  'balls-and-bins':
    'balls-and-bins: the pair that dominates an epoch [BB25, Thm 3.1], composed over epochs',
  poisson:
    'Poisson batches: the pair that dominates a step [AP24, Prop 9] [ZDW22], by privacy loss distributions from above and below [CD22]',
  'without-replacement':
    'fixed-size batches: the attained curves of a step [AP24, Prop 9.2, Thm 14], by privacy loss distributions from above and below [CD22]',
};

const clones =
  'shuffled batches: the upper end is the smaller of two bounds, deterministic batches, which are never more private [HP24, Thm 4.1], and a theorem of ours that is not yet peer-reviewed [HE26]; the lower end is an attack on shuffled batches [HP24]';

const replaced =
  'balls-and-bins: the pair of a replaced record, by a theorem of ours that is not yet peer-reviewed [HE26], composed over epochs';

const correlated =
  'correlated noise: a Gaussian release for known batches, and for balls-and-bins the pair of [CGH24] between two that compose exactly, by Kahane’s inequality [RV14, Thm 2.1]; to use it so is ours and not yet peer-reviewed [HE26]';

const places =
  'fixed-size batches sampled with replacement: as Poisson batches of a person with as many records as a batch has places, at half the noise [AP24, Prop 9.2] [GA24]';

/** The same for a sampler of an answer, by what the answer rests on. */
export const theoremOf = (
  sampler: SamplerName,
  answer: Answer,
  phases: readonly AccountedPhase[],
): string => {
  if (answer.assumptionCodes.includes('correlated')) return correlated;
  if (isSo(sampler, 'permutes') && restsOnOwnProofs(answer)) return clones;
  if (sampler === 'balls-and-bins' && restsOnOwnProofs(answer)) return replaced;
  const drawn = phases.filter(({ phase }) => phase.sampler === sampler);
  return drawn.some(({ phase }) => phase.replacement) ? places : theorems[sampler];
};
