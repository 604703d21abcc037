import { samplers, type SamplerInfo, type SamplerName } from '../../../wasm/generated/schema.js';
import type { ImportedEntry, ImportedPhase, ImportedRun } from '../../../wasm/import/index.js';
import { parseNumber } from '../../../wasm/words/number-forms.js';
import { takes } from '../../../wasm/words/trainer.js';
import { fieldsInUse } from './fields.js';
import { defaultRelease, defaultScenario, defaultPhase } from './scenario.js';
import type { Entry, Scenario, ScheduleName } from './scenario.js';

const parse = (text: string | undefined) => parseNumber(text ?? '') ?? NaN;
const ceiling = (value: number) => String(Math.ceil(value - 1e-9 * value));

/** The batch that a share of a known dataset, or of one of its groups, is, where that is a whole number of records. */
function wholeBatch({
  datasetSize,
  samplingProbability,
  bands = '1',
}: ImportedPhase['numbers']): string | undefined {
  const batch = Math.floor(parse(datasetSize) / parse(bands)) * parse(samplingProbability);
  const whole = Math.round(batch);
  return whole >= 1 && Math.abs(batch - whole) <= 1e-9 * batch ? String(whole) : undefined;
}

/** The samplers that the run can have: few have a theorem for bands, or for several uses of a record in an epoch. */
export const ableFor = ({ entries }: Pick<ImportedRun, 'entries'>): readonly SamplerInfo[] =>
  samplers.filter(({ name, canRepeat }) =>
    entries.every(
      (entry) =>
        entry.kind === 'release' ||
        ((canRepeat || entry.numbers.participations === undefined) &&
          takes({ bands: parse(entry.numbers.bands ?? '1') }, name)),
    ),
  );

/** Why the form has no place for what a text says: it is asked by the command. */
export function unfillable({ entries }: ImportedRun): string | undefined {
  const capped = entries.some(
    (entry) =>
      entry.kind === 'phase' &&
      entry.numbers.maxBatchSize !== undefined &&
      entry.numbers.batchSize === undefined &&
      entry.numbers.samplingProbability !== undefined &&
      wholeBatch(entry.numbers) === undefined,
  );
  return capped
    ? 'The form takes a maximum batch size beside whole batches only; the command honest-epsilon import asks this.'
    : undefined;
}

/** The form's way to say how long a run was, and the numbers that it takes there. */
function scheduleOf({ kind, mechanism, numbers, flags }: ImportedPhase): {
  schedule: ScheduleName;
  numbers: ImportedPhase['numbers'];
  flags: ImportedPhase['flags'];
} {
  const { datasetSize, batchSize, epochs, steps, samplingProbability: q, stepsPerEpoch } = numbers;
  const share = batchSize === undefined ? wholeBatch(numbers) : undefined;
  if (share !== undefined) {
    const { samplingProbability: _q, ...rest } = numbers;
    return scheduleOf({ kind, mechanism, flags, numbers: { ...rest, batchSize: share } });
  }
  const sized = batchSize !== undefined || (datasetSize !== undefined && q === undefined);
  if (sized && epochs !== undefined && steps !== undefined) {
    // The steps tell whether each epoch dropped the records that fill no batch.
    const factors = [batchSize, numbers.accumulationSteps ?? '1', numbers.devices ?? '1'];
    const batch = factors.reduce((product, factor) => product * parse(factor), 1);
    const whole = Math.floor(parse(datasetSize) / batch) * parse(epochs);
    const short = parse(datasetSize) % batch !== 0 && parse(steps) === whole;
    if (short || ceiling(parse(datasetSize) / batch) === String(parse(steps) / parse(epochs)))
      return { schedule: 'counts', numbers, flags: short ? [...flags, 'dropLast'] : flags };
    return { schedule: 'sizes', numbers, flags };
  }
  if (sized) return { schedule: steps === undefined ? 'counts' : 'sizes', numbers, flags };
  // The form knows neither the steps of an epoch nor epochs beside a probability.
  const probability = q ?? (stepsPerEpoch === undefined ? undefined : `1/${stepsPerEpoch}`);
  const length = steps ?? (epochs && probability && ceiling(parse(epochs) / parse(probability)));
  const given = {
    ...(probability === undefined ? {} : { samplingProbability: probability }),
    ...(length === undefined ? {} : { steps: length }),
  };
  const known = probability !== undefined || steps !== undefined;
  return { schedule: known ? 'steps' : 'counts', numbers: { ...numbers, ...given }, flags };
}

/** Fields that the text does not state stay empty where the run needs them: nothing is guessed. */
function entryOf(entry: ImportedEntry, sampler: SamplerName): Entry {
  if (entry.kind === 'release') {
    const { rho, ...numbers } = entry.numbers;
    return rho === undefined
      ? { ...defaultRelease, by: 'epsilon', texts: { ...defaultRelease.texts, ...numbers } }
      : { ...defaultRelease, by: 'rho', texts: { ...defaultRelease.texts, rho } };
  }
  const { schedule, numbers, flags } = scheduleOf(entry);
  const usual = { ...defaultPhase.texts, mechanism: entry.mechanism, ...entry.choices };
  const needed = fieldsInUse({ ...defaultPhase, schedule, texts: usual });
  const texts = {
    ...usual,
    ...Object.fromEntries(flags.map((flag) => [flag, 'true'])),
    ...Object.fromEntries(needed.map((name) => [name, ''])),
    ...numbers,
  };
  return { ...defaultPhase, sampler, schedule, texts };
}

/** The form's run as a text describes it; delta stays as it is where the text has none. */
export function scenarioFrom(run: ImportedRun, sampler: SamplerName, before: Scenario): Scenario {
  const entries = run.entries.map((entry) => entryOf(entry, sampler));
  const open = Math.max(
    0,
    entries.findIndex(({ kind }) => kind === 'phase'),
  );
  const { accountant, proofs, delta } = before.texts;
  const { epsilon, aims, tuning } = run;
  const asked = aims ? { epsilon: epsilon ?? '' } : { reported: epsilon ?? '' };
  return {
    ...{ entries, open },
    find: aims ? 'noise' : 'epsilon',
    texts: {
      ...{ ...defaultScenario.texts, accountant, proofs },
      ...{ delta: run.delta ?? delta, ...tuning, ...asked },
    },
  };
}
