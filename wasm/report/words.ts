import { showGiven } from '../words/numbers.js';
import type { IntervalKind, Mechanism, SamplerName } from '../generated/schema.js';

/** What a kind promises. */
export const kindMeanings: Readonly<Record<IntervalKind, string>> = {
  certified: 'both ends are proved; discretisation, truncation and round-off are charged to them',
  bound: 'one end is proved, and nothing is said of the other',
  confidence: 'both ends hold but for a stated error probability',
  estimate: 'no guarantee of any kind',
};

/** What proves the numbers of a sampler. */
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
    'fixed-size batches: the curves that a step reaches [AP24, Prop 9.2, Thm 14], by privacy loss distributions from above and below [CD22]',
};

const clones =
  'shuffled batches: the upper end is the smaller of two, that of deterministic batches, which are never more private [HP24, Thm 4.1], and that of clones, a theorem of the authors of this program that nobody has refereed [HE26]; the lower end is an attack on shuffled batches [HP24]';

/** The same for a sampler of an answer that cites these. */
export const theoremOf = (sampler: SamplerName, citations: readonly string[]): string =>
  sampler === 'shuffle' && citations.includes('HE26') ? clones : theorems[sampler];

export const mechanismWords: Readonly<Record<Mechanism, string>> = {
  gaussian: 'Gaussian',
  laplace: 'Laplace',
  'randomized-response': 'randomised response',
};

export const dash = '–';

/** A number as it was given, or a dash. */
export const given = (value: number | undefined): string =>
  value === undefined ? dash : showGiven(value);

/** A derived number without the digits of its round-off. */
export const tidy = (value: number, digits = 12): number => Number(value.toPrecision(digits));

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${showGiven(count)} ${count === 1 ? one : many}`;
}
