import { mostPhases } from '../generated/schema.js';
import { readEvents } from './events.js';
import { present } from '../words/present.js';
import { NotARun, type Reading } from './facts.js';
import { meaningLabel, readPhaseFlags, readPhaseNumbers } from './fields.js';
import type { Meaning, ReadPhaseNumber } from './fields.js';
import { given } from '../words/numbers.js';
import { shown, entryText, phaseText } from './imported-run.js';
import type { ImportedPhase, ImportedEntry, ImportedRun, Choices } from './imported-run.js';
import { SettledSayings } from './settled.js';

const beyond: readonly { words: RegExp; why: string; told: readonly Meaning[] }[] = [
  {
    words:
      /\bPATE\b|\bdiscrete[- _]gaussian|\bskellam|\blocal(?:ly)? (?:differential|DP\b)|\bLDP\b|\brandomi[sz]ed response|\badaptive(?:ly)? clip\w*/i,
    why: 'a run of this kind has noise that was not read',
    told: ['countNoise'],
  },
  {
    words:
      /\w*DistributedDataParallel|\bDistributedSampler|\binit_process_group|\bDataParallel\b|\bddp\b|#SBATCH.*(?:gpu|ntasks).*/i,
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

/** Words of noise that is correlated between steps: by a tree, or by a matrix, which the form takes. */
const correlated =
  /\w*tree[-_ ]?(?:aggregat|adaptive|restart)\w*|\w*(?<![a-z])dp[-_ ]?ftrl\w*|\w*honaker\w*|\bmatrix[-_ ](?:factori[sz]ation|mechanism)\w*|\w*band(?:ed[-_ ]?(?:matrix|toeplitz|square|mf)|[-_ ]?mf)\w*|\bBLTs?\b|\w*_mf_noise\b|\bblt_\w+|\w*buffered[-_ ]?(?:linear[-_ ])?toeplitz\w*|\bcorrelated (?:gaussian )?noise|\bnoise (?:is |was )?correlated/i;

/** The matrix by its very names: bands beside them are its own, and no groups that take turns. */
const matrixStated =
  /\w*optimal_max_error\w*|\b(?:matrix[-_]?column|buffer[-_]?(?:weights|decays))\b|\bc_col(?:umn)?\b|\w*buf_decay\b|\b\w*(?:toeplitz|strategy)_coefs?\b|--matrix[ =]\S+|\b(?:noise_)?matrix["']?[^\S\n]*[:=][^\S\n]*["']?(?!(?:identity|none|null)\b)\w.*/i;

/** What is missing where nothing says as much; other fields change the answer where they are stated. */
const needed: ReadonlySet<Meaning> = new Set([
  ...(['datasetSize', 'batchSize', 'stepBatch', 'deviceBatch', 'samplingProbability'] as const),
  ...(['stepsPerEpoch', 'epochs', 'steps', 'noiseMultiplier', 'clippingNorm', 'epsilon'] as const),
]);

class Builder extends SettledSayings {
  private missing(): ImportedRun['missing'] {
    const lacks = (field: ReadPhaseNumber) => {
      const reason = this.unknown.find(({ meaning }) => meaning === field);
      const why = reason ? `: ${this.quoted(reason.fact)} is not a number that the text gives` : '';
      return { field, words: `${meaningLabel(field).toLowerCase()}${why}` };
    };
    const lacksOf = (field: ReadPhaseNumber) => !this.has(field) && field;
    const [rate, deviation] = [this.has('samplingProbability'), this.has('noiseStddev')];
    const rated = rate || this.has('stepsPerEpoch');
    const sizeless = !this.has('datasetSize') && !this.has('batchSize') && this.has('steps');
    const need = present<ReadPhaseNumber>(
      !rated && sizeless && 'samplingProbability',
      !rated && !sizeless && lacksOf('datasetSize'),
      !rated && !sizeless && lacksOf('batchSize'),
      !this.has('epochs') && !this.has('steps') && (rate ? 'steps' : 'epochs'),
      deviation && lacksOf('clippingNorm'),
      deviation && this.noiseUnit === 'average' && lacksOf('batchSize'),
      !deviation && !this.has('epsilon') && lacksOf('noiseMultiplier'),
      this.has('maxBatchSize') && lacksOf('datasetSize'),
    );
    return [...new Set(need)].filter((field) => !this.open.has(field)).map(lacks);
  }

  /** What could not be computed: no matter where nothing is missing without it, dangerous elsewhere. */
  private nameUnknown(missing: ImportedRun['missing']): void {
    for (const { fact, meaning, text } of this.unknown) {
      if (missing.some(({ field }) => field === meaning)) continue;
      const why = `${meaningLabel(meaning).toLowerCase()} is “${text}”, which the text gives no number for`;
      if (needed.has(meaning)) this.ignore(fact, 'not computed');
      else this.danger(fact, why);
    }
  }

  /** Noise that may be correlated is in doubt: without an answer, nothing takes it for independent. */
  private doubtCorrelated(): void {
    const found =
      matrixStated.exec(this.text) ?? (this.says('bands') ? null : correlated.exec(this.text));
    if (!found) return;
    const passage = { from: found.index, to: found.index + found[0].length };
    const noise = this.said.filter(({ meaning }) => meaning.startsWith('noise'));
    for (const one of noise)
      one.doubt = `${this.quoted(passage)} may correlate it between steps, by a matrix that the form and --matrix take`;
    if (noise.length === 0) this.danger(passage, 'noise that is correlated between steps');
  }

  /** Words of mechanisms, and of devices, for which no number stands. */
  private nameOthers(): void {
    const name = (words: RegExp, why: string) => {
      const found = words.exec(this.text.slice(0, 200_000));
      if (found) this.danger({ from: found.index, to: found.index + found[0].length }, why);
    };
    for (const { words, why, told } of beyond) if (!this.says(...told)) name(words, why);
    if (!this.clients && !this.has('recordsPerUser'))
      name(
        /\b(?:user|person|patient)[-_ ]level\b|level["']?\s*[:=]\s*["']?(?:user|person|patient)/i,
        'a record is a person only where no person has several',
      );
    if (this.mechanism === 'gaussian') name(/\blaplac\w+/i, 'noise is taken for Gaussian');
  }

  // --- the run

  /** The values of the one phase that most texts describe. */
  private plainPhase(): ImportedPhase {
    this.doubtCorrelated();
    for (const meaning of new Set(this.said.map((one) => one.meaning))) this.settle(meaning);
    this.settleDeviation();
    this.settleCount();
    this.settleMicrobatches();
    this.settleBatch();
    this.settleSchedule();
    this.settleBands();
    const numbers = Object.fromEntries(
      readPhaseNumbers.flatMap((name) =>
        this.has(name) ? [[name, this.taken.get(name)?.text]] : [],
      ),
    );
    const { clients, noiseUnit } = this;
    const choices = {
      ...(clients ? { privacyUnit: 'client' as const } : {}),
      ...(noiseUnit ? { noiseUnit } : {}),
      // They draw bins once for all epochs.
      ...([...this.sampling].some((name) => name.startsWith('BallsInBins'))
        ? { reshuffle: 'once' as const }
        : {}),
    };
    return {
      kind: 'phase',
      mechanism: this.mechanism,
      numbers,
      choices,
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

  private historyPhases({ rows, ...at }: NonNullable<Reading['history']>): ImportedPhase[] {
    if (rows.length > mostPhases)
      throw new NotARun(`The history has more than ${given(mostPhases)} unlike rows in turn.`);
    const entries = rows.map(([sigma, q, steps]): ImportedPhase => {
      const numbers = {
        noiseMultiplier: String(sigma),
        samplingProbability: String(q),
        steps: String(steps),
      };
      return { kind: 'phase', mechanism: 'gaussian', flags: [], numbers };
    });
    const more = rows.length > 20 ? [`And ${given(rows.length - 20)} more phases`] : [];
    for (const means of [...entries.slice(0, 20).map(phaseText), ...more])
      this.more.push({ ...this.place(at), field: 'history', means });
    return entries;
  }

  build(): ImportedRun {
    const { events = [], history, source, unread = [], aside = [] } = this.reading;
    this.chooseRun();
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
      aims: epsilon !== undefined && !first?.numbers.noiseMultiplier && !first?.numbers.noiseStddev,
      facts: [...facts, ...this.more].sort((a, b) => a.line - b.line || a.column - b.column),
      ambiguous: this.ambiguous,
      ignored: [...this.ignored],
      dangerous: [...this.dangerous.values()],
      sampling: [...this.sampling],
    };
  }
}

/** A question from what a reader found, and what is missing, ambiguous, ignored and dangerous about it. */
export const runFrom = (text: string, reading: Reading, choices: Choices): ImportedRun =>
  new Builder(text, reading, choices).build();
