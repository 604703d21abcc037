import { showGiven } from '../words/numbers.js';
import type { IntervalKind, Mechanism } from '../generated/schema.js';

/** What a kind promises. */
export const kindMeanings: Readonly<Record<IntervalKind, string>> = {
  certified: 'both ends are proved; discretisation, truncation and round-off are charged to them',
  bound: 'one end is proved, and nothing is said of the other',
  confidence: 'both ends hold but for a stated error probability',
  estimate: 'no guarantee of any kind',
};

export const mechanismWords: Readonly<Record<Mechanism, string>> = {
  gaussian: 'Gaussian',
  laplace: 'Laplace',
  'randomized-response': 'randomised response',
};

export const dash = '–';

/** A number as it was given, or a dash. */
export const given = (value: number | undefined): string =>
  value === undefined ? dash : showGiven(value);

/** A derived number without the digits of its round-off. */
export const tidy = (value: number, digits = 12): number => Number(value.toPrecision(digits));

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${showGiven(count)} ${count === 1 ? one : many}`;
}

/** What warnings say. */
export const sentencesOf = (list: readonly { text: string }[]): string[] =>
  list.map(({ text }) => text);
