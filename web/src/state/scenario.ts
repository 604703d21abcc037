import {
  phaseFields,
  queryFields,
  releaseFields,
  samplers,
} from '../../../wasm/generated/schema.js';
import type { Phase, Release, SamplerName, SolveFor } from '../../../wasm/generated/schema.js';

export const schedules = ['counts', 'sizes', 'steps'] as const;
export type ScheduleName = (typeof schedules)[number];

/** The phase's numbers that each way asks for, in the order a reader meets them. */
export const scheduleFields = {
  counts: ['datasetSize', 'batchSize', 'epochs'],
  sizes: ['datasetSize', 'batchSize', 'steps'],
  steps: ['samplingProbability', 'steps'],
} as const satisfies Record<ScheduleName, readonly (keyof Phase)[]>;

/** What the form asks of a phase beside its sampler; the steps of an epoch follow from the others here. */
export type PhaseField = Exclude<keyof Phase, 'sampler' | 'stepsPerEpoch'>;
/** The question's own numbers, and what is held against the answer. */
export type QuestionNumber =
  | 'delta'
  | 'epsilon'
  | 'capDelta'
  | 'reported'
  | 'runs'
  | 'eta'
  | 'targetValue'
  | 'targetAt';
export const questionChoices = ['accountant', 'proofs', 'target', 'tuning'] as const;
export type QuestionField = QuestionNumber | (typeof questionChoices)[number];
export type ReleaseNumber = keyof Release;

export const phaseNames = phaseFields
  .map(({ name }) => name)
  .filter((name) => name !== 'sampler' && name !== 'stepsPerEpoch');
export const releaseNumbers = releaseFields.map(({ name }) => name);

/** How another release states its guarantee, and the numbers that takes. */
export const releaseKinds = {
  epsilon: ['epsilon', 'delta', 'partOfData'],
  mu: ['mu', 'partOfData'],
  rho: ['rho', 'partOfData'],
  range: ['boundedRange', 'partOfData'],
} as const satisfies Record<string, readonly ReleaseNumber[]>;
export type ReleaseKind = keyof typeof releaseKinds;

/** A phase as it was typed: nothing is lost by being wrong or out of use. */
export interface PhaseEntry {
  kind: 'phase';
  sampler: SamplerName;
  /** How the reader says that batches were loaded; '' where the sampler alone was chosen. */
  loader: string;
  schedule: ScheduleName;
  /** As typed or picked; of a flag true or false. A field that is not in use keeps its text. */
  texts: Readonly<Record<PhaseField, string>>;
}

/** Another release that draws on the same budget. */
export interface OtherRelease {
  kind: 'release';
  by: ReleaseKind;
  texts: Readonly<Record<ReleaseNumber, string>>;
}

export type Entry = PhaseEntry | OtherRelease;

/** What can be asked for: epsilon, or a value that calibration finds. */
export type Find = 'epsilon' | SolveFor;
export const finds: readonly Find[] = [
  'epsilon',
  ...((queryFields.find(({ name }) => name === 'solveFor')?.choices ?? []) as SolveFor[]),
];

export interface Scenario {
  /** At least one of them is a phase. */
  entries: readonly Entry[];
  /** The entry that the form shows, and that a value is found for. */
  open: number;
  find: Find;
  texts: Readonly<Record<QuestionField, string>>;
}

export interface View {
  /** How epsilon's axis in the ladder is drawn; by the values where nothing is chosen. */
  axis: 'linear' | 'log' | undefined;
  more: boolean;
  hidden: readonly RowName[];
  /** The panel below the answer; '' for the first. */
  panel: string;
  /** The panels' own keys, by `prefix.key`; defaults are left out. */
  panels: Readonly<Record<string, string>>;
}

/** A row of the answer: a sampler throughout, or the phases as they are. */
export type RowName = SamplerName | 'composition';
const samplerRows = samplers.map(({ name }): RowName => name);
export const rowNames: readonly RowName[] = ['composition', ...samplerRows];

/** Rows with the reader's own before the others. */
export const ownFirst = (own: RowName, rows = samplerRows as readonly RowName[]): RowName[] => [
  own,
  ...rows.filter((name) => name !== own),
];

export interface State {
  scenario: Scenario;
  view: View;
}

const firstChoice = (of: string) => queryFields.find(({ name }) => name === of)?.choices[0] ?? '';

const usualNumbers: Partial<Record<PhaseField, string>> = {
  noiseMultiplier: '0.7',
  datasetSize: '60000',
  batchSize: '60',
  accumulationSteps: '1',
  devices: '1',
  epochs: '1',
  samplingProbability: '1/1000',
  steps: '1000',
  participations: '1',
  recordsPerUser: '1',
  bands: '1',
  samplingWorkers: '1',
  matrixColumn: '1, 0.5, 0.375',
  bufferWeights: '0.4, 0.1',
  bufferDecays: '0.5, 0.95',
};

/** HP24, Figure 5: the shortest story of what a sampler does to epsilon. */
export const defaultPhase: PhaseEntry = {
  kind: 'phase',
  sampler: 'shuffle',
  loader: '',
  schedule: 'counts',
  texts: Object.fromEntries(
    phaseNames.map((name) => {
      const { type, choices = [] } = phaseFields.find((field) => field.name === name) ?? {};
      return [name, type === 'flag' ? 'false' : (usualNumbers[name] ?? choices[0] ?? '')];
    }),
  ) as Record<PhaseField, string>,
};

export const defaultRelease: OtherRelease = {
  kind: 'release',
  by: 'epsilon',
  texts: {
    epsilon: '0.5',
    delta: '1e-7',
    mu: '0.5',
    rho: '0.1',
    boundedRange: '0.5',
    partOfData: '',
  },
};

export const defaultScenario: Scenario = {
  entries: [defaultPhase],
  open: 0,
  find: 'epsilon',
  texts: {
    ...{ delta: '1e-5', epsilon: '2', capDelta: '', reported: '', runs: '10', eta: '0.5' },
    ...{ targetValue: '0.6', targetAt: '0.5' },
    ...{ accountant: firstChoice('accountant'), proofs: firstChoice('proofs') },
    ...{ target: firstChoice('target'), tuning: firstChoice('tuning') },
  },
};

export const defaultView: View = {
  axis: undefined,
  more: false,
  hidden: [],
  panel: '',
  panels: {},
};

export const defaultState: State = { scenario: defaultScenario, view: defaultView };

export const phasesOf = ({ entries }: Pick<Scenario, 'entries'>) =>
  entries.filter((entry) => entry.kind === 'phase');

/** The row that is the reader's own: the sampler of every phase and nothing else, or all as it is. */
export function ownRow(scenario: Scenario): RowName {
  const [first, ...rest] = phasesOf(scenario);
  return first && rest.every(({ sampler }) => sampler === first.sampler)
    ? first.sampler
    : 'composition';
}

export const openEntry = ({ entries, open }: Scenario): Entry =>
  entries[open] ?? entries[0] ?? defaultPhase;

/** Fields that all phases share, since all must be about the same neighbours. */
const shared: readonly string[] = ['adjacency', 'recordsPerUser', 'privacyUnit'];

/** The scenario with its open entry changed; what all phases share is changed in all of them. */
function changed(scenario: Scenario, name: string, change: (entry: Entry) => Entry): Scenario {
  const entries = scenario.entries.map((entry, index) =>
    index === scenario.open || (shared.includes(name) && entry.kind === 'phase')
      ? change(entry)
      : entry,
  );
  return { ...scenario, entries };
}

const inPhase = (
  scenario: Scenario,
  name: string,
  change: (phase: PhaseEntry) => Partial<Omit<PhaseEntry, 'kind'>>,
): Scenario =>
  changed(scenario, name, (entry) =>
    entry.kind === 'phase' ? { ...entry, ...change(entry) } : entry,
  );

export const withPhase = (scenario: Scenario, change: Partial<Omit<PhaseEntry, 'kind'>>) =>
  inPhase(scenario, '', () => change);
export const withText = (scenario: Scenario, name: PhaseField, text: string) =>
  inPhase(scenario, name, ({ texts }) => ({ texts: { ...texts, [name]: text } }));

/** Another text of the question; another target has numbers that make sense of it. */
export function withAsked(scenario: Scenario, name: QuestionField, text: string): Scenario {
  const usual = name === 'target' ? usualTargets[text] : undefined;
  return { ...scenario, texts: { ...scenario.texts, [name]: text, ...usual } };
}

/** The default numbers of each target: its value, and where it is meant. */
const usualTargets: Readonly<Record<string, { targetValue: string; targetAt?: string }>> = {
  advantage: { targetValue: '0.1' },
  'true-positive-rate': { targetValue: '0.05', targetAt: '0.01' },
  accuracy: { targetValue: '0.6', targetAt: '0.5' },
  gdp: { targetValue: '0.5' },
  inference: { targetValue: '0.2', targetAt: '0.1' },
};

export function withRelease(
  scenario: Scenario,
  { by, ...texts }: Partial<Record<ReleaseNumber, string>> & { by?: ReleaseKind },
): Scenario {
  return changed(scenario, '', (entry) =>
    entry.kind === 'release'
      ? { ...entry, by: by ?? entry.by, texts: { ...entry.texts, ...texts } }
      : entry,
  );
}

/** A copy of `entry` after the open one; the copy is open. */
export function withAdded(scenario: Scenario, entry: Entry): Scenario {
  const at = scenario.open + 1;
  return { ...scenario, entries: scenario.entries.toSpliced(at, 0, entry), open: at };
}

/** A phase like the open one, or like the last before it. */
export function likeOpen(scenario: Scenario): PhaseEntry {
  const open = openEntry(scenario);
  return open.kind === 'phase' ? open : (phasesOf(scenario).at(-1) ?? defaultPhase);
}

/** Whether the open entry may go: one phase has to stay. */
export const canRemove = (scenario: Scenario): boolean =>
  openEntry(scenario).kind === 'release' || phasesOf(scenario).length > 1;

export function withoutOpen(scenario: Scenario): Scenario {
  if (!canRemove(scenario)) return scenario;
  const entries = scenario.entries.toSpliced(scenario.open, 1);
  return { ...scenario, entries, open: Math.min(scenario.open, entries.length - 1) };
}

/** The open entry one place earlier (-1) or later (1); it stays open. */
export function withMoved(scenario: Scenario, by: -1 | 1): Scenario {
  const { entries, open } = scenario;
  const to = open + by;
  const moving = entries[open];
  if (!moving || to < 0 || to >= entries.length) return scenario;
  return { ...scenario, entries: entries.toSpliced(open, 1).toSpliced(to, 0, moving), open: to };
}
