import { queryFields } from './generated/schema.js';
import type {
  Answer,
  Interval,
  Phase,
  PrivacyCurveAnswer,
  Query,
  Question,
} from './generated/schema.js';
import { restsOnOwnProofs } from './words/claims.js';
import { multiplierOf } from './words/noise.js';
import { isPhase } from './words/samplers.js';

export type Ask = (query: Query) => Promise<Answer>;

export type AskDeltas = (query: Query, epsilons: number[]) => Promise<PrivacyCurveAnswer>;

/** The field along a curve, of the question or of its phases. */
export type CurveField =
  | Extract<keyof Query, 'epsilon' | 'delta'>
  | Extract<
      keyof Phase,
      'noiseMultiplier' | 'epochs' | 'steps' | 'samplingProbability' | 'batchSize' | 'stepsPerEpoch'
    >;

/** A run, and which of its phases is drawn over. */
export interface Drawn {
  query: Query;
  /**
   * Its place among the phases, from 0. Without it, the phases that leave the field out are drawn
   * over together; if none does, all are.
   */
  phase?: number | undefined;
}

/** What is found at a place of a curve. */
export interface PointFound {
  y: Interval;
  method: string;
  /** Present and true where its upper end rests on a theorem of this project's own. */
  ownProofs?: true;
}

type XRange = [from: number, to: number];

interface AnyKind {
  name: string;
  meaning: string;
  /** The question whose answer is a point; its errors are those of the curve. */
  question: Question;
  x: (drawn: Drawn) => CurveField;
  y: CurveField;
  point: (drawn: Drawn, x: number, ask: Ask) => Promise<PointFound>;
  /** Asks for several points at once, where there is a question for that. */
  points?: (drawn: Drawn, places: number[], ask: AskDeltas) => Promise<PrivacyCurveAnswer>;
}

/** Where a curve of this run begins and ends; `floor` is the least delta of interest. */
type Kind = AnyKind &
  (
    | { scale: 'linear'; range: (drawn: Drawn, floor: number, ask: Ask) => Promise<XRange> }
    | { scale: 'log'; range: (drawn: Drawn, floor?: number, ask?: Ask) => XRange }
  );

/** The phases that a swept field belongs to. */
function sweptOf({ query, phase }: Drawn, fields: readonly CurveField[]): Phase[] {
  const phases = query.phases.filter(isPhase);
  const one = phase === undefined ? undefined : query.phases[phase];
  if (one && isPhase(one)) return [one];
  const without = phases.filter((candidate) =>
    fields.every((field) => candidate[field as keyof Phase] === undefined),
  );
  return without.length > 0 ? without : phases;
}

/** The first of some fields that the run states. */
function stated<Field extends CurveField>(drawn: Drawn, fields: readonly Field[], usual: Field) {
  const phases = sweptOf(drawn, fields);
  const has = (field: Field) => phases.some((phase) => phase[field as keyof Phase] !== undefined);
  return fields.find(has) ?? usual;
}

/** What no longer says how much noise there is, where a multiplier does. */
const byMultiplier = { noiseUnit: undefined, noiseStddev: undefined };

/** The run with one value of the swept field, or without the field. */
function swept(drawn: Drawn, field: CurveField, value: number | undefined): Query {
  const into = sweptOf(drawn, [field]);
  const phases = drawn.query.phases.map((entry) =>
    into.some((phase) => phase === entry)
      ? { ...entry, ...(field === 'noiseMultiplier' ? byMultiplier : {}), [field]: value }
      : entry,
  );
  return { ...drawn.query, phases };
}

/** The run's own value of a field; the middle one where phases differ. */
function usualOf(drawn: Drawn, field: CurveField): number | undefined {
  const values = sweptOf(drawn, [field])
    .map((phase) =>
      field === 'noiseMultiplier' ? multiplierOf(phase) : phase[field as keyof Phase],
    )
    .filter((value) => typeof value === 'number' && value > 0) as number[];
  if (values.length === 0) return undefined;
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}

/** The largest epsilon at which delta is asked. */
const farthest = queryFields.find(({ name }) => name === 'epsilon')?.most ?? 0;

/**
 * The epsilon at which a curve meets the floor. A curve that never does, since part of its delta is
 * certain, is drawn a little beyond where it stops falling.
 */
async function end(query: Query, floor: number, ask: Ask): Promise<number> {
  for (let delta = floor; delta < 1; delta *= 30) {
    const { epsilon } = await ask({ ...query, question: 'epsilon', epsilon: undefined, delta });
    const reached = epsilon.upper;
    if (reached === null) continue;
    if (reached > 0) return Math.min(delta === floor ? reached : 1.25 * reached, farthest);
  }
  return 1;
}

const epsilonAt = (query: Query): Query => ({
  ...query,
  question: 'epsilon',
  epsilon: undefined,
  solveFor: undefined,
  capDelta: undefined,
});

/** How an answer was found, and what its upper end rests on. */
const foundBy = (answer: Answer): Omit<PointFound, 'y'> => ({
  method: answer.method,
  ...(restsOnOwnProofs(answer) ? { ownProofs: true } : {}),
});

const epsilonOf = async (query: Query, ask: Ask) => {
  const answer = await ask(epsilonAt(query));
  return { y: answer.epsilon, ...foundBy(answer) };
};

/**
 * A noise below one that meets the target, proved to miss it: within the width asked if the run's
 * epsilon is known that well, else within a twentieth.
 */
async function missing(drawn: Drawn, enough: number, ask: Ask): Promise<number | null> {
  const { query } = drawn;
  const target = query.epsilon ?? 0;
  const width = query.width ?? 1e-3;
  const misses = async (noise: number) => {
    const { lower } = (await ask(epsilonAt(swept(drawn, 'noiseMultiplier', noise)))).epsilon;
    return lower !== null && lower > target;
  };
  let open = enough;
  for (const share of [1 - 3 * width, 0.97, 0.9, 0.7, 0.4, 0.1]) {
    let low = share * enough;
    if (low >= open) continue;
    if (!(await misses(low))) {
      open = low;
      continue;
    }
    while (open > 1.05 * low) {
      const middle = Math.sqrt(low * open);
      if (await misses(middle)) low = middle;
      else open = middle;
    }
    return low;
  }
  return null;
}

const lengths = ['epochs', 'steps'] as const;
const rates = ['samplingProbability', 'batchSize', 'stepsPerEpoch'] as const;

const ofLength = (drawn: Drawn) => stated(drawn, lengths, 'epochs');
const ofRate = (drawn: Drawn) => stated(drawn, rates, 'samplingProbability');

/** THE list of curves: another kind is another entry. */
export const curveKinds = [
  {
    name: 'delta-epsilon',
    meaning: 'Delta vs epsilon: the privacy profile.',
    question: 'delta',
    x: () => 'epsilon',
    y: 'delta',
    scale: 'linear',
    range: async ({ query }, floor, ask) => [0, await end(query, floor, ask)],
    point: async ({ query }, epsilon, ask) => {
      const answer = await ask({ ...query, question: 'delta', delta: undefined, epsilon });
      return { y: answer.delta, ...foundBy(answer) };
    },
    points: ({ query }, epsilons, ask) =>
      ask({ ...query, question: 'delta', delta: undefined, epsilon: undefined }, epsilons),
  },
  {
    name: 'epsilon-noise',
    meaning: 'Epsilon vs noise multiplier, at the delta given.',
    question: 'epsilon',
    x: () => 'noiseMultiplier',
    y: 'epsilon',
    scale: 'log',
    range: (drawn) => {
      const usual = usualOf(drawn, 'noiseMultiplier');
      return usual === undefined ? [0.3, 10] : [usual / 4, Math.min(1e6, 4 * usual)];
    },
    point: (drawn, noise, ask) => epsilonOf(swept(drawn, 'noiseMultiplier', noise), ask),
  },
  {
    name: 'epsilon-epochs',
    meaning: 'Epsilon vs epochs (or steps, if the run states those), at the delta given.',
    question: 'epsilon',
    x: ofLength,
    y: 'epsilon',
    scale: 'log',
    range: (drawn) => {
      const usual = usualOf(drawn, ofLength(drawn)) ?? 10;
      return [1, Math.min(1e9, Math.max(10, Math.round(10 * usual)))];
    },
    point: (drawn, length, ask) => epsilonOf(swept(drawn, ofLength(drawn), length), ask),
  },
  {
    name: 'noise-sampling',
    meaning:
      'The noise multiplier that meets epsilon and delta, vs sampling probability (or batch size, if the run states that).',
    question: 'calibrate',
    x: ofRate,
    y: 'noiseMultiplier',
    scale: 'log',
    range: (drawn) => {
      const field = ofRate(drawn);
      const whole = field !== 'samplingProbability';
      const usual = usualOf(drawn, field) ?? (whole ? 32 : 0.01);
      const [data] = sweptOf(drawn, [field]).flatMap(({ datasetSize }) => datasetSize ?? []);
      const most = field === 'batchSize' ? (data ?? 1e9) : whole ? 1e9 : 1;
      const from = whole ? Math.max(1, Math.round(usual / 32)) : usual / 32;
      const to = whole ? Math.round(32 * usual) : 32 * usual;
      return [from, Math.min(most, to)];
    },
    point: async ({ query, phase }, rate, ask) => {
      const there = { query: swept({ query, phase }, ofRate({ query, phase }), rate), phase };
      const open = { query: swept(there, 'noiseMultiplier', undefined), phase };
      const found = await ask({ ...open.query, question: 'calibrate', solveFor: 'noise' });
      const upper = found.solution?.value ?? null;
      const lower = upper === null ? null : await missing(open, upper, ask);
      const kind = lower === null ? 'bound' : 'certified';
      return { y: { lower, upper, kind }, ...foundBy(found) };
    },
  },
] as const satisfies readonly Kind[];

export type CurveKind = (typeof curveKinds)[number]['name'];

export type KindInfo = Kind & { name: CurveKind };

export const curveKind = (name: string): KindInfo | undefined =>
  curveKinds.find((kind) => kind.name === name);

export const placeOf = (kind: KindInfo, drawn: Drawn) => usualOf(drawn, kind.x(drawn));

/** The run without the field along the curve: runs that share it share the curve. */
export function withoutField(kind: KindInfo, drawn: Drawn): Query {
  const field = kind.x(drawn);
  if (field === 'epsilon') return drawn.query;
  const query = swept(drawn, field, undefined);
  return kind.y === 'noiseMultiplier' ? swept({ ...drawn, query }, kind.y, undefined) : query;
}
