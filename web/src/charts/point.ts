import type { Interval } from '../../../wasm/generated/schema.js';

export interface Point {
  x: number;
  y: Interval;
}

// Where nothing is proved, an edge leaves the plot.
export const upperOf = ({ y }: Point) => y.upper ?? Infinity;
export const lowerOf = ({ y }: Point) => y.lower ?? 0;
