/** The papers' figures and tables, as data and as a computation: for the command and the page. */

export { exhibitCsv } from './csv.js';
export { exhibitOf, exhibits } from './list.js';
export { pointwise, reproduce, unexpected } from './reproduce.js';
export type { ClaimState, ExhibitState, LineState } from './reproduce.js';
export type { Axis, Claim, Exhibit, FigurePanel as Panel, Series } from './shape.js';
export { statedWords, verdictWords, verdicts } from './verdict.js';
