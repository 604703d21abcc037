/** honest-epsilon audit: the lower end of epsilon that correct guesses of canaries prove. */

import { auditLowerWords, auditVerdict } from '../words/audit.js';
import { markOf } from '../words/claims.js';
import type { AuditAnswer } from '../generated/schema.js';
import { formatInterval } from '../words/numbers.js';
import { columns } from './layout.js';
import { groundsText, markRow, mixedPhases } from './text.js';
import { samplerLabel } from '../words/samplers.js';

export function auditText(answer: AuditAnswer): string {
  const { sampler, proved, adjacency } = answer;
  const verdict = auditVerdict(answer);
  const rows: [string, string][] = [
    ...(proved
      ? [['proved ε', `${formatInterval(proved)}${markOf(answer)}`] as [string, string]]
      : []),
    ...(adjacency === undefined ? [] : [['neighbours', adjacency] as [string, string]]),
    ...markRow(answer),
    ['method', answer.method],
  ];
  const head = `By the audit ${auditLowerWords(answer)}  (confidence)`;
  const run = sampler === undefined ? [] : [samplerLabel(sampler, mixedPhases)];
  return `${[head, ...(verdict === undefined ? [] : [verdict]), ...run, columns(rows)].join('\n')}\n${groundsText(answer)}`;
}
