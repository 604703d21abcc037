import { phaseFields, type Phase } from '../generated/schema.js';
import { fieldInfo } from '../words/fields.js';
import { calledFor } from '../words/record.js';
import names from './names.js';

type Names = typeof names;
type Sort = keyof Names;

export type Meaning = { [Each in Sort]: keyof Names[Each] }[Sort];

const isOf =
  (sort: Sort) =>
  (meaning: string): boolean =>
    Object.hasOwn(names[sort], meaning);
/** Whole numbers by their nature. */
export const isCount = isOf('count');
export const isFlag = isOf('flag');

/** The fields of a phase that a number in a text may state, and the flags. */
export type ReadPhaseNumber = Extract<keyof Phase, keyof (Names['count'] & Names['number'])>;
export type ReadPhaseFlag = Extract<keyof Phase, keyof Names['flag']>;
const phaseNames = phaseFields.map(({ name }) => name);
export const readPhaseNumbers = phaseNames.filter(
  (name): name is ReadPhaseNumber => isCount(name) || isOf('number')(name),
);
export const readPhaseFlags = phaseNames.filter((name): name is ReadPhaseFlag => isFlag(name));

const ownLabels: Partial<Record<Meaning, string>> = {
  stepBatch: 'Batch size of a step',
  deviceBatch: 'Batch size of a device',
  clients: 'Clients',
  clientsPerRound: 'Clients per round',
  clientFraction: 'Share of the clients in a round',
  rounds: 'Rounds',
  microbatching: 'Microbatches, which halve the noise multiplier',
  microbatches: 'Microbatches of a step',
};
export const meaningLabel = (meaning: Meaning, clients = false): string =>
  ownLabels[meaning] ?? calledFor(fieldInfo(meaning), clients).label;

const meanings: ReadonlyMap<string, Meaning> = new Map(
  Object.values(names)
    .flatMap((ofSort) => Object.entries(ofSort) as [Meaning, string][])
    .flatMap(([meaning, list]) => list.split(' ').map((name) => [name, meaning] as const)),
);

/** perDeviceTrainBatchSize, per-device train batch size -> per_device_train_batch_size */
export const snakeName = (key: string): string =>
  key
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .trim()
    .replace(/[\s/.-]+/g, '_')
    .replace(/^_+|_+$/g, '');

/** The field that a name stands for, if any. */
export function meaningNamed(key: string): Meaning | undefined {
  // Headings name a symbol beside the words: noise multiplier (σ), batch size B.
  const bare = key.replace(/^#\s*/, '');
  const words = bare.replace(
    /(?:\s*\((?![kKMG]\))(?:[\p{L}|]{1,3}|sigma|delta|epsilon|train|training)\)|,?\s[A-Za-zσεδ])\s*$/u,
    '',
  );
  const [name, shorter] = [snakeName(bare), snakeName(words)];
  const counted = shorter.replace(/^(total_)?number_of_/, '');
  return (
    meanings.get(name) ??
    meanings.get(shorter) ??
    (counted === shorter ? undefined : (meanings.get(`num_${counted}`) ?? meanings.get(counted)))
  );
}

/** A name without a meaning of its own stands for the one around it: batch_size.value, parameters.sigma.values. */
const wrapper = /^((init_|default_)?values?|default)$/;
export const ownName = (path: readonly string[]): string =>
  path.findLast((name) => !wrapper.test(name)) ?? '';

/** What the names around a value stand for: the last one alone, or with the one before it, as in dataset.size. */
export function meaningAt(path: readonly string[]): Meaning | undefined {
  const names = path.filter((name) => !wrapper.test(name));
  const [around, name = ''] = [names.at(-2), names.at(-1)];
  return (
    meaningNamed(name) ?? (around === undefined ? undefined : meaningNamed(`${around}_${name}`))
  );
}

/** Letters and words that mean something else in other people's code. */
export const isCommonWord = (name: string): boolean =>
  /^(n|b|q|bs|noise|batch|steps|updates|iters|iterations|devices|clients|rounds|eps|epoch|sample_size|num_samples|num_examples|n_samples|replacement|mechanism|epsilon|delta|size)$/.test(
    snakeName(name),
  );

/** Names that say how batches were drawn, or were accounted for. */
const ofSampling =
  /^(poisson|poisson_sampling|use_poisson\w*|is_poisson|sampl(er|ing)(_method|_type|_scheme|_strategy|_mode)?|batch_sampler|shuffle|shuffling|batch_selection\w*|random_sampler|subsampling|amplification)$/;

/** Of something other than the private run's length and batches. */
const elsewhere =
  /^(local|client|eval|evaluate|evaluation|val|valid|validation|test|testing|dev|warmup|warm|log|logging|logs?|save|saving|checkpoints?|ckpt|lr|learning|pretrain|pretraining|pretrained|physical|print|display|adam|adamw?|optimi[sz]er|optim|sgd|seed|patience|teacher|norm|clip|clipping|clipnorm|summary|report|plot|scheduler|decay|prefetch|buffer|norm|layernorm|groupnorm|batchnorm|rms|augmentation|augment|predict|prediction|inference|generation|decode|image|download|cache|timeout|nonprivate|public|visuali[sz]e|explor\w*|greedy|smooth\w*|accountant|alpha|alphas|orders?)$/;

/** Words of names on which an epsilon may depend. */
const weighty =
  /^(noise|noisy|sigmas?|std|stddev|stdev|privacy|private|priv|dp|dpsgd|batch|batches|lot|(?:micro|mini)batch\w*|sampl\w*|subsampl\w*|epochs?|steps?|iters?|iterations?|rounds?|clients?|users?|records?|examples?|quantile|adaptive|bands?|matrix|mechanism|epsilons?|eps|deltas?|budget|gpus?|tpus?|devices|world|n?nodes?|replicas?|accum\w*|amplif\w*|poisson\w*|trunc\w*|replacement|discriminators?|disc|critics?|population|cohort|fraction|cap|groups?|sep|participations?|rho|mu|zcdp|releases?|trials?|sweep|restarts?|ensemble|models|folds|duplicat\w*|secure|dataset_multiplier|repeat\w*|repetitions?|runs|oversampl\w*|deviation|separation|cycle)$/;
const exempt =
  /^(min_available_(clients|nodes)|num_workers|per_device_per_step|batch_first|batch_norm\w*|sample_input|user(name)?|group_by\w*|dp_accountant|privacy_accountant|rank|node_rank|local_rank|global_step|gpu|gpu_ids?|steps?_size|step_lr|noise_seed|mu|privacy_engine|noise_generator|batch_idx|step|iteration|iter|samples|sample|round|batches|examples)$/;

const ofSchedules =
  /^((noise|sigma|batch|batch_size|sampling|epochs|steps)(_(schedule\w*|config|params|policy))?|noise_\w+)$/;

/** Whether a name that stands for no field is of sampling, or one on which an epsilon may depend. */
export function roleOf(path: readonly string[]): 'sampling' | 'weighty' | undefined {
  const name = snakeName(ownName(path));
  if (ofSampling.test(name) || ofSampling.test(snakeName(path.slice(-2).join('_'))))
    return 'sampling';
  if (exempt.test(name)) return undefined;
  if (/^(val|validation|test|dev|holdout)_(split|fraction|frac|ratio|percent)$/.test(name))
    return 'weighty';
  const words = name.split('_');
  const heavy = words.some((word) =>
    /^(noise|noisy|sigmas?|std|stddev|deviation|adaptive|quantile|microbatch\w*|trials?|releases?)$/.test(
      word,
    ),
  );
  if (!heavy && words.some((word) => elsewhere.test(word))) return undefined;
  // What stands under a field's own name says more of it: noise_multiplier.end, sigma.max.
  const under = path
    .slice(0, -1)
    .some((part) => meaningNamed(part) !== undefined || ofSchedules.test(snakeName(part)));
  return under || words.some((word) => weighty.test(word)) ? 'weighty' : undefined;
}

const partOfRun =
  /^(discriminators?|critics?|generators?|stage\w*|phase\w*|students?|inner|outer|(?:part|round|task|run|period|exp\w*)_?(?:\d+|(?<=_)[a-d]))$/;
const wholeRun =
  /data|train|dp|priv|conf|cfg|run|par(am|ser)|arg|opt|exper|setting|flags|self|main|^c$/i;

/** Why a name under others need not be that of the run: a letter anywhere, any name in a part of the run. */
export function doubtOf(path: readonly string[]): string | undefined {
  const around = path.slice(0, -1).filter((name) => name !== '');
  const part = around.find((name) => partOfRun.test(snakeName(name)));
  const letter = ownName(path).length === 1;
  const stray = letter && !around.some((name) => wholeRun.test(name)) ? around.at(-1) : undefined;
  const heading = part ?? stray;
  return heading === undefined ? undefined : `it stands under “${heading}”`;
}

/** Headings of what is no private training. */
const otherRun =
  /^(eval|evaluation|evaluate|val|valid|validation|test|testing|testset|dev|predict|prediction|inference|pretrain|pretraining|pretrained|teacher|public|warmup|nonprivate|baseline|generation|decode|log|logs|logger|logging|save|saving|checkpoints?|ckpt|scheduler|lr|report|summary|profiler?|early|debug|augment\w*|diffusion|kernel|blur|synthetic|synth|generated|plot\w*|demo|visuali\w*)$/;

/** Whether a name or a heading around a value is that of something other than the private run. */
export function isAside(path: readonly string[], meaning: Meaning): boolean {
  const words = path.flatMap((part) => snakeName(part).split('_'));
  // An optimiser and a layer have an epsilon of their own, a loss a delta.
  const small =
    /^(adam\w*|optimi[sz]er|optim|rms\w*|norm|layernorm|batchnorm|groupnorm|loss|huber\w*|explor\w*|scheduler|smooth\w*|fgsm|pgd|attack)$/;
  const turned = meaning === 'epsilon' || meaning === 'delta';
  // A model, data and a prior have a sigma, too.
  const others = /^(models?|data|dataset|env|transforms?|prior)$/;
  const common = meaning === 'noiseMultiplier' && /^(sigma|σ|noise)$/i.test(path.at(-1) ?? '');
  const around = common ? words.slice(0, -1) : [];
  return (
    words.some((word) => otherRun.test(word) || (turned && small.test(word))) ||
    around.some((word) => others.test(word))
  );
}
