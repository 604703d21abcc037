import type {
  Accountant,
  Proofs,
  InputField,
  Phase,
  Query,
  Release,
  Target,
  Tuning,
} from '../../../wasm/generated/schema.js';
import { targetAtInfo } from '../../../wasm/words/target.js';
import { isOfClients } from '../../../wasm/words/record.js';
import { openEntry, phasesOf, releaseKinds } from './scenario.js';
import type { Entry, OtherRelease, QuestionNumber, Scenario, PhaseEntry } from './scenario.js';
import { numberKind, typedNumber, typedValue } from './typed.js';
import { fieldInfo, withLabels } from '../../../wasm/words/fields.js';
import { format } from '../../../wasm/words/numbers.js';

import {
  aimsElsewhere,
  askedFields,
  fieldsInUse,
  furtherFields,
  infoIn,
  isUnusual,
  releaseInfo,
  sizesOf,
  soughtField,
  triesMany,
  tuningNumbers,
  unfindable,
} from './fields.js';
import { comparable } from './rows.js';

/** What is wrong, by field; a field of an entry that is not open carries the entry's number. */
export type Problems = ReadonlyMap<string, string>;

/** A question to the engine, or what keeps the scenario from being one, by field. */
export type ScenarioReading = {
  /** Numbers outside their domains: the engine names the first alone. */
  beyond: Problems;
} & (
  | { query: Query; delta: number | undefined; reported: number | undefined }
  | { problems: Problems }
);

/** The engine's text as a form says it, with a full stop and 60,000. */
export function inFormWords(field: string | undefined, text: string, clients = false): string {
  const set = withLabels(text, field, clients)
    .replaceAll("'", '’')
    .replaceAll(/(?<![\w./-])\d{5,}(?![\w/]|\.\d)/g, (digits) =>
      format(Number(digits), { side: 'given' }),
    );
  return set.endsWith('.') || set.endsWith(')') ? set : `${set}.`;
}

/** The domain of a field, for a number outside it. */
export function outOfDomain({ label, type, least, most, openLeast }: InputField, value: number) {
  const below = openLeast ? !(value > least) : !(value >= least);
  const fits = Number.isFinite(value) && !below && value <= most;
  if (fits && (type !== 'count' || Number.isInteger(value))) return undefined;
  const kind = type === 'count' ? 'a whole number' : 'a finite number';
  const spelt = (number: number) => format(number, { side: 'given' });
  const got = `got ${Number.isNaN(value) ? 'NaN' : spelt(value)}.`;
  if (!openLeast && Number.isFinite(most))
    return `${label} must be ${type === 'count' ? 'a whole number' : 'a number'} from ${spelt(least)} to ${spelt(most)}; ${got}`;
  const from = openLeast ? `above ${spelt(least)}` : `of at least ${spelt(least)}`;
  return `${label} must be ${kind} ${from}${value > most ? ` and at most ${spelt(most)}` : ''}; ${got}`;
}

/** Reads what was typed, and collects what is wrong with it. */
class ScenarioReader {
  /** What is no number. */
  readonly problems = new Map<string, string>();
  /** Numbers outside their domains, and batches above their dataset. */
  readonly beyond = new Map<string, string>();

  number(key: string, field: InputField, text: string): number | undefined {
    const read = typedNumber(text, field.label, numberKind(field));
    if (typeof read === 'string') {
      this.problems.set(key, read);
      return undefined;
    }
    this.check(key, field, [read]);
    return read;
  }

  private value(key: string, field: InputField, text: string): unknown {
    const read = typedValue(field, text);
    if ('problem' in read) this.problems.set(key, read.problem);
    else this.check(key, field, [read.value].flat());
    return 'value' in read ? read.value : undefined;
  }

  private check(key: string, field: InputField, values: readonly unknown[]): void {
    const words = values
      .map((one) => (typeof one === 'number' ? outOfDomain(field, one) : undefined))
      .find((one) => one !== undefined);
    if (words !== undefined) this.beyond.set(key, words);
  }

  phase(entry: PhaseEntry, prefix: string, sought: string | undefined): Phase {
    const phase: Record<string, unknown> = { sampler: entry.sampler };
    for (const name of fieldsInUse(entry)) {
      if (name === sought || (name === 'noiseStddev' && sought === 'noiseMultiplier')) continue;
      phase[name] = this.number(prefix + name, infoIn(entry, name), entry.texts[name]);
    }
    for (const name of furtherFields) {
      if (name === sought || (name === 'noiseUnit' && sought === 'noiseMultiplier')) continue;
      // Defaults are left out.
      if (isUnusual(entry, name))
        phase[name] = this.value(prefix + name, infoIn(entry, name), entry.texts[name]);
    }
    const { records, batch, name } = sizesOf(entry);
    const key = `${prefix}batchSize`;
    const large = entry.schedule !== 'steps' && batch > records && sought !== 'batchSize';
    if (large && !this.beyond.has(key)) {
      const words = `${name} must be at most datasetSize ${records}; got ${batch}`;
      this.beyond.set(key, inFormWords('batchSize', words, isOfClients(entry.texts)));
    }
    return phase;
  }

  release({ by, texts }: OtherRelease, prefix: string): Release {
    const release: Release = {};
    for (const name of releaseKinds[by]) {
      if ((name === 'delta' || name === 'partOfData') && texts[name].trim() === '') continue;
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

/**
 * Turns what was typed into a question. Only what is not a number is refused here: whether the
 * numbers make sense is the engine's to say, in one place for page, package and command.
 */
export function readScenario(scenario: Scenario): ScenarioReading {
  const { entries, open, find, texts } = scenario;
  const { accountant, proofs, tuning, target } = texts;
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
  if (triesMany(scenario)) query.tuning = tuning as Tuning;
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
      query.target = target as Target;
      query.targetValue = asked('targetValue');
      if (targetAtInfo(target)) query.targetAt = asked('targetAt');
    } else query.epsilon = asked('epsilon');
    const byCap = find === 'cap' && texts.capDelta.trim() !== '';
    if (byCap) query.capDelta = asked('capDelta');
    else if (find !== 'delta') query.delta = delta;
  }
  const reported = find === 'epsilon' ? reader.reported(texts.reported) : undefined;
  if (reader.problems.size > 0)
    return { problems: new Map([...reader.beyond, ...reader.problems]), beyond: reader.beyond };
  if (query.question === 'compare' && !comparable(query)) query.question = 'epsilon';
  return { query, delta, reported, beyond: reader.beyond };
}

/** The field to blame: an entry's or the question's if it has it, else the run as a whole. */
export function problemsOf(
  scenario: Scenario,
  trouble: { field: string | undefined; text: string; entry?: number | undefined },
): Problems {
  const { field = '', entry: at } = trouble;
  const clients = phasesOf(scenario).some(({ texts }) => isOfClients(texts));
  const words = inFormWords(field, trouble.text, clients);
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
    ...['solveFor', ...askedFields(scenario)],
    ...(open.kind === 'phase' && !several ? [...fieldsInUse(open), ...furtherFields] : []),
  ];
  const known = field !== sought && fields.includes(field);
  return new Map([[known ? field : 'run', words]]);
}
