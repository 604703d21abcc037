/** The neighbouring datasets that an answer holds for, in a reader's words. */

import type { Answer } from '../generated/schema.js';

/** THE table: page, element, command and report take their words from it. */
const words: Readonly<Record<Answer['adjacency'], string>> = {
  'zero-out': 'zero-out neighbours',
  'add-remove': 'add/remove neighbours',
  substitution: 'substitution neighbours',
  mixed: 'different neighbours in different phases',
};

export const neighboursNamed = (adjacency: Answer['adjacency']): string => words[adjacency];

type Held = Pick<Answer, 'adjacency' | 'warnings' | 'privacyUnit'>;

/** "for add/remove neighbours", "for zero-out neighbours that differ in one client" */
export const neighboursOf = ({
  adjacency,
  privacyUnit,
}: Pick<Answer, 'adjacency'> & { privacyUnit?: string | undefined }): string =>
  `for ${words[adjacency]}${privacyUnit === 'client' ? ' that differ in one client' : ''}`;

/** The same where other neighbours were asked for, to stand beside the number; else undefined. */
export const otherNeighbours = (answer: Held): string | undefined =>
  answer.warnings.some(({ code }) => code === 'other-neighbours')
    ? neighboursOf(answer)
    : undefined;

/** The same of each row that has it, by the row's name. */
export const rowsOfOthers = (rows: ReadonlyMap<string, Held>): ReadonlyMap<string, string> =>
  new Map(
    [...rows].flatMap(([name, answer]) => {
      const other = otherNeighbours(answer);
      return other === undefined ? [] : [[name, other] as const];
    }),
  );
