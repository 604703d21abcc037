import createModule from './generated/engine.mjs';
import type { EngineModule } from './generated/engine.mjs';
import { isAnswers, isIssue, isRecord, parseRequest } from './protocol.js';
import type { Reply } from './protocol.js';

function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function call(module: EngineModule, id: number, query: unknown): Reply {
  const start = performance.now();
  let outcome: unknown;
  try {
    outcome = module.answer(query);
  } catch (error) {
    // The module catches its own exceptions: what arrives here is a trap, and its memory is suspect.
    return { type: 'trap', id, text: describeError(error) };
  }
  const elapsed = performance.now() - start;
  if (!isRecord(outcome)) return { type: 'failure', id, text: 'the engine returned no outcome' };
  const { answers, issue, failure } = outcome;
  if (isIssue(issue)) return { type: 'issue', id, issue };
  if (isAnswers(answers)) {
    for (const answer of answers) answer.work.milliseconds = elapsed / answers.length;
    return { type: 'answers', id, answers };
  }
  const text = typeof failure === 'string' ? failure : 'the engine returned an unknown outcome';
  return { type: 'failure', id, text };
}

/** A worker's whole life: `receive` is called with each message, replies go to `post`. */
export function createServer(post: (reply: Reply) => void): (data: unknown) => void {
  let module: EngineModule | undefined;
  return (data) => {
    const request = parseRequest(data);
    if (request?.type === 'start') {
      createModule({ wasmBinary: request.wasm }).then(
        (created) => {
          module = created;
          post({ type: 'ready' });
        },
        (error: unknown) => {
          post({ type: 'failed', text: describeError(error) });
        },
      );
    } else if (request && module) {
      post(call(module, request.id, request.query));
    }
  };
}
