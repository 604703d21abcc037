import type { CallOptions, Engine } from '../client.js';
import { usualRates } from '../words/readings.js';
import { auditOf, isAudited, withoutAudit } from '../words/audit.js';
import { multiplierOf } from '../words/noise.js';
import { hasMatrix } from '../words/trainer.js';
import { QueryError } from '../errors.js';
import { inLanes } from '../together.js';
import { tuningOf } from '../words/tuning.js';
import { version } from '../generated/schema.js';
import type {
  Answer,
  AuditAnswer,
  Derived,
  Interval,
  Phase,
  Query,
  Release,
  TradeOffAnswer,
} from '../generated/schema.js';
import { filledIn, isPhase, reportedSampler, samplerOf } from '../words/samplers.js';

export interface ReportOptions {
  /** The norm C that gradients are clipped to: with it, the report states the noise's standard deviation. */
  clippingNorm?: number | undefined;
  /** An epsilon that was reported for this run, to be held against what is proved. */
  reported?: number | undefined;
  /** Where the page shows this run. */
  link?: string | undefined;
  /** The methods page, where there is one: it proves what the authors of this program found. */
  methods?: string | undefined;
  date: string;
}

/** A phase of training, and its derived schedule. */
export interface AccountedPhase {
  phase: Phase;
  derived: Derived;
}

interface EpsilonAt {
  delta: number;
  epsilon: Interval;
  /** The same by published theorems alone, where that is another. */
  published?: Interval | undefined;
}

/** All that a report is written from. */
export interface Facts {
  version: string;
  date: string;
  link: string | undefined;
  methods: string | undefined;
  /** The hash of the engine's bytes; undefined where the platform computes none. */
  wasmSha256: string | undefined;
  clippingNorm: number | undefined;
  reported: number | undefined;
  /** The question that `answer` answers: of epsilon or of delta, never a calibration. */
  query: Query;
  asked: 'epsilon' | 'delta';
  answer: Answer;
  /** The same run with Poisson batches of the same rate; the answer itself where all are. */
  poisson: Answer | undefined;
  isPoisson: boolean;
  phases: AccountedPhase[];
  releases: Release[];
  epsilons: EpsilonAt[];
  /**
   * The trade-off of one run; undefined where several are tried, since the best of them has
   * another.
   */
  tradeoff: TradeOffAnswer | undefined;
  target: Answer['target'];
  audit: AuditAnswer | undefined;
}

/** At most so many calls at a time: a page's pool is shared with what else it shows. */
const callsAtATime = 2;

/** Undefined where the question cannot be answered for this run; other trouble is thrown. */
async function ifPossible<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof Error && error.name === QueryError.name) return undefined;
    throw error;
  }
}

/** The question to report on, with the value that calibration finds, and its answer. */
async function settled(engine: Engine, query: Query, options: CallOptions) {
  const { question, solveFor, capDelta, ...rest } = query;
  if (question === 'calibrate') {
    const found = await engine.calibrate({ ...rest, question, solveFor, capDelta }, options);
    const { solution } = found;
    const phases = solution ? filledIn(query.phases, solution) : query.phases;
    const delta = found.delta.upper ?? undefined;
    const { accountant, proofs, width } = query;
    const told: Query = { phases, delta, accountant, proofs, width, ...tuningOf(query) };
    return { query: told, answer: await engine.epsilon(told, options), target: found.target };
  }
  const byDelta = query.delta !== undefined || query.epsilon === undefined;
  const answer = byDelta ? await engine.epsilon(rest, options) : await engine.delta(rest, options);
  return { query: rest, answer, target: undefined };
}

/** Batches of the same rate, as often, drawn by Poisson sampling. */
function asPoisson({ phase, derived }: AccountedPhase): Phase {
  const { mechanism, adjacency, recordsPerUser, swapped, privacyUnit } = phase;
  const { countNoise, samplingWorkers, noiseEnd, noiseSchedule } = phase;
  const { samplingProbability, steps } = derived;
  return {
    ...{ sampler: reportedSampler, noiseMultiplier: multiplierOf(phase) },
    ...{ mechanism, adjacency, recordsPerUser, swapped, privacyUnit },
    ...{ countNoise, samplingWorkers, noiseEnd, noiseSchedule, samplingProbability, steps },
  };
}

/** The size of the largest dataset, where any is given. */
export function recordsOf(phases: readonly AccountedPhase[]): number | undefined {
  const sizes = phases.flatMap(({ phase }) => phase.datasetSize ?? []);
  return sizes.length > 0 ? Math.max(...sizes) : undefined;
}

/** The deltas at which the report states epsilon: the query's, 1/n, and some below. */
function deltasOf(query: Query, phases: readonly AccountedPhase[]): number[] {
  const given = query.delta ?? 1e-5;
  const records = recordsOf(phases);
  const inverse = records === undefined ? [] : [1 / records];
  const below = [1e-1, 1e-2, 1e-4].map((factor) => Number((given * factor).toPrecision(12)));
  const all = [given, ...inverse, ...below].filter((delta) => delta > 0 && delta < 1);
  return [...new Set(all)].sort((a, b) => b - a);
}

export async function gather(
  engine: Engine,
  asked: Query,
  { clippingNorm, reported, link, methods, date }: ReportOptions,
  options: CallOptions = {},
): Promise<Facts> {
  const { query, answer, target } = await settled(engine, withoutAudit(asked), options);
  const phases = query.phases.filter(isPhase);
  const norms = new Set(phases.map((phase) => phase.clippingNorm));
  const releases = query.phases.filter((entry): entry is Release => !isPhase(entry));
  const one = query.phases.length === 1;
  // The schedule alone is wanted here, and the limit theorem is the quickest to ask.
  const schedules = phases.map((phase) => async (): Promise<AccountedPhase> => {
    if (one) return { phase, derived: answer.derived };
    const alone: Query = { phases: [phase], delta: 1e-5, accountant: 'gdp' };
    return { phase, derived: (await engine.epsilon(alone, options)).derived };
  });
  const accounted = await inLanes(callsAtATime, schedules);
  const isPoisson =
    phases.length > 0 && phases.every((phase) => samplerOf(phase) === reportedSampler);
  const twin: Query = { ...query, phases: [...accounted.map(asPoisson), ...releases] };
  const asksDelta = query.delta === undefined;
  const asTwin = () => (asksDelta ? engine.delta(twin, options) : engine.epsilon(twin, options));
  const comparable = phases.length > 0 && !isPoisson && !phases.some(hasMatrix);
  const poisson = comparable ? await ifPossible(asTwin()) : isPoisson ? answer : undefined;
  const { accountant, proofs, width } = query;
  const run: Query = { phases: query.phases, accountant, proofs, width, ...tuningOf(query) };
  const epsilons = await inLanes(
    callsAtATime,
    deltasOf(query, accounted).map((delta) => async (): Promise<EpsilonAt> => {
      const known = delta === query.delta;
      const { epsilon, published } = known
        ? answer
        : await engine.epsilon({ ...run, delta }, options);
      return { delta, epsilon, published };
    }),
  );
  const curve: Query = { phases: query.phases, proofs, falsePositiveRates: usualRates };
  const audited = { phases: query.phases, proofs, delta: query.delta ?? 1e-5, ...auditOf(asked) };
  return {
    ...{ version, date, link, methods, reported },
    clippingNorm: clippingNorm ?? (norms.size === 1 ? [...norms][0] : undefined),
    wasmSha256: await engine.wasmSha256(),
    query,
    asked: asksDelta ? 'delta' : 'epsilon',
    ...{ answer, poisson, isPoisson, phases: accounted, releases, epsilons, target },
    tradeoff: answer.tuning ? undefined : await ifPossible(engine.tradeoff(curve, options)),
    audit: isAudited(asked) ? await engine.audit(audited, options) : undefined,
  };
}
