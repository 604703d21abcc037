import type { Literal } from './literal.js';
import { meansText, numberOf, shown } from './run.js';
import type {
  ImportedEntry,
  ImportedPhase,
  ImportedRelease,
  ImportedRun,
  NoRun,
  Understood,
} from './run.js';

type EventCall = Extract<Literal, { kind: 'call' }>;

const plainName = (name: string) => name.split('.').at(-1) ?? name;
/** A call that makes an event. */
export const eventOf = (value: Literal): EventCall | undefined =>
  value.kind === 'call' && plainName(value.name).endsWith('DpEvent') ? value : undefined;

/** Why an event cannot be accounted for here. */
class UnreadableEvent extends Error {}

/** An event's arguments in the order of dp_accounting, by position or by name. */
function argument(call: EventCall, at: number, name: string): Literal {
  const value = call.named.find(([key]) => key === name)?.[1] ?? call.args[at];
  if (!value) throw new UnreadableEvent(`${plainName(call.name)} lacks ${name}.`);
  return value;
}

function text(call: EventCall, at: number, name: string): string {
  const value = argument(call, at, name);
  if (value.kind === 'number') return value.text;
  const got = value.kind === 'formula' ? `; got “${value.text}”` : '';
  throw new UnreadableEvent(`${plainName(call.name)}: ${name} must be a number${got}.`);
}

function event(call: EventCall, at: number, name = 'event'): EventCall {
  const value = eventOf(argument(call, at, name));
  if (value) return value;
  throw new UnreadableEvent(`${plainName(call.name)}: ${name} must be a DpEvent.`);
}

type Numbers = ImportedPhase['numbers'];

/** The noise of one step. */
function noiseOf(
  call: EventCall,
  around: string,
): Pick<ImportedPhase, 'mechanism'> & { sigma: string } {
  const name = plainName(call.name);
  if (name === 'GaussianDpEvent' || name === 'LaplaceDpEvent') {
    const mechanism = name === 'LaplaceDpEvent' ? 'laplace' : 'gaussian';
    return { mechanism, sigma: text(call, 0, 'noise_multiplier') };
  }
  throw new UnreadableEvent(
    `${around} around ${name}: a batch is accounted for here only with Gaussian or Laplace noise added once.`,
  );
}

class Walk {
  readonly entries: ImportedEntry[] = [];
  readonly understood: Understood[] = [];
  readonly aside: string[] = [];
  private readonly sampled = new Set<string>();

  get sampling(): string[] {
    return [...this.sampled];
  }

  into(call: EventCall, count: number): void {
    const name = plainName(call.name);
    const read = this.readers[name];
    if (!read) throw new UnreadableEvent(`${name} is not accounted for here.`);
    if (/Sampled|Subsampled/.test(name)) this.sampled.add(name);
    read(call, count, name);
  }

  /** THE list of events that can be accounted for. */
  private readonly readers: Readonly<
    Record<string, (call: EventCall, count: number, name: string) => void>
  > = {
    GaussianDpEvent: (call, count, name) => {
      this.phase(name, call, { samplingProbability: '1', steps: String(count) });
    },
    LaplaceDpEvent: (call, count, name) => {
      this.phase(name, call, { samplingProbability: '1', steps: String(count) });
    },
    PoissonSampledDpEvent: (call, count, name) => {
      const samplingProbability = text(call, 0, 'sampling_probability');
      this.phase(name, event(call, 1), { samplingProbability, steps: String(count) });
    },
    SampledWithoutReplacementDpEvent: (call, count, name) => {
      const ratio = `${text(call, 1, 'sample_size')}/${text(call, 0, 'source_dataset_size')}`;
      this.phase(name, event(call, 2), { samplingProbability: ratio, steps: String(count) });
    },
    TruncatedSubsampledGaussianDpEvent: (call, count, name) => {
      this.truncated(name, call, count);
    },
    SelfComposedDpEvent: (call, count) => {
      this.into(event(call, 0), count * numberOf(text(call, 1, 'count')));
    },
    ComposedDpEvent: (call, count, name) => {
      const list = argument(call, 0, 'events');
      if (list.kind !== 'list') throw new UnreadableEvent(`${name}: events must be a list.`);
      for (const one of list.items) {
        const inner = eventOf(one);
        if (!inner) throw new UnreadableEvent(`${name}: events must be DpEvents.`);
        this.into(inner, count);
      }
    },
    ZCDpEvent: (call, count, name) => {
      const given = call.args.length > 1 || call.named.some(([key]) => key === 'xi');
      if (given && numberOf(text(call, 1, 'xi')) !== 0)
        throw new UnreadableEvent(`${name} with xi above 0 is not accounted for here.`);
      this.release(name, { rho: String(count * numberOf(text(call, 0, 'rho'))) });
    },
    EpsilonDeltaDpEvent: (call, count, name) => {
      if (count !== 1)
        throw new UnreadableEvent(`${name} repeated ${count} times: list each one as a release.`);
      this.release(name, { epsilon: text(call, 0, 'epsilon'), delta: text(call, 1, 'delta') });
    },
    NoOpDpEvent: (_call, _count, name) => {
      this.aside.push(name);
    },
    NonPrivateDpEvent: (_call, _count, name) => {
      throw new UnreadableEvent(`${name}: a run with such a part has no epsilon.`);
    },
  };

  private phase(around: string, inner: EventCall, numbers: Numbers): void {
    const { mechanism, sigma } = noiseOf(inner, around);
    const all = { ...numbers, noiseMultiplier: sigma };
    const before = this.entries.at(-1);
    // Accountants record one step at a time: equal ones in a row are one phase.
    if (
      before?.kind === 'phase' &&
      before.mechanism === mechanism &&
      before.numbers.maxBatchSize === undefined &&
      before.numbers.samplingProbability === all.samplingProbability &&
      before.numbers.noiseMultiplier === sigma
    ) {
      const steps = String(numberOf(before.numbers.steps) + numberOf(all.steps));
      this.entries.pop();
      this.understood.pop();
      this.add(around, { ...before, numbers: { ...all, steps } });
      return;
    }
    this.add(around, { kind: 'phase', mechanism, numbers: all, flags: [] });
  }

  private add(words: string, entry: ImportedPhase): void {
    this.entries.push(entry);
    this.understood.push({ words, means: phaseText(entry) });
  }

  /** The cap needs the batch size, which has to come out whole. */
  private truncated(name: string, call: EventCall, count: number): void {
    const datasetSize = text(call, 0, 'dataset_size');
    const q = numberOf(text(call, 1, 'sampling_probability'));
    const batch = q * numberOf(datasetSize);
    const batchSize = Math.round(batch);
    const epochs = count / Math.ceil(numberOf(datasetSize) / batchSize);
    if (Math.abs(batch - batchSize) > 1e-6 * batch || !Number.isInteger(epochs)) {
      throw new UnreadableEvent(
        `${name}: a maximum batch size needs whole batches and whole epochs here; ${shown(String(count))} steps at ${shown(String(q))} of ${shown(datasetSize)} are none.`,
      );
    }
    this.add(name, {
      kind: 'phase',
      mechanism: 'gaussian',
      flags: [],
      numbers: {
        ...{ datasetSize, batchSize: String(batchSize), epochs: String(epochs) },
        maxBatchSize: text(call, 2, 'truncated_batch_size'),
        noiseMultiplier: text(call, 3, 'noise_multiplier'),
      },
    });
  }

  private release(words: string, numbers: ImportedRelease['numbers']): void {
    this.entries.push({ kind: 'release', numbers });
    const means = Object.entries(numbers).map(([name, value]) => `${name} ${shown(value)}`);
    this.understood.push({ words, means: `Another release: ${means.join(', ')}` });
  }
}

/** All that is known of a phase, in words. */
export function phaseText({ mechanism, numbers }: ImportedPhase): string {
  const parts = (Object.entries(numbers) as [keyof Numbers, string][]).map(([name, value]) =>
    meansText(name, value).toLowerCase(),
  );
  return `A phase: ${mechanism === 'laplace' ? 'Laplace noise, ' : ''}${parts.join(', ')}`;
}

export function readEvent(call: EventCall): ImportedRun | NoRun {
  const walk = new Walk();
  try {
    walk.into(call, 1);
  } catch (error) {
    if (error instanceof UnreadableEvent) return { wrong: [error.message] };
    throw error;
  }
  const { entries, understood, aside, sampling } = walk;
  if (!entries.some(({ kind }) => kind === 'phase'))
    return { wrong: ['The event holds no training: there must be at least one phase.'] };
  return { source: 'a dp_accounting event', entries, understood, missing: [], aside, sampling };
}
