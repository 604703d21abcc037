import { phaseFields, type Phase } from '../generated/schema.js';
import { fieldInfo } from '../words/fields.js';
import { calledFor } from '../words/record.js';

/**
 * THE list of what a text may state, and of the names that other programs and configurations give it.
 * `stepBatch` is the whole batch of a step, over accumulation and devices; `deviceBatch` that of one device
 * by its very name. Clients are the records of a federated run, and its rounds the steps.
 */
const names = {
  count: {
    datasetSize:
      'n dataset_size num_examples num_samples num_train_examples num_train_samples num_training_samples num_records train_size n_train n_samples training_set_size train_set_size number_of_examples number_of_samples number_of_records num_data num_training_examples number_of_training_examples training_examples train_examples training_samples population_size source_dataset_size len_train len_dataset data_size trainset_size train_dataset_size size_of_dataset num_train sample_size',
    batchSize: 'b batch_size batchsize minibatch_size mini_batch_size batch train_batchsize bs',
    deviceBatch:
      'per_device_train_batch_size per_gpu_train_batch_size per_device_batch_size per_gpu_batch_size micro_batch_size_per_gpu train_micro_batch_size_per_gpu batch_size_per_device batch_size_per_gpu',
    stepBatch:
      'train_batch_size effective_batch_size total_batch_size global_batch_size logical_batch_size virtual_batch_size lot_size expected_batch_size total_train_batch_size target_batch_size examples_per_iteration examples_per_step expected_lot_size',
    accumulationSteps:
      'gradient_accumulation_steps accumulation_steps accumulate_grad_batches grad_accum_steps n_accumulation_steps grad_accumulation_steps num_accumulation_steps gradient_accumulation grad_accum accum_steps',
    devices:
      'world_size num_devices n_gpu n_gpus num_gpus ngpus gpus nproc_per_node devices num_workers_dp num_processes nproc np',
    epochs:
      'epochs num_epochs num_train_epochs n_epochs max_epochs number_of_epochs train_epochs total_epochs training_epochs epoch nb_epochs',
    stepsPerEpoch:
      'steps_per_epoch batches_per_epoch num_batches_per_epoch iterations_per_epoch num_steps_per_epoch epoch_length balls_in_bins_sampling_cycle_length balls_in_bins_sampler_num_bins balls_in_bins_num_bins',
    steps:
      'steps num_steps max_steps iterations num_iterations num_updates updates num_train_steps total_steps train_steps n_steps num_training_steps max_train_steps number_of_steps iters num_iters max_iters total_iters n_iters n_iterations max_iterations number_of_iterations total_iterations training_steps gradient_steps update_steps num_compositions num_self_compositions',
    maxBatchSize:
      'max_batch_size truncated_batch_size truncated_batchsize batch_size_cap max_lot_size',
    recordsPerUser: 'records_per_user examples_per_user max_examples_per_user max_records_per_user',
    bands: 'bands num_bands n_bands cyclic_poisson_sampling_cycle_length',
    participations: 'participations total_participations num_participations',
    localEpochs:
      'local_epochs client_epochs client_epochs_per_round num_local_epochs local_ep epochs_per_round epochs_per_client',
    clients:
      'num_clients clients total_clients n_clients number_of_clients num_users total_users num_total_clients client_num_in_total num_supernodes',
    clientsPerRound:
      'clients_per_round num_sampled_clients sampled_clients num_clients_per_round clients_per_step n_clients_per_round users_per_round client_num_per_round clients_sampled_per_round expected_clients_per_round train_clients_per_round clients_per_train_round',
    rounds:
      'rounds num_rounds total_rounds n_rounds number_of_rounds communication_rounds comm_rounds comm_round global_rounds server_rounds num_server_rounds training_rounds',
    microbatches: 'num_microbatches n_microbatches microbatches number_of_microbatches',
  },
  number: {
    noiseMultiplier:
      'noise_multiplier sigma σ noise noise_mult noise_multipliers dp_noise_multiplier dp_sigma std_relative privacy_noise_multiplier target_noise_multiplier noise_multiplier_sigma sigma_dp server_noise_multiplier',
    noiseStddev:
      'noise_stddev noise_std noise_stdev noise_sd noise_std_dev noise_standard_deviation stddev sum_stddev sum_noise_stddev average_stddev mean_noise_stddev',
    clippingNorm:
      'l2_norm_clip clipping_norm clip_norm max_grad_norm l2_clip clipping_threshold clipping_bound clip_threshold max_per_sample_grad_norm',
    countNoise: 'count_noise clipped_count_stddev unclipped_num_std',
    samplingProbability:
      'q sampling_probability sample_rate sampling_rate sampling_prob subsampling_rate sampling_ratio subsampling_probability sample_probability subsample_rate sampling_fraction poisson_rate poisson_sampling_rate poisson_sampling_probability selection_probability sample_prob',
    clientFraction:
      'fraction_fit fraction_train client_fraction clients_fraction fraction_clients participation_rate client_sampling_rate frac',
    delta: 'delta target_delta δ dp_delta privacy_delta',
    epsilon:
      'epsilon target_epsilon eps ε dp_epsilon target_eps privacy_budget epsilon_budget max_epsilon privacy_epsilon',
  },
  series: {
    matrixColumn:
      'matrix_column c_col c_column strategy_coef strategy_coefs toeplitz_coefs first_column_of_c',
    bufferWeights: 'buffer_weights output_scale blt_output_scale',
    bufferDecays: 'buffer_decays buf_decay blt_buf_decay',
  },
  flag: {
    dropLast: 'drop_last dataloader_drop_last drop_remainder',
    replacement: 'replacement with_replacement sample_with_replacement',
    microbatching: 'used_microbatching microbatching use_microbatching with_microbatching',
  },
  choice: {
    mechanism: 'mechanism mechanism_type noise_type noise_distribution noise_mechanism',
    matrix: 'matrix noise_matrix',
  },
} as const;
type Names = typeof names;
type Sort = keyof Names;

export type Meaning = { [Each in Sort]: keyof Names[Each] }[Sort];

const isOf =
  (sort: Sort) =>
  (meaning: string): boolean =>
    Object.hasOwn(names[sort], meaning);
/** Whole numbers by their nature. */
export const isCount = isOf('count');
/** Several numbers. */
export const isSeries = isOf('series');
export const isFlag = isOf('flag');

/** The fields of a phase that a number in a text may state, and the flags. */
export type ReadPhaseNumber = Extract<
  keyof Phase,
  keyof (Names['count'] & Names['number'] & Names['series'])
>;
export type ReadPhaseFlag = Extract<keyof Phase, keyof Names['flag']>;
const phaseNames = phaseFields.map(({ name }) => name);
export const readPhaseNumbers = phaseNames.filter(
  (name): name is ReadPhaseNumber => isCount(name) || isSeries(name) || isOf('number')(name),
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

export type NameRole = 'sampling' | 'elsewhere' | 'weighty' | 'idle';

/** What a name that stands for no field is about. */
export function roleOf(path: readonly string[]): NameRole {
  const name = snakeName(ownName(path));
  if (ofSampling.test(name) || ofSampling.test(snakeName(path.slice(-2).join('_'))))
    return 'sampling';
  if (exempt.test(name)) return 'idle';
  if (/^(val|validation|test|dev|holdout)_(split|fraction|frac|ratio|percent)$/.test(name))
    return 'weighty';
  const words = name.split('_');
  const heavy = words.some((word) =>
    /^(noise|noisy|sigmas?|std|stddev|deviation|adaptive|quantile|microbatch\w*|trials?|releases?)$/.test(
      word,
    ),
  );
  if (!heavy && words.some((word) => elsewhere.test(word))) return 'elsewhere';
  // What stands under a field's own name says more of it: noise_multiplier.end, sigma.max.
  const under = path
    .slice(0, -1)
    .some((part) => meaningNamed(part) !== undefined || ofSchedules.test(snakeName(part)));
  return under || words.some((word) => weighty.test(word)) ? 'weighty' : 'idle';
}

const partOfRun =
  /^(discriminators?|critics?|generators?|stage\w*|phase\w*|students?|inner|outer)$/;
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
