import type { Curve, CurveQuestions, CurveRange, CurveWork } from './curve.js';
import { mostPhases, samplers } from './generated/schema.js';
import type {
  Answer,
  AuditAnswer,
  InitialisationAnswer,
  InitialisationQuery,
  Interval,
  MixturesAnswer,
  MixturesQuery,
  MonteCarloQuery,
  Query,
  Question,
  SamplerName,
  ShuffleModelAnswer,
  ShuffleModelQuery,
  TradeOffAnswer,
  TwoBatchesAnswer,
  TwoBatchesQuery,
} from './generated/schema.js';
import { EngineError, QueryError, troubles, wordsOf } from './errors.js';
import type { Certainty, MonteCarloOptions, MonteCarloResult } from './monte-carlo.js';
import type { Pool } from './pool.js';
import { isRecord } from './protocol.js';
import type { Tally } from './tally-shape.js';
import { asOne } from './together.js';
import { drawnBy, isPhase } from './words/samplers.js';

export interface CallOptions {
  /** Aborting rejects with the signal's reason and stops the computation. */
  signal?: AbortSignal | undefined;
  /** Waits behind all calls that are not, and leaves a worker free for them where there are two. */
  background?: boolean | undefined;
}

export interface CurveOptions extends CallOptions, CurveRange, CurveWork {}

export interface CompareOptions extends CallOptions {
  /** Called with each sampler's answer as it comes, in no particular order. */
  onAnswer?: ((answer: Answer) => void) | undefined;
}

/**
 * Every sampler's answer to one question, in the catalog's order. Where one sampler's computation
 * failed, its answer has no ends, and a warning `row-failed` says why.
 */
export interface Comparison {
  question: 'compare';
  answers: Answer[];
}

/**
 * The accountant, off the calling thread. A bad question rejects with a QueryError, trouble of the
 * engine's own with an EngineError.
 */
export interface Engine {
  /** Epsilon at the query's delta; its `question` need not be set. */
  epsilon(query: Query, options?: CallOptions): Promise<Answer>;
  /** Delta at the query's epsilon; its `question` need not be set. */
  delta(query: Query, options?: CallOptions): Promise<Answer>;
  /** Every sampler's epsilon at the query's delta, or every sampler's delta at its epsilon. */
  compare(query: Query, options?: CompareOptions): Promise<Comparison>;
  /**
   * The value of what `solveFor` names that meets the query's epsilon and delta, on the safe side: an
   * answer at that value, with it as `solution`. Phases that leave the field out get it; if none
   * does, all do.
   */
  calibrate(query: Query, options?: CallOptions): Promise<Answer>;
  /**
   * The trade-off function of the run's worst attack, between two proved curves; its `question` need
   * not be set.
   */
  tradeoff(query: Query, options?: CallOptions): Promise<TradeOffAnswer>;
  /**
   * What right guesses at canaries prove: a lower end of epsilon, and where the query has phases,
   * whether that run can be the one audited; its `question` need not be set.
   */
  audit(query: Query, options?: CallOptions): Promise<AuditAnswer>;
  /** Local randomisers whose outputs are shuffled. */
  shuffleModel(query: ShuffleModelQuery, options?: CallOptions): Promise<ShuffleModelAnswer>;
  /** One step of noisy gradient descent from a random start. */
  initialisation(query: InitialisationQuery, options?: CallOptions): Promise<InitialisationAnswer>;
  /** Two-component mixtures, and what joint concavity proves of them. */
  mixtures(query: MixturesQuery, options?: CallOptions): Promise<MixturesAnswer>;
  /** What a static and an adaptive attack prove of two shuffled batches. */
  twoBatches(query: TwoBatchesQuery, options?: CallOptions): Promise<TwoBatchesAnswer>;
  /**
   * A curve of one run; see `curveKinds` for which there are. Every point is proved, those of a
   * coarse curve first, and handed to `onPoint` as they come.
   */
  curve(query: Query, options: CurveOptions): Promise<Curve>;
  /** Whatever the query's own `question` asks. */
  answer(
    query: Query,
    options?: CompareOptions,
  ): Promise<Answer | AuditAnswer | Comparison | TradeOffAnswer>;
  /**
   * Delta by sampling, over all workers. The same query, seed and number of samples give the same
   * tally, bit for bit, however the work was spread, interrupted and resumed. Trouble rejects with an
   * EngineError whose `tally` holds what was finished.
   */
  monteCarlo(query: MonteCarloQuery, options?: MonteCarloOptions): Promise<MonteCarloResult>;
  /** Tallies of one query and seed, drawn anywhere, as one result. */
  mergeTallies(
    tallies: readonly Tally[],
    options?: Certainty & CallOptions,
  ): Promise<MonteCarloResult>;
  /** SHA-256 of the engine's bytes, in hex; nothing where the platform computes no hashes. */
  wasmSha256(): Promise<string | undefined>;
  /** Ends the workers; calls under way reject. */
  close(): void;
}

/** What few ask for is loaded when they do, and curves below. */
const sampling = () => import('./monte-carlo.js');

/** Anything but an object is left for the core to refuse in its own words. */
const asking = (query: Query, question: Question): Query =>
  isRecord(query) ? { ...query, question } : query;

/**
 * The comparison as one question per sampler; undefined where it is malformed in a way that
 * splitting would hide: then the core sees it whole and says what is wrong.
 */
function split(query: Query): ((name: SamplerName) => Query) | undefined {
  if (!isRecord(query) || !Array.isArray(query.phases)) return undefined;
  const entries = query.phases;
  if (entries.length > mostPhases || !entries.every(isRecord) || !entries.some(isPhase))
    return undefined;
  const known = (sampler: unknown) => samplers.some(({ name }) => name === sampler);
  const odd = entries.some(
    ({ sampler, participations, bands, samplingWorkers }) =>
      ((sampler ?? undefined) !== undefined && !known(sampler)) ||
      [participations, bands, samplingWorkers].some((count) => (count ?? 1) !== 1),
  );
  if (odd || (query.solveFor ?? undefined) !== undefined) return undefined;
  const givesDelta = (query.delta ?? undefined) !== undefined;
  const givesEpsilon = (query.epsilon ?? undefined) !== undefined;
  if (givesDelta === givesEpsilon) return undefined;
  const question = givesDelta ? 'epsilon' : 'delta';
  return (name) => ({ ...drawnBy(query, name), question });
}

/** The row of a sampler whose computation failed: nothing is proved, and a warning says why. */
function failedRow(query: Query, name: SamplerName, error: unknown, other: Answer): Answer {
  const nothing: Interval = { lower: null, upper: null, kind: 'bound' };
  const byDelta = query.question === 'epsilon';
  return {
    sampler: other.sampler === 'composition' ? 'composition' : name,
    epsilon: byDelta ? nothing : other.epsilon,
    delta: byDelta ? other.delta : nothing,
    adjacency: other.adjacency,
    directions: { remove: nothing, add: nothing },
    method: 'none',
    methodCode: 'none',
    derived: { steps: other.derived.steps },
    assumptions: [],
    assumptionCodes: [],
    warnings: [{ code: 'row-failed', text: `No answer for this sampler. ${wordsOf(error)}` }],
    citations: [],
    work: { gridPoints: 0, milliseconds: 0 },
  };
}

/** Whether trouble is one row's own, so that the others can still be answered. */
const costsOneRow = (error: unknown): boolean =>
  error instanceof QueryError ||
  (error instanceof EngineError && error.code !== 'closed' && error.code !== 'start-failed');

/** In hex; undefined on a page without a secure address, or where the bytes are no longer there. */
async function sha256(coming: () => Promise<BufferSource>): Promise<string | undefined> {
  const { subtle } = crypto as { subtle?: SubtleCrypto };
  const bytes = subtle && (await coming().catch(() => undefined));
  if (!bytes) return undefined;
  const digest = new Uint8Array(await subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** One row per sampler, in the catalog's order, each reported as it comes. */
async function compareRows(
  queryOf: (name: SamplerName) => Query,
  ask: (query: Query) => Promise<Answer>,
  stopped: AbortSignal,
  onAnswer: CompareOptions['onAnswer'],
): Promise<Answer[]> {
  const rows = await Promise.all(
    samplers.map(async ({ name }) => {
      const query = queryOf(name);
      try {
        const answer = await ask(query);
        if (!stopped.aborted) onAnswer?.(answer);
        return answer;
      } catch (error) {
        // Trouble that no row survives fails the comparison.
        if (stopped.aborted || !costsOneRow(error)) throw error;
        return { query, name, error };
      }
    }),
  );
  const other = rows.find((row): row is Answer => !('error' in row));
  return rows.map((row) => {
    if (!('error' in row)) return row;
    // A question that no row can answer is at fault itself.
    if (!other) throw row.error;
    const none = failedRow(row.query, row.name, row.error, other);
    onAnswer?.(none);
    return none;
  });
}

/**
 * Every method is async, even where it only hands a question on: whatever is wrong with one rejects,
 * even a getter that throws.
 *   wasmBytes: the file that the pool's workers run
 */
export function createClient(pool: Pool, wasmBytes: () => Promise<BufferSource>): Engine {
  async function one(query: Query, options?: CallOptions): Promise<Answer> {
    const [answer] = await pool.run('answer', query, options);
    if (!answer) throw new EngineError('engine-failed', troubles.computation);
    return answer;
  }

  const engine: Engine = {
    epsilon: async (query, options) => one(asking(query, 'epsilon'), options),
    delta: async (query, options) => one(asking(query, 'delta'), options),
    async compare(query, options = {}) {
      const queryOf = split(query);
      if (!queryOf) {
        const answers = await pool.run('answer', asking(query, 'compare'), options);
        for (const answer of answers) options.onAnswer?.(answer);
        return { question: 'compare', answers };
      }
      return asOne(options.signal, async (stopped) => {
        const ask = (row: Query) => one(row, { ...options, signal: stopped });
        const answers = await compareRows(queryOf, ask, stopped, options.onAnswer);
        return { question: 'compare', answers };
      });
    },
    calibrate: async (query, options) => one(asking(query, 'calibrate'), options),
    async curve(query, options = {} as CurveOptions) {
      const { drawCurve } = await import('./curve.js');
      const { background } = options;
      const questions: CurveQuestions = {
        one: (asked, signal) => one(asked, { signal, background }),
        deltas: (asked, epsilons, signal) => {
          const question = { ...asked, epsilons, sharedOnly: true };
          return pool.run('privacyCurve', question, { signal, background });
        },
      };
      return drawCurve(questions, query, options, options);
    },
    async monteCarlo(query, options) {
      const { monteCarlo } = await sampling();
      return monteCarlo(pool, query, options);
    },
    async mergeTallies(tallies, { signal, ...certainty } = {}) {
      const { mergeTallies } = await sampling();
      return mergeTallies(pool, tallies, certainty, signal);
    },
    tradeoff: async (query, options) => pool.run('tradeoff', asking(query, 'tradeoff'), options),
    audit: async (query, options) => pool.run('audit', asking(query, 'audit'), options),
    shuffleModel: async (query, options) => pool.run('shuffleModel', query, options),
    initialisation: async (query, options) => pool.run('initialisation', query, options),
    mixtures: async (query, options) => pool.run('mixtures', query, options),
    twoBatches: async (query, options) => pool.run('twoBatches', query, options),
    async answer(query, options) {
      const question = isRecord(query) ? query.question : undefined;
      if (question === 'compare') return engine.compare(query, options);
      if (question === 'audit') return engine.audit(query, options);
      return question === 'tradeoff' ? engine.tradeoff(query, options) : one(query, options);
    },
    wasmSha256: () => sha256(wasmBytes),
    close: () => pool.close(),
  };
  return engine;
}
