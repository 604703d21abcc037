import { given } from '../words/numbers.js';
import type { Mechanism } from '../generated/schema.js';

export const mechanismWords: Readonly<Record<Mechanism, string>> = {
  gaussian: 'Gaussian',
  laplace: 'Laplace',
  'randomized-response': 'randomised response',
};

export const dash = '–';

/** A derived number without the digits of its round-off. */
export const tidy = (value: number, digits = 12): number => Number(value.toPrecision(digits));

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${given(count)} ${count === 1 ? one : many}`;
}
