import { parseNumber, readNumber } from '../words/number-forms.js';
import { NotARun, evaluate, number } from './facts.js';
import type { Fact, NamedTree, Reading, ValueRead } from './facts.js';
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
  roleOf,
  snakeName,
} from './fields.js';
import type { Meaning } from './fields.js';
import { shown } from './imported-run.js';
import type { Choices, ImportedPhase, Said, Understood } from './imported-run.js';
import { Notes } from './notes.js';

/** The value that all have; undefined where they differ, or one has none. */
const onlyOne = (values: readonly (number | undefined)[]): number | undefined =>
  new Set(values).size === 1 ? values[0] : undefined;

/** Fields that count only beside others: without them their names are nobody's. */
const beside: Partial<Record<Meaning, readonly Meaning[]>> = {
  clippingNorm: ['noiseStddev'],
  localEpochs: ['clientsPerRound', 'clientFraction', 'rounds'],
  clientFraction: ['rounds'],
};
export const factors = ['accumulationSteps', 'devices'] as const;

/** What a federated run says of each client, and whose these fields are of the run of all. */
const ofEachClient: readonly Meaning[] = [
  ...(['datasetSize', 'batchSize', 'stepBatch', 'deviceBatch', 'steps'] as const),
  ...(['stepsPerEpoch', 'accumulationSteps', 'devices', 'dropLast'] as const),
];
const ofClients: Partial<Record<Meaning, Meaning>> = {
  ...{ clients: 'datasetSize', clientsPerRound: 'batchSize', rounds: 'steps' },
  ...{ clientFraction: 'samplingProbability', epochs: 'localEpochs' },
};
/** Words that say that each client protects its own examples. */
const exampleLevel =
  /\b(?:record|example|sample|instance)[- ]level|\bmake_private\w*|\bPrivacyEngine\b|\b(?:local|on-device) DP-?SGD/i;

/** Loops and checkpoints count with these names: without a value they say nothing. */
const counters = /^_?(epoch|ep|step|iteration|it|iter|update)$/;
const saysPrivate =
  /^((use|enable|with)_)?(dp|dp_?sgd|privacy|private|differential_privacy|differentially_private)(_enabled)?$/;

const factorOf: Readonly<Record<string, number>> = {
  ...{ '': 1, '%': 0.01, k: 1e3, m: 1e6, thousand: 1e3, million: 1e6, billion: 1e9 },
};

/** What the facts of a text say, each by itself. */
export class Sayings extends Notes {
  protected readonly reading: Reading;
  /** The one value of each meaning that has one, with what is shown of it. */
  protected readonly taken = new Map<Meaning, Said & { means: string }>();
  protected readonly more: Understood[] = [];
  protected readonly sampling: Set<string>;
  protected readonly unknown: Said[] = [];
  protected readonly visiting = new Set<string>();
  protected facts: readonly Fact[] = [];
  protected said: Said[] = [];
  protected mechanism: ImportedPhase['mechanism'] = 'gaussian';
  /** Whether a record is a client. */
  protected clients = false;

  constructor(text: string, reading: Reading, choices: Choices) {
    super(text, choices);
    this.reading = reading;
    this.sampling = new Set(reading.sampling);
  }

  // --- from facts to what they say

  protected chooseRun(): void {
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

  /** Sorts facts: those with a meaning are said, others may matter or have no bearing. */
  protected sort(): void {
    const all = new Set(this.facts.map(({ meaning, path }) => meaning ?? meaningAt(path)));
    for (const fact of this.facts) {
      const named = fact.meaning ?? meaningAt(fact.path);
      const needs = named && beside[named];
      const meaning = needs && !needs.some((one) => all.has(one)) ? undefined : named;
      if (/^(nothing|record|call)$/.test(fact.value.kind)) continue;
      if (!meaning) this.other(fact);
      else if (!fact.meaning && isAside(fact.path, meaning))
        this.ignored.add(`${fact.path.join('.')} (of something else)`);
      // A list of devices names each.
      else if (meaning === 'devices' && fact.value.kind === 'list' && fact.value.items.length > 0)
        this.say(fact, meaning, number(fact.value.items.length));
      else
        for (const value of fact.value.kind === 'list' ? fact.value.items : [fact.value])
          this.say(fact, meaning, value);
    }
  }

  /** A fact whose name stands for no field. */
  protected other(fact: Fact): void {
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
    if (fact.meaning === undefined && ownName(path) === 'T' && this.numberOf(value) !== undefined)
      this.say({ ...fact, doubt: 'T may count those of an epoch' }, 'steps', value);
    else if (role === 'sampling') {
      if (!formula) this.sampling.add(this.place(fact).quote);
    } else if (/^(non-?private|no-?(dp|privacy))\b/i.test(words))
      this.danger(fact, 'it says that nothing was private');
    else if (/^[\w.]+\[.*[\d:].*\]$/.test(words)) this.danger(fact, 'it may be a part of the data');
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

  protected say(fact: Fact, meaning: Meaning, value: ValueRead): void {
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
      const spelt = { true: true, false: false }[text.toLowerCase()];
      const flag = 'value' in value ? Boolean(value.value) : spelt;
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

  protected mechanismSaid(fact: Fact, word: string): void {
    const laplace = word.startsWith('lap');
    if (laplace) this.mechanism = 'laplace';
    const means = `${laplace ? 'Laplace' : 'Gaussian'} noise`;
    if (laplace || /^(gauss|normal)/.test(word))
      this.more.push({ ...this.place(fact), field: 'mechanism', means });
    else if (!/^(rdp|prv|gdp|pld|dp-?sgd|$)/.test(word))
      this.danger(fact, 'noise of this kind has no field');
  }

  /** A number as a person typed it, which may have more readings than one. */
  protected spelt(
    fact: Fact,
    meaning: Meaning,
    typed: string,
    put: (value: number | undefined, text: string) => void,
  ): void {
    if (/^(auto|inf(inite)?)$/i.test(typed)) return;
    // A remark in brackets is none of the number, unless it has one of its own.
    const [, amount = '', unit = ''] =
      /^(.*?)\s?(%|[kKM]|thousand|million|billion|)[,;]?$/i.exec(
        typed.replace(/\s*\([^()\d]*\)$/, ''),
      ) ?? [];
    const factor = factorOf[unit.toLowerCase()] ?? NaN;
    const read =
      // 1.1/2.2 is two noise multipliers, or 256/512 two batches.
      (unit === '%' && meaning !== 'samplingProbability') ||
      (amount.includes('/') && !/^(samplingProbability|delta)$/.test(meaning))
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
  protected readonly known = (tree: NamedTree): number | undefined => {
    const key = `${tree.kind} ${tree.name}`;
    if (this.visiting.has(key)) return undefined;
    this.visiting.add(key);
    const value = tree.kind === 'length' ? this.lengthOf(tree.name) : this.named(tree.name);
    this.visiting.delete(key);
    return value;
  };

  protected named(name: string): number | undefined {
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

  protected says(...meanings: readonly Meaning[]): boolean {
    return this.said.some(({ meaning }) => meanings.includes(meaning));
  }

  protected ofMeaning(meaning: Meaning): number | undefined {
    const values = this.said
      .filter((one) => one.meaning === meaning)
      .map(({ fact, value }) => value ?? this.numberOf(fact.value));
    return onlyOne(values.filter((one) => one !== undefined));
  }

  protected numberOf(value: ValueRead): number | undefined {
    if (value.kind === 'number') return value.value;
    const read =
      value.kind === 'text' && !value.text.includes('/')
        ? readNumber(value.text, 'number')
        : undefined;
    if (typeof read === 'number') return read;
    return value.kind === 'formula' && value.tree ? evaluate(value.tree, this.known) : undefined;
  }

  /** The records of a training set, or the batches of its loader. */
  protected lengthOf(name: string): number | undefined {
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

  protected evaluateAll(): void {
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

  /** Of a federated run the clients are the records; its batches and epochs are each client's own. */
  protected federate(): void {
    const federated =
      this.says('clientsPerRound', 'clientFraction') ||
      (this.says('clients') && this.says('rounds'));
    const ofExamples = federated ? exampleLevel.exec(this.text)?.[0] : undefined;
    if (ofExamples !== undefined)
      throw new NotARun(
        `The text is about clients and says “${ofExamples}”: if an example is a record, enter one client’s own training in all rounds as a run; if a client is, leave these words out.`,
      );
    this.clients = federated;
    const both = this.says('localEpochs');
    this.said = this.said.flatMap((one) => {
      const { fact, meaning } = one;
      if (!federated && meaning === 'epochs') return [one];
      if (federated && (ofEachClient.includes(meaning) || (both && meaning === 'epochs')))
        this.ignore(fact, 'each client’s own');
      else if (!federated && meaning === 'clients')
        this.danger(fact, 'it is not clear who the clients are');
      else return [{ ...one, meaning: ofClients[meaning] ?? meaning }];
      return [];
    });
  }

  // --- one value for each meaning

  /** Values that stand for "no limit", and shares where a number of records would stand. */
  protected dropUnset(): void {
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

  /** All that is set in one function that the text does not call is what the text is about. */
  protected trustOneFunction(): void {
    const ofRun = this.said.filter(({ meaning }) => meaning !== 'delta' && meaning !== 'epsilon');
    const alone = new Set(ofRun.map(({ doubt }) => doubt)).size === 1;
    for (const one of this.said)
      if (one.doubt?.startsWith('uncalled:'))
        one.doubt = alone
          ? undefined
          : `it stands in ${one.doubt.slice(9)}(), which the text does not call`;
  }
}
