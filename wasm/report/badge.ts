import { markOf } from '../words/claims.js';
import { format, givenAs } from '../words/numbers.js';
import type { ReportModel } from './model.js';

function message({ facts: { answer, releases } }: ReportModel): string {
  const { epsilon, delta } = answer;
  const proved = epsilon.kind === 'certified' || epsilon.kind === 'bound';
  if (!proved || epsilon.upper === null || delta.upper === null || answer.adjacency === 'mixed')
    return 'no epsilon proved';
  const stated = releases.length > 0 ? ', releases as stated' : '';
  return `ε ≤ ${format(epsilon.upper, { side: 'up' })}${markOf(answer)} at ${givenAs('δ', delta.upper)}${stated}`;
}

/** The JSON that shields.io reads. The colour says nothing about how private a run is. */
export const badge = (report: ReportModel): string =>
  `${JSON.stringify({ schemaVersion: 1, label: 'DP-SGD', message: message(report), color: 'informational' }, null, 2)}\n`;
