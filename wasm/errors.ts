import type { Issue } from './generated/schema.js';
import type { Tally } from './tally.js';

/** A bad question: names the field, what was got and what would do. Never comes with a number. */
export class QueryError extends Error {
  override readonly name = 'QueryError';
  readonly code: string;
  /** The field's camelCase name. */
  readonly field: string;

  constructor(issue: Issue) {
    super(issue.text);
    this.code = issue.code;
    this.field = issue.field;
  }

  toJSON(): Issue {
    return { code: this.code, field: this.field, text: this.message };
  }
}

export type EngineErrorCode = 'start-failed' | 'worker-failed' | 'engine-failed' | 'closed';

/** The engine, not the question, is at fault. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
  readonly code: EngineErrorCode;
  /** Of a Monte Carlo run: the samples that were finished before the trouble. */
  readonly tally: Tally | undefined;

  constructor(code: EngineErrorCode, text: string, tally?: Tally) {
    super(text);
    this.code = code;
    this.tally = tally;
  }
}

/** Whatever was thrown, as the command's and a batch line's JSON tell it. */
export function toIssue(error: unknown): Issue {
  if (error instanceof QueryError) return error.toJSON();
  const code: EngineErrorCode = error instanceof EngineError ? error.code : 'engine-failed';
  return { code, field: '', text: error instanceof Error ? error.message : String(error) };
}
