/** Conjecture 3.2 of Chua and others, 2024, and an adaptive attack that exceeds what it allows. */

import type { Interval, TwoBatchesAnswer } from '../generated/schema.js';
import { deltaOf } from './ask.js';
import { paperOf, stated } from './paper.js';
import { epoch } from './runs.js';
import type { Claim, Exhibit, NumberAsked } from './shape.js';

/** Another attack than the static one, in one direction, and the deltas that the proofs page prints. */
interface Compared {
  direction: 'remove' | 'add';
  attack: string;
  noise: number;
  epsilon: number;
  fixed: string;
  other: string;
  most: string;
}

const rows: readonly Compared[] = [
  { noise: 1, epsilon: 0.05, fixed: '0.345745', other: '0.349106', most: '0.36756' },
  { noise: 1, epsilon: 0.5, fixed: '0.221269', other: '0.223235', most: '0.23843' },
  { noise: 1, epsilon: 1, fixed: '0.117215', other: '0.117955', most: '0.12694' },
  { noise: 2, epsilon: 0.25, fixed: '0.0799920', other: '0.0837594', most: '0.11030' },
  { noise: 4, epsilon: 0.375, fixed: '0.00236238', other: '0.00280760', most: '0.0087880' },
].map((row) => ({ ...row, direction: 'remove', attack: 'adaptive' }));

const added: Compared = {
  ...{ direction: 'add', attack: 'others at +1, then −1', noise: 4, epsilon: 0.375 },
  ...{ fixed: '0.00166610', other: '0.00169792', most: '0.0087880' },
};

function attacked(
  { noise: noiseMultiplier, epsilon }: Compared,
  read: (answer: TwoBatchesAnswer) => Interval,
): NumberAsked {
  const query = { noiseMultiplier, epsilon };
  const question = { twoBatches: query };
  return {
    question,
    async find(source) {
      const answer = await source.once(question, () =>
        source.engine.twoBatches(query, source.call),
      );
      return { value: read(answer), milliseconds: answer.work.milliseconds };
    },
  };
}

function claimsOf(row: Compared): Claim[] {
  const { direction, attack, noise, epsilon, fixed, other, most } = row;
  const at = `σ = ${String(noise)}, ε = ${String(epsilon)}`;
  const removes = direction === 'remove';
  const cell = (column: string) => ({
    cell: { row: `${direction}, ${attack}: ${at}`, column },
  });
  const of = (what: string) => `δ, ${direction}, ${at}: ${what}`;
  return [
    stated(
      ...([of('static attack'), '=', fixed] as const),
      attacked(row, (answer) => (removes ? answer.staticRemove : answer.staticAdd)),
      cell('static attack'),
    ),
    stated(
      ...([of(attack), '=', other] as const),
      attacked(row, (answer) => (removes ? answer.imitatingRemove : answer.oppositeAdd)),
      cell('this attack'),
    ),
    stated(
      ...([of('deterministic batches'), '<=', most] as const),
      deltaOf(epoch('shuffle', noise, 2), epsilon, direction),
      cell('deterministic batches'),
    ),
  ];
}

export const counterexample: Exhibit = {
  id: 'he-conjecture',
  paper: {
    ...paperOf('HP24', 'Conjecture 3.2 of Chua et al. (2024)'),
    citation: 'HE26',
    authors: 'Honest Epsilon, not yet peer-reviewed',
  },
  name: 'Counterexample',
  title: 'A conjecture, refuted',
  caption:
    'Conjecture 3.2 of Chua et al. (2024) says that no attack exceeds the static one. It is false for adaptive queries; this example, with two shuffled batches of one record each, is ours and not yet peer-reviewed. In the adaptive attack the other record imitates yours in the second batch if the first output looks as if your record had been there; in direction add another fixed attack is enough. All attacks are below the proved upper end of deterministic batches, which never relied on the conjecture. With many batches the difference is small. The proofs page has the formula.',
  panels: [],
  claims: [...rows, added].flatMap(claimsOf),
  scenario: { phases: [epoch('shuffle', 1, 2)], delta: 0.1 },
};
