import { samplers, type Query, type Solution } from '../../../wasm/generated/schema.js';
import { ableOf } from '../../../wasm/words/trainer.js';
import type { RowName } from './scenario.js';
import { drawnBy, filledIn, isPhase, samplerInfo } from '../../../wasm/words/samplers.js';

import { labelsOf } from './fields.js';

/** Whether every sampler can take the run: some fields are one sampler's own. */
export const comparable = (query: Query) => ableOf(query).length === samplers.length;

export interface Row {
  name: RowName;
  query: Query;
}

/** Every row's own question, the reader's first. */
export function rowsOf(query: Query): Row[] {
  const phases = query.phases.filter(isPhase);
  const [first] = phases;
  const own = phases.every(({ sampler }) => sampler === first?.sampler)
    ? first?.sampler
    : undefined;
  const names = ableOf(query)
    .map(({ name }) => name)
    .filter((name) => name !== own);
  const question = 'epsilon' as const;
  const mixed: Row[] = [{ name: 'composition', query: { ...query, question } }];
  return [
    ...(own === undefined ? mixed : []),
    ...[...(own === undefined ? [] : [own]), ...names].map((name) => ({
      name,
      query: { ...drawnBy(query, name), question },
    })),
  ];
}

/** Samplers without a row, and why: some fields are one sampler's own. */
export function unasked(query: Query): Map<RowName, string> {
  const names = rowsOf(query).map(({ name }) => name);
  const able = labelsOf(ableOf(query), true);
  const again = query.phases.some((entry) => isPhase(entry) && (entry.participations ?? 1) > 1);
  return new Map(
    samplers
      .filter(({ name }) => !names.includes(name))
      .map(({ name, label }) => [
        name,
        again
          ? `${label} cannot use each record this many times per epoch; only ${able} can.`
          : `${label}: nothing is proved with this trainer; it is for ${able}.`,
      ]),
  );
}

/** Why a sampler has no maximum batch size to be found. */
const oneSize = 'All batches have the same size.';
const canFind = ({ solveFor }: Query, name: RowName) =>
  solveFor !== 'cap' || name === 'composition' || samplerInfo(name).sizesVary;

/** A calibration asked for every sampler, the reader's first. */
export function calibrationsOf(query: Query): Row[] {
  return rowsOf(query)
    .filter(({ name }) => canFind(query, name))
    .map(({ name, query: asked }) => ({ name, query: { ...asked, question: 'calibrate' } }));
}

/** Samplers for which a calibration is not asked, and why. */
export function uncalibrated(query: Query): Map<RowName, string> {
  const unable = samplers.filter(({ name }) => !canFind(query, name));
  return new Map([
    ...unable.map(({ name }): [RowName, string] => [name, oneSize]),
    ...unasked(query),
  ]);
}

/** A key that all questions for the same rows share. */
export function rowsKey(query: Query): string {
  const mixed =
    query.question === 'calibrate' ||
    !comparable(query) ||
    rowsOf(query)[0]?.name === 'composition';
  const phases = query.phases.map((entry) =>
    Object.entries(entry)
      .filter(([name]) => mixed || name !== 'sampler')
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
  return JSON.stringify({ ...query, phases });
}

/** Epsilon is asked at no delta of 0 or 1. */
const within = (delta: number) => Math.min(1 - 2 ** -53, Math.max(1e-300, delta));

/** The question with the value found put in: epsilon there, at `delta` where none was given. */
export function withSolution(query: Query, solution: Solution, delta = 0): Query {
  const { field, value } = solution;
  const phases = filledIn(query.phases, solution);
  const at = field === 'delta' ? within(value) : (query.delta ?? delta);
  const asked = {
    ...{ solveFor: undefined, epsilon: undefined, capDelta: undefined },
    ...{ target: undefined, targetValue: undefined, targetAt: undefined },
  };
  const filled: Query = { ...query, ...asked, question: 'compare', phases, delta: at };
  return comparable(filled) ? filled : { ...filled, question: 'epsilon' };
}

/** Each of several entries alone. */
export const aloneOf = (query: Query): Query[] =>
  query.phases.length < 2
    ? []
    : query.phases.map((entry) => ({ ...query, question: 'epsilon', phases: [entry] }));
