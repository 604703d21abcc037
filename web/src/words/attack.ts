import { asksOfClients } from '../../../wasm/words/record.js';
import type { Adjacency, Direction, Query } from '../../../wasm/generated/schema.js';
import { isPhase } from '../../../wasm/words/samplers.js';

export const attacks = ['symmetric', 'remove', 'add'] as const satisfies (
  | 'symmetric'
  | Direction
)[];
export type Attack = (typeof attacks)[number];

export const attackWords: Readonly<Record<Attack, string>> = {
  symmetric: 'worse of both',
  remove: 'remove',
  add: 'add',
};

/** What an attack tells from a record that was used. */
const otherCases: Readonly<Record<Adjacency, string>> = {
  'zero-out': 'had its gradients zeroed',
  'add-remove': 'was not used',
  substitution: 'was replaced by another',
};

/** The same of all records of a person. */
const plural = (words: string) =>
  words
    .replace('was', 'were')
    .replace('its gradients', 'their gradients')
    .replace('another', 'others');

export function errorWords(query: Query, attack: Attack) {
  const phases = query.phases.filter(isPhase);
  const adjacencies = new Set(phases.map(({ adjacency = 'zero-out' }) => adjacency));
  const [only = 'zero-out'] = adjacencies;
  const several = phases.some(({ recordsPerUser = 1 }) => recordsPerUser > 1);
  // Phases that differ in their neighbours share the plainest words.
  const adjacency = adjacencies.size === 1 ? only : 'add-remove';
  const one = asksOfClients(query) ? 'client' : 'record';
  const [unit, it] = several ? [`the person’s ${one}s`, 'they'] : [`the ${one}`, 'it'];
  const said = (words: string) => (several ? plural(words) : words);
  const [used, not] = [said('was used'), said(otherCases[adjacency])];
  const found = `the attack claims that ${unit} ${used}, but ${it} ${not}`;
  const missed = `the attack claims that ${unit} ${not}, but ${it} ${used}`;
  const turned = ' (or the reverse, whichever is easier)';
  if (attack === 'add') return { falsePositive: `${missed}.`, falseNegative: `${found}.` };
  const end = attack === 'symmetric' ? turned : '';
  return { falsePositive: `${found}${end}.`, falseNegative: `${missed}${end}.` };
}
