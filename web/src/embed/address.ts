import { firstNotes } from '../state/first-notes.js';

/** What a frame's address says that no attribute takes, as a sentence; '' where there is nothing. */
export function unreadParts(hash: string, attributes: readonly string[]): string {
  const keys = [...new URLSearchParams(hash).keys()];
  const seen = new Set<string>();
  const unread = keys.filter(
    (key) => !attributes.includes(key) || seen.size === seen.add(key).size,
  );
  if (unread.length === 0) return '';
  const named = firstNotes(unread.map((key) => `“${key}”`)).join(', ');
  return `This frame’s address could not be read in full, so the run below is not the one it describes. Not read: ${named}. Write it as #sampler=shuffle&noise-multiplier=0.8, each attribute once.`;
}
