/** honest-epsilon tradeoff: the trade-off function of a run, as text or as points. */

import { version } from '../generated/schema.js';
import type { Band, Query, TradeOffAnswer } from '../generated/schema.js';
import { columns } from './flags.js';
import { showGiven, showInterval } from './numbers.js';
import { labelOf, showDerived, showWarnings, tableLines } from './text.js';

/** A row for whatever was read off, a column for each band. */
export function readingRows(bands: readonly Band[]): string[][] {
  const [first] = bands;
  if (!first) return [];
  const row = (name: string, read: (band: Band) => string) => [name, ...bands.map(read)];
  return [
    row('advantage', ({ advantage }) => showInterval(advantage)),
    ...first.attackRates.map(({ falsePositiveRate }, i) =>
      row(`true positives at false positive rate ${showGiven(falsePositiveRate)}`, (band) => {
        const rate = band.attackRates[i]?.truePositiveRate;
        return rate ? showInterval(rate) : '';
      }),
    ),
    ...first.guesses.map(({ prior }, i) =>
      row(`best guess right at prior ${showGiven(prior)}`, (band) => {
        const success = band.guesses[i]?.success;
        return success ? showInterval(success) : '';
      }),
    ),
    row('μ of the Gaussian below', ({ gaussian }) => showInterval(gaussian.mu)),
    row('and its misfit', ({ gaussian }) => `≈ ${gaussian.misfit.toPrecision(2)}`),
  ];
}

/** The curve as a person reads it. */
export function tradeoffText(answer: TradeOffAnswer): string {
  const { remove, add, symmetric, delta, knots } = answer;
  const header = ['', 'finds the record', 'finds it missing', 'either'];
  const rows: [string, string][] = [
    ...(delta
      ? ([
          ['delta, remove', showInterval(delta.remove)],
          ['delta, add', showInterval(delta.add)],
        ] as [string, string][])
      : []),
    ['curve', `${remove.lower.length} and ${remove.upper.length} points; --csv prints them`],
    ['method', `${answer.method}, at ${knots.length} epsilons`],
    ['schedule', showDerived(answer.derived)],
    ...answer.assumptions.map((text): [string, string] => ['assumes', text]),
    ...showWarnings(answer.warnings),
  ];
  const head = `Trade-off between false positives and false negatives of the best attack  (certified)`;
  const table = tableLines([header, ...readingRows([remove, add, symmetric])]);
  return `${[head, labelOf(answer.sampler), '', ...table, '', columns(rows)].join('\n')}\n`;
}

/** Every vertex of both polygons, in all three directions. */
export function tradeoffCsv(answer: TradeOffAnswer, query: Query): string {
  const bands = { remove: answer.remove, add: answer.add, symmetric: answer.symmetric };
  const lines = [
    `# tradeoff, honest-epsilon ${version}`,
    `# ${JSON.stringify({ ...query, question: undefined })}`,
    'direction,bound,false_positive_rate,false_negative_rate',
    ...Object.entries(bands).flatMap(([direction, band]) =>
      (['lower', 'upper'] as const).flatMap((bound) =>
        band[bound].map(({ falsePositiveRate, falseNegativeRate }) =>
          [direction, bound, falsePositiveRate, falseNegativeRate].join(','),
        ),
      ),
    ),
  ];
  return `${lines.join('\n')}\n`;
}
