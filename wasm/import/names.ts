/** THE list of what a text may state, by its sort, and of the names that other programs give it. `stepBatch` is a step's
 * whole batch, over accumulation and devices; `deviceBatch` that of one device by its very name. Clients are the records
 * of a federated run, and its rounds the steps. */
export default {
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
  flag: {
    dropLast: 'drop_last dataloader_drop_last drop_remainder',
    replacement: 'replacement with_replacement sample_with_replacement',
    microbatching: 'used_microbatching microbatching use_microbatching with_microbatching',
  },
  choice: {
    mechanism: 'mechanism mechanism_type noise_type noise_distribution noise_mechanism',
  },
};
