/** Whether a report's numbers are those that its question has: what `report --check` asks. */

import type { Engine } from '../client.js';
import { QueryError } from '../errors.js';
import type { Interval, Query } from '../generated/schema.js';
import { formatInterval } from '../words/numbers.js';
import { isRecord } from '../protocol.js';
import { gather } from './gather.js';
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

/** What stands at a place such as `answer.epsilon`. */
const at = (value: unknown, place: string): unknown =>
  place.split('.').reduce((inside, key) => (Object(inside) as Record<string, unknown>)[key], value);

function intervalAt(report: unknown, field: string): Interval {
  const ends = at(report, field);
  if (!isRecord(ends)) throw wrongType(field, 'an object', ends);
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
function numbersIn(report: { answer?: unknown; epsilons?: unknown }): Map<string, Interval> {
  const { epsilons } = report;
  const all = new Map<string, Interval>();
  const put = (name: string, field: string) => all.set(name, intervalAt(report, field));
  put('epsilon', 'answer.epsilon');
  put('delta', 'answer.delta');
  put('remove', 'answer.directions.remove');
  put('add', 'answer.directions.add');
  if (at(report, 'answer.published') !== undefined) put(alone, 'answer.published');
  if (!Array.isArray(epsilons)) throw wrongType('epsilons', 'a list', epsilons);
  epsilons.forEach((entry: unknown, index) => {
    const delta = at(entry, 'delta');
    if (typeof delta !== 'number') throw wrongType(`epsilons.${index}.delta`, 'a number', delta);
    put(`epsilon at delta ${delta}`, `epsilons.${index}.epsilon`);
  });
  return all;
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
  const recorded = numbersIn(report);
  const { query } = report;
  if (!isRecord(query)) throw wrongType('query', 'an object', query);
  const facts = await gather(engine, query as unknown as Query, { date: '' });
  // Without a theorem of this project's own, the answer is that of published ones.
  const found = new Map([[alone, facts.answer[facts.asked]], ...numbersIn(facts)]);
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
