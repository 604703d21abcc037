import { calls, intervalKinds, outputFields } from './generated/schema.js';
import type { Interval, Issue, CallName, Calls } from './generated/schema.js';

export type Request =
  | { type: 'start'; wasm: WebAssembly.Module }
  | { type: 'call'; id: number; method: CallName; question: unknown };

/**
 * A worker's messages to the pool. After `failed` and `trap` the pool replaces the worker. Their
 * texts are for developers; `failure` has the code of the bindings.
 */
export type Reply =
  | { type: 'ready' }
  | { type: 'failed'; text: string }
  | { type: 'result'; id: number; result: unknown }
  | { type: 'issue'; id: number; issue: Issue }
  | { type: 'failure'; id: number; text: string }
  | { type: 'trap'; id: number; text: string };

type Json = Record<string, unknown>;

export const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isEnd = (value: unknown): boolean =>
  value === null || (typeof value === 'number' && !Number.isNaN(value));

function isInterval(value: unknown): value is Interval {
  return (
    isRecord(value) &&
    isEnd(value.lower) &&
    isEnd(value.upper) &&
    intervalKinds.some((kind) => kind === value.kind)
  );
}

/** Whether `value` has the shape that the schema's list gives to wire type `type`. */
function fits(type: string, value: unknown): boolean {
  if (type === 'number' || type === 'string' || type === 'boolean') return typeof value === type;
  if (type === 'Ranks') {
    return (
      value === 'auto' || (Array.isArray(value) && value.every((rank) => fits('number', rank)))
    );
  }
  if (type === 'Interval') return isInterval(value);
  const fields = outputFields[type];
  if (!fields || !isRecord(value)) return false;
  return fields.every((field) => {
    const member = value[field.name];
    if (member === undefined) return field.optional;
    if (!field.list) return fits(field.type, member);
    return Array.isArray(member) && member.every((element) => fits(field.type, element));
  });
}

const isMethod = (name: unknown): name is CallName =>
  typeof name === 'string' && Object.hasOwn(calls, name);

export function isResult<Name extends CallName>(
  method: Name,
  value: unknown,
): value is Calls[Name]['result'] {
  const { output, list } = calls[method];
  if (!list) return fits(output, value);
  return Array.isArray(value) && value.every((element) => fits(output, element));
}

export const isIssue = (value: unknown): value is Issue => fits('Issue', value);

/** A worker's message, or nothing when it is not one of ours. */
export function parseReply(data: unknown): Reply | undefined {
  if (!isRecord(data)) return undefined;
  const { type, id, text, result, issue } = data;
  if (type === 'ready') return { type };
  if (type === 'failed' && typeof text === 'string') return { type, text };
  if (typeof id !== 'number') return undefined;
  if (type === 'result') return { type, id, result };
  if (type === 'issue' && isIssue(issue)) return { type, id, issue };
  if ((type === 'failure' || type === 'trap') && typeof text === 'string') {
    return { type, id, text };
  }
  return undefined;
}

/** The pool's message, or nothing when it is not one of ours. */
export function parseRequest(data: unknown): Request | undefined {
  if (!isRecord(data)) return undefined;
  const { type, id, wasm, method, question } = data;
  if (type === 'start' && wasm instanceof WebAssembly.Module) return { type, wasm };
  if (type === 'call' && typeof id === 'number' && isMethod(method)) {
    return { type, id, method, question };
  }
  return undefined;
}
