import { parseNumber } from '../words/number-forms.js';
import { format } from '../words/numbers.js';
import { isFlag, meaningLabel, readPhaseFlags } from './fields.js';
import type { Meaning, ReadPhaseFlag, ReadPhaseNumber } from './fields.js';

/** A value, and the words that state it. */
export interface Said {
  words: string;
  meaning: Meaning;
  text: string;
}

export interface ImportedPhase {
  kind: 'phase';
  mechanism: 'gaussian' | 'laplace';
  /** As they were written, or a ratio of what was written. */
  numbers: Readonly<Partial<Record<ReadPhaseNumber, string>>>;
  /** Those that are set. */
  flags: readonly ReadPhaseFlag[];
}

export interface ImportedRelease {
  kind: 'release';
  numbers: Readonly<Partial<Record<'epsilon' | 'delta' | 'rho', string>>>;
}

export type ImportedEntry = ImportedPhase | ImportedRelease;

/** Words of a text, and the field they were read as. */
export interface Understood {
  words: string;
  means: string;
}

/** A run as a text describes it. Only how its batches were drawn is left to ask. */
export interface ImportedRun {
  /** The kind of text that it was read as. */
  source: string;
  entries: readonly ImportedEntry[];
  understood: readonly Understood[];
  delta?: string | undefined;
  /** Reported, or aimed at where there is no noise multiplier. */
  epsilon?: string | undefined;
  /** Fields that the run needs and the text does not say, in words. */
  missing: readonly { field: ReadPhaseNumber; words: string }[];
  /** The names of values that were not used. */
  aside: readonly string[];
  /** The text's words on sampling, which need not be what ran. */
  sampling: readonly string[];
}

/** Whether its epsilon is a target: the text gives no noise. */
export const aimsAtEpsilon = ({ epsilon, entries }: ImportedRun): boolean =>
  epsilon !== undefined &&
  entries.find((entry) => entry.kind === 'phase')?.numbers.noiseMultiplier === undefined;

/** The reasons why a text is not a run, in sentences. */
export interface NoRun {
  wrong: readonly string[];
}

const number = (text: string | undefined) =>
  text === undefined ? NaN : (parseNumber(text) ?? NaN);
const shown = (text: string) =>
  Number.isNaN(number(text)) ? text : format(number(text), { side: 'given' });

/** "Noise multiplier 1.1" */
export const meansText = (meaning: Meaning, text: string): string =>
  isFlag(meaning)
    ? `${meaningLabel(meaning)}: ${text === 'true' ? 'yes' : 'no'}`
    : `${meaningLabel(meaning)} ${shown(text)}`;

/** Whether two numbers agree, up to what rounding in a file does. */
const agree = (a: number, b: number) =>
  Math.abs(a - b) <= 0.01 * Math.max(Math.abs(a), Math.abs(b));

type Values = Partial<Record<Meaning, string>>;

/** Each meaning's one value; two that differ are refused by name. */
function valuesOf(said: readonly Said[], wrong: string[]): Values {
  const values: Values = {};
  const first: Partial<Record<Meaning, Said>> = {};
  for (const one of said) {
    const before = first[one.meaning];
    if (!before) {
      first[one.meaning] = one;
      values[one.meaning] = one.text;
    } else if (before.text !== one.text && number(before.text) !== number(one.text)) {
      wrong.push(
        `${meaningLabel(one.meaning)} is given twice, as ${shown(before.text)} (“${before.words}”) and as ${shown(one.text)} (“${one.words}”): keep the one that ran.`,
      );
    }
  }
  return values;
}

/**
 * The batch of a step and that of a device have to agree; where only the former is given, factors that would
 * multiply it are ignored. Returns those.
 */
function settleBatch(values: Values, said: readonly Said[], wrong: string[]): readonly Meaning[] {
  const { stepBatch, batchSize, accumulationSteps = '1', devices = '1' } = values;
  if (stepBatch === undefined) return [];
  delete values.stepBatch;
  if (batchSize !== undefined) {
    const device = number(batchSize) * number(devices);
    // Hugging Face calls a batch of all devices, before accumulation, train_batch_size.
    if ([device, device * number(accumulationSteps)].includes(number(stepBatch)))
      return ['stepBatch'];
    wrong.push(
      `A step’s batch is given as ${shown(stepBatch)}, but batches of ${shown(batchSize)} make ${format(device * number(accumulationSteps), { side: 'given' })}: keep what ran.`,
    );
    return [];
  }
  const words = said.find(({ meaning }) => meaning === 'stepBatch')?.words ?? '';
  const factor = number(accumulationSteps) * number(devices);
  // Programs disagree on what this name means.
  if (/train_batch_size/i.test(words) && factor !== 1) {
    wrong.push(
      `“${words}” may be the batch of a step or that of one device, which makes ${format(number(stepBatch) * factor, { side: 'given' })} a step: write effective_batch_size or per_device_train_batch_size in its place.`,
    );
  }
  values.batchSize = stepBatch;
  delete values.accumulationSteps;
  delete values.devices;
  return ['accumulationSteps', 'devices'];
}

/** One step's batch. */
const stepOf = ({ batchSize, accumulationSteps = '1', devices = '1' }: Values) =>
  number(batchSize) * number(accumulationSteps) * number(devices);

interface Schedule {
  numbers: Partial<Record<ReadPhaseNumber, string>>;
  missing: { field: ReadPhaseNumber; words: string }[];
  understood: Understood[];
}

const lacks = (field: ReadPhaseNumber, words = meaningLabel(field).toLowerCase()) => ({
  field,
  words,
});

const countsIn = (values: Values): Schedule['numbers'] => {
  const { datasetSize, batchSize, accumulationSteps, devices, epochs, maxBatchSize } = values;
  const counts = { datasetSize, batchSize, accumulationSteps, devices, epochs, maxBatchSize };
  return Object.fromEntries(Object.entries(counts).filter(([, text]) => text !== undefined));
};

/** The schedule from the values given: sampling rate and number of steps, or counts. */
function scheduleOf(values: Values): Schedule {
  const { datasetSize, batchSize, epochs, samplingProbability, steps, stepsPerEpoch } = values;
  const none = { missing: [], understood: [] };
  if (datasetSize !== undefined && batchSize !== undefined && epochs !== undefined)
    return { ...none, numbers: countsIn(values) };
  if (samplingProbability !== undefined && steps !== undefined)
    return { ...none, numbers: { samplingProbability, steps } };
  if (stepsPerEpoch !== undefined && (epochs !== undefined || steps !== undefined)) {
    const q = `1/${stepsPerEpoch}`;
    const all = steps ?? String(number(stepsPerEpoch) * number(epochs));
    const words = `${shown(stepsPerEpoch)} steps per epoch${steps === undefined ? `, ${shown(epochs ?? '')} epochs` : ''}`;
    return {
      missing: [],
      numbers: { samplingProbability: q, steps: all },
      understood: [{ words, means: `Sampling probability ${q}, ${shown(all)} steps` }],
    };
  }
  if (datasetSize !== undefined && batchSize !== undefined && steps !== undefined) {
    const q = `${String(stepOf(values))}/${String(number(datasetSize))}`;
    const words = 'the batch of a step, of the dataset';
    return {
      missing: [],
      numbers: { samplingProbability: q, steps },
      understood: [{ words, means: `Sampling probability ${q}` }],
    };
  }
  if (steps !== undefined && epochs === undefined) {
    const step = stepOf(values);
    const hint = Number.isNaN(step)
      ? ''
      : `: ${format(step, { side: 'given' })} divided by the dataset size`;
    return {
      numbers: { steps },
      missing: [lacks('samplingProbability', `sampling probability${hint}`)],
      understood: [],
    };
  }
  if (samplingProbability !== undefined)
    return { numbers: { samplingProbability }, missing: [lacks('steps')], understood: [] };
  const missing = (['datasetSize', 'batchSize', 'epochs'] as const).filter(
    (name) => values[name] === undefined,
  );
  return {
    numbers: countsIn(values),
    missing: missing.map((name) => lacks(name)),
    understood: [],
  };
}

/** Values that are stated twice, in different words, must agree. */
function disagreements(values: Values): string[] {
  const { datasetSize, samplingProbability, epochs, steps } = values;
  const step = stepOf(values);
  const share = step / number(datasetSize);
  const wrong: string[] = [];
  if (
    !Number.isNaN(share) &&
    samplingProbability !== undefined &&
    !agree(share, number(samplingProbability))
  ) {
    wrong.push(
      `Sampling probability ${shown(samplingProbability)} does not fit batches of ${format(step, { side: 'given' })} in ${shown(datasetSize ?? '')}, which make ${format(share, { side: 'nearest' })}: keep what ran.`,
    );
  }
  const q = samplingProbability === undefined ? share : number(samplingProbability);
  if (epochs !== undefined && steps !== undefined && !Number.isNaN(q)) {
    const [least, most] = [Math.floor(1 / q) * number(epochs), Math.ceil(1 / q) * number(epochs)];
    if (!(number(steps) >= least * 0.99 && number(steps) <= most * 1.01)) {
      wrong.push(
        `${shown(steps)} steps do not fit ${shown(epochs)} epochs of ${format(Math.ceil(1 / q), { side: 'given' })} steps: keep what ran.`,
      );
    }
  }
  return wrong;
}

// Trainers write -1 where there is no limit.
const isUnset = ({ meaning, text }: Said) => meaning === 'steps' && number(text) <= 0;

/** Fields whose text should be a number and is not. */
const noNumbers = (said: readonly Said[]): string[] =>
  said
    .filter(({ meaning, text }) => !isFlag(meaning) && Number.isNaN(number(text)))
    .map(
      ({ words, meaning }) =>
        `“${words}”: ${meaningLabel(meaning).toLowerCase()} must be a number; write the number in its place.`,
    );

/** What each value means for the run. */
const understoodOf = (said: readonly Said[], noise: string | undefined): Understood[] =>
  said.map(({ words, meaning, text }) => {
    if (meaning !== 'epsilon') return { words, means: meansText(meaning, text) };
    const role = noise === undefined ? 'Epsilon to be met' : 'Reported epsilon';
    return { words, means: `${role} ${shown(text)}` };
  });

/** One phase from all that a text says. */
export function assemble(
  source: string,
  all: readonly Said[],
  aside: readonly string[],
  sampling: readonly string[],
): ImportedRun | NoRun {
  const said = all.filter((one) => !isUnset(one));
  const wrong = noNumbers(said);
  const values = valuesOf(said, wrong);
  const idle = new Set<Meaning>();
  // Where both are set, the steps overrule the epochs.
  if (source === trainer && values.steps !== undefined) {
    delete values.epochs;
    idle.add('epochs');
  }
  for (const meaning of settleBatch(values, said, wrong)) idle.add(meaning);
  if (wrong.length === 0) wrong.push(...disagreements(values));
  if (wrong.length > 0) return { wrong };
  const { delta, epsilon, noiseMultiplier, recordsPerUser } = values;
  const schedule = scheduleOf(values);
  const numbers = {
    ...(noiseMultiplier === undefined ? {} : { noiseMultiplier }),
    ...schedule.numbers,
    ...(recordsPerUser === undefined ? {} : { recordsPerUser }),
  };
  const counts = schedule.numbers.samplingProbability === undefined;
  const flags = counts ? readPhaseFlags.filter((flag) => values[flag] === 'true') : [];
  const used = said.filter(({ meaning }) => !idle.has(meaning));
  const unusedWords = said
    .filter(({ meaning }) => idle.has(meaning))
    .map(({ words, meaning }) => `${words} (${unused[meaning] ?? 'it is in the step’s batch'})`);
  const needsNoise = noiseMultiplier === undefined && epsilon === undefined;
  return {
    source,
    entries: [{ kind: 'phase', mechanism: 'gaussian', numbers, flags }],
    understood: [...understoodOf(used, noiseMultiplier), ...schedule.understood],
    delta,
    epsilon,
    missing: [...schedule.missing, ...(needsNoise ? [lacks('noiseMultiplier')] : [])],
    aside: [
      ...all.filter(isUnset).map(({ words }) => `${words} (no limit)`),
      ...unusedWords,
      ...aside,
    ],
    sampling,
  };
}

/** Why something that was read is not used. */
const unused: Partial<Record<Meaning, string>> = {
  epochs: 'the steps overrule it',
  stepBatch: 'it follows from the others',
};

/** The source whose steps overrule its epochs. */
export const trainer = 'Hugging Face training arguments';

export { number as numberOf, shown };
