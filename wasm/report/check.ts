/** Whether a report's numbers are those that its question has: what `report --check` asks. */

import type { Engine } from '../client.js';
import { QueryError } from '../errors.js';
import type { Answer, Interval, Query } from '../generated/schema.js';
import { formatInterval } from '../words/numbers.js';
import { isRecord } from '../protocol.js';
import { gather, type Facts } from './gather.js';
import { reportVersion } from './json.js';

export interface Checked {
  name: string;
  recorded: Interval;
  found: Interval;
  confirmed: boolean;
}

const refuse = (code: string, field: string, text: string) => new QueryError({ code, field, text });

const shown = (value: unknown): string =>
  value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 60);

const wrongType = (field: string, wanted: string, got: unknown) =>
  refuse('wrong-type', field, `${field} must be ${wanted}; got ${shown(got)}`);

function recordOf(value: unknown, field: string): Record<string, unknown> {
  if (isRecord(value)) return value;
  throw wrongType(field, 'an object', value);
}

function intervalAt(value: unknown, field: string): Interval {
  const ends = recordOf(value, field);
  for (const end of ['lower', 'upper']) {
    const got = ends[end];
    if (got !== null && typeof got !== 'number')
      throw wrongType(`${field}.${end}`, 'a number or null', got);
  }
  return ends as unknown as Interval;
}

/** Another version may compute other last digits. */
const slack = 1e-9;

/** Whether all that the recorded interval claims is proved now: it holds the one that was found. */
function confirms(recorded: Interval, found: Interval): boolean {
  if (recorded.kind !== found.kind) return false;
  const above = (end: number | null) => end ?? Infinity;
  const below = (end: number | null) => end ?? -Infinity;
  return (
    above(recorded.upper) >= above(found.upper) * (1 - slack) &&
    below(recorded.lower) <= below(found.lower) * (1 + slack)
  );
}

/** The number that needs no theorem of this project's own. */
const alone = 'by published theorems alone';

/** The numbers that a report states of its run, by name. */
function recordedIn(report: Record<string, unknown>): Map<string, Interval> {
  const answer = recordOf(report.answer, 'answer');
  const directions = recordOf(answer.directions, 'directions');
  const all = new Map([
    ['epsilon', intervalAt(answer.epsilon, 'answer.epsilon')],
    ['delta', intervalAt(answer.delta, 'answer.delta')],
    ['remove', intervalAt(directions.remove, 'answer.directions.remove')],
    ['add', intervalAt(directions.add, 'answer.directions.add')],
  ]);
  if (answer.published !== undefined)
    all.set(alone, intervalAt(answer.published, 'answer.published'));
  if (!Array.isArray(report.epsilons)) throw wrongType('epsilons', 'a list', report.epsilons);
  (report.epsilons as unknown[]).forEach((entry, index) => {
    const field = `epsilons.${index}`;
    if (!isRecord(entry) || typeof entry.delta !== 'number')
      throw refuse('wrong-type', `${field}.delta`, `${field}.delta must be a number`);
    all.set(`epsilon at delta ${entry.delta}`, intervalAt(entry.epsilon, `${field}.epsilon`));
  });
  return all;
}

function foundNow({ asked, answer, epsilons }: Facts): Map<string, Interval> {
  const { directions }: Answer = answer;
  return new Map([
    ['epsilon', answer.epsilon],
    ['delta', answer.delta],
    ['remove', directions.remove],
    ['add', directions.add],
    [alone, answer.published ?? answer[asked]],
    ...epsilons.map(({ delta, epsilon }): [string, Interval] => [
      `epsilon at delta ${delta}`,
      epsilon,
    ]),
  ]);
}

/** Asks the report's question again. */
export async function checkReport(engine: Engine, report: unknown): Promise<Checked[]> {
  if (!isRecord(report))
    throw refuse('wrong-type', 'check', `a report must be an object; got ${shown(report)}`);
  if (report.reportVersion !== reportVersion) {
    const wanted = `${reportVersion}, the version of the reports that this program writes`;
    const text = `reportVersion must be ${wanted}; got ${shown(report.reportVersion)}`;
    throw refuse('other-version', 'reportVersion', text);
  }
  const recorded = recordedIn(report);
  const query = recordOf(report.query, 'query') as unknown as Query;
  const found = foundNow(await gather(engine, query, { date: '' }));
  return [...recorded].map(([name, before]) => {
    const now = found.get(name);
    if (!now) {
      const text = `the question has no ${name}, which the report states`;
      throw refuse('contradiction', 'epsilons', text);
    }
    return { name, recorded: before, found: now, confirmed: confirms(before, now) };
  });
}

export const checkedText = (all: readonly Checked[]): string =>
  all
    .map(
      ({ name, recorded, found, confirmed }) =>
        `${confirmed ? 'confirmed' : 'NOT confirmed'}  ${name}: ${formatInterval(recorded)}${confirmed ? '' : `, found ${formatInterval(found)}`}\n`,
    )
    .join('');
