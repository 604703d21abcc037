/** honest-epsilon tradeoff: the trade-off function of a run, as text or as points. */

import { tableLines } from '../words/layout.js';
import { version, type Query, type TradeOffAnswer } from '../generated/schema.js';
import { verticesCsv } from '../words/csv.js';
import { markOf, markWords, restsOnOwnProofs } from '../words/claims.js';
import { neighboursOf, otherNeighbours } from '../words/neighbours.js';
import { columns } from './layout.js';
import { formatInterval } from '../words/numbers.js';
import { readingRows } from '../words/readings.js';
import { groundsText, markRow, mixedPhases, showDerived, type TextRow } from './text.js';
import { present } from '../words/present.js';
import { samplerLabel } from '../words/samplers.js';

export function tradeoffText(answer: TradeOffAnswer): string {
  const { remove, add, symmetric, delta, knots } = answer;
  const header = ['', 'remove', 'add', 'worse of both'];
  const rows = present<TextRow>(
    delta && ['delta, remove', formatInterval(delta.remove)],
    delta && ['delta, add', formatInterval(delta.add)],
    ['holds', neighboursOf(answer)],
    ...markRow(answer),
    ['curve', `${remove.lower.length} and ${remove.upper.length} points; --csv prints them`],
    ['method', `${answer.method}, at ${knots.length} epsilons`],
    ['schedule', showDerived(answer.derived)],
  );
  const name = 'Trade-off between false positives and false negatives of the best attack';
  const other = otherNeighbours(answer);
  const head = `${present(name, other).join(', ')}  (proved${markOf(answer)})`;
  const table = tableLines([header, ...readingRows([remove, add, symmetric])]);
  return `${[head, samplerLabel(answer.sampler, mixedPhases), '', ...table, '', columns(rows)].join('\n')}\n${groundsText(answer)}`;
}

/** Every vertex of both polygons, in all three directions. */
export const attackCsv = (answer: TradeOffAnswer, query: Query): string =>
  verticesCsv(
    [
      `tradeoff, honest-epsilon ${version}`,
      JSON.stringify({ ...query, question: undefined }),
      ...(restsOnOwnProofs(answer) ? [markWords(answer)] : []),
    ],
    'direction',
    (['remove', 'add', 'symmetric'] as const).map((name) => ({ name, ...answer[name] })),
  );
