import type { MonteCarloEstimate, MonteCarloQuery } from '../generated/schema.js';
import type { SeriesPoint, WholeSeries } from './shape.js';

/** A line's samples take one worker: the pool is shared, and lines take turns in lanes. */
const workers = 1;

/** Samples that show a line is there, no more. */
const briefly = 16;

interface Sampling {
  label: string;
  /** All but the epsilons; the paper's own number of samples, or ours. */
  query: MonteCarloQuery & { samples: number };
  from: number;
  to: number;
  count: number;
  paperTook?: string;
  dashed?: boolean;
}

const lineOf = (estimates: readonly MonteCarloEstimate[]): SeriesPoint[] =>
  estimates.map(({ epsilon, delta }) => ({ x: epsilon, y: delta }));

/** A line whose points are all estimated from the same samples, ever narrower. */
export function sampled(sampling: Sampling): WholeSeries {
  const { label, query, from, to, count, paperTook, dashed } = sampling;
  const step = (to - from) / (count - 1);
  const epsilons = Array.from({ length: count }, (_, index) => from + index * step);
  const asked = { ...query, epsilons, direction: 'remove' as const, confidence: 0.999 };
  return {
    label,
    sampler: query.sampler ?? 'balls-and-bins',
    ...(dashed === undefined ? {} : { dashed }),
    ...(paperTook === undefined ? {} : { paperTook }),
    question: { monteCarlo: asked },
    async draw({ engine, call: { signal } }, onLine, budget) {
      const samples = budget === 'brief' ? Math.min(briefly, query.samples) : query.samples;
      const { estimates, work } = await engine.monteCarlo(
        { ...asked, samples },
        {
          signal,
          workers,
          onProgress: (progress) => onLine(lineOf(progress.estimates)),
        },
      );
      return { line: lineOf(estimates), milliseconds: work.milliseconds };
    },
  };
}
