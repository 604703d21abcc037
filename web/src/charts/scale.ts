export interface Tick {
  value: number;
  x: number;
  label: string;
}

/** An axis: from values to pixels and back. */
export interface Scale {
  at(value: number): number;
  invert(x: number): number;
  ticks: readonly Tick[];
  /** Whether equal distances are equal ratios. */
  logarithmic?: boolean;
  least: number;
  most: number;
}

/** The reader's choice; without one the values decide. */
export type AxisKind = 'linear' | 'log' | undefined;
