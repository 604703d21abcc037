export interface Tick {
  value: number;
  x: number;
  label: string;
}

export interface Scale {
  at(value: number): number;
  invert(x: number): number;
  ticks: readonly Tick[];
  logarithmic?: boolean;
  least: number;
  most: number;
}

/** The reader's choice; without one the values decide. */
export type AxisKind = 'linear' | 'log' | undefined;
