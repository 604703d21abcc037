import type { Answer, Interval, Query } from '../generated/schema.js';
import { EngineError } from '../errors.js';
import type { NumberAsked, AskedEngine } from './shape.js';

const readings = {
  value: (answer: Answer, query: Query) => answer[query.delta === undefined ? 'delta' : 'epsilon'],
  remove: ({ directions }: Answer) => directions.remove,
  add: ({ directions }: Answer) => directions.add,
  rdp: ({ rdp }: Answer) => rdp,
  /** Calibration finds a value that meets its target; a smaller one may meet it, too. */
  solution: ({ solution }: Answer): Interval | undefined =>
    solution && { lower: null, upper: solution.value, kind: 'bound' },
  stepsPerEpoch: ({ derived: { stepsPerEpoch } }: Answer) =>
    stepsPerEpoch === undefined ? undefined : exactly(stepsPerEpoch),
  capProbability: ({ batchSizes }: Answer): Interval | undefined =>
    batchSizes && { lower: null, upper: batchSizes.capProbability, kind: 'bound' },
};

export type ReadingName = keyof typeof readings;

const exactly = (value: number): Interval => ({ lower: value, upper: value, kind: 'certified' });

const answerTo = (query: Query, source: AskedEngine): Promise<Answer> =>
  source.once(query, async () => {
    const answer = await source.engine.answer(query, source.call);
    if (!('directions' in answer)) throw new EngineError('engine-failed', 'another answer came');
    return answer;
  });

export function numberFrom(query: Query, reading: ReadingName): NumberAsked {
  return {
    question: { ...query, read: reading },
    async find(source) {
      const answer = await answerTo(query, source);
      const value = readings[reading](answer, query);
      if (!value) throw new EngineError('engine-failed', `the answer has no ${reading}`);
      return { value, milliseconds: answer.work.milliseconds };
    },
  };
}

type AskedEntry = Query['phases'][number];

/** A paper's figures are drawn by published theorems alone, as the paper's are. */
const proofs = 'published';

export const epsilonOf = (
  phase: AskedEntry,
  delta: number,
  reading: ReadingName = 'value',
): NumberAsked => numberFrom({ question: 'epsilon', phases: [phase], delta, proofs }, reading);

export const deltaOf = (
  run: AskedEntry | readonly AskedEntry[],
  epsilon: number,
  reading: ReadingName = 'value',
): NumberAsked => numberFrom({ question: 'delta', phases: [run].flat(), epsilon, proofs }, reading);

/** An answer that has no lower end, with one that was found beside it. */
export function withLower(inner: NumberAsked, lower: number): NumberAsked {
  return {
    question: inner.question,
    async find(source) {
      const { value, milliseconds } = await inner.find(source);
      return { value: { ...value, lower, kind: 'certified' }, milliseconds };
    },
  };
}

/** The image of an interval under an increasing or a decreasing function. */
export function through(
  inner: NumberAsked,
  name: string,
  f: (value: number) => number,
): NumberAsked {
  return {
    question: { [name]: inner.question },
    async find(source) {
      const { value, milliseconds } = await inner.find(source);
      const ends = [value.lower, value.upper].map((end) => (end === null ? null : f(end)));
      const [first = null, second = null] = ends;
      const falls = first !== null && second !== null && first > second;
      const [lower, upper] = falls ? [second, first] : [first, second];
      return { value: { ...value, lower, upper }, milliseconds };
    },
  };
}

/**
 * The hockey stick of a pair at a negative epsilon, from that of the pair turned round:
 *   H_{e^-x}(P, Q) = 1 - e^-x (1 - H_{e^x}(Q, P)).
 */
export function deltaBelowZero(
  phase: AskedEntry,
  x: number,
  turned: 'remove' | 'add',
): NumberAsked {
  const shrink = Math.exp(x);
  const widen = 4e-16;
  const reflected = (delta: number) => 1 - shrink * (1 - delta);
  const inner = deltaOf(phase, -x, turned);
  return {
    question: { reflected: inner.question },
    async find(source) {
      const { value, milliseconds } = await inner.find(source);
      const lower = value.lower === null ? null : Math.max(0, reflected(value.lower) - widen);
      const upper = value.upper === null ? null : Math.min(1, reflected(value.upper) + widen);
      return { value: { ...value, lower, upper }, milliseconds };
    },
  };
}

/** A number that needs no engine: of a list that the paper prints. */
export function counted(what: string, value: number): NumberAsked {
  return {
    question: what,
    find: () => Promise.resolve({ value: exactly(value), milliseconds: 0 }),
  };
}
