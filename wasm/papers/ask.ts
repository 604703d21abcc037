import type { CallOptions, Engine } from '../client.js';
import { EngineError } from '../errors.js';
import type { Band, ClosedForm, Interval, MonteCarloEstimate } from '../generated/schema.js';
import { placesOf } from '../points.js';
import { binomialTail } from './binomial.js';
import { lineOf } from './polygons.js';
import type { PaperQuestion, Axis, OrderRange, Series, SeriesPoint } from './shape.js';

/** The engine, as one reproduction uses it: the same question is asked once, and all can be stopped. */
export interface AskedEngine {
  engine: Engine;
  call: CallOptions;
  /** The result of the first `make` with this key. */
  once<Type>(key: unknown, make: () => Promise<Type>): Promise<Type>;
}

export interface Found {
  value: Interval;
  milliseconds: number;
}

/** A list of order statistics as the paper gives it: 1, 2, ... 500, 510, 520, ... 1000, 1100, ... */
export function ordersIn(ranges: readonly OrderRange[]): number[] {
  const list: number[] = [];
  for (const [last, step] of ranges) {
    for (let order = (list.at(-1) ?? 0) + step; order <= last; order += step) list.push(order);
  }
  return list;
}

const exactly = (value: number): Interval => ({ lower: value, upper: value, kind: 'certified' });

const rangesOf = (of: PaperQuestion['of']) => (of ?? []).filter((one) => typeof one !== 'number');

const formulas: Record<
  NonNullable<PaperQuestion['formula']>,
  (of: PaperQuestion['of']) => number
> = {
  orders: (of) => ordersIn(rangesOf(of)).length,
  'percent of steps': (of) =>
    Number(((100 * ordersIn(rangesOf(of)).length) / Number(of?.[0])).toPrecision(3)),
  /** Samples that Hoeffding's bound asks for: of an error, a probability of failing, and values. */
  hoeffding: (of) =>
    Math.ceil(Math.log((2 * Number(of?.[2])) / Number(of?.[1])) / (2 * Number(of?.[0]) ** 2)),
  /** The largest epsilon0 that the closed form of shuffled randomisers covers: of users and delta. */
  condition: (of) =>
    Number(Math.log(Number(of?.[0]) / (8 * Math.log(2 / Number(of?.[1]))) - 1).toPrecision(6)),
};

type EngineReply = { work: { milliseconds: number } } & Record<string, unknown>;

async function replyTo(
  call: PaperQuestion['call'],
  query: PaperQuestion['query'],
  source: AskedEngine,
): Promise<EngineReply> {
  const { engine, call: options } = source;
  // Which question each call takes is the data's part; the engine refuses any other.
  const ask = engine[call] as (
    query: PaperQuestion['query'],
    options: CallOptions,
  ) => Promise<unknown>;
  return source.once([call, query], () => ask.call(engine, query, options)) as Promise<EngineReply>;
}

const along = (value: unknown, path: string): unknown =>
  path.split('.').reduce((at, name) => (at as Record<string, unknown> | undefined)?.[name], value);

/** What an answer says, as an interval: a solution may be larger than the least, and a cap is a bound. */
function intervalOf(found: unknown, path: string, otherwise?: number): Interval | undefined {
  if (typeof found === 'number') {
    return path.startsWith('derived')
      ? exactly(found)
      : { lower: null, upper: found, kind: 'bound' };
  }
  if (found === undefined || 'kind' in (found as object)) return found as Interval | undefined;
  const { covered, value } = found as ClosedForm;
  const number = covered ? value : (otherwise ?? value);
  return { lower: number, upper: number, kind: covered ? 'bound' : 'estimate' };
}

const placed = (query: PaperQuestion['query'], x: number | undefined) =>
  JSON.parse(JSON.stringify(query), (_, value: unknown) =>
    value === 'x' ? x : value,
  ) as PaperQuestion['query'];

/**
 * The hockey stick of a pair at a negative epsilon, from that of the pair turned round:
 *   H_{e^-x}(P, Q) = 1 - e^-x (1 - H_{e^x}(Q, P)).
 */
function mirrored({ lower, upper, kind }: Interval, epsilon: number): Interval {
  const reflected = (delta: number) => 1 - Math.exp(epsilon) * (1 - delta);
  const widen = 4e-16;
  return {
    lower: lower === null ? null : Math.max(0, reflected(lower) - widen),
    upper: upper === null ? null : Math.min(1, reflected(upper) + widen),
    kind,
  };
}

interface CutRun {
  epsilon: number;
  phases: readonly [{ datasetSize: number; batchSize: number; maxBatchSize: number }];
}

/** (1 + e^eps) T Pr[Bin(n, b/n) > B]: our bound of it above, the sum of its terms below. */
function charge({ upper }: Interval, { epsilon, phases: [phase] }: CutRun): Interval {
  const { datasetSize: n, batchSize: b, maxBatchSize } = phase;
  const times = 1 + Math.exp(epsilon);
  const lower = times * Math.ceil(n / b) * binomialTail(n, b / n, maxBatchSize);
  return { lower, upper: upper && times * upper, kind: 'certified' };
}

/** A number of an answer, at a place of the axis where its question names one. */
export async function findNumber(
  ask: PaperQuestion,
  source: AskedEngine,
  x?: number,
): Promise<Found> {
  const { formula, of, call, read, then, otherwise } = ask;
  if (formula) return { value: exactly(formulas[formula](of)), milliseconds: 0 };
  let [query, path] = [placed(ask.query, x), read];
  const epsilon = Number(query.epsilon);
  const turn = epsilon < 0;
  if (turn) {
    query = { ...query, epsilon: -epsilon };
    path = path === 'directions.remove' ? 'directions.add' : 'directions.remove';
  }
  const reply = await replyTo(call, query, source);
  const value = intervalOf(along(reply, path), path, otherwise);
  if (!value) throw new EngineError('engine-failed', `the answer has no ${path}`);
  const { milliseconds } = reply.work;
  if (turn) return { value: mirrored(value, epsilon), milliseconds };
  const cut = then === 'charge' ? charge(value, query as unknown as CutRun) : value;
  return { value: cut, milliseconds };
}

/** The errors that an (epsilon, delta) guarantee allows a test: two lines that meet. */
function guarantee(epsilon: number, delta: number): SeriesPoint[] {
  const corner = (1 - delta) / (1 + Math.exp(epsilon));
  const points: [number, number][] = [
    [0, 1 - delta],
    [corner, corner],
    [1 - delta, 0],
    [1, 0],
  ];
  return points.map(([x, y]) => ({ x, y: { lower: y, upper: null, kind: 'bound' } }));
}

/** A line's samples take one worker: the pool is shared, and lines take turns in lanes. */
const workers = 1;

const lineOfEstimates = (estimates: readonly MonteCarloEstimate[]): SeriesPoint[] =>
  estimates.map(({ epsilon, delta }) => ({ x: epsilon, y: delta }));

/** A line that comes whole; one of samples comes several times, ever narrower. */
export async function draw(
  { ask, count }: Series,
  { from, to }: Axis,
  source: AskedEngine,
  onLine: (line: readonly SeriesPoint[]) => void,
): Promise<{ line: readonly SeriesPoint[]; milliseconds: number }> {
  const { call, query, read, each, then } = ask;
  const epsilons = placesOf(from, to, count, false);
  if (call === 'monteCarlo') {
    const options = {
      ...{ signal: source.call.signal, workers },
      onProgress: (progress: { estimates: MonteCarloEstimate[] }) =>
        onLine(lineOfEstimates(progress.estimates)),
    };
    const { estimates, work } = await source.engine.monteCarlo(
      { ...query, epsilons, direction: 'remove', confidence: 0.999 },
      options,
    );
    return { line: lineOfEstimates(estimates), milliseconds: work.milliseconds };
  }
  const reply = await replyTo(call, each ? { ...query, epsilon: epsilons } : query, source);
  const { milliseconds } = reply.work;
  const found = along(reply, read);
  if (each) {
    const line = (found as Record<string, unknown>[]).flatMap((point) => {
      const y = intervalOf(point[each], each);
      return y ? [{ x: Number(point.epsilon), y }] : [];
    });
    return { line, milliseconds };
  }
  if (then === 'guarantee') {
    const { covered, value } = found as ClosedForm;
    return { line: covered ? guarantee(value, Number(query.delta)) : [], milliseconds };
  }
  const band = found as Band | undefined;
  const kept = band && (then === 'below' ? { ...band, upper: [] } : band);
  return { line: kept ? lineOf(kept) : [], milliseconds };
}
