import { phaseFields, releaseFields, samplers } from '../../../wasm/generated/schema.js';
import type {
  Accountant,
  Proofs,
  InputField,
  Phase,
  Query,
  Release,
  Solution,
  Target,
  Tuning,
} from '../../../wasm/generated/schema.js';
import { targetAtInfo } from '../../../wasm/words/target.js';
import { takes } from '../../../wasm/words/trainer.js';
import {
  openEntry,
  phaseChoices,
  phaseFlags,
  phaseNumbers,
  releaseKinds,
  scheduleFields,
} from './scenario.js';
import type {
  Entry,
  Find,
  OtherRelease,
  PhaseChoice,
  PhaseFlag,
  PhaseNumber,
  QuestionNumber,
  RowName,
  Scenario,
  PhaseEntry,
} from './scenario.js';
import { numberIn, numberKind, typedNumber } from './typed.js';
import {
  drawnBy,
  filledIn,
  isPhase,
  samplerInfo,
  samplerOf,
} from '../../../wasm/words/samplers.js';
import { fieldInfo, withLabels } from '../../../wasm/words/fields.js';
import { format } from '../../../wasm/words/numbers.js';

export function releaseInfo(name: keyof Release): InputField {
  const info = releaseFields.find((field) => field.name === name);
  if (!info) throw new Error(`no field ${name} of a release`);
  return info;
}

/** What is wrong, by field; a field of an entry that is not open carries the entry's number. */
export type Problems = ReadonlyMap<string, string>;

/** A question to the engine, or what keeps the scenario from being one, by field. */
export type ScenarioReading =
  | { query: Query; delta: number | undefined; reported: number | undefined }
  | { problems: Problems };

/** The engine's text as a form says it, with a full stop and 60,000. */
export function inFormWords(field: string | undefined, text: string): string {
  const set = withLabels(text, field)
    .replaceAll("'", '’')
    .replaceAll(/(?<![\w./-])\d{5,}(?![\w/]|\.\d)/g, (digits) =>
      format(Number(digits), { side: 'given' }),
    );
  return set.endsWith('.') || set.endsWith(')') ? set : `${set}.`;
}

/** A phase's number as it was typed; undefined where it cannot be read. */
const numberOf = ({ texts }: PhaseEntry, name: PhaseNumber): number | undefined =>
  numberIn(fieldInfo(name), texts[name]);

// ---------------------------------------------------------------------------------------------
// Which fields apply, and why the others do not.

/** Defaults of fields that need not be stated: the values that stand for "no such thing". */
const usual: Partial<Record<PhaseNumber, number | undefined>> = {
  accumulationSteps: 1,
  devices: 1,
  participations: 1,
  maxBatchSize: undefined,
  recordsPerUser: 1,
  bands: 1,
  countNoise: undefined,
  samplingWorkers: 1,
};
const isOptional = (name: PhaseNumber) => Object.hasOwn(usual, name);

/** The numbers that the phase needs, in the order of the form. */
export function fieldsInUse({ schedule }: PhaseEntry): readonly PhaseNumber[] {
  return [...scheduleFields[schedule], 'noiseMultiplier'];
}

/** The further fields of the form: whatever the schema lists beside the everyday ones. */
export type FurtherField = PhaseNumber | PhaseChoice | PhaseFlag;
export const furtherFields: readonly FurtherField[] = phaseFields
  .map(({ name }) => name as FurtherField)
  .filter(
    (name) =>
      phaseChoices.some((choice) => choice === name) ||
      phaseFlags.some((flag) => flag === name) ||
      phaseNumbers.some((number) => number === name && isOptional(number)),
  );

const named = (names: readonly { label: string }[]) => {
  const labels = names.map(({ label }, index) => (index === 0 ? label : label.toLowerCase()));
  return labels.length > 1 ? `${labels.slice(0, -1).join(', ')} and ${labels.at(-1)}` : labels[0];
};

/** Whether the phase passes over the data more than once. */
function severalEpochs(entry: PhaseEntry): boolean {
  if (entry.schedule === 'counts') return (numberOf(entry, 'epochs') ?? 0) > 1;
  const { records, batch } = sizesOf(entry);
  const share =
    entry.schedule === 'sizes' ? batch / records : (numberOf(entry, 'samplingProbability') ?? 0);
  return (numberOf(entry, 'steps') ?? 0) * share > 1;
}

/** The fields that make one step's batch, beside the batch size. */
const ofBatches: readonly FurtherField[] = [
  'accumulationSteps',
  'devices',
  'dropLast',
  'replacement',
];

/** The dataset size and one step's batch, with the names of its factors; NaN for what is no number. */
function sizesOf(entry: PhaseEntry) {
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
export function whyUnused(entry: PhaseEntry, name: FurtherField): string | undefined {
  const { label, canKeepDraw, canRepeat, canReplace, sizesVary } = samplerInfo(entry.sampler);
  if (name === 'reshuffle') {
    if (!canKeepDraw) return `${named(samplers.filter((s) => s.canKeepDraw))} only.`;
    return severalEpochs(entry) ? undefined : 'Only one epoch: nothing to reshuffle.';
  }
  if (name === 'participations' && !canRepeat) {
    return `${named(samplers.filter((s) => s.canRepeat))} only.`;
  }
  if (name === 'replacement') {
    if (!canReplace) return `${named(samplers.filter((s) => s.canReplace))} only.`;
    if (entry.choices.adjacency === 'substitution') return 'Not covered with substitution.';
    if (entry.choices.mechanism === 'laplace') return 'Not covered with Laplace noise.';
  }
  const alone = { bands: { bands: 2 }, samplingWorkers: { samplingWorkers: 2 } } as const;
  if ((name === 'bands' || name === 'samplingWorkers') && !takes(alone[name], entry.sampler))
    return `${named(samplers.filter((s) => takes(alone[name], s.name)))} only.`;
  if (name === 'countNoise' && entry.choices.mechanism !== 'gaussian')
    return 'Gaussian noise only.';
  if (ofBatches.includes(name) && entry.schedule === 'steps') {
    return 'Needs the batch size: give dataset size and epochs.';
  }
  if (name === 'dropLast') {
    const { records, batch } = sizesOf(entry);
    if (records % batch === 0) return 'n is a multiple of b: there is no short batch.';
  }
  if (name === 'swapped' && entry.choices.adjacency === 'substitution')
    return 'Substitution is the same in both directions.';
  if (name === 'maxBatchSize') {
    if (!sizesVary) return `${label}: all batches have one size.`;
    if (entry.schedule === 'steps') return 'Needs the dataset size: give dataset size and epochs.';
  }
  return undefined;
}

/** The field whose value is found; nothing for epsilon, which is asked for directly. */
export function soughtField(find: Find): PhaseNumber | 'delta' | undefined {
  if (find === 'epsilon' || find === 'delta') return find === 'delta' ? 'delta' : undefined;
  if (find === 'noise') return 'noiseMultiplier';
  if (find === 'cap') return 'maxBatchSize';
  const camel = find.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return phaseNumbers.find((name) => name === camel);
}

/** Why this cannot be found in the open entry, or nothing when it can. */
export function unfindable(scenario: Scenario, find: Find): string | undefined {
  if (triesMany(scenario) && find !== 'epsilon' && find !== 'noise')
    return 'With several runs tried, you can only solve for ε or the noise.';
  const field = soughtField(find);
  if (field === undefined || field === 'delta') return undefined;
  const entry = openEntry(scenario);
  if (entry.kind === 'release') return 'Select a phase to solve for one of its values.';
  if (isOptional(field)) return whyUnused(entry, field);
  if (fieldsInUse(entry).includes(field)) return undefined;
  const schedule = {
    counts: 'dataset size and epochs',
    sizes: 'dataset size and steps',
    steps: 'sampling rate and steps',
  }[entry.schedule];
  return `To solve for this, give another schedule than ${schedule}.`;
}

/** Whether more than one run is tried. */
export const triesMany = ({ tuning }: Pick<Scenario, 'tuning'>): boolean =>
  tuning !== fieldInfo('tuning').choices[0];

/** The numbers that say how many runs are tried. */
export function tuningNumbers(scenario: Pick<Scenario, 'tuning'>): readonly QuestionNumber[] {
  if (!triesMany(scenario)) return [];
  return scenario.tuning === 'negative-binomial' ? ['runs', 'eta'] : ['runs'];
}

/** Whether what is found may have another target than epsilon at delta. */
export const choosesTarget = ({ find }: Pick<Scenario, 'find'>): boolean =>
  !['epsilon', 'delta', 'cap'].includes(find);

const aimsElsewhere = (scenario: Pick<Scenario, 'find' | 'target'>): boolean =>
  choosesTarget(scenario) && scenario.target !== fieldInfo('target').choices[0];

/** The question's numbers that are asked with. Beside a cap's own delta, samplers are compared at delta. */
export function askedNumbers(scenario: Scenario): readonly QuestionNumber[] {
  const { find, target } = scenario;
  if (aimsElsewhere(scenario))
    return ['targetValue', ...(targetAtInfo(target) ? (['targetAt'] as const) : []), 'delta'];
  if (find === 'epsilon') return ['delta'];
  if (find === 'delta') return ['epsilon'];
  return find === 'cap' ? ['epsilon', 'delta', 'capDelta'] : ['epsilon', 'delta'];
}

// ---------------------------------------------------------------------------------------------
// From what was typed to a question.

class ScenarioReader {
  readonly problems = new Map<string, string>();
  number(key: string, field: InputField, text: string): number | undefined {
    const read = typedNumber(text, field.label, numberKind(field));
    if (typeof read === 'number') return read;
    this.problems.set(key, read);
    return undefined;
  }

  phase(entry: PhaseEntry, prefix: string, sought: string | undefined): Phase {
    const phase: Record<string, unknown> = { sampler: entry.sampler };
    for (const name of fieldsInUse(entry)) {
      if (name === sought) continue;
      phase[name] = this.number(prefix + name, fieldInfo(name), entry.texts[name]);
    }
    for (const name of furtherFields) {
      if (name === sought || whyUnused(entry, name) !== undefined) continue;
      const choice = phaseChoices.find((other) => other === name);
      // Defaults are left out.
      if (choice) {
        const picked = entry.choices[choice];
        if (picked !== fieldInfo(choice).choices[0]) phase[choice] = picked;
        continue;
      }
      const flag = phaseFlags.find((other) => other === name);
      if (flag) {
        if (entry.flags[flag]) phase[flag] = true;
        continue;
      }
      const number = name as PhaseNumber;
      if (entry.texts[number].trim() === '') continue;
      const read = this.number(prefix + number, fieldInfo(number), entry.texts[number]);
      if (read !== usual[number]) phase[number] = read;
    }
    return phase;
  }

  release({ by, texts }: OtherRelease, prefix: string): Release {
    const release: Release = {};
    for (const name of releaseKinds[by]) {
      if (name === 'delta' && texts.delta.trim() === '') continue;
      release[name] = this.number(`${prefix}release-${name}`, releaseInfo(name), texts[name]);
    }
    return release;
  }

  entry(entry: Entry, prefix: string, sought: string | undefined): Phase | Release {
    return entry.kind === 'phase' ? this.phase(entry, prefix, sought) : this.release(entry, prefix);
  }

  reported(text: string): number | undefined {
    if (text.trim() === '') return undefined;
    const read = typedNumber(text, 'Reported ε', 'number');
    if (typeof read === 'string') this.problems.set('reported', read);
    else if (!(read >= 0) || read === Infinity) {
      const why = `Reported ε must be a finite number of at least 0; got ${read}.`;
      this.problems.set('reported', why);
    } else return read;
    return undefined;
  }
}

/** Whether every sampler can take the run: some fields are one sampler's own. */
const comparable = (query: Query) => ableOf(query).length === samplers.length;

/** The samplers that can take all phases. */
const ableOf = (query: Query) =>
  samplers.filter(({ name, canRepeat }) =>
    query.phases.every(
      (entry) =>
        !isPhase(entry) || ((canRepeat || (entry.participations ?? 1) === 1) && takes(entry, name)),
    ),
  );

/**
 * Turns what was typed into a question. Only what is not a number is refused here: whether the
 * numbers make sense is the engine's to say, in one place for page, package and command.
 */
export function readScenario(scenario: Scenario): ScenarioReading {
  const { entries, open, find, accountant, proofs, texts } = scenario;
  const reader = new ScenarioReader();
  const sought = soughtField(find);
  const phases = entries.map((entry, index) =>
    reader.entry(entry, index === open ? '' : `${index + 1}:`, index === open ? sought : undefined),
  );
  const asked = (name: QuestionNumber) => reader.number(name, fieldInfo(name), texts[name]);
  const query: Query = { question: 'compare', phases };
  if (accountant !== fieldInfo('accountant').choices[0])
    query.accountant = accountant as Accountant;
  if (proofs !== fieldInfo('proofs').choices[0]) query.proofs = proofs as Proofs;
  if (triesMany(scenario)) query.tuning = scenario.tuning as Tuning;
  for (const name of tuningNumbers(scenario)) Object.assign(query, { [name]: asked(name) });
  const delta = find === 'delta' ? undefined : asked('delta');
  if (find === 'epsilon') {
    query.delta = delta;
  } else {
    const why = unfindable(scenario, find);
    if (why !== undefined) reader.problems.set('solveFor', why);
    query.question = 'calibrate';
    query.solveFor = find;
    if (aimsElsewhere(scenario)) {
      query.target = scenario.target as Target;
      query.targetValue = asked('targetValue');
      if (targetAtInfo(scenario.target)) query.targetAt = asked('targetAt');
    } else query.epsilon = asked('epsilon');
    const byCap = find === 'cap' && texts.capDelta.trim() !== '';
    if (byCap) query.capDelta = asked('capDelta');
    else if (find !== 'delta') query.delta = delta;
  }
  const reported = find === 'epsilon' ? reader.reported(texts.reported) : undefined;
  if (reader.problems.size > 0)
    return { problems: new Map([...beyondDomains(scenario), ...reader.problems]) };
  if (query.question === 'compare' && !comparable(query)) query.question = 'epsilon';
  return { query, delta, reported };
}

/** The domain of a field, for a number outside it. */
export function outOfDomain({ label, type, least, most, openLeast }: InputField, value: number) {
  const below = openLeast ? !(value > least) : !(value >= least);
  const fits = Number.isFinite(value) && !below && value <= most;
  if (fits && (type !== 'count' || Number.isInteger(value))) return undefined;
  const kind = type === 'count' ? 'a whole number' : 'a finite number';
  const spelt = (number: number) => format(number, { side: 'given' });
  const from = openLeast ? `above ${spelt(least)}` : `of at least ${spelt(least)}`;
  return `${label} must be ${kind} ${from}${value > most ? ` and at most ${spelt(most)}` : ''}; got ${Number.isNaN(value) ? 'NaN' : spelt(value)}.`;
}

/** Every number outside its domain, a batch above its dataset too: the engine names the first alone. */
export function beyondDomains(scenario: Scenario): Problems {
  const problems = new Map<string, string>();
  const check = (key: string, info: InputField, text: string) => {
    const value = numberIn(info, text);
    const words = value === undefined ? undefined : outOfDomain(info, value);
    if (words !== undefined) problems.set(key, words);
  };
  const sought = soughtField(scenario.find);
  scenario.entries.forEach((entry, index) => {
    const prefix = index === scenario.open ? '' : `${index + 1}:`;
    if (entry.kind === 'release') {
      for (const name of releaseKinds[entry.by])
        check(`${prefix}release-${name}`, releaseInfo(name), entry.texts[name]);
      return;
    }
    const further = phaseNumbers.filter(
      (name) => isOptional(name) && whyUnused(entry, name) === undefined,
    );
    for (const name of [...fieldsInUse(entry), ...further])
      if (prefix !== '' || name !== sought)
        check(prefix + name, fieldInfo(name), entry.texts[name]);
    const { records, batch, name } = sizesOf(entry);
    const key = `${prefix}batchSize`;
    if (entry.schedule !== 'steps' && batch > records && key !== sought && !problems.has(key))
      problems.set(
        key,
        inFormWords('batchSize', `${name} must be at most datasetSize ${records}; got ${batch}`),
      );
  });
  for (const name of [...askedNumbers(scenario), ...tuningNumbers(scenario)])
    check(name, fieldInfo(name), scenario.texts[name]);
  return problems;
}

/** The field to blame: an entry's or the question's if it has it, else the run as a whole. */
export function problemsOf(
  scenario: Scenario,
  trouble: { field: string | undefined; text: string; entry?: number | undefined },
): Problems {
  const { field = '', entry: at } = trouble;
  const words = inFormWords(field, trouble.text);
  const several = scenario.entries.length > 1;
  const entry = several && at !== undefined ? scenario.entries[at] : undefined;
  if (entry && at !== undefined) {
    const key = entry.kind === 'release' ? `release-${field}` : field;
    if (at === scenario.open) return new Map([[key, words]]);
    return new Map([
      [`${at + 1}:${key}`, words],
      ['run', `Entry ${at + 1} of the run: ${words}`],
    ]);
  }
  const open = openEntry(scenario);
  const sought: string | undefined = soughtField(scenario.find);
  const fields: readonly string[] = [
    ...[
      'solveFor',
      'accountant',
      'proofs',
      'tuning',
      'target',
      ...askedNumbers(scenario),
      ...tuningNumbers(scenario),
    ],
    ...(open.kind === 'phase' && !several ? [...fieldsInUse(open), ...furtherFields] : []),
  ];
  const known = field !== sought && fields.includes(field);
  return new Map([[known ? field : 'run', words]]);
}

// ---------------------------------------------------------------------------------------------
// From a question to the rows of its answer.

export interface Row {
  name: RowName;
  query: Query;
}

/** Every row's own question, the reader's first. */
export function rowsOf(query: Query): Row[] {
  const phases = query.phases.filter(isPhase);
  const [first] = phases;
  const own = phases.every(({ sampler }) => sampler === first?.sampler)
    ? first?.sampler
    : undefined;
  const names = ableOf(query)
    .map(({ name }) => name)
    .filter((name) => name !== own);
  const question = 'epsilon' as const;
  const mixed: Row[] = [{ name: 'composition', query: { ...query, question } }];
  return [
    ...(own === undefined ? mixed : []),
    ...[...(own === undefined ? [] : [own]), ...names].map((name) => ({
      name,
      query: { ...drawnBy(query, name), question },
    })),
  ];
}

/** Samplers without a row, and why: some fields are one sampler's own. */
export function unasked(query: Query): Map<RowName, string> {
  const names = rowsOf(query).map(({ name }) => name);
  const able = named(ableOf(query));
  const again = query.phases.some((entry) => isPhase(entry) && (entry.participations ?? 1) > 1);
  return new Map(
    samplers
      .filter(({ name }) => !names.includes(name))
      .map(({ name, label }) => [
        name,
        again
          ? `${label} uses each record once an epoch; only ${able} can do so more often.`
          : `${label}: nothing is proved with this trainer; it is for ${able}.`,
      ]),
  );
}

/** Why a sampler has no maximum batch size to be found. */
const oneSize = 'All batches have the same size.';
const canFind = ({ solveFor }: Query, name: RowName) =>
  solveFor !== 'cap' || name === 'composition' || samplerInfo(name).sizesVary;

/** A calibration asked for every sampler, the reader's first. */
export function calibrationsOf(query: Query): Row[] {
  return rowsOf(query)
    .filter(({ name }) => canFind(query, name))
    .map(({ name, query: asked }) => ({ name, query: { ...asked, question: 'calibrate' } }));
}

/** Samplers for which a calibration is not asked, and why. */
export function uncalibrated(query: Query): Map<RowName, string> {
  const unable = samplers.filter(({ name }) => !canFind(query, name));
  return new Map([
    ...unable.map(({ name }): [RowName, string] => [name, oneSize]),
    ...unasked(query),
  ]);
}

/** A key that all questions for the same rows share. */
export function rowsKey(query: Query): string {
  const mixed =
    query.question === 'calibrate' ||
    !comparable(query) ||
    rowsOf(query)[0]?.name === 'composition';
  const phases = query.phases.map((entry) =>
    Object.entries(entry)
      .filter(([name]) => mixed || name !== 'sampler')
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
  return JSON.stringify({ ...query, phases });
}

/** Epsilon is asked at no delta of 0 or 1. */
const within = (delta: number) => Math.min(1 - 2 ** -53, Math.max(1e-300, delta));

/** The question with the value found put in: epsilon there, at `delta` where none was given. */
export function withSolution(query: Query, solution: Solution, delta = 0): Query {
  const { field, value } = solution;
  const phases = filledIn(query.phases, solution);
  const at = field === 'delta' ? within(value) : (query.delta ?? delta);
  const asked = {
    ...{ solveFor: undefined, epsilon: undefined, capDelta: undefined },
    ...{ target: undefined, targetValue: undefined, targetAt: undefined },
  };
  const filled: Query = { ...query, ...asked, question: 'compare', phases, delta: at };
  return comparable(filled) ? filled : { ...filled, question: 'epsilon' };
}

/** Questions beside the reader's own: its further entries alone, and the other way to draw. */
export function asidesOf(query: Query, open: number): Map<string, Query> {
  const asides = new Map<string, Query>();
  const entry = query.phases[open];
  if (entry && isPhase(entry) && samplerInfo(samplerOf(entry)).canKeepDraw) {
    const { epochs, steps = 0, samplingProbability = 0 } = entry;
    if ((epochs ?? steps * samplingProbability) > 1) {
      const reshuffle = entry.reshuffle === 'once' ? ('each-epoch' as const) : ('once' as const);
      const phases = query.phases.with(open, { ...entry, reshuffle });
      asides.set('reshuffle', { ...query, question: 'epsilon', phases });
    }
  }
  if (query.phases.length > 1) {
    query.phases.forEach((alone, index) => {
      asides.set(`entry ${index}`, { ...query, question: 'epsilon', phases: [alone] });
    });
  }
  return asides;
}
