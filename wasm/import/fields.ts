import { fieldInfo } from '../words/fields.js';

/** The fields of a phase that a number in a file may state. */
export type ReadPhaseNumber =
  | 'noiseMultiplier'
  | 'datasetSize'
  | 'batchSize'
  | 'accumulationSteps'
  | 'devices'
  | 'epochs'
  | 'stepsPerEpoch'
  | 'samplingProbability'
  | 'steps'
  | 'maxBatchSize'
  | 'recordsPerUser';

/** And the flags. */
export const readPhaseFlags = ['dropLast', 'replacement'] as const;
export type ReadPhaseFlag = (typeof readPhaseFlags)[number];
export const isFlag = (meaning: Meaning): meaning is ReadPhaseFlag =>
  readPhaseFlags.some((flag) => flag === meaning);

/** `stepBatch` is the whole batch of a step, over accumulation and devices. */
export type Meaning = ReadPhaseNumber | 'stepBatch' | ReadPhaseFlag | 'delta' | 'epsilon';

export const meaningLabel = (meaning: Meaning): string =>
  meaning === 'stepBatch' ? 'Batch size of a step' : fieldInfo(meaning).label;

/** THE list of the names that other programs and configurations give each field. */
const names: Readonly<Record<Meaning, string>> = {
  noiseMultiplier:
    'noise_multiplier sigma σ noise_mult dp_noise_multiplier noise_multipliers dp_sigma',
  datasetSize:
    'n dataset_size num_examples num_samples num_train_examples num_train_samples num_records train_size n_train training_set_size train_set_size number_of_examples num_data num_training_examples population_size source_dataset_size',
  batchSize:
    'b batch_size per_device_train_batch_size per_gpu_train_batch_size per_device_batch_size minibatch_size mini_batch_size micro_batch_size_per_gpu train_micro_batch_size_per_gpu batch',
  stepBatch:
    'train_batch_size effective_batch_size total_batch_size global_batch_size logical_batch_size lot_size expected_batch_size total_train_batch_size target_batch_size',
  accumulationSteps:
    'gradient_accumulation_steps accumulation_steps accumulate_grad_batches grad_accum_steps n_accumulation_steps grad_accumulation_steps num_accumulation_steps gradient_accumulation',
  devices:
    'world_size num_devices n_gpu n_gpus num_gpus nproc_per_node devices num_workers_dp num_processes',
  dropLast: 'drop_last dataloader_drop_last drop_remainder',
  replacement: 'replacement with_replacement sample_with_replacement',
  epochs: 'epochs num_epochs num_train_epochs n_epochs max_epochs number_of_epochs train_epochs',
  stepsPerEpoch: 'steps_per_epoch batches_per_epoch num_batches_per_epoch iterations_per_epoch',
  steps:
    'steps num_steps max_steps iterations num_iterations num_updates updates num_train_steps total_steps train_steps n_steps num_training_steps max_train_steps number_of_steps',
  samplingProbability:
    'q sampling_probability sample_rate sampling_rate sampling_prob subsampling_rate sampling_ratio subsampling_probability sample_probability',
  maxBatchSize: 'max_batch_size truncated_batch_size',
  recordsPerUser: 'records_per_user examples_per_user max_examples_per_user max_records_per_user',
  delta: 'delta target_delta δ dp_delta',
  epsilon: 'epsilon target_epsilon eps ε dp_epsilon',
};

const meanings: ReadonlyMap<string, Meaning> = new Map(
  (Object.entries(names) as [Meaning, string][]).flatMap(([meaning, list]) =>
    list.split(' ').map((name) => [name, meaning] as const),
  ),
);

/** perDeviceTrainBatchSize, per-device train batch size -> per_device_train_batch_size */
const snake = (key: string) =>
  key
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[\s-]+/g, '_')
    .replace(/^_+/, '');

/** The field that a name stands for, if any. */
export const meaningNamed = (key: string): Meaning | undefined => meanings.get(snake(key));

/** Names that say how batches were drawn, or were accounted for. */
export const saysSampling = (key: string) =>
  /^(poisson_sampling|sampl(er|ing)(_method|_type|_scheme|_strategy)?|shuffle|batch_selection\w*|random_sampler|sampling_mode)$/.test(
    snake(key),
  );
