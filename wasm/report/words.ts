import { withLabels } from '../words/fields.js';
import { format } from '../words/numbers.js';
import type { Mechanism } from '../generated/schema.js';

export const mechanismWords: Readonly<Record<Mechanism, string>> = {
  gaussian: 'Gaussian',
  laplace: 'Laplace',
  'randomized-response': 'randomised response',
};

export const dash = '–';

/** A number as it was given, or a dash. */
export const given = (value: number | undefined): string =>
  value === undefined ? dash : format(value, { side: 'given' });

/** A derived number without the digits of its round-off. */
export const tidy = (value: number, digits = 12): number => Number(value.toPrecision(digits));

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${format(count, { side: 'given' })} ${count === 1 ? one : many}`;
}

export const sentencesOf = (list: readonly { text: string }[]): string[] =>
  list.map(({ text }) => withLabels(text));
