import type { CallOptions, Engine } from '../../wasm/client.js';
import { drawCurve } from '../../wasm/curve.js';
import type { Answer, Interval, Query, Solution } from '../../wasm/generated/schema.js';

export function makeAnswer(sampler: Answer['sampler'], epsilon: Interval, delta: number): Answer {
  return {
    sampler,
    epsilon,
    delta: { lower: delta, upper: delta, kind: 'certified' },
    adjacency: 'zero-out',
    directions: { remove: epsilon, add: epsilon },
    method: 'made up',
    methodCode: 'none',
    derived: { steps: 1, samplingProbability: 1, stepsPerEpoch: 1, epochs: 1 },
    assumptions: [],
    assumptionCodes: [],
    warnings: [],
    citations: [],
    work: { gridPoints: 0, milliseconds: 0 },
  };
}

export interface Call {
  question: 'epsilon' | 'delta' | 'calibrate';
  query: Query;
  signal: AbortSignal | undefined;
  background: boolean;
  settled: boolean;
  /** Hands in the answer, with its epsilon and what was found. */
  say: (epsilon: number, solution?: Pick<Solution, 'field' | 'value'>) => void;
  /** Hands in an answer without any bound. */
  sayNothing: () => void;
  finish: () => void;
  fail: (error: Error) => void;
}

/** The sampler of a query's phases, as the engine names it. */
export function samplerOf({ phases }: Query): Answer['sampler'] {
  const names = phases.map((entry) => ('sampler' in entry ? entry.sampler : undefined));
  const [first] = names;
  return first !== undefined && names.every((name) => name === first) ? first : 'composition';
}

/** An engine that answers when a test tells it to, and remembers what it was asked. */
export function fakeEngine(automatic = false): Engine & {
  calls: Call[];
  /** The unsettled call about these phases' sampler. */
  open: (sampler: Answer['sampler']) => Call;
} {
  const calls: Call[] = [];
  const certified = (value: number): Interval => ({
    lower: value,
    upper: value,
    kind: 'certified',
  });
  /** A curve of the right shape: delta = e^-epsilon, whatever the sampler. */
  const usual = (query: Query) => {
    const epsilon = query.epsilon ?? -Math.log(query.delta ?? 1);
    return makeAnswer(samplerOf(query), certified(epsilon), query.delta ?? Math.exp(-epsilon));
  };

  const ask =
    (question: Call['question']) =>
    (query: Query, options?: CallOptions): Promise<Answer> =>
      new Promise((resolve, reject) => {
        const settle = () => {
          call.settled = true;
          options?.signal?.removeEventListener('abort', abort);
        };
        const end = (answer: Answer) => {
          settle();
          resolve(answer);
        };
        const call: Call = {
          question,
          query,
          signal: options?.signal,
          background: options?.background ?? false,
          settled: false,
          say: (epsilon, solution) => {
            const answer = makeAnswer(samplerOf(query), certified(epsilon), query.delta ?? 0);
            // One phase is asked about, and it leaves the field out.
            end(
              solution
                ? { ...answer, solution: { ...solution, entries: [0], displaced: [] } }
                : answer,
            );
          },
          sayNothing: () => {
            const none: Interval = { lower: null, upper: null, kind: 'certified' };
            end(makeAnswer(samplerOf(query), none, query.delta ?? 0));
          },
          finish: () => {
            end(usual(query));
          },
          fail: (error) => {
            settle();
            reject(error);
          },
        };
        // As the pool does: a call that has ended no longer listens.
        const abort = () => {
          call.fail(options?.signal?.reason as Error);
        };
        options?.signal?.addEventListener('abort', abort);
        calls.push(call);
        if (automatic) queueMicrotask(call.finish);
      });

  const askers = { epsilon: ask('epsilon'), delta: ask('delta'), calibrate: ask('calibrate') };
  const unused = () => Promise.reject(new Error('not asked by the page'));
  return {
    calls,
    open: (sampler) => {
      const call = calls.findLast(({ query, settled }) => !settled && samplerOf(query) === sampler);
      if (!call) throw new Error(`nothing is asked about ${sampler}`);
      return call;
    },
    ...askers,
    // As the client does: a curve is many questions.
    curve: (query, options) =>
      drawCurve(
        {
          one: (asked, signal) => {
            const { question = 'epsilon' } = asked;
            if (question === 'compare' || question === 'tradeoff' || question === 'audit')
              throw new Error('not asked by a curve');
            return askers[question](asked, { signal, background: options.background });
          },
          deltas: async (asked, epsilons, signal) => {
            const work = { gridPoints: 0, milliseconds: 0 };
            const points = [];
            for (const epsilon of epsilons) {
              const call = { signal, background: options.background };
              const { delta, method, methodCode } = await askers.delta({ ...asked, epsilon }, call);
              points.push({ epsilon, delta, method, methodCode });
            }
            return { points, ownProofs: false, sharesWork: true, work };
          },
        },
        query,
        options,
        options,
      ),
    compare: unused,
    monteCarlo: unused,
    mergeTallies: unused,
    tradeoff: unused,
    audit: unused,
    shuffleModel: unused,
    initialisation: unused,
    twoBatches: unused,
    mixtures: unused,
    answer: unused,
    wasmSha256: () => Promise.resolve(undefined),
    close: () => undefined,
  };
}
