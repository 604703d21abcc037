import { NotARun, type EventAt, type ValueRead } from './facts.js';
import type { ImportedEntry, ImportedPhase, ImportedRelease, ImportedRun } from './imported-run.js';

type EventCall = EventAt['call'];
type Numbers = ImportedPhase['numbers'];

const plainName = (name: string) => name.split('.').at(-1) ?? name;

/** The events that no other is made of: one, or several that the text has beside each other. */
function outermost(events: readonly EventAt[]): readonly EventAt[] {
  const inner = new Set<string>();
  const visit = (value: ValueRead): void => {
    if (value.kind === 'formula' && value.tree?.kind === 'name') inner.add(value.tree.name);
    if (value.kind === 'list') value.items.forEach(visit);
    if (value.kind !== 'call') return;
    value.args.forEach(visit);
    for (const [, one] of value.named) visit(one);
  };
  for (const { call } of events) visit(call);
  return events.filter(({ name }) => name === undefined || !inner.has(name));
}

/** The noise of events beside each other: of a gradient, or of it and of a count. */
const mechanisms: Readonly<Record<string, ImportedPhase['mechanism'] | undefined>> = {
  GaussianDpEvent: 'gaussian',
  LaplaceDpEvent: 'laplace',
  'GaussianDpEvent GaussianDpEvent': 'gaussian',
};

export interface EventRun extends Pick<ImportedRun, 'entries' | 'tuning'> {
  aside: readonly string[];
  sampling: readonly string[];
  from: number;
  to: number;
}

/** The run that events of dp_accounting make; throws `NotARun` that says why there is none. */
export function readEvents(
  all: readonly EventAt[],
  known: (value: ValueRead) => number | undefined,
): EventRun {
  const entries: ImportedEntry[] = [];
  const aside: string[] = [];
  const sampling = new Set<string>();
  let tuning: ImportedRun['tuning'];
  const events = new Map(all.map(({ name, call }) => [name, call]));

  /** A call that makes an event, or the one that a name stands for. */
  function eventOf(value: ValueRead | undefined): EventCall | undefined {
    if (value?.kind === 'call' && plainName(value.name).endsWith('DpEvent')) return value;
    if (value?.kind !== 'formula' || value.tree?.kind !== 'name') return undefined;
    const { name } = value.tree;
    if (all.filter((one) => one.name === name).length > 1)
      throw new NotARun(`“${name}” is set more than once: keep the event that ran.`);
    return events.get(name);
  }

  /** An argument in the order of dp_accounting, by position or by name. */
  function argument(call: EventCall, at: number, name: string): ValueRead {
    const value = call.named.find(([key]) => key === name)?.[1] ?? call.args[at];
    if (!value) throw new NotARun(`${plainName(call.name)} lacks ${name}.`);
    return value;
  }

  function text(call: EventCall, at: number, name: string): string {
    const value = argument(call, at, name);
    const number = known(value);
    if (number !== undefined) return value.kind === 'number' ? value.text : String(number);
    const got = 'text' in value ? `; got “${value.text}”` : '';
    throw new NotARun(`${plainName(call.name)}: ${name} must be a number${got}.`);
  }

  function number(call: EventCall, at: number, name: string): number {
    const value = argument(call, at, name);
    return value.kind === 'number' ? value.value : Number(text(call, at, name));
  }

  function event(call: EventCall, at: number): EventCall {
    const value = eventOf(argument(call, at, 'event'));
    if (value) return value;
    throw new NotARun(`${plainName(call.name)}: event must be a DpEvent.`);
  }

  function eventsOf(call: EventCall): EventCall[] {
    const list = argument(call, 0, 'events');
    if (list.kind !== 'list') throw new NotARun('ComposedDpEvent: events must be a list.');
    return list.items.map((one) => {
      const inner = eventOf(one);
      if (!inner) throw new NotARun('ComposedDpEvent: events must be DpEvents.');
      return inner;
    });
  }

  function into(call: EventCall, count: number, depth = 0): void {
    const name = plainName(call.name);
    const read = readers[name];
    if (!read || depth > 50) throw new NotARun(`${name} is not accounted for here.`);
    if (/Sampled|Subsampled|RandomAllocation/.test(name)) sampling.add(name);
    read(call, count, name, depth + 1);
  }

  /** THE list of events that can be accounted for. */
  const readers: Readonly<
    Record<string, (call: EventCall, count: number, name: string, depth: number) => void>
  > = {
    GaussianDpEvent: (call, count, name) => whole(call, count, name),
    LaplaceDpEvent: (call, count, name) => whole(call, count, name),
    PoissonSampledDpEvent: (call, count, name) => {
      const samplingProbability = text(call, 0, 'sampling_probability');
      phase(name, event(call, 1), { samplingProbability, steps: String(count) });
    },
    SampledWithoutReplacementDpEvent: (call, count, name) =>
      phase(name, event(call, 2), sizes(call, count)),
    SampledWithReplacementDpEvent: (call, count, name) =>
      phase(name, event(call, 2), sizes(call, count), ['replacement']),
    RandomAllocationDpEvent: (call, count, name) => {
      const selected = number(call, 1, 'num_selected');
      phase(name, event(call, 0), {
        ...{ stepsPerEpoch: text(call, 2, 'num_steps'), epochs: String(count) },
        ...(selected === 1 ? {} : { participations: String(selected) }),
      });
    },
    TruncatedSubsampledGaussianDpEvent: (call, count) => {
      const datasetSize = text(call, 0, 'dataset_size');
      const samplingProbability = text(call, 1, 'sampling_probability');
      const batch = number(call, 0, 'dataset_size') * number(call, 1, 'sampling_probability');
      const whole = Math.abs(batch - Math.round(batch)) <= 1e-9 * batch;
      entries.push({
        ...{ kind: 'phase', mechanism: 'gaussian', flags: [] },
        numbers: {
          ...{ datasetSize, steps: String(count) },
          ...(whole ? { batchSize: String(Math.round(batch)) } : { samplingProbability }),
          maxBatchSize: text(call, 2, 'truncated_batch_size'),
          noiseMultiplier: text(call, 3, 'noise_multiplier'),
        },
      });
    },
    SelfComposedDpEvent: (call, count, _name, depth) =>
      into(event(call, 0), count * number(call, 1, 'count'), depth),
    ComposedDpEvent: (call, count, _name, depth) => {
      for (const inner of eventsOf(call)) into(inner, count, depth);
    },
    RepeatAndSelectDpEvent: (call, count, name, depth) => {
      if (depth > 1 || count !== 1)
        throw new NotARun(`${name} inside another event is not accounted for here.`);
      const [runs, shape] = [text(call, 1, 'mean'), number(call, 2, 'shape')];
      const special = { 0: 'logarithmic', 1: 'geometric', Infinity: 'poisson' } as const;
      tuning =
        shape in special
          ? { tuning: special[shape as keyof typeof special], runs }
          : { tuning: 'negative-binomial', runs, eta: String(shape) };
      into(event(call, 0), 1, depth);
    },
    ZCDpEvent: (call, count, name) => {
      const given = call.args.length > 1 || call.named.some(([key]) => key === 'xi');
      if (given && number(call, 1, 'xi') !== 0)
        throw new NotARun(`${name} with xi above 0 is not accounted for here.`);
      release({ rho: String(count * number(call, 0, 'rho')) });
    },
    EpsilonDeltaDpEvent: (call, count, name) => {
      if (count !== 1)
        throw new NotARun(`${name} repeated ${count} times: list each one as a release.`);
      release({ epsilon: text(call, 0, 'epsilon'), delta: text(call, 1, 'delta') });
    },
    NoOpDpEvent: (_call, _count, name) => aside.push(name),
    NonPrivateDpEvent: (_call, _count, name) => {
      throw new NotARun(`${name}: a run with such a part has no epsilon.`);
    },
  };

  /** Steps on all records. */
  function whole(call: EventCall, count: number, name: string): void {
    phase(name, call, { samplingProbability: '1', steps: String(count) });
  }

  function sizes(call: EventCall, count: number): Numbers {
    const datasetSize = text(call, 0, 'source_dataset_size');
    return { datasetSize, batchSize: text(call, 1, 'sample_size'), steps: String(count) };
  }

  /** The noise of one step: one mechanism, or the gradient's and that of a count of the same batch. */
  function noiseOf(
    call: EventCall,
    around: string,
  ): { mechanism: ImportedPhase['mechanism']; numbers: Numbers } {
    const name = plainName(call.name);
    const parts = name === 'ComposedDpEvent' ? eventsOf(call) : [call];
    const names = parts.map((one) => plainName(one.name)).join(' ');
    const [first = call, second] = parts;
    const mechanism = mechanisms[names];
    const noiseMultiplier = mechanism ? text(first, 0, 'noise_multiplier') : '';
    if (mechanism && !second) return { mechanism, numbers: { noiseMultiplier } };
    if (mechanism && second) {
      // A count that is centred changes by half a record: its noise in records is half its multiplier.
      const count = number(second, 0, 'noise_multiplier') / 2;
      return { mechanism, numbers: { noiseMultiplier, countNoise: String(count) } };
    }
    throw new NotARun(
      `${around} around ${name}: a batch is accounted for here only with Gaussian or Laplace noise added once, or beside a count's.`,
    );
  }

  function phase(
    around: string,
    inner: EventCall,
    schedule: Numbers,
    flags: ImportedPhase['flags'] = [],
  ): void {
    const { mechanism, numbers } = noiseOf(inner, around);
    const all = { ...schedule, ...numbers };
    const before = entries.at(-1);
    // Accountants record one step at a time: equal ones in a row are one phase.
    const alike = (one: Numbers) => JSON.stringify({ ...one, steps: '' });
    if (
      before?.kind === 'phase' &&
      before.mechanism === mechanism &&
      all.steps !== undefined &&
      alike(before.numbers) === alike(all)
    ) {
      entries.pop();
      all.steps = String(Number(before.numbers.steps) + Number(all.steps));
    }
    entries.push({ kind: 'phase', mechanism, numbers: all, flags });
  }

  function release(numbers: ImportedRelease['numbers']): void {
    entries.push({ kind: 'release', numbers });
  }

  const roots = outermost(all);
  const [root] = roots;
  if (!root) throw new NotARun('The events are made of each other.');
  if (roots.length > 1 && roots.some(({ on }) => on === undefined || on !== root.on))
    throw new NotARun(
      `The text has ${roots.length} events: delete those that were not used, or compose them.`,
    );
  for (const { call } of roots) into(call, 1);
  if (!entries.some(({ kind }) => kind === 'phase'))
    throw new NotARun('The event holds no training: there must be at least one phase.');
  const { to } = roots.at(-1) ?? root;
  return { entries, aside, sampling: [...sampling], tuning, from: root.from, to };
}
