import { format } from '../words/numbers.js';
import type { Interval } from '../generated/schema.js';

/** How the epsilon of Poisson batches compares with that of the batches really drawn. */
interface AccountingError {
  direction: 'understates' | 'overstates' | 'agrees' | 'undecided';
  /** The true epsilon minus that of Poisson batches. */
  difference: Interval;
}

/** Undefined where the comparison lacks an end, or where nothing is proved. */
export function accountingError(
  own: Interval,
  poisson: Interval,
  same: boolean,
): AccountingError | undefined {
  if (same) return { direction: 'agrees', difference: { lower: 0, upper: 0, kind: own.kind } };
  const { lower, upper } = own;
  if (lower === null || upper === null || poisson.lower === null || poisson.upper === null)
    return undefined;
  if (own.kind === 'estimate' || poisson.kind === 'estimate') return undefined;
  // The rounding of the two subtractions.
  const slack = 1e-15 * (upper + poisson.upper);
  const least = lower - poisson.upper - slack;
  const most = upper - poisson.lower + slack;
  const kind = own.kind === 'certified' ? poisson.kind : own.kind;
  const direction = least > 0 ? 'understates' : most < 0 ? 'overstates' : 'undecided';
  return { direction, difference: { lower: least, upper: most, kind } };
}

/** The error in words; `name` is the quantity's. */
export function errorSentence(
  { direction, difference }: AccountingError,
  name: string,
  own: Interval,
  poisson: Interval,
): string {
  if (direction === 'agrees') return 'The batches are Poisson batches, and accounted for as such.';
  const start = 'Accounting for these batches as if they were Poisson batches';
  if (direction === 'undecided')
    return `${start} is not proved to be wrong: the two intervals overlap.`;
  const ends = [difference.lower, difference.upper].map((end) => Math.abs(end ?? 0));
  const [least, most] = [Math.min(...ends), Math.max(...ends)];
  const size = `by at least ${format(least, { side: 'down' })} and at most ${format(most, { side: 'up' })}`;
  if (direction === 'overstates') return `${start} would overstate ${name} ${size}.`;
  const ratio = ((own.lower ?? 0) / (poisson.upper ?? 0)) * (1 - 1e-15);
  const factor = Number.isFinite(ratio)
    ? `, a factor of at least ${format(ratio, { side: 'down' })}`
    : '';
  return `${start} would understate ${name} ${size}${factor}.`;
}
