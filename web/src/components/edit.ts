import type { Scenario, View } from '../state/scenario.js';
import type { Pace } from '../state/store.js';

export interface EditDetail {
  scenario: Scenario;
  /** What was edited: a burst of edits of one thing is one step back. */
  key: string;
  pace: Pace;
}

/** Tells whoever keeps the state that the reader has edited it. */
export function edit(from: Element, scenario: Scenario, key: string, pace: Pace = 'single'): void {
  const detail: EditDetail = { scenario, key, pace };
  from.dispatchEvent(new CustomEvent('edit', { detail, bubbles: true }));
}

/** A change of what is shown; `step` names the history entry: those of one name share one. */
export interface LookDetail {
  change: Partial<View>;
  step: string;
}

/** Tells whoever keeps the state that the reader looks at something else. */
export function look(from: Element, change: Partial<View>, step: string): void {
  const detail: LookDetail = { change, step };
  from.dispatchEvent(new CustomEvent('look', { detail, bubbles: true }));
}
