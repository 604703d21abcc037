import { parseNumber, readNumber } from '../words/number-forms.js';
import { format } from '../words/numbers.js';
import { doubtRepeated, evaluate } from './facts.js';
import type { Fact, Passage, Reading, HistoryRow, Tree, ValueRead } from './facts.js';
import { UnreadableEvent, readEvents } from './events.js';
import {
  doubtOf,
  isAside,
  isCommonWord,
  isCount,
  isFlag,
  meaningLabel,
  meaningNamed,
  meaningAt,
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
const meansText = (meaning: Meaning, text: string): string =>
  isFlag(meaning)
    ? `${meaningLabel(meaning)}: ${yes[Number(text === '1')]}`
    : `${meaningLabel(meaning)} ${shown(text)}`;
function entryText(entry: ImportedEntry): string {
  if (entry.kind === 'phase') return phaseText(entry);
  const means = Object.entries(entry.numbers).map(([name, value]) => `${name} ${shown(value)}`);
  return `Another release: ${means.join(', ')}`;
}

/** All that is known of a phase, in words. */
function phaseText({ mechanism, numbers, flags }: ImportedPhase): string {
  const parts = Object.entries(numbers).map(([name, value]) =>
    meansText(name as ReadPhaseNumber, value).toLowerCase(),
  );
  const set = flags.map((flag) => meaningLabel(flag).toLowerCase());
  return `A phase: ${[...(mechanism === 'laplace' ? ['Laplace noise'] : []), ...parts, ...set].join(', ')}`;
}

/** The value that all have; undefined where they differ, or one has none. */
const onlyOne = (values: readonly (number | undefined)[]): number | undefined =>
  new Set(values).size === 1 ? values[0] : undefined;

/** The most rows of a history that the engine takes as phases of their own. */
const mostPhases = 900;

/** Neighbouring rows made one, with the least noise and the greatest share of the data: it reveals no less. */
function lumped(rows: readonly HistoryRow[]): HistoryRow[] {
  const size = Math.ceil(rows.length / mostPhases);
  return Array.from({ length: Math.ceil(rows.length / size) }, (_, group) =>
    rows
      .slice(group * size, (group + 1) * size)
      .reduce(([sigma, q, steps], row) => [
        Math.min(sigma, row[0]),
        Math.max(q, row[1]),
        steps + row[2],
      ]),
  );
}

const federatedOwn: readonly Meaning[] = [
  ...(['datasetSize', 'batchSize', 'stepBatch', 'deviceBatch', 'epochs', 'steps'] as const),
  ...(['stepsPerEpoch', 'accumulationSteps', 'devices', 'dropLast'] as const),
];
const ofClients: Partial<Record<Meaning, Meaning>> = {
  ...{ clients: 'datasetSize', clientsPerRound: 'batchSize', rounds: 'steps' },
};
const factors = ['accumulationSteps', 'devices'] as const;

/** Loops and checkpoints count with these names: without a value they say nothing. */
const counters = /^_?(epoch|ep|step|iteration|it|iter|update)$/;
const saysPrivate =
  /^((use|enable|with)_)?(dp|dp_?sgd|privacy|private|differential_privacy|differentially_private)(_enabled)?$/;

const beyond: readonly { words: RegExp; why: string; told: readonly Meaning[] }[] = [
  {
    words:
      /\bDP[-_ ]?FTRL|\btree[- _]?aggregation|\bPATE\b|\bmatrix[- _](?:factori[sz]ation|mechanism)|\bband(?:ed|MF)|\bdiscrete[- _]gaussian|\bskellam|\blocal(?:ly)? (?:differential|DP\b)|\bLDP\b|\brandomi[sz]ed response|\badaptive(?:ly)? clip\w*/i,
    why: 'a run of this kind has noise that was not read',
    told: ['bands', 'countNoise'],
  },
  {
    words:
      /\w*DistributedDataParallel|\bDistributedSampler|\binit_process_group|\bDataParallel\b|#SBATCH.*(?:gpu|ntasks).*/i,
    why: 'the batches of several devices are one step’s, and their number was not read',
    told: ['devices'],
  },
  {
    words: /\bper[- _](?:gpu|device|worker|node|replica)s?\b/i,
    why: 'the batches of several devices are one step’s, and their number was not read',
    told: ['devices', 'deviceBatch'],
  },
  {
    words: /\breplace[-_ ](?:one|a record)|\bsubstitut\w+|\bbounded (?:DP|differential)/i,
    why: 'which datasets are neighbours is for you to choose',
    told: [],
  },
  {
    words: /gradient accumulation|accumulat\w+ gradients?/i,
    why: 'several batches are one step’s, and their number was not read',
    told: ['accumulationSteps'],
  },
];

class Builder {
  private readonly text: string;
  private readonly reading: Reading;
  private readonly choices: Choices;
  private readonly starts: number[] = [0];
  /** The one value of each meaning that has one, with what is shown of it. */
  private readonly taken = new Map<Meaning, Said & { means: string }>();
  private readonly more: Understood[] = [];
  private readonly ambiguous: Ambiguity[] = [];
  private readonly ignored = new Set<string>();
  private readonly dangerous = new Map<string, TextPlace & { why: string }>();
  private readonly sampling: Set<string>;
  /** What is asked about, and so not missing. */
  private readonly open = new Set<Meaning>();
  private readonly unknown: Said[] = [];
  private readonly visiting = new Set<string>();
  private facts: readonly Fact[] = [];
  private said: Said[] = [];
  private mechanism: ImportedPhase['mechanism'] = 'gaussian';

  constructor(text: string, reading: Reading, choices: Choices) {
    this.text = text;
    this.reading = reading;
    this.choices = choices;
    this.sampling = new Set(reading.sampling);
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1))
      this.starts.push(at + 1);
  }

  private place({ from: start, to }: Passage): TextPlace {
    const from = /^["']$/.test(this.text[start - 1] ?? '') ? start - 1 : start;
    let [low, high] = [0, this.starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.starts[middle] ?? 0) <= from) low = middle;
      else high = middle;
    }
    const words = this.text
      .slice(from, Math.min(to, from + 200))
      .replace(/\s+/g, ' ')
      .trim();
    const quote = words.length > 100 ? `${words.slice(0, 99)}…` : words;
    return { quote, line: low + 1, column: from - (this.starts[low] ?? 0) + 1 };
  }

  private quoted(passage: Passage): string {
    const { quote, line } = this.place(passage);
    return this.starts.length > 1 ? `“${quote}” in line ${line}` : `“${quote}”`;
  }

  private ignore(passage: Passage, why: string): void {
    this.ignored.add(`${this.place(passage).quote} (${why})`);
  }

  private danger(passage: Passage, why: string): void {
    const place = this.place(passage);
    const key = `${place.line} ${place.column} ${place.quote}`;
    if (!this.dangerous.has(key)) this.dangerous.set(key, { ...place, why });
  }

  /** Asks, unless it was decided: then the number of the reading, undefined for none of them. */
  private ask(
    id: string,
    ask: string,
    readings: readonly string[],
    about: readonly Meaning[] = [],
  ): number | 'open' | undefined {
    const chosen = this.choices[id];
    if (chosen !== undefined) return chosen < readings.length ? chosen : undefined;
    this.ambiguous.push({ id, ask, readings });
    for (const meaning of about) this.open.add(meaning);
    return 'open';
  }

  // --- from facts to what they say

  private chooseRun(): void {
    const { runs = [], facts } = this.reading;
    this.facts = facts;
    if (runs.length === 0) return;
    if (runs.length > 24)
      throw new NotARun(`The text holds ${runs.length} runs: keep the one that is meant.`);
    const ask = `The text holds ${runs.length} runs. Which one is meant?`;
    const chosen = this.ask(
      'run',
      ask,
      runs.map(({ words }) => words),
    );
    if (typeof chosen === 'number') this.facts = [...facts, ...(runs[chosen]?.facts ?? [])];
  }

  /** Facts under stage1 and stage2 are a part's each. */
  private doubtStages(): void {
    const stages = new Map<string, Map<string, Fact[]>>();
    for (const fact of this.facts)
      for (const part of fact.path.slice(0, -1)) {
        const [, stem] =
          /^(.*(?:stage|phase|part|round|task|run|period|exp\w*)[_ -]?)\d+$/i.exec(part) ?? [];
        if (stem === undefined) continue;
        const of = stages.get(stem) ?? new Map<string, Fact[]>();
        stages.set(stem, of.set(part, [...(of.get(part) ?? []), fact]));
      }
    for (const parts of stages.values()) doubtRepeated([...parts.values()]);
  }

  /** Sorts facts: those with a meaning are said, others may matter or have no bearing. */
  private sort(): void {
    for (const fact of this.facts) {
      const meaning = fact.meaning ?? meaningAt(fact.path);
      if (/^(nothing|record|call)$/.test(fact.value.kind)) continue;
      if (fact.meaning === undefined && ownName(fact.path) === 'T') this.letterT(fact);
      else if (!meaning) this.other(fact);
      else if (!fact.meaning && isAside(fact.path, meaning))
        this.ignored.add(`${fact.path.join('.')} (of something else)`);
      else
        for (const value of fact.value.kind === 'list' ? fact.value.items : [fact.value])
          this.say(fact, meaning, value);
    }
  }

  /** A letter that papers use for two things. */
  private letterT(fact: Fact): void {
    const value = this.numberOf(fact.value);
    if (value === undefined || !Number.isInteger(value)) return;
    const readings = [`${given(value)} steps of the run`, `${given(value)} steps of an epoch`];
    const chosen = this.ask(
      `at ${fact.from}`,
      `${this.quoted(fact)} may mean two things. Which one?`,
      readings,
      ['steps'],
    );
    const meaning = chosen === 0 ? 'steps' : chosen === 1 ? 'stepsPerEpoch' : undefined;
    if (meaning) this.said.push({ fact, meaning, value, text: String(value), doubt: undefined });
  }

  /** A fact whose name stands for no field. */
  private other(fact: Fact): void {
    const { value, path } = fact;
    const [role, name, own] = [roleOf(path), path.join('.'), snakeName(ownName(path))];
    // dp: false, and enabled: false under dp.
    const about = snakeName(
      path.findLast((one) => !/^(is_?)?(enabled?|use|active)$/i.test(one)) ?? '',
    );
    const formula = value.kind === 'formula';
    const words = 'text' in value ? value.text : '';
    const wordy =
      value.kind === 'text' &&
      /\d.*\s|\s.*\d/.test(words) &&
      /epoch|sigma|noise|batch|step|round|delta/i.test(words);
    const idleAtOne =
      /gpu|tpu|node|world|device|replica|accum|repeat|restart|trial|group|runs|folds/.test(own);
    const off =
      value.kind === 'flag'
        ? !value.value && !/noise|sigma/.test(own)
        : /^0(\.0)?$/.test(words) || (idleAtOne && /^1(\.0)?$/.test(words));
    if (role === 'sampling') {
      if (!formula) this.sampling.add(this.place(fact).quote);
    } else if (/^(non-?private|no-?(dp|privacy))\b/i.test(words))
      this.danger(fact, 'it says that nothing was private');
    else if (saysPrivate.test(about) && value.kind === 'flag' && !value.value)
      this.danger(fact, 'it says that nothing was private');
    else if (wordy && this.reading.source !== 'Python')
      this.danger(fact, 'its words were not read');
    else if (formula && (role !== 'weighty' || !/noise|sigma|micro|trunc|band/i.test(name))) return; // A program's variable is no setting.
    else if (
      role !== 'weighty' ||
      off ||
      saysPrivate.test(about) ||
      (value.kind === 'text' && !/\d/.test(words))
    )
      this.ignored.add(name);
    else this.danger(fact, 'no field stands for it');
  }

  private say(fact: Fact, meaning: Meaning, value: ValueRead): void {
    const put = (number: number | undefined, typed: string) => {
      // 0x100 is no number that a form takes.
      const plain = number === undefined || parseNumber(typed) === number ? typed : String(number);
      this.said.push({ fact: { ...fact, value }, meaning, value: number, text: plain, doubt });
    };
    const doubt = fact.doubt ?? (fact.meaning ? undefined : doubtOf(fact.path));
    const text = value.kind === 'text' ? value.text : '';
    if (value.kind === 'nothing') return;
    if (meaning === 'mechanism') this.mechanismSaid(fact, text.toLowerCase());
    else if (isFlag(meaning)) {
      const set =
        value.kind === 'flag'
          ? value.value
          : value.kind === 'number'
            ? value.value !== 0
            : undefined;
      const flag = set ?? (/^(true|false)$/i.test(text) ? /true/i.test(text) : undefined);
      if (flag !== undefined) put(Number(flag), String(Number(flag)));
      else if (value.kind !== 'formula') this.danger(fact, 'it is neither yes nor no');
    } else if (value.kind === 'flag') {
      if (value.value)
        this.danger(fact, `${meaningLabel(meaning).toLowerCase()} should be a number`);
    } else if (value.kind === 'number') put(value.value, value.text);
    else if (value.kind === 'text') this.spelt(fact, meaning, text, put);
    else if (value.kind === 'formula') {
      // What programs call a batch or a step in passing is no setting; nor is a value handed on.
      const { tree } = value;
      const handedOn =
        tree?.kind === 'name' && meaningNamed(tree.name.split('.').at(-1) ?? '') === meaning;
      const counts = tree !== undefined && tree.kind !== 'name';
      const reckoned = meaning === 'delta' && /\d/.test(value.text);
      const passing =
        !reckoned && isCommonWord(ownName(fact.path)) && fact.meaning === undefined && !counts;
      if (!handedOn && !passing) put(undefined, value.text);
    } else if (value.kind === 'list') this.danger(fact, 'it has several values');
  }

  private mechanismSaid(fact: Fact, word: string): void {
    const laplace = word.startsWith('lap');
    if (laplace) this.mechanism = 'laplace';
    const means = `${laplace ? 'Laplace' : 'Gaussian'} noise`;
    if (laplace || /^(gauss|normal)/.test(word))
      this.more.push({ ...this.place(fact), field: 'mechanism', means });
    else if (!/^(rdp|prv|gdp|pld|dp-?sgd|$)/.test(word))
      this.danger(fact, 'noise of this kind has no field');
  }

  /** A number as a person typed it, which may have more readings than one. */
  private spelt(
    fact: Fact,
    meaning: Meaning,
    typed: string,
    put: (value: number | undefined, text: string) => void,
  ): void {
    if (/^(auto|inf(inite)?)$/i.test(typed)) return;
    // A remark in brackets is none of the number, unless it has one of its own.
    const [, amount = '', unit = ''] =
      /^(.*?)\s?(%|[kKM]|)[,;]?$/.exec(typed.replace(/\s*\([^()\d]*\)$/, '')) ?? [];
    const factor = { '': 1, '%': 0.01, k: 1e3, K: 1e3, M: 1e6 }[unit] ?? NaN;
    const read =
      unit === '%' && meaning !== 'samplingProbability'
        ? undefined
        : readNumber(amount, unit === '' && isCount(meaning) ? 'count' : 'number');
    if (typeof read === 'number') {
      const value = factor === 1 ? read : Number((read * factor).toPrecision(15));
      put(value, factor === 1 ? amount : String(value));
    } else if (read && factor === 1) {
      const chosen = this.ask(
        `at ${fact.from}`,
        `${this.quoted(fact)}: what does “${amount}” mean?`,
        read.readings.map(shown),
        [meaning],
      );
      const text = typeof chosen === 'number' ? read.readings[chosen] : undefined;
      if (text !== undefined) put(parseNumber(text), text);
    } else put(undefined, typed);
  }

  // --- formulas

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
    const direct = this.facts.filter(
      ({ path, value }) => path.at(-1) === last && value.kind !== 'nothing',
    );
    const sure = (doubt: string | undefined) =>
      doubt === undefined || doubt.startsWith('uncalled:');
    if (direct.length > 0)
      return onlyOne(
        direct.map(({ value, doubt }) => (sure(doubt) ? this.numberOf(value) : undefined)),
      );
    const meaning = meaningNamed(last);
    return meaning && this.ofMeaning(meaning);
  }

  private ofMeaning(meaning: Meaning): number | undefined {
    const values = this.said
      .filter((one) => one.meaning === meaning)
      .map(({ fact, value }) => value ?? this.numberOf(fact.value));
    return onlyOne(values.filter((one) => one !== undefined));
  }

  private numberOf(value: ValueRead): number | undefined {
    if (value.kind === 'number') return value.value;
    const read = value.kind === 'text' ? readNumber(value.text, 'number') : undefined;
    if (typeof read === 'number') return read;
    return value.kind === 'formula' && value.tree ? evaluate(value.tree, this.known) : undefined;
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
      // Steps that a function computes say nothing that the epochs do not.
      if (one.value === undefined && one.meaning === 'steps' && one.doubt !== undefined) continue;
      const value = one.value ?? this.numberOf(one.fact.value);
      // A quotient that is not whole is no count: programs cut it somewhere.
      if (
        one.value !== undefined ||
        value === undefined ||
        (isCount(one.meaning) && !Number.isInteger(value))
      )
        continue;
      [one.value, one.text] = [value, String(value)];
    }
    this.said = this.said.filter(
      ({ value, fact }) => value !== undefined || !counters.test(fact.path.at(-1) ?? ''),
    );
  }

  // --- one value for each meaning

  /** Values that stand for "no limit", and shares where a number of records would stand. */
  private dropUnset(): void {
    this.said = this.said.filter(({ fact, meaning, value, text }) => {
      if (value === undefined || isFlag(meaning)) return true;
      const share = meaning === 'datasetSize' && value > 0 && value <= 1 && text !== '1';
      const unset =
        value < 0 || (value === 0 && meaning !== 'noiseMultiplier' && meaning !== 'delta');
      if (share) this.ignore(fact, 'a share of the data');
      else if (unset) this.ignore(fact, 'no limit');
      else if (meaning === 'epsilon' && value < 1e-3) this.ignore(fact, 'an optimiser’s');
      else if (isCount(meaning) && !Number.isInteger(value))
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
    const federated = has('clientsPerRound') || (has('clients') && has('rounds'));
    this.said = this.said.flatMap((one) => {
      const { fact, meaning } = one;
      if (federated && federatedOwn.includes(meaning)) this.ignore(fact, 'each client’s own');
      else if (!federated && meaning === 'clients')
        this.danger(fact, 'it is not clear who the clients are');
      else return [{ ...one, meaning: ofClients[meaning] ?? meaning }];
      return [];
    });
  }

  /** All that is set in one function that the text does not call is what the text is about. */
  private trustOneFunction(): void {
    const ofRun = this.said.filter(({ meaning }) => meaning !== 'delta' && meaning !== 'epsilon');
    const alone = new Set(ofRun.map(({ doubt }) => doubt)).size === 1;
    for (const one of this.said)
      if (one.doubt?.startsWith('uncalled:'))
        one.doubt = alone
          ? undefined
          : `it stands in ${one.doubt.slice(9)}(), which the text does not call`;
  }

  private settle(meaning: Meaning): void {
    const all = this.said.filter((one) => one.meaning === meaning);
    const numbers = all.filter(({ value }) => value !== undefined);
    const formulas = all.filter(({ value }) => value === undefined);
    const distinct = numbers.filter(
      ({ value }, at) => numbers.findIndex((one) => one.value === value) === at,
    );
    const [first] = distinct;
    if (!first) {
      this.unknown.push(...formulas);
      return;
    }
    if (meaning === 'epsilon') {
      // What is reported of several runs, or epochs, is none of the question.
      if (distinct.length === 1) this.take(first);
      else for (const { fact } of distinct) this.ignore(fact, 'one epsilon of several');
      return;
    }
    const sure = numbers.some(({ doubt }) => doubt === undefined);
    if (distinct.length === 1 && sure && formulas.length === 0) {
      this.take(first);
      return;
    }
    const [formula] = formulas;
    const why =
      distinct.length > 1
        ? 'is given more than once'
        : formula
          ? `: ${this.quoted(formula.fact)} was not read`
          : `is in doubt: ${first.doubt ?? ''}`;
    const readings = distinct.map(({ fact, text, doubt }) => {
      const words = isFlag(meaning) ? (yes[Number(text)] ?? text) : shown(text);
      return `${words} (${this.quoted(fact)}${doubt === undefined || distinct.length === 1 ? '' : `; ${doubt}`})`;
    });
    const chosen = this.ask(
      meaning,
      `${meaningLabel(meaning)} ${why}. Which one is the run’s?`.replace(' :', ':'),
      readings,
      [meaning],
    );
    const one = typeof chosen === 'number' ? distinct[chosen] : undefined;
    if (one) this.take(one);
  }

  private take(one: Said): void {
    const { meaning, text } = one;
    const role = this.said.some(({ meaning: other }) => other === 'noiseMultiplier')
      ? 'Reported epsilon'
      : 'Epsilon to be met';
    this.taken.set(meaning, {
      ...one,
      means: meaning === 'epsilon' ? `${role} ${shown(text)}` : meansText(meaning, text),
    });
  }

  private has(meaning: Meaning): boolean {
    return this.taken.has(meaning);
  }

  private value(meaning: Meaning): number {
    return parseNumber(this.taken.get(meaning)?.text ?? '') ?? NaN;
  }

  /** Takes values out again, which others make superfluous; without a reason, since they are asked about. */
  private idle(meanings: readonly Meaning[], why?: string): void {
    for (const meaning of meanings) {
      const one = this.taken.get(meaning);
      if (one && why !== undefined) this.ignore(one.fact, why);
      this.taken.delete(meaning);
    }
  }

  private rename(from: Meaning, to: Meaning): void {
    const one = this.taken.get(from);
    if (one) this.taken.set(to, { ...one, meaning: to });
    this.taken.delete(from);
  }

  private replace(meaning: Meaning, value: number, means: string): void {
    const one = this.taken.get(meaning);
    if (one) this.taken.set(meaning, { ...one, text: String(value), means });
  }

  // --- what belongs together

  /** Two values that do not fit each other: one of them goes. */
  private choose(a: Meaning, b: Meaning, what: string): void {
    const words = [a, b].map((meaning) => this.taken.get(meaning)?.means ?? meaningLabel(meaning));
    const ask = `${what} is given by two numbers that do not fit each other. Which one is the run’s?`;
    const chosen = this.ask(`${a} or ${b}`, ask, words, [a, b]);
    if (chosen === 'open') this.idle([a, b]);
    else this.idle(chosen === 0 ? [b] : chosen === 1 ? [a] : [a, b], 'it does not fit the other');
  }

  /** What the number of microbatches means, once the batch is known: those of several records count double. */
  private settleMicrobatches(): void {
    const count = this.taken.get('microbatches');
    const batch = this.value(this.has('stepBatch') ? 'stepBatch' : 'batchSize');
    if (count && this.value('microbatches') !== batch && Number.isNaN(batch))
      this.danger(
        count.fact,
        'microbatches of several records halve the noise multiplier, and the batch is not known',
      );
    const several =
      count !== undefined && !Number.isNaN(batch) && this.value('microbatches') !== batch;
    if (!several) this.idle(['microbatches'], 'each has one record, or the batch is not known');
    if (several || this.value('microbatching') === 1) {
      const sigma = this.value('noiseMultiplier');
      this.replace(
        'noiseMultiplier',
        sigma / 2,
        `${meansText('noiseMultiplier', String(sigma))}, which microbatches halve to ${given(sigma / 2)}`,
      );
    } else this.idle(['microbatching'], 'each record is clipped alone');
  }

  private settleBatch(): void {
    const [accumulation, devices] = factors.map((meaning) => this.value(meaning) || 1) as [
      number,
      number,
    ];
    if (
      this.has('deviceBatch') &&
      this.has('batchSize') &&
      this.value('deviceBatch') !== this.value('batchSize')
    )
      this.choose('batchSize', 'deviceBatch', 'A batch’s size');
    const isDevice = this.has('deviceBatch');
    if (isDevice) this.rename('deviceBatch', 'batchSize');
    const [device, step] = [this.value('batchSize'), this.value('stepBatch')];
    if (this.has('stepBatch') && this.has('batchSize')) {
      const whole = device * devices * accumulation;
      const named = ownName(this.taken.get('stepBatch')?.fact.path ?? []);
      const alone = whole === device && Number.isInteger(step / device) && !/^t/i.test(named);
      // Hugging Face calls a batch of all devices, before accumulation, train_batch_size.
      if (step === whole || (isDevice && step === device * devices))
        this.idle(['stepBatch'], 'it follows from the others');
      else if (alone) this.idle(['batchSize'], 'a part of the step’s batch');
      else this.choose('stepBatch', 'batchSize', 'A step’s batch');
    }
    if (this.has('stepBatch') && !this.has('batchSize')) {
      // Programs disagree on what this name means.
      const unclear = ownName(this.taken.get('stepBatch')?.fact.path ?? []).includes(
        'train_batch_size',
      );
      this.rename('stepBatch', 'batchSize');
      if (unclear) this.askWhole(step, factors);
      else this.idle(factors, 'it is in the step’s batch');
    } else if (!isDevice) {
      // Papers state the batch of a step; programs that of a device, but for what data parallelism splits.
      const inWords = /words$| table$/.test(this.reading.source);
      this.askWhole(device, inWords ? factors : ['devices']);
    }
  }

  /** Asks whether a batch is multiplied by these factors, or the whole one; while that is open, there is none. */
  private askWhole(batch: number, multiplied: readonly Meaning[]): void {
    const factor = multiplied.reduce((product, meaning) => product * (this.value(meaning) || 1), 1);
    if (factor === 1 || Number.isNaN(batch)) return;
    const ask = `Is the batch of ${given(batch)} that of a whole step, or is it multiplied by ${given(factor)}?`;
    const chosen = this.ask(
      'batch',
      ask,
      [`${given(batch)} in a step`, `${given(batch * factor)} in a step`],
      ['batchSize'],
    );
    if (chosen === 0) this.idle(multiplied, 'it is in the step’s batch');
    else if (chosen !== 1) this.idle(['batchSize', ...multiplied]);
  }

  /** Values that are stated twice, in different words, must agree. */
  private settleSchedule(): void {
    const trainer = this.said.some(
      ({ fact }) => snakeName(ownName(fact.path)) === 'num_train_epochs',
    );
    if (trainer && this.has('steps')) this.idle(['epochs'], 'the steps overrule it');
    const factor = (this.value('accumulationSteps') || 1) * (this.value('devices') || 1);
    const [n, q] = [this.value('datasetSize'), this.value('samplingProbability')];
    const share = (this.value('batchSize') * factor) / n;
    if (share > 1) this.choose('datasetSize', 'batchSize', 'The share of the data in a batch');
    else if (this.has('samplingProbability') && !Number.isNaN(share)) {
      const [, decimals = '', power = '0'] =
        /^\d*\.?(\d*)(?:e([+-]?\d+))?$/i.exec(this.taken.get('samplingProbability')?.text ?? '') ??
        [];
      const rounding = Math.min(0.51 * 10 ** (Number(power) - decimals.length), 0.05 * share);
      const perEpoch = [Math.ceil(1 / share), Math.floor(1 / share)].some(
        (batches) => Math.abs(q * batches - 1) < 1e-9,
      );
      const gap = Math.abs(q - share);
      if (gap > 1e-9 * share && (gap <= rounding || gap <= 1e-6 * share || perEpoch))
        this.idle(['samplingProbability'], 'it follows from the sizes');
      else if (gap > 1e-9 * share)
        this.choose('samplingProbability', 'batchSize', 'The share of the data in a batch');
    } else if (this.has('samplingProbability') && !this.has('datasetSize'))
      this.idle(['batchSize'], 'the sampling probability decides');
    // Where a rate is given there are no batches to be multiplied, or left short.
    if (!this.has('batchSize') && (this.has('samplingProbability') || this.has('stepsPerEpoch')))
      this.idle([...factors, 'dropLast'], 'no batch size is used');
    const sized = this.has('batchSize') && !Number.isNaN(share);
    const rate = sized ? share : q;
    const per = this.value('stepsPerEpoch');
    if (per < Math.floor(1 / rate - 1e-9) || per > Math.ceil(1 / rate - 1e-9))
      this.choose(
        'stepsPerEpoch',
        sized ? 'batchSize' : 'samplingProbability',
        'The length of an epoch',
      );
    const batches = this.has('stepsPerEpoch') ? per : 1 / rate;
    const [epochs, steps] = [this.value('epochs'), this.value('steps')];
    if (steps < Math.floor(batches + 1e-9) * epochs || steps > Math.ceil(batches - 1e-9) * epochs)
      this.choose('steps', 'epochs', 'The length of the run');
  }

  /** Bands beside a cap: each group of records has its own truncated steps. */
  private settleBands(): void {
    const bands = this.value('bands');
    if (bands === 1) this.idle(['bands'], 'a single band is none');
    if (!(bands > 1) || !this.has('maxBatchSize')) return;
    const [n, steps] = [this.value('datasetSize'), this.value('steps')];
    const rated = this.has('samplingProbability') || (this.has('batchSize') && n % bands === 0);
    if (Number.isNaN(n) || Number.isNaN(steps) || !rated)
      throw new NotARun(
        'Bands beside a maximum batch size need the dataset size, the number of steps and the sampling probability of a group.',
      );
    const [group, rounds] = [Math.ceil(n / bands), Math.ceil(steps / bands)];
    this.replace(
      'datasetSize',
      group,
      `Dataset size ${given(n)}: ${given(group)} in each of ${given(bands)} groups`,
    );
    this.replace('steps', rounds, `Steps ${given(steps)}: ${given(rounds)} of each group`);
    this.idle(['epochs', 'bands'], 'it is in the groups’ sizes and steps');
  }

  private missing(): ImportedRun['missing'] {
    const lacks = (field: ReadPhaseNumber) => {
      const reason = this.unknown.find(({ meaning }) => meaning === field);
      const why = reason ? `: ${this.quoted(reason.fact)} is not a number that the text gives` : '';
      return { field, words: `${meaningLabel(field).toLowerCase()}${why}` };
    };
    const need: ReadPhaseNumber[] = [];
    const rated = this.has('samplingProbability') || this.has('stepsPerEpoch');
    const sizes = (['datasetSize', 'batchSize'] as const).filter((name) => !this.has(name));
    if (!rated)
      need.push(
        ...(sizes.length === 2 && this.has('steps') ? (['samplingProbability'] as const) : sizes),
      );
    if (!this.has('epochs') && !this.has('steps'))
      need.push(this.has('samplingProbability') ? 'steps' : 'epochs');
    if (!this.has('noiseMultiplier') && !this.has('epsilon')) need.push('noiseMultiplier');
    return need.filter((field) => !this.open.has(field)).map(lacks);
  }

  /** What could not be computed: no matter where others say as much, dangerous elsewhere. */
  private nameUnknown(missing: ImportedRun['missing']): void {
    const sized = this.has('datasetSize') && this.has('batchSize');
    const long = this.has('steps') || this.has('epochs');
    const said: Partial<Record<Meaning, boolean>> = {
      ...{
        epsilon: true,
        samplingProbability: sized,
        stepsPerEpoch: sized,
        steps: long,
        epochs: long,
      },
      ...{ batchSize: sized, stepBatch: sized, deviceBatch: sized, microbatches: false },
      noiseMultiplier: this.has('epsilon'),
      ...(this.has('samplingProbability') ? { datasetSize: true, batchSize: true } : {}),
    };
    for (const { fact, meaning, text } of this.unknown) {
      if (missing.some(({ field }) => field === meaning)) continue;
      if (said[meaning] === true) this.ignore(fact, 'not computed');
      else
        this.danger(
          fact,
          `${meaningLabel(meaning).toLowerCase()} is “${text}”, which the text gives no number for`,
        );
    }
  }

  /** Words of mechanisms, and of devices, for which no number stands. */
  private nameOthers(): void {
    for (const { words, why, told } of beyond) {
      if (this.said.some(({ meaning }) => told.includes(meaning))) continue;
      const found = words.exec(this.text.slice(0, 200_000));
      if (found) this.danger({ from: found.index, to: found.index + found[0].length }, why);
    }
    if (this.mechanism === 'gaussian') {
      const found = /\blaplac\w+/i.exec(this.text.slice(0, 200_000));
      if (found)
        this.danger(
          { from: found.index, to: found.index + found[0].length },
          'noise is taken for Gaussian',
        );
    }
  }

  // --- the run

  /** The values of the one phase that most texts describe. */
  private plainPhase(): ImportedPhase {
    for (const meaning of new Set(this.said.map((one) => one.meaning))) this.settle(meaning);
    this.settleMicrobatches();
    this.settleBatch();
    this.settleSchedule();
    this.settleBands();
    const numbers = Object.fromEntries(
      readPhaseNumbers.flatMap((name) =>
        this.has(name) ? [[name, this.taken.get(name)?.text]] : [],
      ),
    );
    return {
      kind: 'phase',
      mechanism: this.mechanism,
      numbers,
      flags: readPhaseFlags.filter((flag) => this.value(flag) === 1),
    };
  }

  /** Beside a history or an event only delta counts: the others describe it, or are another run's. */
  private beside(what: string): void {
    for (const { fact, meaning, value } of this.said) {
      if (meaning === 'microbatching' && value === 1)
        this.danger(fact, `whether ${what} counts microbatches is not clear`);
      else if (meaning !== 'delta' && meaning !== 'epsilon') this.ignore(fact, `${what} decides`);
    }
    this.settle('delta');
    this.settle('epsilon');
  }

  private historyPhases({ rows: all, ...at }: NonNullable<Reading['history']>): ImportedPhase[] {
    const rows = all.length > mostPhases ? lumped(all) : all;
    const entries = rows.map(([sigma, q, steps]): ImportedPhase => {
      const numbers = {
        noiseMultiplier: String(sigma),
        samplingProbability: String(q),
        steps: String(steps),
      };
      return { kind: 'phase', mechanism: 'gaussian', flags: [], numbers };
    });
    const means =
      rows === all
        ? [
            ...entries.slice(0, 20).map(phaseText),
            ...(rows.length > 20 ? [`And ${given(rows.length - 20)} more phases`] : []),
          ]
        : [
            `${given(all.length)} unlike rows, taken together by neighbours as ${given(rows.length)} phases of the least noise and the greatest sampling probability of each group: no less is revealed`,
          ];
    for (const words of means)
      this.more.push({ ...this.place(at), field: 'history', means: words });
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
    const { events = [], history, refused, source, unread = [], aside = [] } = this.reading;
    if (refused !== undefined) throw new NotARun(refused);
    this.chooseRun();
    this.doubtStages();
    this.sort();
    this.evaluateAll();
    this.dropUnset();
    this.federate();
    this.trustOneFunction();
    let entries: readonly ImportedEntry[] = history ? this.historyPhases(history) : [];
    let tuning: ImportedRun['tuning'];
    if (events.length > 0) {
      const event = readEvents(events, (value) => this.numberOf(value));
      ({ entries, tuning } = event);
      for (const name of event.sampling) this.sampling.add(name);
      for (const name of event.aside) this.ignored.add(name);
      const tried = tuning
        ? [`The best of ${shown(tuning.runs)} runs on average, ${tuning.tuning}`]
        : [];
      for (const means of [...entries.map(entryText), ...tried])
        this.more.push({ ...this.place(event), field: 'event', means });
    }
    const whole = entries.length > 0;
    if (whole) this.beside(history ? 'the history' : 'the event');
    else {
      entries = [this.plainPhase()];
      this.nameOthers();
    }
    const missing = whole ? [] : this.missing();
    this.nameUnknown(missing);
    for (const passage of unread) this.danger(passage, passage.why ?? 'it was not understood');
    for (const passage of aside) this.ignored.add(this.place(passage).quote);
    const [delta, epsilon] = [this.taken.get('delta')?.text, this.taken.get('epsilon')?.text];
    const [first] = entries.filter((entry) => entry.kind === 'phase');
    const facts = [...this.taken.values()].map(({ fact, meaning, means }) => ({
      ...this.place(fact),
      field: meaning,
      means,
    }));
    return {
      ...{ source, entries, delta, epsilon, tuning, missing },
      aims: epsilon !== undefined && first?.numbers.noiseMultiplier === undefined,
      facts: [...facts, ...this.more].sort((a, b) => a.line - b.line || a.column - b.column),
      ambiguous: this.ambiguous,
      ignored: [...this.ignored],
      dangerous: [...this.dangerous.values()],
      sampling: [...this.sampling],
    };
  }
}

/** A question from what a reader found, and what is missing, ambiguous, ignored and dangerous about it. */
export const runFrom = (text: string, reading: Reading, choices: Choices): ImportedRun | NoRun =>
  new Builder(text, reading, choices).build();
