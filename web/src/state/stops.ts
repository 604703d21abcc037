import type { Entry, PhaseField, QuestionNumber, ReleaseNumber } from './scenario.js';
import { numberIn } from './typed.js';

type Field = PhaseField | QuestionNumber | ReleaseNumber;

/** first, first + step, ... below `end`. */
const every = (first: number, end: number, step: number): number[] =>
  Array.from({ length: (end - first) / step }, (_, index) => first + index * step);

/** Where a decade has stops, in hundredths of its power of ten: about evenly on a logarithmic scale. */
const spacings = {
  fine: [...every(100, 200, 2), ...every(200, 500, 5), ...every(500, 1000, 10)],
  coarse: [...every(100, 200, 10), ...every(200, 500, 20), ...every(500, 1000, 50)],
  halves: [100, 500],
};

function between(least: number, most: number, spacing: keyof typeof spacings): number[] {
  const [first, last] = [Math.log10(least), Math.log10(most)].map(Math.round) as [number, number];
  const decades = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  return decades
    .flatMap((power) => spacings[spacing].map((digits) => Number(`${digits}e${power - 2}`)))
    .filter((value) => value <= most);
}

const counts = (least: number, most: number) =>
  between(least, most, 'coarse').filter(Number.isInteger);

/**
 * The numbers that a field's slider stops at, rising. A field that is empty by default has no slider,
 * since the thumb would have no place.
 */
export const stops: Readonly<Partial<Record<Field, readonly number[]>>> = {
  noiseMultiplier: between(0.1, 100, 'fine'),
  datasetSize: counts(100, 1e8),
  batchSize: counts(1, 1e6),
  accumulationSteps: counts(1, 1000),
  devices: counts(1, 1000),
  epochs: counts(1, 1000),
  samplingProbability: between(1e-6, 1, 'coarse'),
  steps: counts(1, 1e7),
  participations: counts(1, 100),
  recordsPerUser: counts(1, 1000),
  bands: counts(1, 1000),
  samplingWorkers: counts(1, 1000),
  delta: between(1e-12, 0.01, 'halves'),
  epsilon: between(0.01, 100, 'fine'),
  mu: between(0.01, 100, 'fine'),
  rho: between(0.001, 100, 'fine'),
  boundedRange: between(0.01, 100, 'fine'),
  runs: counts(1, 1000),
  eta: between(0.01, 10, 'coarse'),
  targetValue: between(0.001, 10, 'coarse'),
  targetAt: between(1e-6, 0.9, 'coarse'),
};

/** The index of the stop nearest to a number; undefined for NaN. */
export function nearestStop(list: readonly number[], value: number): number | undefined {
  if (Number.isNaN(value)) return undefined;
  const above = list.findIndex((stop) => stop >= value);
  if (above < 0) return list.length - 1;
  const [low, high] = [list[above - 1], list[above]];
  if (low === undefined || high === undefined) return above;
  return value / low < high / value ? above - 1 : above;
}

/** A stop as it is typed into the field. */
export const stopText = (value: number): string =>
  value < 1e-3 ? value.toExponential() : String(value);

/** The stops of a field of the open entry: no batch is larger than the dataset. */
export function stopsIn(entry: Entry, key: string): readonly number[] | undefined {
  const all = stops[key.replace(/^release-/, '') as Field];
  if (entry.kind === 'release' || !(key === 'batchSize' || key === 'datasetSize')) return all;
  const other = key === 'batchSize' ? 'datasetSize' : 'batchSize';
  const size = numberIn({ type: 'count' }, entry.texts[other]) ?? NaN;
  const fitting = all?.filter((stop) => (key === 'batchSize' ? stop <= size : stop >= size)) ?? [];
  // A text that is no size is no limit.
  return fitting.length > 0 ? fitting : all;
}
