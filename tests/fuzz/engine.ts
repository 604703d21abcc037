import { readFile } from 'node:fs/promises';
import { stringify } from 'fast-check';
import { expect } from 'vitest';
import createModule from '../../wasm/generated/engine.mjs';
import type { EngineModule } from '../../wasm/generated/engine.mjs';
import type { Answer, CallName } from '../../wasm/generated/schema.js';
import { isIssue, isRecord, isResult } from '../../wasm/protocol.js';

/** Nobody waits longer than this for an answer; in processor time, since others may keep it busy. */
const mostSeconds = 10;

/** Where, in what came back, a number is NaN or infinite, or an interval's ends are crossed. */
function faultIn(value: unknown, path = 'answer'): string | undefined {
  if (typeof value === 'number' && !Number.isFinite(value)) return `${path} is ${String(value)}`;
  if (Array.isArray(value)) {
    return value.map((element, i) => faultIn(element, `${path}[${String(i)}]`)).find(Boolean);
  }
  if (!isRecord(value)) return undefined;
  const { lower, upper } = value;
  if (typeof lower === 'number' && typeof upper === 'number' && lower > upper) {
    return `${path} has its ends crossed`;
  }
  return Object.entries(value)
    .map(([key, member]) => faultIn(member, `${path}.${key}`))
    .find(Boolean);
}

/** Gaussian noise leaves a delta above 0 at every epsilon: a proof of 0 is none. */
const provesNothingLost = ({ delta, derived }: Answer, question: unknown) =>
  delta.kind === 'certified' &&
  delta.upper === 0 &&
  derived.steps > 0 &&
  !/laplace|randomized-response/.test(stringify(question));

/** The built engine, asked by the thousand: each outcome is an answer in order, or one issue. */
export class AskedEngine {
  answers = 0;
  issues = 0;
  /** Seconds of the slowest questions, by the question. */
  #slow: [seconds: number, question: string][] = [];
  #seconds = 0;

  readonly module: EngineModule;

  private constructor(module: EngineModule) {
    this.module = module;
  }

  static async load() {
    const wasmBinary = await readFile(new URL('../../wasm/generated/engine.wasm', import.meta.url));
    return new AskedEngine(await createModule({ wasmBinary }));
  }

  ask(method: CallName, question: unknown) {
    const { user } = process.cpuUsage();
    const outcome = this.module.call(method, question);
    const seconds = (process.cpuUsage().user - user) / 1e6;
    this.#seconds += seconds;
    if (seconds > 1) this.#slow.push([seconds, `${method} ${stringify(question)}`]);
    expect(seconds).toBeLessThan(mostSeconds);
    if (!isRecord(outcome)) throw new Error('no record came back');
    const { result, issue, failure } = outcome;
    expect(failure).toBeUndefined();
    expect(faultIn(outcome)).toBeUndefined();
    if (issue !== undefined) {
      ++this.issues;
      expect(isIssue(issue) && issue.text !== '').toBe(true);
      return;
    }
    ++this.answers;
    if (!isResult(method, result)) throw new Error(`no result of ${method} came back`);
    if (method === 'answer')
      for (const answer of result as readonly Answer[])
        expect(provesNothingLost(answer, question)).toBe(false);
  }

  /** What a long run looked at. */
  summary() {
    const slowest = this.#slow.sort(([a], [b]) => b - a).slice(0, 5);
    return [
      `${this.answers} answers, ${this.issues} issues, ${this.#seconds.toFixed(0)} s; ` +
        `${this.#slow.length} took more than 1 s`,
      ...slowest.map(([seconds, question]) => `${seconds.toFixed(1)} s: ${question}`),
    ].join('\n');
  }
}
