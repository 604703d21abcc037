/** The papers' figures and tables, as data and as a computation: for the command and the page. */

export { exhibitCsv } from './csv.js';
export { exhibitOf, exhibits } from './list.js';
export { pointwise, reproduce, unexpected } from './reproduce.js';
export type { ClaimState, ExhibitState, LineState, ReproduceOptions } from './reproduce.js';
export type {
  Axis,
  Claim,
  SeriesPoint as Drawn,
  Exhibit,
  Exploration,
  FigurePanel as Panel,
  Paper,
  Relation,
  Series,
  Verdict,
} from './shape.js';
export { statedWords, verdictWords, verdicts } from './verdict.js';
