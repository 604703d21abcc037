import { version, type Query, type Release } from '../../../wasm/generated/schema.js';
import type { Origin } from '../../../wasm/report/cited.js';
import { quotationFormats } from '../../../wasm/report/quotations.js';
import { quotationOf, type Quoted } from '../../../wasm/words/quotation.js';
import { isPhase, reportedSampler } from '../../../wasm/words/samplers.js';
import { freshAnswer, type AnswersState } from '../live/answers.js';
import { wholeAddressOf } from '../state/address.js';
import { rowsOf } from '../state/rows.js';
import { defaultView, type State } from '../state/scenario.js';
import { numberIn } from '../state/typed.js';
import { linkTo } from '../export/link.js';

/** The reported epsilon that the answer is held against, if there is one. */
export const reportedIn = ({ scenario: { texts, find } }: State): number | undefined =>
  find === 'epsilon' ? numberIn({ type: 'number' }, texts.reported) : undefined;

/** Where a citation comes from. The view is not part of what is cited. */
export function originOf(state: State): Origin {
  const link = linkTo(wholeAddressOf({ ...state, view: defaultView }));
  const methods = link && new URL('methods.html', link).href;
  return { version, date: new Date().toISOString().slice(0, 10), link, methods };
}

/** The facts in the rows of the answer: a quotation need not wait for the report. */
export function quotedFrom(
  query: Query | undefined,
  answers: AnswersState,
  reported: number | undefined,
): Quoted | undefined {
  if (!query) return undefined;
  const [own] = rowsOf(query);
  const answer = freshAnswer(answers, own?.name);
  const poisson = freshAnswer(answers, reportedSampler);
  if (!own || !answer || (answers.working && !poisson)) return undefined;
  const { phases } = query;
  const derived = phases.length === 1 ? answer.derived : undefined;
  return {
    ...{ version, asked: 'epsilon', answer },
    poisson,
    isPoisson: own.name === reportedSampler,
    phases: phases.filter(isPhase).map((phase) => ({ phase, derived })),
    releases: phases.filter((entry): entry is Release => !isPhase(entry)),
    reported,
  };
}

export function citationOf(state: State, query: Query, answers: AnswersState): string | undefined {
  const quoted = quotedFrom(query, answers, reportedIn(state));
  return quoted && quotationFormats.text.render(quotationOf(quoted)).trimEnd();
}
