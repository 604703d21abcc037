import type { Answer, SamplerName } from '../generated/schema.js';
import { restsOnOwnProofs } from '../words/claims.js';
import { isSo } from '../words/samplers.js';
import type { AccountedPhase } from './gather.js';

/*
 * Each sampler as a few lines of Python's standard library: what "implemented as stated" means. They
 * are for reading and for comparing with, and draw from the system's generator, as privacy asks.
 */

const cutDown = `
def cut(batch, most):
    """Randomly reduces a batch larger than \`most\`."""
    return batch if len(batch) <= most else rng.sample(batch, most)
`;

const poisson = `
def batches(n, q, steps):
    """Each record joins each batch independently with probability q."""
    for _ in range(steps):
        yield [record for record in range(n) if rng.random() < q]
`;

const withoutReplacement = `
def batches(n, size, steps):
    """Every step takes a new random subset of \`size\` records."""
    for _ in range(steps):
        yield rng.sample(range(n), size)
`;

const withReplacement = `
def batches(n, size, steps):
    """Every place of a batch samples from all records."""
    for _ in range(steps):
        yield rng.choices(range(n), k=size)
`;

const slices = `
def cut_up(order, size, drop_last):
    """Batches of \`size\` in order; the last may be short, or is dropped."""
    end = len(order) - len(order) % size if drop_last else len(order)
    for start in range(0, end, size):
        yield order[start : start + size]
`;

const deterministic = `${slices}

def batches(n, size, epochs, drop_last):
    """Every epoch uses the same batches in the same order."""
    for _ in range(epochs):
        yield from cut_up(list(range(n)), size, drop_last)
`;

const shuffle = `${slices}

def batches(n, size, epochs, drop_last, redrawn):
    """The records are permuted at random and cut into batches."""
    order = list(range(n))
    for epoch in range(epochs):
        if redrawn or epoch == 0:
            rng.shuffle(order)
        yield from cut_up(order, size, drop_last)
`;

const ballsAndBins = `
def batches(n, steps_per_epoch, epochs, participations, redrawn):
    """Each record joins \`participations\` batches per epoch, independently."""
    for epoch in range(epochs):
        if redrawn or epoch == 0:
            bins = [[] for _ in range(steps_per_epoch)]
            for record in range(n):
                for chosen in rng.sample(bins, participations):
                    chosen.append(record)
        yield from bins
`;

const sources: Readonly<Record<SamplerName, string>> = {
  poisson,
  shuffle,
  'balls-and-bins': ballsAndBins,
  'without-replacement': withoutReplacement,
  deterministic,
};

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

const truth = (value: boolean) => (value ? 'True' : 'False');

/** The call that draws this run's batches; what is not known of its data keeps its name. */
function callOf(source: string, { phase, derived }: AccountedPhase): string {
  const { datasetSize: n, participations = 1 } = phase;
  const { batchSize: size, stepsPerEpoch = 1, steps, samplingProbability: q } = derived;
  const numbers: Readonly<Record<string, number | string | undefined>> = {
    ...{ n, size, q, steps, participations },
    steps_per_epoch: stepsPerEpoch,
    epochs: Math.ceil(derived.epochs ?? 1),
    drop_last: truth(n !== undefined && size !== undefined && stepsPerEpoch * size < n),
    redrawn: truth(phase.reshuffle !== 'once'),
  };
  return source.replace(/^[^]*def (batches\()(.*)\)[^]*/, (_, start: string, names: string) => {
    const given = names.split(', ').map((name) => numbers[name] ?? name);
    return `${start}${given.join(', ')})`;
  });
}

/** How batches are drawn, with this run's numbers as far as they are known. */
export function samplerSource(sampler: SamplerName, accounted: AccountedPhase): string {
  const { maxBatchSize: most, replacement = false } = accounted.phase;
  const source = replacement ? withReplacement : sources[sampler];
  const call = callOf(source, accounted);
  const [cap, drawn] =
    most === undefined
      ? ['', call]
      : [`${cutDown}\n`, `(cut(batch, ${most}) for batch in ${call})`];
  return `import random

rng = random.SystemRandom()
${cap}
${source}

# This run's:
# ${drawn}
`.replaceAll(/\n{4,}/g, '\n\n\n');
}
