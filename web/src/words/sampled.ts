import type { Interval, MonteCarloEstimate } from '../../../wasm/generated/schema.js';
import { format } from '../../../wasm/words/numbers.js';

export function averageOf({ mean, standardError }: MonteCarloEstimate): string {
  const value = format(((mean.lower ?? 0) + (mean.upper ?? 0)) / 2, { side: 'nearest' });
  if (mean.upper === 0) return 'no hits yet';
  return standardError === undefined
    ? value
    : `${value} ± ${format(standardError, { side: 'nearest', digits: 2 })}`;
}

/** Whether both can hold the same truth. */
export const meets = (a: Interval, b: Interval) =>
  (a.lower ?? -Infinity) <= (b.upper ?? Infinity) &&
  (b.lower ?? -Infinity) <= (a.upper ?? Infinity);
