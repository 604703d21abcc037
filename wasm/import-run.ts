import type { Query, SamplerName } from './generated/schema.js';
import type { Choices, ImportedRun, NoRun } from './import/index.js';

export interface ImportOptions {
  /** How the batches were really drawn; every sampler is asked about where that is not said. */
  sampler?: SamplerName | undefined;
  /** Readings of what is ambiguous, by its name. */
  choices?: Choices | undefined;
}

/**
 * A run as another program's text or a paper states it, with the question that asks about it: none while
 * something is ambiguous. The readers of formats are loaded when they are first wanted.
 */
export async function importRun(
  text: string,
  { sampler, choices }: ImportOptions = {},
): Promise<NoRun | (ImportedRun & { query: Query | null })> {
  const { queryOf, readRun } = await import('./import/index.js');
  const run = readRun(text, choices);
  if ('wrong' in run) return run;
  return { ...run, query: run.ambiguous.length > 0 ? null : queryOf(run, sampler) };
}
