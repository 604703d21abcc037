import { releaseFields, samplers } from '../../../wasm/generated/schema.js';
import type { InputField, Release } from '../../../wasm/generated/schema.js';
import { targetAtInfo } from '../../../wasm/words/target.js';
import { takes } from '../../../wasm/words/trainer.js';
import {
  defaultPhase,
  openEntry,
  phaseNames,
  questionChoices,
  scheduleFields,
} from './scenario.js';
import type {
  Entry,
  Find,
  PhaseField,
  QuestionField,
  QuestionNumber,
  Scenario,
  PhaseEntry,
} from './scenario.js';
import { numberIn } from './typed.js';
import { samplerInfo } from '../../../wasm/words/samplers.js';
import { choiceLabel, fieldInfo } from '../../../wasm/words/fields.js';
import { calledFor, isOfClients } from '../../../wasm/words/record.js';

export function releaseInfo(name: keyof Release): InputField {
  const info = releaseFields.find((field) => field.name === name);
  if (!info) throw new Error(`no field ${name} of a release`);
  return info;
}

/** A phase's number as it was typed; undefined where it cannot be read. */
export const numberOf = ({ texts }: PhaseEntry, name: PhaseField): number | undefined =>
  numberIn(fieldInfo(name), texts[name]);

const everyday: readonly string[] = [...Object.values(scheduleFields).flat(), 'noiseMultiplier'];

/** Whether the noise is stated by its standard deviation. */
const byDeviation = ({ texts }: PhaseEntry): boolean =>
  texts.noiseUnit !== fieldInfo('noiseUnit').choices[0];

export function fieldsInUse(entry: PhaseEntry): readonly PhaseField[] {
  const noise = byDeviation(entry)
    ? (['noiseStddev', 'clippingNorm'] as const)
    : (['noiseMultiplier'] as const);
  return [...scheduleFields[entry.schedule], ...noise];
}

/** What the schema says of a field, as the phase calls it. */
export const infoIn = (entry: Entry, name: string): InputField =>
  calledFor(fieldInfo(name), entry.kind === 'phase' && isOfClients(entry.texts));

/** The further fields of the form: whatever the schema lists beside the everyday ones. */
export const furtherFields = phaseNames.filter((name) => !everyday.includes(name));

/** Labels in a row, as a sentence begins with them or has them within; “Poisson” keeps its capital. */
export const labelsOf = (names: readonly { label: string }[], within = false) => {
  const labels = names.map(({ label }, index) =>
    index === 0 && !within ? label : label.replace(/^(?!Poisson)./, (first) => first.toLowerCase()),
  );
  return labels.length > 1 ? `${labels.slice(0, -1).join(', ')} and ${labels.at(-1)}` : labels[0];
};

function severalEpochs(entry: PhaseEntry): boolean {
  if (entry.schedule === 'counts') return (numberOf(entry, 'epochs') ?? 0) > 1;
  const { records, batch } = sizesOf(entry);
  const share =
    entry.schedule === 'sizes' ? batch / records : (numberOf(entry, 'samplingProbability') ?? 0);
  return (numberOf(entry, 'steps') ?? 0) * share > 1;
}

/** The fields that state a matrix, and the choice that asks for them. */
const ofMatrix: Partial<Record<PhaseField, string>> = {
  matrixColumn: 'column',
  bufferWeights: 'buffers',
  bufferDecays: 'buffers',
};

/** The fields that make one step's batch, beside the batch size. */
const ofBatches: readonly PhaseField[] = [
  'accumulationSteps',
  'devices',
  'dropLast',
  'replacement',
];

/** The dataset size and one step's batch, with the names of its factors; NaN for what is no number. */
export function sizesOf(entry: PhaseEntry) {
  const factors = (['batchSize', 'accumulationSteps', 'devices'] as const).map((name, index) => ({
    name,
    value: index > 0 && entry.texts[name] === '' ? 1 : (numberOf(entry, name) ?? NaN),
  }));
  return {
    records: numberOf(entry, 'datasetSize') ?? NaN,
    batch: factors.reduce((product, { value }) => product * value, 1),
    name: factors
      .flatMap(({ name, value }, i) => (i === 0 || value > 1 ? name : []))
      .join(' times '),
  };
}

/** Why a field does not apply to the phase; undefined if it does. */
export function whyUnused(entry: PhaseEntry, name: PhaseField): string | undefined {
  const { label, canKeepDraw, canRepeat, canReplace, sizesVary } = samplerInfo(entry.sampler);
  if (name === 'reshuffle') {
    if (!canKeepDraw) return `${labelsOf(samplers.filter((s) => s.canKeepDraw))} only.`;
    return severalEpochs(entry) ? undefined : 'Only one epoch: nothing to reshuffle.';
  }
  if (name === 'participations' && !canRepeat) {
    return `${labelsOf(samplers.filter((s) => s.canRepeat))} only.`;
  }
  if (name === 'replacement') {
    if (!canReplace) return `${labelsOf(samplers.filter((s) => s.canReplace))} only.`;
    if (entry.texts.adjacency === 'substitution') return 'Not covered with substitution.';
    if (entry.texts.mechanism === 'laplace') return 'Not covered with Laplace noise.';
  }
  const matrix = ofMatrix[name];
  if (matrix !== undefined && entry.texts.matrix !== matrix)
    return `Needs another noise matrix: ${choiceLabel('matrix', matrix)}.`;
  if (matrix !== undefined) return whyUnused(entry, 'matrix');
  if (name === 'matrix' && !takes({ matrix: 'square-root' }, entry.sampler))
    return `${labelsOf(samplers.filter((s) => takes({ matrix: 'square-root' }, s.name)))} only.`;
  const alone = { bands: { bands: 2 }, samplingWorkers: { samplingWorkers: 2 } } as const;
  if (name === 'bands' && isUnusual(entry, 'matrix'))
    return entry.texts.matrix === 'square-root' ? undefined : 'The matrix says how many it has.';
  if ((name === 'bands' || name === 'samplingWorkers') && !takes(alone[name], entry.sampler))
    return `${labelsOf(samplers.filter((s) => takes(alone[name], s.name)))} only.`;
  if (name === 'noiseEnd' && (isUnusual(entry, 'matrix') || isUnusual(entry, 'bands')))
    return 'Independent noise only.';
  if (name === 'noiseEnd' && byDeviation(entry)) return 'Needs the noise as a multiplier.';
  if (name === 'noiseEnd' && isUnusual(entry, 'reshuffle'))
    return 'Only where every epoch has new batches.';
  if (name === 'noiseSchedule' && !isUnusual(entry, 'noiseEnd'))
    return 'Needs the noise of the last epoch.';
  if (name === 'countNoise' && entry.texts.mechanism !== 'gaussian') return 'Gaussian noise only.';
  if (ofBatches.includes(name) && entry.schedule === 'steps') {
    return 'Needs the batch size: give dataset size and epochs.';
  }
  if (name === 'dropLast') {
    const { records, batch } = sizesOf(entry);
    if (records % batch === 0) return 'n is a multiple of b: there is no short batch.';
  }
  // These stand among the everyday fields.
  if (name === 'noiseStddev' || name === 'clippingNorm')
    return 'Only where the noise is stated by its standard deviation.';
  if (name === 'localEpochs' && !isOfClients(entry.texts))
    return 'Only where a record is a client.';
  if (name === 'swapped' && entry.texts.adjacency === 'substitution')
    return 'Substitution is the same in both directions.';
  if (name === 'maxBatchSize') {
    if (!sizesVary) return `${label}: all batches have one size.`;
    if (entry.schedule === 'steps') return 'Needs the dataset size: give dataset size and epochs.';
  }
  return undefined;
}

/** Whether a further field is in use and says something else than its default. */
export function isUnusual(entry: PhaseEntry, name: PhaseField): boolean {
  if (whyUnused(entry, name) !== undefined) return false;
  const text = entry.texts[name].trim();
  // A list has no default: the form proposes one.
  return text !== '' && (text !== defaultPhase.texts[name] || fieldInfo(name).type === 'numbers');
}

/** The field whose value is found; nothing for epsilon, which is asked for directly. */
export function soughtField(find: Find): PhaseField | 'delta' | undefined {
  if (find === 'epsilon' || find === 'delta') return find === 'delta' ? 'delta' : undefined;
  if (find === 'noise') return 'noiseMultiplier';
  if (find === 'cap') return 'maxBatchSize';
  const camel = find.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return phaseNames.find((name) => name === camel);
}

/** Why this cannot be found in the open entry, or nothing when it can. */
export function unfindable(scenario: Scenario, find: Find): string | undefined {
  if (triesMany(scenario) && find !== 'epsilon' && find !== 'noise')
    return 'With several runs tried, you can only solve for ε or the noise.';
  const field = soughtField(find);
  if (field === undefined || field === 'delta') return undefined;
  const entry = openEntry(scenario);
  if (entry.kind === 'release') return 'Select a phase to solve for one of its values.';
  if (!everyday.includes(field)) return whyUnused(entry, field);
  if (field === 'noiseMultiplier') return undefined;
  if (entry.texts.noiseUnit === 'average' && /^(batchSize|samplingProbability)$/.test(field))
    return 'The noise of an average changes with the batch: state that of the sum.';
  if (fieldsInUse(entry).includes(field)) return undefined;
  const schedule = {
    counts: 'dataset size and epochs',
    sizes: 'dataset size and steps',
    steps: 'sampling rate and steps',
  }[entry.schedule];
  return `To solve for this, give another schedule than ${schedule}.`;
}

/** Whether more than one run is tried. */
export const triesMany = ({ texts }: Pick<Scenario, 'texts'>): boolean =>
  texts.tuning !== fieldInfo('tuning').choices[0];

/** The numbers that say how many runs are tried. */
export function tuningNumbers(scenario: Pick<Scenario, 'texts'>): readonly QuestionNumber[] {
  if (!triesMany(scenario)) return [];
  return scenario.texts.tuning === 'negative-binomial' ? ['runs', 'eta'] : ['runs'];
}

/** Whether what is found may have another target than epsilon at delta. */
export const choosesTarget = ({ find }: Pick<Scenario, 'find'>): boolean =>
  !['epsilon', 'delta', 'cap'].includes(find);

export const aimsElsewhere = (scenario: Pick<Scenario, 'find' | 'texts'>): boolean =>
  choosesTarget(scenario) && scenario.texts.target !== fieldInfo('target').choices[0];

/** The question's numbers that are asked with. Beside a cap's own delta, samplers are compared at delta. */
export function askedNumbers(scenario: Scenario): readonly QuestionNumber[] {
  const { find, texts } = scenario;
  if (aimsElsewhere(scenario))
    return ['targetValue', ...(targetAtInfo(texts.target) ? (['targetAt'] as const) : []), 'delta'];
  if (find === 'epsilon') return ['delta'];
  if (find === 'delta') return ['epsilon'];
  return find === 'cap' ? ['epsilon', 'delta', 'capDelta'] : ['epsilon', 'delta'];
}

/** All of the question's fields that the answer depends on. */
export const askedFields = (scenario: Scenario): readonly QuestionField[] => [
  ...questionChoices.filter((name) => name !== 'target' || choosesTarget(scenario)),
  ...askedNumbers(scenario),
  ...tuningNumbers(scenario),
];
