/** honest-epsilon audit: the lower end of epsilon that correct guesses of canaries prove. */

import { auditLowerWords, auditVerdict } from '../words/audit.js';
import { markOf } from '../words/claims.js';
import type { AuditAnswer } from '../generated/schema.js';
import { formatInterval } from '../words/numbers.js';
import { columns } from './layout.js';
import { groundsText, markRow, mixedPhases, type TextRow } from './text.js';
import { present } from '../words/present.js';
import { samplerLabel } from '../words/samplers.js';

export function auditText(answer: AuditAnswer): string {
  const { sampler, proved, adjacency } = answer;
  const verdict = auditVerdict(answer);
  const rows = present<TextRow>(
    proved && ['proved ε', `${formatInterval(proved)}${markOf(answer)}`],
    adjacency !== undefined && ['neighbours', adjacency],
    ...markRow(answer),
    ['method', answer.method],
  );
  const head = `By the audit ${auditLowerWords(answer)}  (confidence)`;
  const run = sampler && samplerLabel(sampler, mixedPhases);
  return `${present(head, verdict, run, columns(rows)).join('\n')}\n${groundsText(answer)}`;
}
