import type { Kept } from '../state/address.js';

/** Stands above what could not be read of a link, by how much of its run is shown. */
export function linkNotice(run: Kept, notes: readonly string[]): string {
  const parts = notes.map((note) => /^“(.*?)”/.exec(note)?.[1] ?? note).join(', ');
  if (run === 'whole')
    return `Part of this link could not be read (${parts}). The run is the link’s.`;
  if (run === 'part')
    return `Part of this link could not be read (${parts}). This is not the run it described.`;
  return `This link could not be read (${parts}). This is not the run it described.`;
}
