import type { CompareOptions, Engine } from '../../wasm/client.js';
import { samplers } from '../../wasm/generated/schema.js';
import type { Answer, Interval, Query, SamplerName } from '../../wasm/generated/schema.js';

export function makeAnswer(sampler: SamplerName, epsilon: Interval, delta: number): Answer {
  return {
    sampler,
    epsilon,
    delta: { lower: delta, upper: delta, kind: 'certified' },
    directions: { remove: epsilon, add: epsilon },
    method: 'made up',
    derived: { steps: 1, samplingProbability: 1, stepsPerEpoch: 1, epochs: 1 },
    assumptions: [],
    warnings: [],
    citations: [],
    work: { gridPoints: 0, milliseconds: 0 },
  };
}

export interface Call {
  question: 'epsilon' | 'delta' | 'compare';
  query: Query;
  signal: AbortSignal | undefined;
  settled: boolean;
  /** Hands in one sampler's answer, with its epsilon. */
  say: (sampler: SamplerName, epsilon: number) => void;
  finish: () => void;
  fail: (error: Error) => void;
}

/** An engine that answers when a test tells it to, and remembers what it was asked. */
export function fakeEngine(automatic = false): Engine & { calls: Call[] } {
  const calls: Call[] = [];
  const certified = (value: number): Interval => ({
    lower: value,
    upper: value,
    kind: 'certified',
  });

  function start<Result>(
    question: Call['question'],
    query: Query,
    options: CompareOptions | undefined,
    result: () => Result,
  ): Promise<Result> {
    return new Promise((resolve, reject) => {
      const settle = () => {
        call.settled = true;
        options?.signal?.removeEventListener('abort', abort);
      };
      const call: Call = {
        question,
        query,
        signal: options?.signal,
        settled: false,
        say: (sampler, epsilon) =>
          options?.onAnswer?.(makeAnswer(sampler, certified(epsilon), query.delta ?? 0)),
        finish: () => {
          settle();
          resolve(result());
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
  }

  /** A curve of the right shape: delta = e^-epsilon, whatever the sampler. */
  const one = (query: Query) => {
    const sampler = query.phases[0]?.sampler ?? 'poisson';
    const epsilon = query.epsilon ?? -Math.log(query.delta ?? 1);
    return makeAnswer(sampler, certified(epsilon), query.delta ?? Math.exp(-epsilon));
  };

  return {
    calls,
    epsilon: (query, options) => start('epsilon', query, options, () => one(query)),
    delta: (query, options) => start('delta', query, options, () => one(query)),
    compare: (query, options) =>
      start('compare', query, options, () => ({
        question: 'compare' as const,
        answers: samplers.map(({ name }) => makeAnswer(name, certified(1), query.delta ?? 0)),
      })),
    answer: () => Promise.reject(new Error('not asked by the page')),
    close: () => undefined,
  };
}
