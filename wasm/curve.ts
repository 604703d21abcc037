import { curveKind, curveKinds } from './curve-kinds.js';
import type {
  Ask,
  AskDeltas,
  CurveField,
  CurveKind,
  Drawn,
  KindInfo,
  PointFound,
} from './curve-kinds.js';
import { checkEnds, rangeOf, refuse, type CurveEnds } from './curve-range.js';
import { EngineError } from './errors.js';
import { phaseFields } from './generated/schema.js';
import type { Answer, PrivacyCurveAnswer, Query } from './generated/schema.js';
import { coarseFirst, placesOf } from './points.js';
import { isRecord } from './protocol.js';
import { asOne, inLanes } from './together.js';
import { isPhase } from './words/samplers.js';

export interface CurvePoint extends PointFound {
  x: number;
}

export interface Curve {
  question: 'curve';
  kind: CurveKind;
  /** The fields that x and y are values of. */
  x: CurveField;
  y: CurveField;
  points: CurvePoint[];
}

export interface CurveRange extends CurveEnds {
  kind: CurveKind;
  /** Which of the phases is drawn over, from 0; by default as calibration chooses. */
  phase?: number | undefined;
  /** How many points, ends included; by default 33, and one is at `from`. Whole numbers are asked once each. */
  points?: number | undefined;
}

export interface CurveWork {
  signal?: AbortSignal | undefined;
  /** Most questions under way at once; by default 8, one for each worker that an engine may have. */
  atOnce?: number | undefined;
  /** Called with each point as it comes: the ends first, then ever finer in between. */
  onPoint?: ((point: CurvePoint, done: number, all: number) => void) | undefined;
}

const usualPoints = 33;
const mostPoints = 10_000;

function checkCount(points: number): void {
  if (!Number.isInteger(points) || points < 1 || points > mostPoints) {
    refuse('points', `points must be a whole number from 1 to ${mostPoints}; got ${points}`);
  }
}

const isWhole = (field: CurveField) =>
  phaseFields.some(({ name, type }) => name === field && type === 'count');

async function plan(kind: KindInfo, query: Query, range: CurveRange, ask: Ask) {
  if (!isRecord(query) || !Array.isArray(query.phases) || !query.phases.every(isRecord)) {
    // Where this is not a run, the core says what is wrong.
    await ask(isRecord(query) ? { ...query, question: kind.question } : query);
    throw new EngineError('engine-failed', 'the engine answered a malformed question');
  }
  const { points: count = usualPoints, from: first } = range;
  checkCount(count);
  checkEnds(kind, range);
  const drawn: Drawn = { query, phase: range.phase };
  const x = kind.x(drawn);
  const over =
    drawn.phase === undefined ? query.phases : query.phases.slice(drawn.phase).slice(0, 1);
  if (x !== 'epsilon' && !over.some(isPhase)) {
    refuse('phases', `a curve over ${x} needs a phase of training; got other releases alone`);
  }
  const alone = count === 1 && first !== undefined;
  const [from, to] = alone ? [first, first] : await rangeOf(kind, drawn, range, ask);
  return { drawn, x, places: placesOf(from, to, count, kind.scale === 'log', isWhole(x)) };
}

/** A point shows no other accountant's figures: they need not be computed. */
function alone(query: Query): Query {
  const usual = isRecord(query) && (query.accountant ?? 'best') === 'best';
  return usual ? { ...query, accountant: 'pld' } : query;
}

/** Points in one question, at most: the core takes no longer list. */
const mostTogether = 1000;

/** The questions that a curve asks the engine. */
export interface CurveQuestions {
  one: (query: Query, signal: AbortSignal) => Promise<Answer>;
  deltas: (query: Query, epsilons: number[], signal: AbortSignal) => Promise<PrivacyCurveAnswer>;
}

/**
 * A curve of one run. Points that share their work are one question, others one each, a coarse curve
 * first. A bad run rejects with the core's own words, as any question does.
 */
export async function drawCurve(
  { one, deltas }: CurveQuestions,
  query: Query,
  range: CurveRange,
  { signal, atOnce = 8, onPoint }: CurveWork = {},
): Promise<Curve> {
  const kind = curveKind(range.kind);
  if (!kind) {
    const names = curveKinds.map(({ name }) => name).join(', ');
    return refuse('kind', `kind must be one of ${names}; got "${range.kind}"`);
  }
  return asOne(signal, async (stopped) => {
    const ask: Ask = (asked) => one(alone(asked), stopped);
    const askDeltas: AskDeltas = (asked, epsilons) => deltas(asked, epsilons, stopped);
    const { drawn, x, places } = await plan(kind, query, range, ask);
    const points: CurvePoint[] = [];
    const add = (point: CurvePoint) => {
      if (stopped.aborted) return;
      points.push(point);
      onPoint?.(point, points.length, places.length);
    };
    let left = coarseFirst(places.length).flatMap((index) => places[index] ?? []);
    while (kind.points && left.length > 0) {
      const lot = left.slice(0, mostTogether);
      const { points: found, sharesWork, ownProofs } = await kind.points(drawn, lot, askDeltas);
      if (!sharesWork) break;
      const own = ownProofs ? { ownProofs } : {};
      for (const { epsilon, delta, method } of found) add({ x: epsilon, y: delta, method, ...own });
      left = left.slice(lot.length);
    }
    const at = async (place: number) => add({ x: place, ...(await kind.point(drawn, place, ask)) });
    await inLanes(
      atOnce,
      left.map((place) => () => at(place)),
    );
    // The last points may have come together with the wish to stop.
    stopped.throwIfAborted();
    points.sort((a, b) => a.x - b.x);
    return { question: 'curve', kind: kind.name, x, y: kind.y, points };
  });
}
