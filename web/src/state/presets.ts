import { defaultScenario, defaultPhase } from './scenario.js';
import type { PhaseNumber, Scenario, PhaseEntry } from './scenario.js';

export interface Preset {
  name: string;
  /** One sentence on what it shows. */
  about: string;
  scenario: Scenario;
}

type Changes = Partial<Pick<PhaseEntry, 'sampler' | 'schedule'>> & {
  texts?: Partial<Record<PhaseNumber | 'delta', string>>;
};

function scenario({ texts = {}, ...rest }: Changes): Scenario {
  const { delta = defaultScenario.texts.delta, ...numbers } = texts;
  return {
    ...defaultScenario,
    entries: [{ ...defaultPhase, ...rest, texts: { ...defaultPhase.texts, ...numbers } }],
    texts: { ...defaultScenario.texts, delta },
  };
}

export const presets: readonly Preset[] = [
  {
    name: 'HP24, Figure 5',
    about: 'σ = 0.7, 1,000 steps, one epoch: Poisson says 0.61 where shuffling costs at least 6.5.',
    scenario: scenario({}),
  },
  {
    name: 'HP24, Figure 4',
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
    name: 'HP24, Figure 1',
    about: 'σ = 0.4, 100,000 steps, one epoch: below 3 by Poisson, above 14 by shuffling.',
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
    name: 'AP24, Table 1',
    about: 'σ = 0.8, q = 0.001, 10,000 steps, fresh batches of fixed size.',
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
    name: 'Federated, a client is a record',
    about:
      '1,000 rounds, each client joins one with probability 1/100, σ = 1: dataset size counts clients, steps count rounds.',
    scenario: scenario({
      sampler: 'poisson',
      schedule: 'steps',
      texts: { noiseMultiplier: '1', samplingProbability: '0.01', steps: '1000', delta: '1e-6' },
    }),
  },
  {
    name: 'DP-SGD Calculator, n = 60,000',
    about:
      'Batches of 600, ten epochs, σ = 1: its closed form estimates an advantage of 0.248, one record substituted; 0.264 is proved.',
    scenario: scenario({
      sampler: 'poisson',
      texts: { noiseMultiplier: '1', batchSize: '600', epochs: '10' },
    }),
  },
];
