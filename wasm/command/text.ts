import type { Comparison } from '../client.js';
import { inLines, tableLines } from '../words/layout.js';
import type { MonteCarloResult } from '../monte-carlo.js';
import { showRange } from '../tally.js';
import { phaseFields, queryFields, samplers } from '../generated/schema.js';
import type {
  Answer,
  BatchSizes,
  Derived,
  Grounds,
  Interval,
  Solution,
} from '../generated/schema.js';
import { markOf, markWords, ownProofsMark, restsOnOwnProofs } from '../words/claims.js';
import { neighboursOf, otherNeighbours } from '../words/neighbours.js';
import { showTarget } from '../words/target.js';
import { showTuning } from '../words/tuning.js';
import { columns } from './layout.js';
import { kindOf, nearness, withKind } from '../words/claims.js';
import {
  claim,
  format,
  formatInterval,
  formatSafely,
  givenAs,
  inText,
  given,
} from '../words/numbers.js';
import { formatFound, withFlags } from '../words/fields.js';
import { present } from '../words/present.js';
import { calledFor } from '../words/record.js';
import { meanHeading } from '../words/readings.js';
import { samplerLabel } from '../words/samplers.js';

/** A name, and what it is. */
export type TextRow = readonly [string, string];

/** The row that says what the mark means, where some number has it. */
export const markRow = (proved: Parameters<typeof markOf>[0], symbol?: string): TextRow[] =>
  restsOnOwnProofs(proved) ? [[ownProofsMark, markWords(proved, symbol)]] : [];

export type AskedQuantity = 'epsilon' | 'delta';

/** The name of phases with several samplers. */
export const mixedPhases = 'All phases together';

const symbols: Record<AskedQuantity, string> = { epsilon: 'ε', delta: 'δ' };

function condition(answer: Answer, asked: AskedQuantity): string {
  const other = asked === 'epsilon' ? 'delta' : 'epsilon';
  return `at ${givenAs(symbols[other], answer[other].upper ?? 0, inText)}`;
}

/** The value that calibration found, in digits that still meet the target. */
function showSolution(solution: Solution, { batchSize }: Derived, clients: boolean): string {
  const { field, value } = solution;
  const info = [...phaseFields, ...queryFields].find(({ name }) => name === field);
  const split = field === 'batchSize' && batchSize !== undefined && batchSize !== value;
  const whole = split ? ` on one device, ${given(batchSize, inText)} in a step` : '';
  return `${info ? calledFor(info, clients).label : field} ${formatFound(solution, inText)}${whole}`;
}

function showSizes({ mean, p99, largest, capProbability }: BatchSizes, of: string): string {
  const cut =
    capProbability > 0
      ? `; some batch is cut with probability at most ${format(capProbability, { side: 'up' })}`
      : '';
  return `${formatSafely(mean, 'up', inText)} ${of}s on average, at most ${given(p99, inText)} in 99 of 100, and at most ${given(largest, inText)} in 999 of 1000 whole runs${cut}`;
}

export function showDerived(derived: Derived, clients = false): string {
  const known: Record<string, string> = Object.fromEntries(
    phaseFields.map((info) => [info.name, calledFor(info, clients).label.toLowerCase()]),
  );
  if (!clients) known.batchSize = 'batch size of a step';
  return Object.entries(derived as unknown as Record<string, number | undefined>)
    .flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
    .map(([name, value]) => `${known[name] ?? name} ${given(value, inText)}`)
    .join(', ');
}

/** Below an answer, after a blank line: what it assumes; and after another: its warnings. */
export function groundsText(grounds: Pick<Grounds, 'assumptions' | 'warnings'>): string {
  const list = (title: string, texts: readonly string[]) =>
    texts.length === 0
      ? ''
      : `\n${title}\n${texts.map((words) => `  - ${inLines(withFlags(words), 4)}\n`).join('')}`;
  const warnings = grounds.warnings.map(({ text }) => text);
  return list('Assumes', grounds.assumptions) + list('Warnings', warnings);
}

export function answerText(answer: Answer, asked: AskedQuantity): string {
  const value = answer[asked];
  const { rdp, gdp, batchSizes } = answer;
  const clients = answer.privacyUnit === 'client';
  const rows = present<TextRow>(
    ['remove', formatInterval(answer.directions.remove)],
    ['add', formatInterval(answer.directions.add)],
    ['holds', neighboursOf(answer)],
    ...markRow(answer, symbols[asked]),
    ...showTarget(answer),
    ...showTuning(answer),
    rdp && ['Rényi', withKind(formatInterval(rdp), rdp)],
    gdp && ['GDP', withKind(formatInterval(gdp), gdp)],
    ['method', answer.method],
    ['schedule', showDerived(answer.derived, clients)],
    batchSizes && ['batch sizes', showSizes(batchSizes, answer.privacyUnit ?? 'record')],
  );
  const solution = answer.solution && showSolution(answer.solution, answer.derived, clients);
  const other = otherNeighbours(answer);
  const near = nearness(value);
  const where = [condition(answer, asked), other, near].filter(Boolean).join(', ');
  const promise = `${claim(symbols[asked], value)}${markOf(answer)}`;
  const head = withKind(`${promise}  ${where}`, value, '  ');
  const sampler = samplerLabel(answer.sampler, mixedPhases);
  return `${present(solution, head, sampler, columns(rows)).join('\n')}\n${groundsText(answer)}`;
}

/** Every sampler's answer, a row each. */
export function comparisonText({ answers }: Comparison, asked: AskedQuantity): string {
  const [first] = answers;
  if (!first) return '';
  const header = ['sampler', symbols[asked], 'remove', 'add', '', ''];
  // In the catalog's order: beside other releases the answers themselves name no sampler.
  const label = (index: number) => samplers[index]?.label ?? '';
  const rows = answers.map((answer, index) => [
    label(index),
    `${formatInterval(answer[asked])}${markOf(answer)}`,
    formatInterval(answer.directions.remove),
    formatInterval(answer.directions.add),
    kindOf(answer[asked]) ?? '',
    otherNeighbours(answer) ?? '',
  ]);
  const lines = tableLines([header, ...rows]);
  // A warning that several samplers share is said once, with their names.
  const sharers = new Map<string, string[]>();
  answers.forEach(({ warnings }, index) => {
    for (const { text } of warnings) {
      const key = withFlags(text);
      sharers.set(key, [...(sharers.get(key) ?? []), label(index)]);
    }
  });
  const marks = answers.flatMap((answer) => markRow(answer, symbols[asked]));
  const notes = [
    ...marks.map((mark) => inLines(mark.join(' '), 2, 0)),
    ...(sharers.size > 0 ? ['', 'Warnings'] : []),
    ...[...sharers].map(
      ([text, names]) =>
        `- ${inLines(names.length === answers.length ? text : `${names.join(', ')}: ${text}`, 2)}`,
    ),
  ];
  const head = `${symbols[asked]} ${condition(first, asked)}, for each way to sample batches`;
  return `${[head, '', ...lines, ...(notes.length > 0 ? ['', ...notes] : [])].join('\n')}\n`;
}

/** As many digits as it takes to compare it with another run's. */
function showMean({ lower, upper }: Interval): string {
  if (lower === upper || lower === null) return format(upper ?? 0, { side: 'nearest', digits: 5 });
  return `${format(lower, { side: 'down' })} to ${format(upper ?? 0, { side: 'up' })}`;
}

/** Monte Carlo's intervals, a row for each epsilon. */
export function monteCarloText(result: MonteCarloResult): string {
  const { estimates, tally, confidence, missing, work } = result;
  const { query, seed, chunks, samples } = tally;
  const header = ['ε', 'δ', meanHeading(estimates), 'std. error'];
  const rows = estimates.map(({ epsilon, delta, mean, standardError }) => [
    given(epsilon, inText),
    formatInterval(delta),
    showMean(mean),
    standardError === undefined ? '' : format(standardError, { side: 'nearest', digits: 2 }),
  ]);
  const together = result.simultaneous ? 'all together' : 'each';
  const rate =
    work.milliseconds > 0
      ? `, ${format(work.samplesPerSecond, { side: 'nearest', digits: 3 })} a second`
      : '';
  const [drawn, absent] = [chunks, missing].map((ranges) => ranges.map(showRange).join(', '));
  const facts = present<TextRow>(
    ['direction', query.direction ?? ''],
    ['holds', neighboursOf(result)],
    ['method', query.method ?? ''],
    result.orders.length > 0 && ['ranks', `${result.orders.length} drawn of each epoch's`],
    ['samples', `${given(samples, inText)}, seed ${seed}${rate}`],
    ['chunks', drawn ?? ''],
    missing.length > 0 && ['missing', `${absent} of the run's ${tally.planned} chunks`],
  );
  const other = otherNeighbours(result);
  const certainty = `${together} with confidence ${given(confidence, inText)}`;
  const head = present('δ by Monte Carlo', certainty, other).join(', ');
  const label = samplerLabel(query.sampler ?? '', mixedPhases);
  return `${[head, label, '', ...tableLines([header, ...rows]).map((line) => `  ${line}`), '', columns(facts)].join('\n')}\n${groundsText(result)}`;
}
