import type { CallOptions, Engine } from '../client.js';
import type {
  InitialisationQuery,
  Interval,
  Query,
  SamplerName,
  ShuffleModelQuery,
} from '../generated/schema.js';

export interface Found {
  value: Interval;
  milliseconds: number;
}

/** The engine, as one reproduction uses it: the same question is asked once, and all can be stopped. */
export interface AskedEngine {
  engine: Engine;
  call: CallOptions;
  /** The result of the first `make` with this key. */
  once<Type>(key: unknown, make: () => Promise<Type>): Promise<Type>;
}

export interface NumberAsked {
  /** As it goes over the wire, with the field of the answer that is read. */
  question: unknown;
  find(source: AskedEngine): Promise<Found>;
}

/**
 * How a paper states a number. `=` and `about` are rounded to the digits printed, `exactly` is not
 * rounded, and `<=` and `>=` hold as printed or do not: an accountant that rounds losses up proves
 * a `<=`, whether the sign is printed or not.
 */
export type Relation = '=' | 'about' | 'exactly' | '<=' | '>=';

/**
 * How a paper's number compares with what was found: it holds, as closely as its digits can say; it is a
 * bound that holds but is looser; it fails by its rounding alone; it fails; or what was found here is too
 * loose to tell.
 */
export type Verdict = 'agree' | 'paper-looser' | 'paper-rounded' | 'paper-wrong' | 'ours-looser';

export interface Claim {
  what: string;
  relation: Relation;
  /** As printed, in plain digits: 1.18e-5, 11/48. */
  printed: string;
  ask: NumberAsked;
  expected: Verdict;
  /** The value of the paper's own method, where our interval cannot decide about the number. */
  ownMethod?: number;
  /** Our guess at what the paper leaves open. */
  guess?: string;
  /** Why the two differ, or what to know where they agree. */
  reason?: string;
  /** Where it stands in the first panel; its height is what is printed. */
  at?: number;
  /** Its place in the paper's table. */
  cell?: { row: string; column: string };
}

export interface Axis {
  label: string;
  scale: 'linear' | 'log';
  from: number;
  to: number;
}

export interface SeriesPoint {
  x: number;
  y: Interval;
}

interface SeriesHead {
  label: string;
  /** Whose colour it has; without one it is drawn in ink. */
  sampler?: SamplerName;
  /** How it is told from another of the same colour. */
  dashed?: boolean;
  /** How long the paper says its own computation took, and of what. */
  paperTook?: string;
}

/** A line asked for point by point, evenly along its axis between the axis's ends or its own. */
export interface PointwiseSeries extends SeriesHead {
  at(x: number): NumberAsked;
  from?: number;
  to?: number;
  /** How many points the figure has; fewer may be asked for. */
  count: number;
}

/** A line that comes whole, perhaps several times, ever better. */
export interface WholeSeries extends SeriesHead {
  question: unknown;
  draw(
    source: AskedEngine,
    onLine: (line: readonly SeriesPoint[]) => void,
    budget: Budget,
  ): Promise<{ line: readonly SeriesPoint[]; milliseconds: number }>;
}

/** How much to compute: everything, or enough for a look. */
export type Budget = 'full' | 'brief';

export type Series = PointwiseSeries | WholeSeries;

export interface FigurePanel {
  title: string;
  x: Axis;
  y: Axis;
  series: readonly Series[];
}

export interface Paper {
  /** Of `core/REFERENCES.md`. */
  citation: string;
  /** Of the version that figures and numbers are taken from. */
  title: string;
  authors: string;
  url: string;
}

/** A question of its own, by the engine's name for it. */
export type Exploration =
  | { asks: 'shuffleModel'; query: ShuffleModelQuery }
  | { asks: 'initialisation'; query: InitialisationQuery };

/** A paper's figure or table: what it shows, what the paper states about it, and what we ask. */
export interface Exhibit {
  id: string;
  paper: Paper;
  name: string;
  title: string;
  /** In our words; also what the paper leaves open and we chose. */
  caption: string;
  panels: readonly FigurePanel[];
  claims: readonly Claim[];
  /** The run that the page opens for it: one phase, and a delta. */
  scenario?: Query;
  /** The question that the page opens for it, where it is not about a run. */
  explores?: Exploration;
}
