import type { Interval } from '../wasm/generated/schema.js';

/** Both ends proved. */
export const certified = (lower: number, upper: number): Interval => ({
  lower,
  upper,
  kind: 'certified',
});
