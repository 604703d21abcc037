import type { Interval, Query, SamplerName } from '../generated/schema.js';

/** A question and what is read of its answer; `"x"` in the query is the place on the axis. */
export interface PaperQuestion {
  call: 'answer' | 'shuffleModel' | 'initialisation' | 'twoBatches' | 'monteCarlo';
  query: Readonly<Record<string, unknown>>;
  /** The path of a field of the answer, or of the list whose field `each` is read. */
  read: string;
  each?: string | undefined;
  then?: 'below' | 'guarantee' | 'charge' | undefined;
  /** The value where a closed form does not cover the question. */
  otherwise?: number | undefined;
  /** A number that needs no engine, and what it is of. */
  formula?: 'orders' | 'percent of steps' | 'hoeffding' | 'condition' | undefined;
  of?: readonly (number | OrderRange)[] | undefined;
}

/** Every `step`-th order statistic from the range before up to `last`. */
export type OrderRange = readonly [last: number, step: number];

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
  ask: PaperQuestion;
  expected: Verdict;
  /** The value of the paper's own method, where our interval cannot decide about the number. */
  ownMethod?: number;
  /** Our guess at what the paper leaves open. */
  guess?: string;
  /** Why the two differ, or what to know where they agree. */
  reason?: string;
  /** Where it stands in the first panel; its height is what is printed. */
  x?: number;
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

/** A line asked for point by point (`answer`), or one that comes whole, perhaps ever better. */
export interface Series {
  label: string;
  /** Whose colour it has; without one it is drawn in ink. */
  sampler?: SamplerName | undefined;
  /** How it is told from another of the same colour. */
  dashed?: boolean | undefined;
  /** How long the paper says its own computation took, and of what. */
  paperTook?: string | undefined;
  /** How many points the figure has, evenly along its axis. */
  count: number;
  ask: PaperQuestion;
}

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
  scenario?: Query | undefined;
}
