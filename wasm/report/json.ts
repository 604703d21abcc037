import type { Answer, Grounds } from '../generated/schema.js';
import type { ReportModel } from './model.js';
import { quotationText } from './text.js';
import { questionOf } from './snippets.js';

/** Grows when a field changes its meaning, or goes; report-v1.schema.json describes it. */
export const reportVersion = 1;
const reportSchema = 'urn:honest-epsilon:report-v1';

/** An answer without its assumption codes, which this version of the report does not have. */
const inSentences = (answer: Grounds) => ({ ...answer, assumptionCodes: undefined });

/** An answer without the time it took, which is no part of it. */
const timeless = (answer: Answer): unknown => ({
  ...inSentences(answer),
  work: { gridPoints: answer.work.gridPoints },
});

export function json({
  title,
  summary,
  quotation,
  erratum,
  citations,
  facts,
}: ReportModel): string {
  const { phases, tradeoff, ...rest } = facts;
  const attacks = tradeoff && {
    attackRates: tradeoff.symmetric.attackRates,
    advantage: tradeoff.symmetric.advantage,
    gaussian: tradeoff.symmetric.gaussian,
    method: tradeoff.method,
    ownProofs: tradeoff.ownProofs,
  };
  const report = {
    ...{ $schema: reportSchema, reportVersion },
    ...{ title, summary, quotation: quotationText(quotation) },
    ...(erratum.length > 0 ? { erratum: quotationText(erratum) } : {}),
    ...rest,
    query: JSON.parse(questionOf(facts)) as unknown,
    answer: timeless(facts.answer),
    audit: facts.audit && inSentences(facts.audit),
    poisson: facts.poisson && timeless(facts.poisson),
    phases,
    ...{ attacks, citations },
  };
  return `${JSON.stringify(report, null, 2)}\n`;
}
