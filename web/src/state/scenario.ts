import { phaseFields, samplers } from '../../../wasm/generated/schema.js';
import type { Phase, SamplerName } from '../../../wasm/generated/schema.js';

/** The two ways to say how often a record is used. */
export const schedules = ['counts', 'steps'] as const;
export type ScheduleName = (typeof schedules)[number];

/** The phase's numbers that each way asks for, in the order a reader meets them. */
export const scheduleFields = {
  counts: ['datasetSize', 'batchSize', 'epochs'],
  steps: ['samplingProbability', 'steps'],
} as const satisfies Record<ScheduleName, readonly (keyof Phase)[]>;

export type NumberField =
  'noiseMultiplier' | 'delta' | (typeof scheduleFields)[ScheduleName][number];

/** What the reader has told the page, as it was typed: nothing is lost by being wrong. */
export interface Scenario {
  sampler: SamplerName;
  reshuffle: string;
  schedule: ScheduleName;
  /** Texts of the number fields; a field of the schedule not in use keeps its text. */
  texts: Readonly<Record<NumberField, string>>;
  /** The epsilon that a report states, or ''. */
  reported: string;
}

/** What is shown, beside the scenario. */
export interface View {
  /** Remove and add drawn under each interval. */
  directions: boolean;
  /** Samplers left out of the curves. */
  hidden: readonly SamplerName[];
}

export interface State {
  scenario: Scenario;
  view: View;
}

/** HP24, Figure 5: the shortest story of what a sampler does to epsilon. */
export const defaultScenario: Scenario = {
  sampler: 'shuffle',
  reshuffle: phaseFields.find(({ name }) => name === 'reshuffle')?.choices[0] ?? '',
  schedule: 'counts',
  texts: {
    noiseMultiplier: '0.7',
    datasetSize: '60000',
    batchSize: '60',
    epochs: '1',
    samplingProbability: '1/1000',
    steps: '1000',
    delta: '1e-5',
  },
  reported: '',
};

export const defaultView: View = { directions: false, hidden: [] };

export const defaultState: State = { scenario: defaultScenario, view: defaultView };

export function samplerInfo(name: SamplerName) {
  const info = samplers.find((sampler) => sampler.name === name);
  if (!info) throw new Error(`no sampler ${name}`);
  return info;
}

/** The number fields that the scenario uses now, in the order of the form. */
export function fieldsInUse(scenario: Scenario): readonly NumberField[] {
  return [...scheduleFields[scenario.schedule], 'noiseMultiplier', 'delta'];
}

export function withText(scenario: Scenario, field: NumberField, text: string): Scenario {
  return { ...scenario, texts: { ...scenario.texts, [field]: text } };
}
