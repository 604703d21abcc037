import type { Ask, CurveKind, Drawn, KindInfo } from './curve-kinds.js';
import { QueryError } from './errors.js';
import type { Interval } from './generated/schema.js';
import type { NumberKind } from './words/number-forms.js';
import { given } from './words/numbers.js';

/** Where a curve begins and ends; the ends left out are chosen. */
export interface CurveEnds {
  /** The ends along x; by default around what the run says. */
  from?: number | undefined;
  to?: number | undefined;
  /** The delta down to which delta-epsilon goes; by default four decades below the run's own. */
  floor?: number | undefined;
}

/** How the ends along x are read as typed: epochs, steps and batch sizes are counts, and no rate is above 1. */
export const endsKind = (kind: CurveKind): NumberKind =>
  kind === 'epsilon-epochs' || kind === 'noise-sampling' ? 'count' : 'number';

/** Smaller floors are of no interest, and down to the largest a curve still has a length. */
const floors = [1e-300, 0.1] as const;

export function refuse(field: string, text: string): never {
  throw new QueryError({ code: 'out-of-domain', field, text });
}

/** Whether each end makes sense by itself. */
export function checkEnds({ scale }: KindInfo, { from, to, floor }: CurveEnds): void {
  for (const [name, value] of Object.entries({ from, to })) {
    if (value === undefined) continue;
    if (!Number.isFinite(value) || (scale === 'log' ? value <= 0 : value < 0)) {
      const domain = scale === 'log' ? 'above 0' : 'of at least 0';
      refuse(name, `${name} must be a finite number ${domain}; got ${value}`);
    }
  }
  const [least, most] = floors;
  if (floor !== undefined && !(floor >= least && floor <= most)) {
    refuse('floor', `floor must be a delta from ${least} to ${most}; got ${floor}`);
  }
}

export function floorOf({ query: { delta = 1e-5 } }: Pick<Drawn, 'query'>): number {
  const [least, most] = floors;
  return Math.min(most, Math.max(least, 10 ** (Math.floor(Math.log10(delta)) - 4)));
}

/** Why a curve of delta ends above its floor; undefined where it does not. */
export function endNote(
  points: readonly { x: number; y: Interval }[],
  floor: number,
): string | undefined {
  const last = points.at(-1);
  // Of a wide point the epsilon at the floor is not exactly where the curve meets it.
  if (!last || (last.y.upper ?? 1) <= 2 * floor) return undefined;
  const [epsilon, delta] = [last.x, floor].map((value) => given(value));
  return `ends at epsilon ${epsilon}: no epsilon that can be asked is proved at a delta of ${delta}`;
}

/** The ends along x: those that are given, the others around the run's own value. */
export async function rangeOf(
  kind: KindInfo,
  drawn: Drawn,
  ends: CurveEnds,
  ask: Ask,
): Promise<[number, number]> {
  checkEnds(kind, ends);
  const said = ends.from !== undefined && ends.to !== undefined;
  const usual = said ? undefined : await kind.range(drawn, ends.floor ?? floorOf(drawn), ask);
  const [from, to] = [ends.from ?? usual?.[0] ?? 0, ends.to ?? usual?.[1] ?? 0];
  if (from < to) return [from, to];
  return ends.to === undefined
    ? refuse('from', `from must be below to; got ${from}, and to is ${to}`)
    : refuse('to', `to must be above from; got ${to}, and from is ${from}`);
}
