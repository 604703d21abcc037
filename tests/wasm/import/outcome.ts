import type { Phase, Query, Release } from '../../../wasm/generated/schema.js';
import type { Shape } from './shapes.js';

type Entry = Phase | Release;

/** What two ways to state a phase have in common: share of the data, length, noise, and the rest. */
function canonical(entry: Entry): Record<string, unknown> {
  const phase = entry as Phase;
  const { datasetSize: n, batchSize: b, samplingProbability, stepsPerEpoch, epochs, steps } = phase;
  const { accumulationSteps = 1, devices = 1, maxBatchSize } = phase;
  const sized = n !== undefined && b !== undefined;
  const perEpoch = stepsPerEpoch === undefined ? undefined : 1 / stepsPerEpoch;
  const q = sized ? (b * accumulationSteps * devices) / n : (samplingProbability ?? perEpoch);
  const length = steps ?? (epochs === undefined || q === undefined ? undefined : epochs / q);
  const counted = [
    'sampler',
    'batchSize',
    'accumulationSteps',
    'devices',
    'dropLast',
    'datasetSize',
  ];
  const named = ['samplingProbability', 'stepsPerEpoch', 'epochs', 'steps'];
  const rest = Object.entries(entry).filter(([name]) => ![...counted, ...named].includes(name));
  return {
    ...(Object.fromEntries(rest) as Record<string, unknown>),
    ...{ q, length },
    ...(q === undefined ? { n, b, epochs } : {}),
    ...(maxBatchSize === undefined ? {} : { n }),
  };
}

const near = (a: unknown, b: unknown): boolean =>
  typeof a === 'number' && typeof b === 'number'
    ? Math.abs(a - b) <= 1e-3 * Math.max(Math.abs(a), Math.abs(b))
    : a === b;

export type Outcome = 'right' | 'incomplete' | 'asked' | 'refused by name' | 'refused' | 'wrong';

/** How a reading compares with the run that a text really describes. */
export function outcomeOf(
  shape: Shape,
  got: { wrong: readonly string[] } | { query: Query; missing: readonly string[]; asks: boolean },
): Outcome {
  if ('wrong' in got)
    return /^(Nothing|There is nothing|The text is longer)/.test(got.wrong.join())
      ? 'refused'
      : 'refused by name';
  if (got.asks) return 'asked';
  if (!shape.phases) return 'wrong';
  const was = got.query.phases;
  if (shape.phases.length !== was.length) return 'wrong';
  let lacks = false;
  for (const [at, one] of was.entries()) {
    const is = shape.phases[at] ?? {};
    const whole = got.missing.length === 0;
    // A part of a run has to be that of the run, value by value.
    const truth = whole ? canonical(is) : Object.fromEntries(Object.entries(is));
    const told = whole ? canonical(one) : Object.fromEntries(Object.entries(one));
    for (const name of new Set([...Object.keys(truth), ...Object.keys(told)])) {
      // What decides the answer and is left out is as wrong as another value.
      const weighs = /maxBatch|replacement|bands|countNoise|participations|mechanism/.test(name);
      if (told[name] === undefined && !weighs && !whole) lacks ||= truth[name] !== undefined;
      else if (!near(truth[name], told[name])) return 'wrong';
    }
  }
  if (got.query.delta !== undefined && got.query.delta !== shape.delta) return 'wrong';
  lacks ||= got.query.delta !== shape.delta;
  lacks ||= got.missing.some((name) => !(shape.missing ?? []).includes(name));
  return lacks ? 'incomplete' : 'right';
}
