import { releaseFields } from '../../../wasm/generated/schema.js';
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
import { fieldInfo } from '../../../wasm/words/fields.js';
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
const ofMatrix = { matrixColumn: 'column', bufferWeights: 'buffers', bufferDecays: 'buffers' };

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

/** Whether a further field applies to the phase. */
export function applies(entry: PhaseEntry, name: PhaseField): boolean {
  const { sampler, texts } = entry;
  const { canKeepDraw, canRepeat, canReplace, sizesVary } = samplerInfo(sampler);
  const sized = entry.schedule !== 'steps';
  switch (name) {
    case 'reshuffle':
      return canKeepDraw && severalEpochs(entry);
    case 'participations':
      return canRepeat;
    case 'replacement':
      return (
        canReplace && sized && texts.adjacency !== 'substitution' && texts.mechanism !== 'laplace'
      );
    case 'matrix':
      return takes({ matrix: 'square-root' }, sampler);
    case 'matrixColumn':
    case 'bufferWeights':
    case 'bufferDecays':
      return texts.matrix === ofMatrix[name] && applies(entry, 'matrix');
    case 'bands':
      // Another matrix says how many it has.
      return isUnusual(entry, 'matrix')
        ? texts.matrix === 'square-root'
        : takes({ bands: 2 }, sampler);
    case 'samplingWorkers':
      return takes({ samplingWorkers: 2 }, sampler);
    case 'noiseEnd':
      return (
        !byDeviation(entry) &&
        !(['matrix', 'bands', 'reshuffle'] as const).some((other) => isUnusual(entry, other))
      );
    case 'noiseSchedule':
      return isUnusual(entry, 'noiseEnd');
    case 'countNoise':
      return texts.mechanism === 'gaussian';
    case 'accumulationSteps':
    case 'devices':
      return sized;
    case 'dropLast': {
      const { records, batch } = sizesOf(entry);
      return sized && records % batch !== 0;
    }
    // These stand among the everyday fields.
    case 'noiseStddev':
    case 'clippingNorm':
      return false;
    case 'localEpochs':
      return isOfClients(texts);
    case 'swapped':
      // Substitution is the same in both directions.
      return texts.adjacency !== 'substitution';
    case 'maxBatchSize':
      return sizesVary && sized;
    default:
      return true;
  }
}

/** Whether a further field is in use and says something else than its default. */
export function isUnusual(entry: PhaseEntry, name: PhaseField): boolean {
  if (!applies(entry, name)) return false;
  const text = entry.texts[name].trim();
  // A list has no default: the form proposes one.
  return text !== '' && (text !== defaultPhase.texts[name] || fieldInfo(name).type === 'numbers');
}

/** The field whose value is found; nothing for epsilon, which is asked for directly. */
export function soughtField(find: Find): PhaseField | 'delta' | undefined {
  if (find === 'delta') return find;
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
  if (field === 'maxBatchSize' && !applies(entry, field))
    return samplerInfo(entry.sampler).sizesVary
      ? 'Needs the dataset size: give dataset size and epochs.'
      : `${samplerInfo(entry.sampler).label}: all batches have one size.`;
  if (!everyday.includes(field)) return undefined;
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
