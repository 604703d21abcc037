import type { Issue } from './generated/schema.js';
import type { Tally } from './tally-shape.js';

/** Text of one line: control characters and others that show nothing are written as escapes. */
const oneLine = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (sign) => {
    const escaped = JSON.stringify(sign).slice(1, -1);
    const code = (sign.codePointAt(0) ?? 0).toString(16).padStart(4, '0');
    return escaped === sign ? `\\u${code}` : escaped;
  });

/** A bad question: names the field, what was got and what would do. */
export class QueryError extends Error {
  override readonly name = 'QueryError';
  readonly code: string;
  /** The field's camelCase name. */
  readonly field: string;
  /** Of several phases and releases the one at fault, from 0. */
  readonly entry: number | undefined;
  /** Of what was solved for: the value that comes nearest to a target that nothing meets. */
  readonly nearest: number | undefined;
  readonly toJSON: () => Issue;

  constructor(issue: Issue) {
    super(oneLine(issue.text));
    ({ code: this.code, field: this.field, entry: this.entry, nearest: this.nearest } = issue);
    this.toJSON = () => ({ ...issue, text: this.message });
  }
}

export type EngineErrorCode =
  | 'start-failed'
  | 'worker-failed'
  | 'engine-failed'
  | 'out-of-memory'
  | 'closed';

/**
 * What a reader is told of trouble. The text of a library, a browser or Node is kept as the error's
 * `cause`, for developers, and is never shown.
 */
export const troubles = {
  computation:
    'The computation failed. This is a bug, not your mistake: please report the run that failed. Slightly different numbers may work.',
  memory:
    'The computation needs more memory than is available. Request a wider interval (width) or fewer steps.',
  death:
    'The computation was stopped twice from outside, perhaps for lack of memory. Try again with a wider interval (width) or fewer steps.',
  strange:
    'Two parts of the engine have different versions. Reload the page, or reinstall the package.',
  start:
    'The engine could not start: one of its files is incomplete, or is blocked here. Reload the page, or reinstall the package.',
  apart:
    'The engine’s files cannot be found: dist/node works inside the package honest-epsilon only. Copy or install the whole package.',
  unexpected:
    'Internal error. This is a bug: please report it with the run or the command that failed.',
} as const;

/** The engine, not the question, is at fault. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
  readonly code: EngineErrorCode;
  /** The samples that a Monte Carlo run finished before the trouble. */
  readonly tally: Tally | undefined;

  constructor(code: EngineErrorCode, text: string, tally?: Tally, cause?: unknown) {
    super(oneLine(text), cause === undefined ? undefined : { cause });
    this.code = code;
    this.tally = tally;
  }
}

const ours: readonly string[] = ['QueryError', 'EngineError'];

/**
 * What a reader is told of an error, recognised by its name: an element may bring its own copy of
 * the classes.
 */
export const wordsOf = (error: unknown): string =>
  error instanceof Error && ours.includes(error.name) ? error.message : troubles.unexpected;

export function toIssue(error: unknown): Issue {
  if (error instanceof QueryError) return error.toJSON();
  const code: EngineErrorCode = error instanceof EngineError ? error.code : 'engine-failed';
  return { code, field: '', text: wordsOf(error) };
}
