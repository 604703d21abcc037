/** honest-epsilon audit --scores: counts from a file of an attack's scores. */

import type { Query } from '../generated/schema.js';
import { auditFields } from '../words/audit.js';
import { kebab } from '../words/kebab.js';
import { flagNumber, issue } from './flags.js';

export interface Scores {
  members: number[];
  nonMembers: number[];
}

const memberWords = /^(1|true|yes|in|member)$/i;
const otherWords = /^(0|false|no|out|non-?member)$/i;

/** Lines "score,member" of a file called `name`; a first line of column names is skipped. */
export function readScores(text: string, name: string): Scores {
  const scores: Scores = { members: [], nonMembers: [] };
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const [score = '', member = '', ...more] = line.trim().split(/\s*[,;\t]\s*|\s+/);
    if (score === '') continue;
    const said = memberWords.test(member) ? 'members' : 'nonMembers';
    const isNumber = /^[-+.\d]/.test(score);
    if (index === 0 && !isNumber) continue;
    const value = isNumber ? flagNumber('scores', score) : undefined;
    if (
      value === undefined ||
      more.length > 0 ||
      !(memberWords.test(member) || otherWords.test(member))
    )
      throw issue(
        'wrong-type',
        'scores',
        `scores: line ${index + 1} of ${name} must be a score and 1 (member) or 0 (non-member), such as "2.5,1"; got "${line.trim().slice(0, 80)}"`,
      );
    scores[said].push(value);
  }
  if (Math.min(scores.members.length, scores.nonMembers.length) < 2)
    throw issue(
      'missing',
      'scores',
      `scores: ${name} must hold the scores of at least 2 members and 2 non-members; it has ${scores.members.length} and ${scores.nonMembers.length}`,
    );
  return scores;
}

/**
 * Numbers in [0, 1), the same ones for the same scores: mulberry32 from a hash of all of them (FNV-1a).
 * Nobody can choose among several splits, and sorted scores are split like any others.
 */
function* numbersFrom(scores: readonly number[]): Generator<number, never> {
  let state = 0x811c9dc5;
  for (const letter of scores.join()) state = Math.imul(state ^ letter.charCodeAt(0), 0x01000193);
  for (;;) {
    state = (state + 0x6d2b79f5) | 0;
    let word = Math.imul(state ^ (state >>> 15), state | 1);
    word ^= word + Math.imul(word ^ (word >>> 7), word | 61);
    yield ((word ^ (word >>> 14)) >>> 0) / 2 ** 32;
  }
}

/** Two halves, drawn at random, so that neither says anything of the other. */
function halved(scores: readonly number[], random: Iterator<number, never>): [number[], number[]] {
  const drawn = scores.map((score) => ({ score, at: random.next().value }));
  const all = drawn.toSorted((a, b) => a.at - b.at).map(({ score }) => score);
  const middle = Math.floor(all.length / 2);
  return [all.slice(0, middle), all.slice(middle)];
}

const atLeast = (scores: readonly number[], threshold: number) =>
  scores.filter((score) => score >= threshold).length;

/** The score that separates best, each rate taken two deviations to its worse side. */
function bestThreshold(
  members: readonly number[],
  others: readonly number[],
  delta: number,
): number {
  const rising = others.toSorted((a, b) => a - b);
  const falling = members.toSorted((a, b) => b - a);
  let [best, most] = [falling[0] ?? 0, -Infinity];
  let above = 0;
  for (const [index, threshold] of falling.entries()) {
    while (above < rising.length && (rising[rising.length - 1 - above] ?? 0) >= threshold) ++above;
    const hits = index + 1;
    const power = (hits - 2 * Math.sqrt(hits)) / members.length - delta;
    const alarms = (above + 2 * Math.sqrt(above) + 3) / others.length;
    if (power / alarms > most) [best, most] = [threshold, power / alarms];
  }
  return best;
}

/** The counts of the half that did not choose the threshold: for them it was fixed beforehand. */
export function countsOf({ members, nonMembers }: Scores, delta = 0) {
  const random = numbersFrom([...members, ...nonMembers]);
  const [chooses, counted] = halved(members, random);
  const [choosesOthers, countedOthers] = halved(nonMembers, random);
  const threshold = bestThreshold(chooses, choosesOthers, delta);
  const counts: Partial<Query> = {
    members: counted.length,
    truePositives: [atLeast(counted, threshold)],
    nonMembers: countedOthers.length,
    falsePositives: [atLeast(countedOthers, threshold)],
  };
  return { threshold, counts };
}

/** A query with the counts of a file of scores in it, and what was done to get them. */
export function withScores(query: Query, text: string, name: string) {
  const said = auditFields.find((field) => field !== 'confidence' && query[field] !== undefined);
  if (said !== undefined)
    throw issue(
      'contradiction',
      said,
      `--${kebab(said)} must be absent beside --scores, which is counted`,
    );
  const delta = typeof query.delta === 'number' ? query.delta : 0;
  const { threshold, counts } = countsOf(readScores(text, name), delta);
  return { query: { ...query, ...counts }, threshold };
}
