import type { Scenario } from '../state/scenario.js';
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
