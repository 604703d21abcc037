import createModule from './generated/engine.mjs';
import type { EngineModule } from './generated/engine.mjs';
import { isIssue, isRecord, isResult, parseRequest, type Reply, type Request } from './protocol.js';

const describeError = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

type CallRequest = Extract<Request, { type: 'call' }>;

/** The core reads no clock: writes how long the work took into each result that reports it. */
function setTime(result: unknown, milliseconds: number): void {
  const parts: unknown[] = Array.isArray(result) ? result : [result];
  for (const part of parts) {
    if (isRecord(part) && isRecord(part.work)) part.work.milliseconds = milliseconds / parts.length;
  }
}

function call(module: EngineModule, { id, method, question }: CallRequest): Reply {
  const start = performance.now();
  let outcome: unknown;
  try {
    outcome = module.call(method, question);
  } catch (error) {
    // The module catches its own exceptions: what arrives here is a trap, and its memory is suspect.
    return { type: 'trap', id, text: describeError(error) };
  }
  const elapsed = performance.now() - start;
  if (!isRecord(outcome)) return { type: 'failure', id, text: 'no-outcome' };
  const { result, issue, failure } = outcome;
  if (isIssue(issue)) return { type: 'issue', id, issue };
  if (isResult(method, result)) {
    setTime(result, elapsed);
    return { type: 'result', id, result };
  }
  return { type: 'failure', id, text: typeof failure === 'string' ? failure : 'unknown-outcome' };
}

/** Runs what the pool has compiled. */
function instantiate(wasm: WebAssembly.Module): Promise<EngineModule> {
  return new Promise((resolve, reject) => {
    createModule({
      // It throws the text that it would print.
      printErr: () => undefined,
      instantiateWasm: (imports, done) => {
        WebAssembly.instantiate(wasm, imports).then(done, reject);
        return {};
      },
    }).then(resolve, reject);
  });
}

export function createServer(post: (reply: Reply) => void): (data: unknown) => void {
  let module: EngineModule | undefined;
  return (data) => {
    const request = parseRequest(data);
    if (request?.type === 'start') {
      instantiate(request.wasm).then(
        (created) => {
          module = created;
          post({ type: 'ready' });
        },
        (error: unknown) => post({ type: 'failed', text: describeError(error) }),
      );
    } else if (request && module) {
      post(call(module, request));
    }
  };
}
