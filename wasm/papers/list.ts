import { avoidingPitfalls } from './avoiding-pitfalls.js';
import { ballsAndBins } from './balls-and-bins.js';
import { counterexample } from './counterexample.js';
import { howPrivate } from './how-private.js';
import { mixtures } from './mixtures.js';
import type { Exhibit } from './shape.js';

/** THE list of figures and tables, in the papers' order. */
export const exhibits: readonly Exhibit[] = [
  ...howPrivate,
  counterexample,
  ...avoidingPitfalls,
  ...ballsAndBins,
  ...mixtures,
];

export const exhibitOf = (id: string): Exhibit | undefined =>
  exhibits.find((exhibit) => exhibit.id === id);
