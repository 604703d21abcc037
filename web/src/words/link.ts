import { firstNotes } from '../state/first-notes.js';
import type { Kept, UnreadPart } from '../state/address.js';

/** Links to a run, from a copy of the page that others can open or not. */
export const linkWords = {
  copied: 'Link copied',
  copiedLocal: 'Local link copied',
  local: 'This copy of the page has no public address: the link works only where this copy does.',
  none: 'This copy of the page has no public address.',
} as const;

/** Stands above what could not be read of a link, by how much of its run is shown. */
export function linkNotice(run: Kept, notes: readonly UnreadPart[]): string {
  const parts = firstNotes(notes.map(({ part }) => part)).join(', ');
  if (run === 'whole')
    return `Part of this link could not be read (${parts}). The run itself is complete.`;
  if (run === 'part')
    return `Part of this link could not be read (${parts}). What you see is not the run in the link.`;
  return `This link could not be read (${parts}). What you see is not the run in the link.`;
}
