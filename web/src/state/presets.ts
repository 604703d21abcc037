import { defaultScenario, defaultPhase } from './scenario.js';
import type { PhaseNumber, Scenario, PhaseEntry } from './scenario.js';

export interface Preset {
  name: string;
  about: string;
  scenario: Scenario;
}

type Changes = Partial<Pick<PhaseEntry, 'sampler' | 'schedule'>> & {
  privacyUnit?: 'client';
  texts?: Partial<Record<PhaseNumber | 'delta', string>>;
};

function scenario({ texts = {}, privacyUnit, ...rest }: Changes): Scenario {
  const { delta = defaultScenario.texts.delta, ...numbers } = texts;
  const choices = privacyUnit ? { ...defaultPhase.choices, privacyUnit } : defaultPhase.choices;
  return {
    ...defaultScenario,
    entries: [{ ...defaultPhase, ...rest, choices, texts: { ...defaultPhase.texts, ...numbers } }],
    texts: { ...defaultScenario.texts, delta },
  };
}

export const presets: readonly Preset[] = [
  {
    name: 'Chua et al. 2024, Fig. 5',
    about:
      'σ = 0.7, 1,000 steps, one epoch: ε = 0.61 with Poisson batches, at least 6.5 with shuffled ones.',
    scenario: scenario({}),
  },
  {
    name: 'Chua et al. 2024, Fig. 4',
    about: 'σ = 0.5, 10,000 steps, one epoch.',
    scenario: scenario({
      schedule: 'steps',
      texts: {
        noiseMultiplier: '0.5',
        samplingProbability: '1e-4',
        steps: '10000',
        delta: '1e-6',
      },
    }),
  },
  {
    name: 'Chua et al. 2024, Fig. 1',
    about:
      'σ = 0.4, 100,000 steps, one epoch: ε below 3 with Poisson batches, above 14 with shuffled ones.',
    scenario: scenario({
      schedule: 'steps',
      texts: {
        noiseMultiplier: '0.4',
        samplingProbability: '1e-5',
        steps: '100000',
        delta: '1e-6',
      },
    }),
  },
  {
    name: 'Lebeda et al. 2025, Table 1',
    about: 'σ = 0.8, q = 0.001, 10,000 steps, fixed-size batches.',
    scenario: scenario({
      sampler: 'without-replacement',
      schedule: 'steps',
      texts: {
        noiseMultiplier: '0.8',
        samplingProbability: '0.001',
        steps: '10000',
        delta: '1e-6',
      },
    }),
  },
  {
    name: 'MNIST tutorial',
    about:
      'The classic DP-SGD tutorial: 60 epochs of MNIST in batches of 256, accounted as Poisson.',
    scenario: scenario({
      sampler: 'poisson',
      schedule: 'steps',
      texts: {
        noiseMultiplier: '1.1',
        datasetSize: '60000',
        batchSize: '256',
        epochs: '60',
        samplingProbability: '256/60000',
        steps: '14062',
        delta: '1e-5',
      },
    }),
  },
  {
    name: 'Federated learning, client-level',
    about:
      '1,000 rounds; each client joins each round with probability 1/100; σ = 1. Records are clients, steps are rounds.',
    scenario: scenario({
      sampler: 'poisson',
      schedule: 'steps',
      privacyUnit: 'client',
      texts: { noiseMultiplier: '1', samplingProbability: '0.01', steps: '1000', delta: '1e-6' },
    }),
  },
  {
    name: 'DP-SGD Calculator, n = 60,000',
    about:
      'Batches of 600, ten epochs, σ = 1: under substitution its formula estimates an attack advantage of 0.248; the proved value is 0.264.',
    scenario: scenario({
      sampler: 'poisson',
      texts: { noiseMultiplier: '1', batchSize: '600', epochs: '10' },
    }),
  },
];
