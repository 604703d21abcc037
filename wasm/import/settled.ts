import { parseNumber } from '../words/number-forms.js';
import { NotARun } from './facts.js';
import { isFlag, meaningLabel, ownName, snakeName, type Meaning } from './fields.js';
import { given } from '../words/numbers.js';
import { shown, yes, meansText, type Said } from './imported-run.js';
import { Sayings, factors } from './sayings.js';

/** One value for each meaning, and what belongs together. */
export class SettledSayings extends Sayings {
  protected noiseUnit: 'sum' | 'average' | undefined;

  protected settle(meaning: Meaning): void {
    const all = this.said.filter((one) => one.meaning === meaning);
    const numbers = all.filter(({ value }) => value !== undefined);
    const formulas = all.filter(({ value }) => value === undefined);
    const distinct = numbers.filter(
      (one, at) => numbers.findIndex(({ value }) => value === one.value) === at,
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
    const ask = `${meaningLabel(meaning)} ${why}. Which one is the run’s?`.replace(' :', ':');
    const chosen = this.ask(meaning, ask, readings, [meaning]);
    const one = typeof chosen === 'number' ? distinct[chosen] : undefined;
    if (one) this.take(one);
  }

  protected take(one: Said): void {
    const { meaning, text } = one;
    const { history, events = [] } = this.reading;
    const noisy = this.said.some(({ meaning: other }) => other.startsWith('noise'));
    const role = noisy || history || events[0] ? 'Reported epsilon' : 'Epsilon to be met';
    this.taken.set(meaning, {
      ...one,
      means:
        meaning === 'epsilon' ? `${role} ${shown(text)}` : meansText(meaning, text, this.clients),
    });
  }

  protected has(meaning: Meaning): boolean {
    return this.taken.has(meaning);
  }

  protected value(meaning: Meaning): number {
    return parseNumber(this.taken.get(meaning)?.text ?? '') ?? NaN;
  }

  /** Takes values out again, which others make superfluous; without a reason, since they are asked about. */
  protected idle(meanings: readonly Meaning[], why?: string): void {
    for (const meaning of meanings) {
      const one = this.taken.get(meaning);
      if (one && why !== undefined) this.ignore(one.fact, why);
      this.taken.delete(meaning);
    }
  }

  protected rename(from: Meaning, to: Meaning): void {
    const one = this.taken.get(from);
    if (one) this.taken.set(to, { ...one, meaning: to });
    this.taken.delete(from);
  }

  protected replace(meaning: Meaning, value: number, means: string): void {
    const one = this.taken.get(meaning);
    if (one) this.taken.set(meaning, { ...one, text: String(value), means });
  }

  // --- what belongs together

  /** Two values that do not fit each other: one of them goes. */
  protected choose(a: Meaning, b: Meaning, what: string): void {
    const words = [a, b].map((meaning) => this.taken.get(meaning)?.means ?? meaningLabel(meaning));
    const ask = `${what} is given by two numbers that do not fit each other. Which one is the run’s?`;
    const chosen = this.ask(`${a} or ${b}`, ask, words, [a, b]);
    if (chosen === 'open') this.idle([a, b]);
    else this.idle(chosen === 0 ? [b] : chosen === 1 ? [a] : [a, b], 'it does not fit the other');
  }

  /** What the number of microbatches means, once the batch is known: those of several records count double. */
  protected settleMicrobatches(): void {
    const count = this.taken.get('microbatches');
    const batch = this.value(this.has('stepBatch') ? 'stepBatch' : 'batchSize');
    if (count && Number.isNaN(batch)) {
      const halved = 'microbatches of several records halve the noise multiplier';
      this.danger(count.fact, `${halved}, and the batch is not known`);
      this.idle(['microbatches']);
    }
    if (this.value('microbatches') === batch) this.idle(['microbatches'], 'each has one record');
    if (this.has('microbatches') || this.value('microbatching') === 1) {
      const noise = this.has('noiseStddev') ? 'noiseStddev' : 'noiseMultiplier';
      const sigma = this.value(noise);
      this.replace(
        noise,
        sigma / 2,
        `${meansText(noise, String(sigma))}, which microbatches halve to ${given(sigma / 2)}`,
      );
    } else this.idle(['microbatching'], 'each record is clipped alone');
  }

  /** Of what a standard deviation is: of the sum of gradients, or of their average. */
  protected settleDeviation(): void {
    const one = this.taken.get('noiseStddev');
    if (!one) return;
    const product = this.value('noiseMultiplier') * this.value('clippingNorm');
    const follows = Math.abs(product - this.value('noiseStddev')) <= 1e-9 * product;
    if (this.value('bands') > 1 || this.has('noiseMultiplier')) {
      const instead = this.has('noiseMultiplier')
        ? 'the noise multiplier was read instead'
        : 'the norm of the matrix’s columns is not known';
      if (!follows) this.danger(one.fact, instead);
      const why = follows ? 'it follows from the noise multiplier' : undefined;
      this.idle(['noiseStddev', 'clippingNorm'], why);
      return;
    }
    const [word = ''] = /sum|average|mean/.exec(snakeName(ownName(one.fact.path))) ?? [];
    const unit = { sum: 0, average: 1, mean: 1 }[word];
    const chosen =
      unit ??
      this.ask(
        'noiseUnit',
        `${this.quoted(one.fact)}: is this noise added to the sum of the clipped gradients, or to their average?`,
        ['to their sum', 'to their average'],
        ['noiseMultiplier', 'clippingNorm'],
      );
    if (chosen === 0 || chosen === 1) this.noiseUnit = chosen === 0 ? 'sum' : 'average';
    else this.idle(['noiseStddev', 'clippingNorm']);
  }

  /** Adaptive clipping publishes a count, too: the noise multiplier may be for both, or for the gradients alone. */
  protected settleCount(): void {
    const one = this.taken.get('countNoise');
    const names = one?.fact.path ?? [];
    if (!one || snakeName(ownName(names)) === 'count_noise') return;
    if (
      names.some((name) => /AdaptiveClipping$|^gaussian_adaptive$|^unclipped_num_std$/.test(name))
    )
      this.idle(['countNoise'], 'it is in the noise multiplier');
    else if (!names.some((name) => /AdaptiveClip\w*Query$/.test(name))) {
      this.danger(one.fact, 'whether the noise multiplier covers this count is not known');
      this.idle(['countNoise', 'noiseMultiplier']);
    }
  }

  private nameOf(meaning: Meaning): string {
    return ownName(this.taken.get(meaning)?.fact.path ?? []);
  }

  protected settleBatch(): void {
    const accumulation = this.value('accumulationSteps') || 1;
    const devices = this.value('devices') || 1;
    if (
      this.has('deviceBatch') &&
      this.has('batchSize') &&
      this.value('deviceBatch') !== this.value('batchSize')
    )
      this.choose('batchSize', 'deviceBatch', 'A batch’s size');
    let isDevice = this.has('deviceBatch');
    if (isDevice) this.rename('deviceBatch', 'batchSize');
    const [device, step] = [this.value('batchSize'), this.value('stepBatch')];
    if (this.has('stepBatch') && this.has('batchSize')) {
      const whole = device * devices * accumulation;
      const named = this.nameOf('stepBatch');
      const alone = whole === device && Number.isInteger(step / device) && !/^t/i.test(named);
      // Hugging Face calls a batch of all devices, before accumulation, train_batch_size.
      if (step === whole || (isDevice && step === device * devices)) {
        this.idle(['stepBatch'], 'it follows from the others');
        isDevice = true;
      } else if (alone) this.idle(['batchSize'], 'a part of the step’s batch');
      else this.choose('stepBatch', 'batchSize', 'A step’s batch');
    }
    if (this.has('stepBatch') && !this.has('batchSize')) {
      // Programs disagree on what this name means.
      const unclear = this.nameOf('stepBatch').includes('train_batch_size');
      this.rename('stepBatch', 'batchSize');
      if (unclear) this.askWhole(step, factors);
      else this.idle(factors, 'it is in the step’s batch');
    } else if (!isDevice) {
      // Papers state the batch of a step; programs that of a device, but for what data parallelism splits.
      const inWords = /words$| table$/.test(this.reading.source);
      this.askWhole(device, inWords ? factors : ['devices']);
    }
  }

  private product(meanings: readonly Meaning[]): number {
    return meanings.reduce((product, meaning) => product * (this.value(meaning) || 1), 1);
  }

  /** Asks whether a batch is multiplied by these factors, or the whole one; while that is open, there is none. */
  protected askWhole(batch: number, multiplied: readonly Meaning[]): void {
    const factor = this.product(multiplied);
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
  protected settleSchedule(): void {
    const trainer = this.said.some(
      ({ fact }) => snakeName(ownName(fact.path)) === 'num_train_epochs',
    );
    if (trainer && this.has('steps')) this.idle(['epochs'], 'the steps overrule it');
    const factor = this.product(factors);
    const [n, q] = [this.value('datasetSize'), this.value('samplingProbability')];
    const share = (this.value('batchSize') * factor) / n;
    if (share > 1) this.choose('datasetSize', 'batchSize', 'The share of the data in a batch');
    else if (this.has('samplingProbability') && !Number.isNaN(share)) {
      const [digits = ''] =
        /[1-9][\d.]*/.exec(this.taken.get('samplingProbability')?.text ?? '') ?? [];
      const rounded = Number(share.toPrecision(digits.replace('.', '').length || 1));
      const gap = Math.abs(q - share) / share;
      const isWhole = [Math.ceil, Math.floor].some(
        (cut) => Math.abs(q * cut(1 / share) - 1) < 1e-9,
      );
      if (gap <= 1e-6 || isWhole || (rounded === q && gap <= 0.05))
        this.idle(['samplingProbability'], 'it follows from the sizes');
      else this.choose('samplingProbability', 'batchSize', 'The share of the data in a batch');
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

  protected settleBands(): void {
    const bands = this.value('bands');
    if (bands > 1 && this.has('samplingProbability') && !this.has('steps') && this.has('epochs'))
      throw new NotARun(
        'Bands beside a sampling probability need the number of steps: an epoch is as many times longer as there are bands.',
      );
    if (bands === 1) this.idle(['bands'], 'a single band is none');
  }
}
