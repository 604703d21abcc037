import { parseNumber, readNumber } from '../words/number-forms.js';
import { format } from '../words/numbers.js';
import { evaluate } from './facts.js';
import type { Fact, Passage, Reading, HistoryRow, Tree, ValueRead } from './facts.js';
import { UnreadableEvent, readEvents } from './events.js';
import {
  isAside,
  isCommonWord,
  isCount,
  isFlag,
  meaningLabel,
  meaningNamed,
  meaningOf,
  ownName,
  readPhaseFlags,
  readPhaseNumbers,
  roleOf,
  snakeName,
} from './fields.js';
import type { Meaning, ReadPhaseFlag, ReadPhaseNumber } from './fields.js';

export interface ImportedPhase {
  kind: 'phase';
  mechanism: 'gaussian' | 'laplace';
  /** As they were written, or what was computed of what was written. */
  numbers: Readonly<Partial<Record<ReadPhaseNumber, string>>>;
  /** Those that are set. */
  flags: readonly ReadPhaseFlag[];
}

export interface ImportedRelease {
  kind: 'release';
  numbers: Readonly<Partial<Record<'epsilon' | 'delta' | 'rho', string>>>;
}

export type ImportedEntry = ImportedPhase | ImportedRelease;

/** Words of a text, and where they stand: line and column are counted from 1. */
export interface TextPlace {
  quote: string;
  line: number;
  column: number;
}

/** What was read at a place, in words, and the field that it fills. */
export interface Understood extends TextPlace {
  field: string;
  means: string;
}

/** A choice that only the reader can make. */
export interface Ambiguity {
  /** By which a choice is told to `readRun`. */
  id: string;
  ask: string;
  readings: readonly string[];
}

/** A run as a text describes it. Only how its batches were drawn is left to ask. */
export interface ImportedRun {
  /** The kind of text that it was read as. */
  source: string;
  entries: readonly ImportedEntry[];
  facts: readonly Understood[];
  delta?: string | undefined;
  /** Reported, or to be met where there is no noise multiplier: that is what `aims` says. */
  epsilon?: string | undefined;
  aims: boolean;
  tuning?:
    | {
        tuning: 'poisson' | 'geometric' | 'logarithmic' | 'negative-binomial';
        runs: string;
        eta?: string;
      }
    | undefined;
  /** Fields that the run needs and the text does not say, in words. */
  missing: readonly { field: ReadPhaseNumber; words: string }[];
  /** What has two readings; while there is any, nothing is asked of the engine. */
  ambiguous: readonly Ambiguity[];
  /** What was seen and has no bearing on the answer. */
  ignored: readonly string[];
  /** What may change the answer and was not read. */
  dangerous: readonly (TextPlace & { why: string })[];
  /** The text's words on sampling, which need not be what ran. */
  sampling: readonly string[];
}

/** The reasons why a text is not a run, in sentences. */
export interface NoRun {
  wrong: readonly string[];
}

/** The readings that were chosen, by the ambiguity's name; the number after the last one is none of them. */
export type Choices = Readonly<Record<string, number>>;

class NotARun extends Error {}

/** A fact of a known meaning: its value, once it is one. */
interface Said {
  fact: Fact;
  meaning: Meaning;
  value: number | undefined;
  text: string;
  doubt: string | undefined;
}

const given = (value: number): string => format(value, { side: 'given' });
const shown = (text: string): string => {
  const value = parseNumber(text);
  return value !== undefined && Number.isFinite(value) ? given(value) : text;
};
const yes = ['no', 'yes'] as const;

/** "Noise multiplier 1.1" */
export const meansText = (meaning: Meaning, text: string): string =>
  isFlag(meaning)
    ? `${meaningLabel(meaning)}: ${yes[Number(text === '1')]}`
    : `${meaningLabel(meaning)} ${shown(text)}`;

/** All that is known of a phase, in words. */
export function phaseText({ mechanism, numbers, flags }: ImportedPhase): string {
  const parts = (Object.entries(numbers) as [ReadPhaseNumber, string][]).map(([name, value]) =>
    meansText(name, value).toLowerCase(),
  );
  const set = flags.map((flag) => meaningLabel(flag).toLowerCase());
  return `A phase: ${[...(mechanism === 'laplace' ? ['Laplace noise'] : []), ...parts, ...set].join(', ')}`;
}

/** The most rows of a history that the engine takes as phases of their own. */
const mostPhases = 900;

/** Neighbouring rows made one, with the least noise and the greatest share of the data: it reveals no less. */
function lumped(rows: readonly HistoryRow[]): HistoryRow[] {
  const size = Math.ceil(rows.length / mostPhases);
  return Array.from({ length: Math.ceil(rows.length / size) }, (_, group) =>
    rows
      .slice(group * size, (group + 1) * size)
      .reduce(([sigma, q, steps], row): HistoryRow => [
        Math.min(sigma, row[0]),
        Math.max(q, row[1]),
        steps + row[2],
      ]),
  );
}

const isFormula = (value: ValueRead): value is Extract<ValueRead, { kind: 'formula' }> =>
  value.kind === 'formula';

class Builder {
  private readonly text: string;
  private readonly reading: Reading;
  private readonly choices: Choices;
  private readonly starts: number[] = [0];
  private readonly values: Partial<Record<Meaning, string | undefined>> = {};
  private readonly understood: (Understood & { meaning: Meaning | undefined })[] = [];
  private readonly ambiguous: Ambiguity[] = [];
  private readonly ignored = new Set<string>();
  private readonly dangerous: (TextPlace & { why: string })[] = [];
  private readonly quotes = new Set<string>();
  private readonly sampling = new Set<string>();
  private readonly open = new Set<Meaning>();
  private facts: readonly Fact[] = [];
  private said: Said[] = [];
  private mechanism: ImportedPhase['mechanism'] = 'gaussian';

  constructor(text: string, reading: Reading, choices: Choices) {
    this.text = text;
    this.reading = reading;
    this.choices = choices;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1))
      this.starts.push(at + 1);
  }

  private place({ from, to }: { from: number; to: number }): TextPlace {
    let [low, high] = [0, this.starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.starts[middle] ?? 0) <= from) low = middle;
      else high = middle;
    }
    const quote = this.text
      .slice(from, Math.min(to, from + 200))
      .replace(/\s+/g, ' ')
      .trim();
    return {
      quote: quote.length > 100 ? `${quote.slice(0, 99)}…` : quote,
      line: low + 1,
      column: from - (this.starts[low] ?? 0) + 1,
    };
  }

  private quoted(fact: { from: number; to: number }): string {
    const { quote, line } = this.place(fact);
    return this.starts.length > 1 ? `“${quote}” in line ${line}` : `“${quote}”`;
  }

  /** Asks, unless the choice was made: then the reading's number, or undefined for none of them. */
  private ask(id: string, ask: string, readings: readonly string[]): number | 'open' | undefined {
    const chosen = this.choices[id];
    if (chosen !== undefined) return chosen < readings.length ? chosen : undefined;
    this.ambiguous.push({ id, ask, readings });
    return 'open';
  }

  private danger(passage: Passage, why: string): void {
    const place = this.place(passage);
    if (this.quotes.has(place.quote)) return;
    this.quotes.add(place.quote);
    this.dangerous.push({ ...place, why });
  }

  // --- from facts to values

  private chooseRun(): void {
    const { runs = [], facts } = this.reading;
    this.facts = facts;
    if (runs.length === 0) return;
    if (runs.length > 24)
      throw new NotARun(`The text holds ${runs.length} runs: keep the one that is meant.`);
    const chosen = this.ask(
      'run',
      `The text holds ${runs.length} runs. Which one is meant?`,
      runs.map(({ words }) => words),
    );
    if (typeof chosen === 'number') this.facts = [...facts, ...(runs[chosen]?.facts ?? [])];
  }

  /** Sorts facts: those with a meaning are said, others may matter or have no bearing. */
  private sort(): void {
    for (const fact of this.facts) {
      const name = ownName(fact.path);
      const meaning = fact.meaning ?? meaningOf(fact.path);
      const { value } = fact;
      if (value.kind === 'nothing' || value.kind === 'record' || value.kind === 'call') continue;
      const shownName = fact.path.join('.');
      if (meaning && !fact.meaning && isAside(fact.path, meaning))
        this.ignored.add(`${shownName} (of something else)`);
      else if (name === 'T' && !fact.meaning) this.letterT(fact);
      else if (meaning) this.say(fact, meaning);
      else this.other(fact, shownName);
    }
  }

  /** A letter that papers use for two things. */
  private letterT(fact: Fact): void {
    const value = this.numberOf(fact.value);
    if (value === undefined || !Number.isInteger(value)) return;
    const text = given(value);
    const chosen = this.ask(
      `at ${fact.from}`,
      `${this.quoted(fact)} may mean two things. Which one?`,
      [`${text} steps of the run`, `${text} steps of an epoch`],
    );
    const [meaning] = (['steps', 'stepsPerEpoch'] as const).slice(
      typeof chosen === 'number' ? chosen : 2,
    );
    if (meaning) this.said.push({ fact, meaning, value, text: String(value), doubt: undefined });
    if (chosen === 'open') this.open.add('steps');
  }

  /** A fact whose name stands for no field. */
  private other(fact: Fact, name: string): void {
    const { value } = fact;
    const role = roleOf(fact.path);
    const words =
      'text' in value ? value.text : value.kind === 'flag' ? String(value.value) : '[…]';
    if (role === 'sampling') {
      if (!isFormula(value)) this.sampling.add(this.place(fact).quote);
      return;
    }
    // Variables of programs are no settings.
    if (isFormula(value) && role !== 'weighty') return;
    if (
      value.kind === 'text' &&
      this.reading.source !== 'Python' &&
      /\d.*\s|\s.*\d/.test(value.text) &&
      /epoch|sigma|noise|batch|step|round|delta/i.test(value.text)
    ) {
      this.danger(fact, 'its words were not read');
      return;
    }
    if (
      value.kind === 'text' &&
      !/\d/.test(value.text) &&
      !/^(use_|enable_)?(dp|private|privacy)$/.test(snakeName(name))
    ) {
      this.ignored.add(name);
      return;
    }
    const off =
      value.kind === 'flag'
        ? !value.value
        : value.kind !== 'list' && /^(0|0\.0|1|1\.0)$/.test(words);
    const ofPrivacy =
      /^((use|enable|with)_)?(dp|dp_?sgd|privacy|private|differential_privacy|differentially_private)(_enabled)?$/.test(
        snakeName(ownName(fact.path)),
      );
    if (ofPrivacy && value.kind === 'flag' && !value.value)
      this.danger(fact, 'it says that nothing was private');
    else if (ofPrivacy || off || role !== 'weighty') this.ignored.add(name);
    else if (isFormula(value) && !/noise|sigma|micro|trunc|band/i.test(name)) return;
    else this.danger(fact, 'no field stands for it');
  }

  private say(fact: Fact, meaning: Meaning): void {
    const { path, doubt } = fact;
    const items = fact.value.kind === 'list' ? fact.value.items : [fact.value];
    for (const value of items) {
      const put = (number: number | undefined, text: string) =>
        this.said.push({ fact: { ...fact, value }, meaning, value: number, text, doubt });
      if (value.kind === 'nothing') continue;
      if (meaning === 'mechanism') {
        this.mechanismSaid(fact, value);
      } else if (isFlag(meaning)) {
        const flag =
          value.kind === 'flag'
            ? Number(value.value)
            : value.kind === 'number'
              ? Number(value.value !== 0)
              : value.kind === 'text' && /^(true|false)$/i.test(value.text)
                ? Number(/true/i.test(value.text))
                : undefined;
        if (flag !== undefined) put(flag, String(flag));
        else if (!isFormula(value)) this.danger(fact, 'it is neither yes nor no');
      } else if (value.kind === 'flag') {
        if (value.value)
          this.danger(fact, `${meaningLabel(meaning).toLowerCase()} should be a number`);
      } else if (value.kind === 'number') put(value.value, value.text);
      else if (value.kind === 'text') this.spelt(fact, meaning, value.text, put);
      else if (isFormula(value)) {
        // What programs call a batch or a step in passing is no setting; nor is a value handed on.
        const tree = value.tree;
        const handedOn =
          tree?.kind === 'name' && meaningNamed(tree.name.split('.').at(-1) ?? '') === meaning;
        if (
          !handedOn &&
          (fact.meaning !== undefined ||
            !isCommonWord(ownName(path)) ||
            (tree && tree.kind !== 'name'))
        )
          put(undefined, value.text);
      }
    }
  }

  private mechanismSaid(fact: Fact, value: ValueRead): void {
    const word = value.kind === 'text' ? value.text.toLowerCase() : '';
    if (word.startsWith('lap')) this.mechanism = 'laplace';
    else if (!/^(gauss|normal|rdp|prv|gdp|pld|dp-?sgd|$)/.test(word)) {
      this.danger(fact, 'noise of this kind has no field');
      return;
    } else if (!/^(gauss|normal)/.test(word)) return;
    this.understood.push({
      ...this.place(fact),
      field: 'mechanism',
      means: `${this.mechanism === 'laplace' ? 'Laplace' : 'Gaussian'} noise`,
      meaning: 'mechanism',
    });
  }

  /** A number as a person typed it, which may have more readings than one. */
  private spelt(
    fact: Fact,
    meaning: Meaning,
    typed: string,
    put: (value: number | undefined, text: string) => void,
  ): void {
    if (/^(auto|none|null|inf(inite)?)$/i.test(typed)) return;
    // A remark in brackets is none of the number, unless it has one of its own.
    const bare = typed.replace(/\s*\([^()\d]*\)$/, '');
    if (bare !== typed) {
      this.spelt(fact, meaning, bare, put);
      return;
    }
    const [, amount = '', unit] = /^(.*?)\s?(%|[kKM])$/.exec(typed) ?? [];
    const kind = isCount(meaning) ? 'count' : 'number';
    if (unit === '%') {
      const share = readNumber(amount, 'number');
      if (meaning === 'samplingProbability' && typeof share === 'number') {
        const part = Number((share / 100).toPrecision(15));
        put(part, String(part));
      } else put(undefined, typed);
      return;
    }
    const factor = unit === undefined ? 1 : unit === 'M' ? 1e6 : 1e3;
    const read = readNumber(unit === undefined ? typed : amount, kind);
    if (typeof read === 'number') {
      const value = Math.round(read * factor * 1e9) / 1e9;
      put(factor === 1 ? read : value, factor === 1 ? typed : String(value));
    } else if (read && factor === 1) {
      const chosen = this.ask(
        `at ${fact.from}`,
        `${this.quoted(fact)}: what does “${typed}” mean?`,
        read.readings.map(shown),
      );
      if (chosen === 'open') this.open.add(meaning);
      const text = typeof chosen === 'number' ? read.readings[chosen] : undefined;
      const value = text === undefined ? undefined : readNumber(text, 'number');
      if (text !== undefined && typeof value === 'number') put(value, text);
    } else put(undefined, typed);
  }

  // --- formulas

  private readonly visiting = new Set<string>();

  /** The one value of a name that the text sets, or of a length that it knows. */
  private readonly known = (tree: Tree): number | undefined => {
    if (tree.kind !== 'name' && tree.kind !== 'length') return undefined;
    const key = `${tree.kind} ${tree.name}`;
    if (this.visiting.has(key)) return undefined;
    this.visiting.add(key);
    const value = tree.kind === 'length' ? this.lengthOf(tree.name) : this.named(tree.name);
    this.visiting.delete(key);
    return value;
  };

  private named(name: string): number | undefined {
    const last = name.split('.').at(-1) ?? '';
    const direct = this.facts.filter(({ path }) => path.at(-1) === last);
    const values = new Set(
      direct
        .filter(({ value, doubt }) => value.kind !== 'nothing' || doubt === undefined)
        .map(({ value, doubt }) =>
          doubt === undefined || doubt.startsWith('uncalled:') ? this.numberOf(value) : undefined,
        ),
    );
    if (direct.length > 0) return values.size === 1 ? [...values][0] : undefined;
    const meaning = meaningNamed(last);
    return meaning && this.ofMeaning(meaning);
  }

  private ofMeaning(meaning: Meaning): number | undefined {
    const found = this.said.filter((one) => one.meaning === meaning);
    const values = new Set(
      found
        .map(({ fact, value }) => value ?? this.numberOf(fact.value))
        .filter((one) => one !== undefined),
    );
    return values.size === 1 ? [...values][0] : undefined;
  }

  private numberOf(value: ValueRead): number | undefined {
    if (value.kind === 'number') return value.value;
    if (value.kind === 'text') {
      const read = readNumber(value.text, 'number');
      return typeof read === 'number' ? read : undefined;
    }
    return isFormula(value) && value.tree ? evaluate(value.tree, this.known) : undefined;
  }

  /** The records of a training set, or the batches of its loader. */
  private lengthOf(name: string): number | undefined {
    if (/test|val|eval|dev\b/i.test(name)) return undefined;
    const n = this.ofMeaning('datasetSize');
    if (!/loader|batches|_dl\b/i.test(name))
      return /train|data|ds\b|set\b|samples|records|examples|^[xX]/i.test(name) ? n : undefined;
    const b =
      this.ofMeaning('batchSize') ?? this.ofMeaning('deviceBatch') ?? this.ofMeaning('stepBatch');
    if (n === undefined || b === undefined || (this.ofMeaning('devices') ?? 1) !== 1)
      return undefined;
    return this.ofMeaning('dropLast') === 1 ? Math.floor(n / b) : Math.ceil(n / b);
  }

  private evaluateAll(): void {
    for (const one of this.said) {
      if (one.value !== undefined) continue;
      const value = this.numberOf(one.fact.value);
      // A quotient that is not whole is no count: programs cut it somewhere.
      if (value === undefined || (isCount(one.meaning) && !Number.isInteger(value))) continue;
      one.value = value;
      one.text = String(value);
    }
  }

  // --- one value for each meaning

  /** Values that stand for "no limit", and shares where a number of records would stand. */
  private dropUnset(): void {
    this.said = this.said.filter(({ fact, meaning, value, text }) => {
      if (value === undefined || isFlag(meaning)) return true;
      const { quote } = this.place(fact);
      const share = meaning === 'datasetSize' && value > 0 && value <= 1 && !/^1$/.test(text);
      const small = meaning === 'epsilon' && value < 1e-3;
      const unset =
        value < 0 || (value === 0 && meaning !== 'noiseMultiplier' && meaning !== 'delta');
      const whole = !isCount(meaning) || Number.isInteger(value);
      if (share) this.ignored.add(`${quote} (a share of the data)`);
      else if (small && value >= 0) this.ignored.add(`${quote} (an optimiser’s)`);
      else if (unset) this.ignored.add(`${quote} (no limit)`);
      else if (!whole)
        throw new NotARun(
          `${this.quoted(fact)}: ${meaningLabel(meaning).toLowerCase()} must be a whole number.`,
        );
      else return true;
      return false;
    });
  }

  /** Of a federated run the clients are the records; its batches and epochs are each client's own. */
  private federate(): void {
    const has = (meaning: Meaning) => this.said.some((one) => one.meaning === meaning);
    const [clients, perRound, rounds] = [has('clients'), has('clientsPerRound'), has('rounds')];
    const federated = perRound || (clients && rounds);
    const own: readonly Meaning[] = [
      'datasetSize',
      'batchSize',
      'stepBatch',
      'deviceBatch',
      'epochs',
      'steps',
      'stepsPerEpoch',
      'accumulationSteps',
      'devices',
      'dropLast',
    ];
    const as: Partial<Record<Meaning, Meaning>> = {
      clients: 'datasetSize',
      clientsPerRound: 'batchSize',
      rounds: 'steps',
    };
    if (federated)
      this.said = this.said.filter(({ fact, meaning }) => {
        if (own.includes(meaning))
          this.ignored.add(`${this.place(fact).quote} (each client’s own)`);
        return !own.includes(meaning);
      });
    for (const one of this.said) {
      if (federated || one.meaning === 'rounds') one.meaning = as[one.meaning] ?? one.meaning;
      else if (one.meaning === 'clients')
        this.danger(one.fact, 'it is not clear who the clients are');
    }
    this.said = this.said.filter(({ meaning }) => meaning !== 'clients');
  }

  /** All that is set in one function that the text does not call is what the text is about. */
  private trustOneFunction(): void {
    const doubts = new Set(
      this.said
        .filter(({ meaning }) => meaning !== 'delta' && meaning !== 'epsilon')
        .map(({ doubt }) => doubt),
    );
    for (const one of this.said) {
      if (!one.doubt?.startsWith('uncalled:')) continue;
      one.doubt =
        doubts.size === 1
          ? undefined
          : `it stands in ${one.doubt.slice(9)}(), which the text does not call`;
    }
  }

  private settle(meaning: Meaning): void {
    const all = this.said.filter((one) => one.meaning === meaning);
    const numbers = all.filter(({ value }) => value !== undefined);
    const formulas = all.filter(({ value }) => value === undefined);
    const distinct = numbers.filter(
      ({ value }, at) => numbers.findIndex((one) => one.value === value) === at,
    );
    if (meaning === 'epsilon' && distinct.length > 1) {
      for (const { fact } of distinct)
        this.ignored.add(`${this.place(fact).quote} (one epsilon of several)`);
      return;
    }
    const sure = distinct.filter(({ value }) =>
      numbers.some((one) => one.value === value && one.doubt === undefined),
    );
    const [only] = distinct;
    const needed = meaning !== 'epsilon' && meaning !== 'steps' && meaning !== 'stepsPerEpoch';
    const unknown = needed ? formulas : [];
    if (!only) {
      this.unknown.push(...formulas);
      return;
    }
    if (
      meaning === 'epsilon' ||
      (distinct.length === 1 && sure.length === 1 && unknown.length === 0)
    ) {
      this.take(only);
      this.unknown.push(...formulas);
      return;
    }
    const others = unknown.map(({ fact }) => `${this.quoted(fact)} was not read`);
    const why =
      distinct.length > 1
        ? 'is given more than once'
        : (others[0] ?? `is in doubt: ${only.doubt ?? ''}`);
    const readings = distinct.map(
      ({ fact, text, doubt }) =>
        `${isFlag(meaning) ? (yes[Number(text)] ?? text) : shown(text)} (${this.quoted(fact)}${doubt === undefined || distinct.length === 1 ? '' : `; ${doubt}`})`,
    );
    const chosen = this.ask(
      meaning,
      `${meaningLabel(meaning)} ${why}. Which one is the run’s?`,
      readings,
    );
    if (chosen === 'open') this.open.add(meaning);
    const one = typeof chosen === 'number' ? distinct[chosen] : undefined;
    if (one) this.take(one);
  }

  private readonly unknown: Said[] = [];

  private take({ fact, meaning, text }: Said): void {
    this.values[meaning] = text;
    const role = this.said.some((one) => one.meaning === 'noiseMultiplier')
      ? 'Reported epsilon'
      : 'Epsilon to be met';
    const means = meaning === 'epsilon' ? `${role} ${shown(text)}` : meansText(meaning, text);
    this.understood.push({ ...this.place(fact), field: meaning, means, meaning });
  }

  private value(meaning: Meaning): number {
    return parseNumber(this.values[meaning] ?? '') ?? NaN;
  }

  /** Takes a value out again, which others make superfluous. */
  private idle(meaning: Meaning, why: string): void {
    if (this.values[meaning] === undefined) return;
    this.values[meaning] = undefined;
    for (const one of this.understood.filter((each) => each.meaning === meaning))
      this.ignored.add(`${one.quote} (${why})`);
    this.understood.splice(
      0,
      Infinity,
      ...this.understood.filter((one) => one.meaning !== meaning),
    );
  }

  // --- what belongs together

  /** What the number of microbatches means, once the batch is known. */
  private settleMicrobatches(): void {
    const count = this.value('microbatches');
    if (Number.isNaN(count)) return;
    const batch = [this.value('batchSize'), this.value('stepBatch')].find(
      (one) => !Number.isNaN(one),
    );
    const [said] = this.said.filter(({ meaning }) => meaning === 'microbatches');
    if (batch === undefined && said)
      this.danger(
        said.fact,
        'microbatches of several records halve the noise multiplier, and the batch is not known',
      );
    else if (batch !== count) this.values.microbatching = '1';
    if (batch === count) this.idle('microbatches', 'each has one record');
    if (batch === undefined) this.idle('microbatches', 'the batch is not known');
  }

  private settleBatch(): void {
    const has = (meaning: Meaning) => this.values[meaning] !== undefined;
    const [accumulation, devices] = [
      this.value('accumulationSteps') || 1,
      this.value('devices') || 1,
    ];
    const step = this.value('stepBatch');
    if (
      has('deviceBatch') &&
      has('batchSize') &&
      this.value('deviceBatch') !== this.value('batchSize')
    ) {
      this.choose('batchSize', 'deviceBatch', 'A batch’s size');
    }
    const isDevice = has('deviceBatch');
    if (isDevice) {
      this.idle('batchSize', 'it is the device’s');
      this.rename('deviceBatch', 'batchSize');
    }
    const device = this.value('batchSize');
    if (has('stepBatch') && has('batchSize')) {
      // Hugging Face calls a batch of all devices, before accumulation, train_batch_size.
      const makes = [
        device,
        device * devices,
        device * accumulation,
        device * devices * accumulation,
      ];
      if (step === device * devices * accumulation || (isDevice && step === device * devices))
        this.idle('stepBatch', 'it follows from the others');
      else if (
        !has('devices') &&
        !has('accumulationSteps') &&
        Number.isInteger(step / device) &&
        !makes.includes(step)
      ) {
        this.idle('batchSize', 'a part of the step’s batch');
        this.rename('stepBatch', 'batchSize');
      } else this.choose('stepBatch', 'batchSize', 'A step’s batch');
    }
    if (has('stepBatch') && !has('batchSize')) {
      const named = this.said.find(({ meaning }) => meaning === 'stepBatch');
      const factor = accumulation * devices;
      // Programs disagree on what this name means.
      const unclear = factor !== 1 && /train_batch_size/i.test(ownName(named?.fact.path ?? []));
      if (unclear && this.whole(step, factor, 'batch')) {
        this.rename('stepBatch', 'batchSize');
        return;
      }
      this.rename('stepBatch', 'batchSize');
      for (const meaning of ['accumulationSteps', 'devices'] as const)
        this.idle(meaning, 'it is in the step’s batch');
      return;
    }
    if (!has('batchSize') || isDevice) return;
    // Papers state the batch of a step; programs that of a device.
    const inWords =
      this.reading.source === 'a description in words' || this.reading.source.endsWith(' table');
    const factor = devices * (inWords ? accumulation : 1);
    if (factor > 1 && !this.whole(device, factor, 'batch'))
      for (const meaning of inWords
        ? (['accumulationSteps', 'devices'] as const)
        : (['devices'] as const))
        this.idle(meaning, 'it is in the step’s batch');
  }

  /** Asks whether a batch is a device's, to be multiplied; while that is open, there is no batch. */
  private whole(batch: number, factor: number, id: string): boolean {
    const chosen = this.ask(
      id,
      `Is the batch of ${given(batch)} that of a whole step, or is it multiplied by ${given(factor)}?`,
      [`${given(batch)} in a step`, `${given(batch * factor)} in a step`],
    );
    if (chosen === 'open') {
      this.open.add('batchSize');
      this.idle('batchSize', 'see the question');
    }
    return chosen === 1;
  }

  private rename(from: Meaning, to: Meaning): void {
    const text = this.values[from];
    if (text === undefined) return;
    this.values[from] = undefined;
    this.values[to] = text;
    for (const one of this.understood)
      if (one.meaning === from) {
        one.meaning = to;
        one.field = to;
      }
  }

  /** Two values that do not fit each other: one of them goes. */
  private choose(a: Meaning, b: Meaning, what: string): void {
    const words = (meaning: Meaning) =>
      this.understood.find((one) => one.meaning === meaning)?.means ?? meaningLabel(meaning);
    const chosen = this.ask(
      `${a} or ${b}`,
      `${what} is given by two numbers that do not fit each other. Which one is the run’s?`,
      [words(a), words(b)],
    );
    const gone = chosen === 0 ? [b] : chosen === 1 ? [a] : [a, b];
    for (const meaning of gone) {
      this.idle(meaning, 'it does not fit the other');
      if (chosen === 'open') this.open.add(meaning);
    }
  }

  /** Values that are stated twice, in different words, must agree. */
  private settleSchedule(): void {
    const has = (meaning: Meaning) => this.values[meaning] !== undefined;
    if (
      has('steps') &&
      has('epochs') &&
      this.said.some(({ fact }) => snakeName(ownName(fact.path)) === 'num_train_epochs')
    )
      this.idle('epochs', 'the steps overrule it');
    const factor = (this.value('accumulationSteps') || 1) * (this.value('devices') || 1);
    const [n, step, q] = [
      this.value('datasetSize'),
      this.value('batchSize') * factor,
      this.value('samplingProbability'),
    ];
    const share = step / n;
    if (has('samplingProbability') && !Number.isNaN(share)) {
      const digits = /^\d*\.?(\d*)(?:e([+-]?\d+))?$/i.exec(this.values.samplingProbability ?? '');
      const rounding = digits
        ? 0.51 * 10 ** (Number(digits[2] ?? 0) - (digits[1] ?? '').length)
        : 0;
      const exact = Math.abs(q - share) <= 1e-9 * share;
      const near =
        Math.abs(q - share) <= Math.max(rounding, 1e-6 * share) &&
        Math.abs(q - share) <= 0.05 * share;
      const perEpoch = [Math.ceil(n / step), Math.floor(n / step)].some(
        (batches) => Math.abs(q * batches - 1) < 1e-9,
      );
      if (!exact && (near || perEpoch))
        this.idle('samplingProbability', 'it follows from the sizes');
      else if (!exact)
        this.choose('samplingProbability', 'batchSize', 'The share of the data in a batch');
    } else if (has('samplingProbability') && has('batchSize') && !has('datasetSize'))
      this.idle('batchSize', 'the sampling probability decides');
    // Where a rate is given there are no batches to be multiplied, or left short.
    if (!has('batchSize') && (has('samplingProbability') || has('stepsPerEpoch')))
      for (const meaning of ['accumulationSteps', 'devices', 'dropLast'] as const)
        this.idle(meaning, 'no batch size is used');
    const rate = has('batchSize') && !Number.isNaN(share) ? share : q;
    if (has('stepsPerEpoch') && !Number.isNaN(rate)) {
      const given = this.value('stepsPerEpoch');
      if (given < Math.floor(1 / rate - 1e-9) || given > Math.ceil(1 / rate - 1e-9))
        this.choose(
          'stepsPerEpoch',
          has('batchSize') ? 'batchSize' : 'samplingProbability',
          'The length of an epoch',
        );
    }
    const per = has('stepsPerEpoch') ? 1 / this.value('stepsPerEpoch') : rate;
    if (has('steps') && has('epochs') && !Number.isNaN(per)) {
      const [epochs, steps] = [this.value('epochs'), this.value('steps')];
      const [least, most] = [
        Math.floor(1 / per + 1e-9) * epochs,
        Math.ceil(1 / per - 1e-9) * epochs,
      ];
      // Programs cut the product of epochs and batches to a whole number.
      if (steps < least || steps > most) this.choose('steps', 'epochs', 'The length of the run');
    }
  }

  /** Bands beside a cap: each group of records has its own truncated steps. */
  private settleBands(): void {
    const [bands, cap] = [this.value('bands'), this.values.maxBatchSize];
    if (bands === 1) this.idle('bands', 'a single band is none');
    if (!(bands > 1) || cap === undefined) return;
    const [n, steps, q, b] = (
      ['datasetSize', 'steps', 'samplingProbability', 'batchSize'] as const
    ).map((one) => this.value(one));
    const whole = n !== undefined && n % bands === 0;
    if (
      n === undefined ||
      Number.isNaN(n) ||
      steps === undefined ||
      Number.isNaN(steps) ||
      (Number.isNaN(q) && (Number.isNaN(b) || !whole))
    )
      throw new NotARun(
        'Bands beside a maximum batch size need the dataset size, the number of steps and the sampling probability of a group.',
      );
    const [group, rounds] = [Math.ceil(n / bands), Math.ceil(steps / bands)];
    this.idle('epochs', 'the steps decide');
    this.values.datasetSize = String(group);
    this.values.steps = String(rounds);
    delete this.values.bands;
    for (const one of this.understood)
      if (one.meaning === 'bands')
        one.means = `Bands ${bands}: accounted for as ${given(rounds)} steps among a group’s ${given(group)} records`;
  }

  private missing(): ImportedRun['missing'] {
    const lacks = (field: ReadPhaseNumber) => {
      const reason = this.unknown.find(({ meaning }) => meaning === field);
      const why = reason ? `: ${this.quoted(reason.fact)} is not a number that the text gives` : '';
      return { field, words: `${meaningLabel(field).toLowerCase()}${why}` };
    };
    const has = (meaning: Meaning) => this.values[meaning] !== undefined;
    const need: ReadPhaseNumber[] = [];
    const rate =
      has('samplingProbability') ||
      has('stepsPerEpoch') ||
      (has('datasetSize') && has('batchSize'));
    if (!rate) {
      if (has('steps') && !has('datasetSize') && !has('batchSize'))
        need.push('samplingProbability');
      else need.push(...(['datasetSize', 'batchSize'] as const).filter((name) => !has(name)));
    }
    if (!has('epochs') && !has('steps')) need.push(has('samplingProbability') ? 'steps' : 'epochs');
    if (!has('noiseMultiplier') && !has('epsilon')) need.push('noiseMultiplier');
    return need.filter((field) => !this.open.has(field)).map(lacks);
  }

  // --- the run

  private halveNoise(): void {
    if (this.values.microbatching === undefined) return;
    const halves = this.values.microbatching === '1';
    if (halves && this.values.noiseMultiplier !== undefined) {
      const half = this.value('noiseMultiplier') / 2;
      this.values.noiseMultiplier = String(half);
      for (const one of this.understood)
        if (one.meaning === 'noiseMultiplier')
          one.means += `, which microbatches halve to ${given(half)}`;
    } else if (!halves) this.idle('microbatching', 'each record is clipped alone');
  }

  /** The values of the one phase that most texts describe. */
  private plainPhase(): ImportedPhase {
    const all: Meaning[] = [...new Set(this.said.map(({ meaning }) => meaning))];
    for (const meaning of all) this.settle(meaning);
    this.settleMicrobatches();
    this.settleBatch();
    this.settleSchedule();
    this.settleBands();
    this.halveNoise();
    const numbers = Object.fromEntries(
      readPhaseNumbers.flatMap((name) =>
        this.values[name] === undefined ? [] : [[name, this.values[name]]],
      ),
    );
    const flags = readPhaseFlags.filter((flag) => this.values[flag] === '1');
    return { kind: 'phase', mechanism: this.mechanism, numbers, flags };
  }

  /** Beside a history or an event only delta counts: the others describe it, or are another run's. */
  private beside(what: string): void {
    for (const { fact, meaning } of this.said)
      if (!['delta', 'epsilon', 'microbatching'].includes(meaning))
        this.ignored.add(`${this.place(fact).quote} (${what} decides)`);
    this.settle('delta');
    this.settle('epsilon');
    for (const one of this.said)
      if (one.meaning === 'microbatching' && one.value === 1)
        this.danger(one.fact, `whether ${what} counts microbatches is not clear`);
  }

  private historyPhases(): ImportedPhase[] {
    const { history } = this.reading;
    if (!history) return [];
    const rows = history.rows.length > mostPhases ? lumped(history.rows) : history.rows;
    const entries = rows.map(([sigma, q, steps]): ImportedPhase => ({
      ...{ kind: 'phase', mechanism: 'gaussian', flags: [] },
      numbers: {
        noiseMultiplier: String(sigma),
        samplingProbability: String(q),
        steps: String(steps),
      },
    }));
    const place = this.place(history);
    const add = (means: string) =>
      this.understood.push({ ...place, field: 'history', means, meaning: undefined });
    if (rows === history.rows) for (const entry of entries.slice(0, 20)) add(phaseText(entry));
    else
      add(
        `${given(history.rows.length)} unlike rows, taken together by neighbours as ${given(rows.length)} phases of the least noise and the greatest sampling probability of each group: no less is revealed`,
      );
    if (rows === history.rows && rows.length > 20)
      add(`And ${given(rows.length - 20)} more phases`);
    return entries;
  }

  build(): ImportedRun | NoRun {
    try {
      return this.run();
    } catch (error) {
      if (error instanceof NotARun || error instanceof UnreadableEvent)
        return { wrong: [error.message] };
      throw error;
    }
  }

  private run(): ImportedRun {
    const { reading } = this;
    if (reading.refused !== undefined) throw new NotARun(reading.refused);
    for (const one of reading.sampling ?? []) this.sampling.add(one);
    this.chooseRun();
    this.sort();
    this.evaluateAll();
    this.dropUnset();
    this.federate();
    this.trustOneFunction();
    let entries: readonly ImportedEntry[] = this.historyPhases();
    let tuning: ImportedRun['tuning'];
    if (reading.events?.length) {
      const event = readEvents(reading.events, (value) => this.numberOf(value));
      ({ entries, tuning } = event);
      for (const name of event.sampling) this.sampling.add(name);
      for (const name of event.aside) this.ignored.add(name);
      for (const entry of entries)
        this.understood.push({
          ...this.place(event),
          field: 'event',
          means:
            entry.kind === 'phase'
              ? phaseText(entry)
              : `Another release: ${Object.entries(entry.numbers)
                  .map(([name, value]) => `${name} ${shown(value)}`)
                  .join(', ')}`,
          meaning: undefined,
        });
      if (tuning)
        this.understood.push({
          ...this.place(event),
          field: 'tuning',
          means: `The best of ${shown(tuning.runs)} runs on average, ${tuning.tuning}`,
          meaning: undefined,
        });
    }
    const whole = entries.length > 0;
    if (whole) this.beside(reading.history ? 'the history' : 'the event');
    else entries = [this.plainPhase()];
    for (const passage of reading.unread ?? [])
      this.danger(passage, passage.why ?? 'it was not understood');
    for (const passage of reading.aside ?? []) this.ignored.add(this.place(passage).quote);
    const missing = whole ? [] : this.missing();
    for (const { fact, meaning, text } of this.unknown)
      if (
        meaning !== 'epsilon' &&
        !missing.some(({ field }) => field === meaning) &&
        (meaning === 'delta' || this.values[meaning] === undefined) &&
        this.values.epochs === undefined
      )
        this.danger(
          fact,
          `${meaningLabel(meaning).toLowerCase()} is “${text}”, which the text gives no number for`,
        );
      else if (meaning !== 'epsilon') this.ignored.add(`${this.place(fact).quote} (not computed)`);
    const { delta, epsilon } = this.values;
    const [first] = entries.filter((entry) => entry.kind === 'phase');
    const aims = epsilon !== undefined && first?.numbers.noiseMultiplier === undefined;
    return {
      source: reading.source,
      entries,
      facts: this.understood
        .map(({ meaning: _meaning, ...one }) => one)
        .sort((a, b) => a.line - b.line || a.column - b.column),
      ...{ delta, epsilon, aims, tuning, missing },
      ambiguous: this.ambiguous,
      ignored: [...this.ignored],
      dangerous: this.dangerous,
      sampling: [...this.sampling],
    };
  }
}

/** A question from what a reader found, and what is missing, ambiguous, ignored and dangerous about it. */
export const runFrom = (text: string, reading: Reading, choices: Choices): ImportedRun | NoRun =>
  new Builder(text, reading, choices).build();
