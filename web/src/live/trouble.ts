import { wordsOf, type QueryError } from '../../../wasm/errors.js';

export interface Trouble {
  /** The form's field to blame, when the question is at fault. */
  field: string | undefined;
  text: string;
  /** Of several entries, the one to blame. */
  entry?: number | undefined;
  /** Where the question is right, and nothing meets the target: the value that comes nearest. */
  nearest?: number | undefined;
}

/** A question at fault is recognised by its shape: this folder imports only the engine's types. */
export function troubleOf(error: unknown): Trouble {
  const text = wordsOf(error);
  if (!(error instanceof Error && 'field' in error)) return { field: undefined, text };
  const { field, entry, nearest } = error as QueryError;
  return { field, text, entry, nearest };
}
