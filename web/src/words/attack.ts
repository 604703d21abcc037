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

/** The two cases that an attack tells apart, after "the record" or "it". */
interface Cases {
  there: string;
  away: string;
}

const ofRecord: Readonly<Record<Adjacency, Cases>> = {
  'zero-out': { there: 'was used', away: 'had its gradients zeroed' },
  'add-remove': { there: 'was used', away: 'was not used' },
  substitution: { there: 'was used', away: 'was replaced by another' },
};

const ofPerson: Readonly<Record<Adjacency, Cases>> = {
  'zero-out': { there: 'were used', away: 'had their gradients zeroed' },
  'add-remove': { there: 'were used', away: 'were not used' },
  substitution: { there: 'were used', away: 'were replaced by others' },
};

export function errorWords(query: Query, attack: Attack) {
  const phases = query.phases.filter(isPhase);
  const adjacencies = new Set(phases.map(({ adjacency = 'zero-out' }) => adjacency));
  const [only = 'zero-out'] = adjacencies;
  const several = phases.some(({ recordsPerUser = 1 }) => recordsPerUser > 1);
  // Phases that differ in their neighbours share the plainest words.
  const adjacency = adjacencies.size === 1 ? only : 'add-remove';
  const { there, away } = (several ? ofPerson : ofRecord)[adjacency];
  const one = asksOfClients(query) ? 'client' : 'record';
  const [unit, it] = several ? [`the person’s ${one}s`, 'they'] : [`the ${one}`, 'it'];
  const found = `the attack claims that ${unit} ${there}, but ${it} ${away}`;
  const missed = `the attack claims that ${unit} ${away}, but ${it} ${there}`;
  const turned = ' (or the reverse, whichever is easier)';
  if (attack === 'add') return { falsePositive: `${missed}.`, falseNegative: `${found}.` };
  const end = attack === 'symmetric' ? turned : '';
  return { falsePositive: `${found}${end}.`, falseNegative: `${missed}${end}.` };
}
