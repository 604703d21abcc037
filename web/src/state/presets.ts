import { readAddress } from './address.js';
import type { Scenario } from './scenario.js';

export interface Preset {
  name: string;
  about: string;
  scenario: Scenario;
}

/** What each preset says in an address, beside the defaults. */
const runs: readonly (readonly [name: string, about: string, run: string])[] = [
  [
    'Chua et al. 2024, Fig. 5',
    'σ = 0.7, 1,000 steps, one epoch: ε = 0.61 with Poisson batches, at least 6.5 with shuffled ones.',
    '',
  ],
  [
    'Chua et al. 2024, Fig. 4',
    'σ = 0.5, 10,000 steps, one epoch.',
    'by=steps,noise-multiplier=0.5,sampling-probability=1e-4,steps=10000,delta=1e-6',
  ],
  [
    'Chua et al. 2024, Fig. 1',
    'σ = 0.4, 100,000 steps, one epoch: ε below 3 with Poisson batches, above 14 with shuffled ones.',
    'by=steps,noise-multiplier=0.4,sampling-probability=1e-5,steps=100000,delta=1e-6',
  ],
  [
    'Lebeda et al. 2025, Table 1',
    'σ = 0.8, q = 0.001, 10,000 steps, fixed-size batches.',
    'sampler=without-replacement,by=steps,noise-multiplier=0.8,sampling-probability=0.001,steps=10000,delta=1e-6',
  ],
  [
    'MNIST tutorial',
    'The classic DP-SGD tutorial: 60 epochs of MNIST in batches of 256, accounted as Poisson.',
    'sampler=poisson,by=steps,noise-multiplier=1.1,dataset-size=60000,batch-size=256,epochs=60,sampling-probability=256/60000,steps=14062',
  ],
  [
    'Federated learning, client-level',
    '1,000 rounds; each client joins each round with probability 1/100; σ = 1. Records are clients, steps are rounds.',
    'sampler=poisson,by=steps,privacy-unit=client,noise-multiplier=1,sampling-probability=0.01,steps=1000,delta=1e-6',
  ],
  [
    'DP-SGD Calculator, n = 60,000',
    'Batches of 600, ten epochs, σ = 1: under substitution its formula estimates an attack advantage of 0.248; the proved value is 0.264.',
    'sampler=poisson,noise-multiplier=1,batch-size=600,epochs=10',
  ],
];

export const presets: readonly Preset[] = runs.map(([name, about, run]) => ({
  ...{ name, about },
  scenario: readAddress(`#v1,${run}`).state.scenario,
}));
