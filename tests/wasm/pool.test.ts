import { afterEach, describe, expect, test } from 'vitest';
import { createClient } from '../../wasm/client.js';
import { EngineError, QueryError, troubles } from '../../wasm/errors.js';
import { samplers } from '../../wasm/generated/schema.js';
import type { Answer, Interval, Phase, Query } from '../../wasm/generated/schema.js';
import { Pool } from '../../wasm/pool.js';
import type { WorkerPort } from '../../wasm/pool.js';
import type { Request } from '../../wasm/protocol.js';

const interval: Interval = { lower: 1, upper: 2, kind: 'certified' };

function answerNamed(method: string): Answer {
  return {
    sampler: 'poisson',
    epsilon: interval,
    delta: interval,
    adjacency: 'zero-out',
    directions: { remove: interval, add: interval },
    method,
    methodCode: 'none',
    derived: { steps: 1, samplingProbability: 1, stepsPerEpoch: 1, epochs: 1 },
    assumptions: [],
    assumptionCodes: [],
    warnings: [],
    citations: [],
    work: { gridPoints: 0, milliseconds: 0 },
  };
}

/** A worker whose every message the test writes. */
class FakePort implements WorkerPort {
  readonly received: Request[] = [];
  terminated = false;
  say: (data: unknown) => void = () => undefined;
  die: (reason: string) => void = () => undefined;
  busy = false;

  post(message: Request): void {
    if (message.type === 'call') structuredClone(message);
    this.received.push(message);
  }
  listen(onMessage: (data: unknown) => void, onDeath: (reason: string) => void): void {
    this.say = onMessage;
    this.die = onDeath;
  }
  terminate(): void {
    this.terminated = true;
  }
  setBusy(busy: boolean): void {
    this.busy = busy;
  }

  get calls(): { id: number; question: unknown }[] {
    return this.received.filter((message) => message.type === 'call');
  }
  /** Answers the latest call, telling by `method` which query it was. */
  answer(): void {
    const call = this.calls.at(-1);
    if (!call) throw new Error('there is no call to answer');
    this.say({ type: 'result', id: call.id, result: [answerNamed(String(call.question))] });
  }
}

/** The least that a file of WebAssembly holds. */
const noWasm = new WebAssembly.Module(new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]));

const pools: Pool[] = [];
afterEach(() => {
  for (const pool of pools.splice(0)) pool.close();
});

async function startPool(size: number) {
  const ports: FakePort[] = [];
  const makePort = () => {
    const port = new FakePort();
    ports.push(port);
    return port;
  };
  const pool = new Pool({ makePort, wasm: noWasm, size });
  pools.push(pool);
  const started = pool.start();
  at(ports, 0).say({ type: 'ready' });
  await started;
  return { pool, ports };
}

function at<T>(list: readonly T[], index: number): T {
  const element = list[index];
  if (element === undefined) throw new Error(`there is no element ${index}`);
  return element;
}

const methods = async (promise: Promise<Answer[]>) => (await promise).map(({ method }) => method);

describe('pool', () => {
  test('one worker takes the calls one after another, oldest first', async () => {
    const { pool, ports } = await startPool(1);
    const first = pool.run('answer', 'a');
    const second = pool.run('answer', 'b');
    const port = at(ports, 0);
    expect(port.calls.map(({ question }) => question)).toEqual(['a']);
    port.answer();
    expect(await methods(first)).toEqual(['a']);
    expect(port.calls.map(({ question }) => question)).toEqual(['a', 'b']);
    port.answer();
    expect(await methods(second)).toEqual(['b']);
    expect(ports).toHaveLength(1);
  });

  test('workers are added up to the size, when calls need them', async () => {
    const { pool, ports } = await startPool(2);
    const answers = ['a', 'b', 'c'].map((query) => methods(pool.run('answer', query)));
    expect(ports).toHaveLength(2);
    at(ports, 1).say({ type: 'ready' });
    expect(at(ports, 1).calls.map(({ question }) => question)).toEqual(['b']);
    at(ports, 1).answer();
    at(ports, 1).answer();
    at(ports, 0).answer();
    expect(await Promise.all(answers)).toEqual([['a'], ['b'], ['c']]);
    expect(ports).toHaveLength(2);
  });

  test('a call in the background waits behind the others, and leaves them a worker', async () => {
    const { pool, ports } = await startPool(2);
    const asked = (port: number) => at(ports, port).calls.map(({ question }) => question);
    for (const query of ['slow', 'slower'])
      void pool.run('answer', query, { background: true }).catch(() => 0);
    at(ports, 1).say({ type: 'ready' });
    expect([asked(0), asked(1)]).toEqual([['slow'], []]);
    const answer = methods(pool.run('answer', 'quick'));
    const next = methods(pool.run('answer', 'next'));
    expect(asked(1)).toEqual(['quick']);
    at(ports, 1).answer();
    expect(asked(1)).toEqual(['quick', 'next']);
    at(ports, 1).answer();
    expect([await answer, await next]).toEqual([['quick'], ['next']]);
    expect([asked(0), asked(1)]).toEqual([['slow'], ['quick', 'next']]);
    at(ports, 0).answer();
    expect(asked(0)).toEqual(['slow', 'slower']);
  });

  test('a single worker does what is in the background, too', async () => {
    const { pool, ports } = await startPool(1);
    const answer = methods(pool.run('answer', 'slow', { background: true }));
    at(ports, 0).answer();
    expect(await answer).toEqual(['slow']);
  });

  test('a worker is busy from its call to its answer', async () => {
    const { pool, ports } = await startPool(1);
    const port = at(ports, 0);
    expect(port.busy).toBe(false);
    const call = pool.run('answer', 'a');
    expect(port.busy).toBe(true);
    port.answer();
    await call;
    expect(port.busy).toBe(false);
  });

  test('an abort before the call starts leaves the workers alone', async () => {
    const { pool, ports } = await startPool(1);
    const running = pool.run('answer', 'a');
    const abort = new AbortController();
    const waiting = pool.run('answer', 'b', { signal: abort.signal });
    abort.abort();
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
    at(ports, 0).answer();
    expect(await methods(running)).toEqual(['a']);
    expect(at(ports, 0).calls).toHaveLength(1);
    expect(at(ports, 0).terminated).toBe(false);
  });

  test('an abort while the call runs ends its worker, and another steps in', async () => {
    const { pool, ports } = await startPool(1);
    const abort = new AbortController();
    const running = pool.run('answer', 'a', { signal: abort.signal });
    const waiting = pool.run('answer', 'b');
    abort.abort(new Error('changed my mind'));
    await expect(running).rejects.toThrow('changed my mind');
    expect(at(ports, 0).terminated).toBe(true);
    at(ports, 1).say({ type: 'ready' });
    at(ports, 1).answer();
    expect(await methods(waiting)).toEqual(['b']);
  });

  test('an aborted signal is refused at once', async () => {
    const { pool, ports } = await startPool(1);
    await expect(pool.run('answer', 'a', { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(at(ports, 0).calls).toHaveLength(0);
  });

  test('an abort after the answer changes nothing', async () => {
    const { pool, ports } = await startPool(1);
    const abort = new AbortController();
    const call = pool.run('answer', 'a', { signal: abort.signal });
    at(ports, 0).answer();
    await call;
    abort.abort();
    expect(at(ports, 0).terminated).toBe(false);
  });

  test('a trap rejects its call only, and its worker is replaced', async () => {
    const { pool, ports } = await startPool(1);
    const trapped = pool.run('answer', 'a');
    const waiting = pool.run('answer', 'b');
    at(ports, 0).say({ type: 'trap', id: at(at(ports, 0).calls, 0).id, text: 'unreachable' });
    await expect(trapped).rejects.toBeInstanceOf(EngineError);
    await expect(trapped).rejects.toMatchObject({ code: 'worker-failed' });
    // The machine's own words are for the programmer.
    await expect(trapped).rejects.toMatchObject({
      message: troubles.computation,
      cause: 'unreachable',
    });
    expect(at(ports, 0).terminated).toBe(true);
    at(ports, 1).say({ type: 'ready' });
    at(ports, 1).answer();
    expect(await methods(waiting)).toEqual(['b']);
  });

  test('a worker that dies is replaced, and its call asked once more, before the others', async () => {
    const { pool, ports } = await startPool(1);
    at(ports, 0).die('killed while idle');
    at(ports, 1).say({ type: 'ready' });
    const call = methods(pool.run('answer', 'a'));
    const next = methods(pool.run('answer', 'b'));
    at(ports, 1).die('killed while busy');
    at(ports, 2).say({ type: 'ready' });
    at(ports, 2).answer();
    at(ports, 2).answer();
    expect([await call, await next]).toEqual([['a'], ['b']]);
    expect(at(ports, 2).calls.map(({ question }) => question)).toEqual(['a', 'b']);
  });

  test('an idle worker takes over from one that dies', async () => {
    const { pool, ports } = await startPool(2);
    const first = methods(pool.run('answer', 'a'));
    const second = methods(pool.run('answer', 'b'));
    at(ports, 1).say({ type: 'ready' });
    at(ports, 0).answer();
    at(ports, 1).die('killed');
    at(ports, 0).answer();
    expect([await first, await second]).toEqual([['a'], ['b']]);
  });

  test('a call that outlives no worker rejects, and the next one is answered', async () => {
    const { pool, ports } = await startPool(1);
    const deadly = pool.run('answer', 'a');
    const next = methods(pool.run('answer', 'b'));
    at(ports, 0).die('killed');
    at(ports, 1).say({ type: 'ready' });
    at(ports, 1).die('killed again');
    await expect(deadly).rejects.toMatchObject({
      code: 'worker-failed',
      message: troubles.death,
    });
    at(ports, 2).say({ type: 'ready' });
    at(ports, 2).answer();
    expect(await next).toEqual(['b']);
  });

  test('a call whose worker died is not left waiting where no other can start', async () => {
    const { pool, ports } = await startPool(1);
    const call = pool.run('answer', 'a');
    at(ports, 0).die('killed');
    at(ports, 1).say({ type: 'failed', text: 'no more threads' });
    await expect(call).rejects.toMatchObject({ code: 'start-failed' });
  });

  test('an abort reaches a call that waits to be asked once more', async () => {
    const { pool, ports } = await startPool(1);
    const abort = new AbortController();
    const call = pool.run('answer', 'a', { signal: abort.signal });
    at(ports, 0).die('killed');
    abort.abort();
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
    at(ports, 1).say({ type: 'ready' });
    expect(at(ports, 1).calls).toEqual([]);
  });

  test('a worker that was ended on purpose takes no call to another one when it exits', async () => {
    const { pool, ports } = await startPool(1);
    const abort = new AbortController();
    const given = pool.run('answer', 'given up', { signal: abort.signal });
    abort.abort();
    at(ports, 0).die('the worker exited with code 1');
    await expect(given).rejects.toMatchObject({ name: 'AbortError' });
    at(ports, 1).say({ type: 'ready' });
    expect(at(ports, 1).calls).toEqual([]);
    const trapped = pool.run('answer', 'trapped');
    at(ports, 1).say({ type: 'trap', id: at(at(ports, 1).calls, 0).id, text: 'unreachable' });
    at(ports, 1).die('the worker exited with code 1');
    await expect(trapped).rejects.toMatchObject({ code: 'worker-failed' });
    at(ports, 2).say({ type: 'ready' });
    expect(at(ports, 2).calls).toEqual([]);
    const open = pool.run('answer', 'open');
    pool.close();
    at(ports, 2).die('the worker exited with code 1');
    await expect(open).rejects.toMatchObject({ code: 'closed' });
    expect(ports).toHaveLength(3);
  });

  test.each([
    ['no message of ours', { type: 'result', id: 1, result: 'none' }],
    ['an answer without its ends', { type: 'result', id: 1, result: [{ sampler: 'poisson' }] }],
    [
      'an answer with NaN for an end',
      {
        type: 'result',
        id: 1,
        result: [{ ...answerNamed('a'), epsilon: { ...interval, lower: NaN } }],
      },
    ],
    ['text', 'hello'],
  ])('a worker that sends %s is not believed', async (_, message) => {
    const { pool, ports } = await startPool(1);
    const call = pool.run('answer', 'a');
    expect(at(at(ports, 0).calls, 0).id).toBe(1);
    at(ports, 0).say(message);
    await expect(call).rejects.toMatchObject({ code: 'worker-failed' });
    expect(at(ports, 0).terminated).toBe(true);
  });

  test('a reply to another call is passed over', async () => {
    const { pool, ports } = await startPool(1);
    const call = pool.run('answer', 'a');
    at(ports, 0).say({ type: 'result', id: 99, result: [answerNamed('stale')] });
    at(ports, 0).answer();
    expect(await methods(call)).toEqual(['a']);
  });

  test('an issue rejects with a QueryError, and its worker goes on', async () => {
    const { pool, ports } = await startPool(1);
    const call = pool.run('answer', 'a');
    const issue = { code: 'missing', field: 'delta', text: 'delta is missing' };
    at(ports, 0).say({ type: 'issue', id: 1, issue });
    await expect(call).rejects.toBeInstanceOf(QueryError);
    await call.catch((error: unknown) => {
      expect(JSON.parse(JSON.stringify(error))).toEqual(issue);
    });
    expect(at(ports, 0).terminated).toBe(false);
  });

  test('what cannot be sent is a bad question', async () => {
    const { pool, ports } = await startPool(1);
    const bad = pool.run('answer', { delta: () => 1 });
    await expect(bad).rejects.toBeInstanceOf(QueryError);
    await expect(bad).rejects.toThrow('a function');
    const good = pool.run('answer', 'a');
    at(ports, 0).answer();
    expect(await methods(good)).toEqual(['a']);
  });

  test('start rejects when the first worker cannot start', async () => {
    const ports: FakePort[] = [];
    const makePort = () => {
      ports.push(new FakePort());
      return at(ports, ports.length - 1);
    };
    const pool = new Pool({ makePort, wasm: noWasm, size: 2 });
    pools.push(pool);
    const started = pool.start();
    at(ports, 0).say({ type: 'failed', text: 'blocked by policy' });
    await expect(started).rejects.toMatchObject({ code: 'start-failed' });
    await expect(started).rejects.toMatchObject({ message: troubles.start });
  });

  test('a worker loads while the engine is on its way, and says when they are not', async () => {
    const port = new FakePort();
    let arrive: (wasm: WebAssembly.Module) => void = () => undefined;
    const wasm = new Promise<WebAssembly.Module>((resolve) => (arrive = resolve));
    const pool = new Pool({ makePort: () => port, wasm, size: 1 });
    pools.push(pool);
    const started = pool.start();
    expect(port.received).toEqual([]);
    arrive(noWasm);
    await expect.poll(() => port.received.length).toBe(1);
    port.say({ type: 'ready' });
    await started;
    const lost = Promise.reject<WebAssembly.Module>(
      new EngineError('start-failed', 'engine.wasm: HTTP 404'),
    );
    const other = new Pool({ makePort: () => new FakePort(), wasm: lost, size: 1 });
    await expect(other.start()).rejects.toMatchObject({
      code: 'start-failed',
      message: expect.stringContaining('HTTP 404') as unknown,
    });
  });

  test('a second worker that cannot start leaves the first to do the work', async () => {
    const { pool, ports } = await startPool(2);
    const first = methods(pool.run('answer', 'a'));
    const second = methods(pool.run('answer', 'b'));
    at(ports, 1).die('no more threads');
    at(ports, 0).answer();
    at(ports, 0).answer();
    expect(await Promise.all([first, second])).toEqual([['a'], ['b']]);
    expect(ports).toHaveLength(2);
  });

  test('close ends the workers, and every call rejects', async () => {
    const { pool, ports } = await startPool(1);
    const running = pool.run('answer', 'a');
    const waiting = pool.run('answer', 'b');
    pool.close();
    await expect(running).rejects.toMatchObject({ code: 'closed' });
    await expect(waiting).rejects.toMatchObject({ code: 'closed' });
    await expect(pool.run('answer', 'c')).rejects.toMatchObject({ code: 'closed' });
    expect(ports.every(({ terminated }) => terminated)).toBe(true);
    expect(ports).toHaveLength(1);
  });
});

/** A worker that answers at once, but not what `fault` says of a sampler. */
class FaultyPort extends FakePort {
  private readonly fault: (sampler: string) => object | 'dies' | undefined;

  constructor(fault: (sampler: string) => object | 'dies' | undefined) {
    super();
    this.fault = fault;
  }
  override post(message: Request): void {
    super.post(message);
    queueMicrotask(() => {
      if (message.type === 'start') {
        this.say({ type: 'ready' });
        return;
      }
      const [phase] = (message.question as Query).phases as Phase[];
      const sampler = phase?.sampler ?? 'poisson';
      const fault = this.fault(sampler);
      if (fault === 'dies') this.die('killed');
      else if (fault) this.say({ ...fault, id: message.id });
      else
        this.say({
          type: 'result',
          id: message.id,
          result: [{ ...answerNamed('found'), sampler, delta: { ...interval, upper: 1 } }],
        });
    });
  }
}

async function compareWith(fault: (sampler: string) => object | 'dies' | undefined, size: number) {
  const pool = new Pool({ makePort: () => new FaultyPort(fault), wasm: noWasm, size });
  pools.push(pool);
  await pool.start();
  const client = createClient(pool, () => Promise.reject(new Error('no file')));
  const seen: string[] = [];
  const phases = [{ noiseMultiplier: 1, stepsPerEpoch: 10 }] as Phase[];
  const { answers } = await client.compare(
    { phases, delta: 1e-5 },
    { onAnswer: ({ sampler }) => seen.push(sampler) },
  );
  expect(answers.map(({ sampler }) => sampler)).toEqual(samplers.map(({ name }) => name));
  expect(seen.sort()).toEqual(samplers.map(({ name }) => name as string).sort());
  return answers;
}

const issue = { code: 'out-of-domain', field: 'epochs', text: 'epochs must be whole' };

describe('comparison', () => {
  test.each([
    ['traps', { type: 'trap', text: 'memory access out of bounds' }, troubles.computation],
    ['takes its workers with it', 'dies', troubles.death],
    ['throws', { type: 'failure', text: 'exception' }, troubles.computation],
    ['runs out of memory', { type: 'failure', text: 'out-of-memory' }, troubles.memory],
    ['is refused', { type: 'issue', issue }, issue.text],
    ['says what is no answer', { type: 'result', result: 'none' }, troubles.strange],
  ] as const)('a row that %s costs no other row, and says why', async (_, fault, why) => {
    for (const size of [1, 3]) {
      const answers = await compareWith((name) => (name === 'shuffle' ? fault : undefined), size);
      for (const { sampler, epsilon, warnings, method } of answers) {
        if (sampler !== 'shuffle') {
          expect(method).toBe('found');
          continue;
        }
        expect(epsilon).toEqual({ lower: null, upper: null, kind: 'bound' });
        expect(warnings.map(({ code }) => code)).toEqual(['row-failed']);
        expect(warnings[0]?.text).toContain(why);
        expect(warnings[0]?.text).not.toMatch(/bounds|vector|killed|exception/);
      }
    }
  });

  test('what no row survives is the question’s own fault', async () => {
    await expect(compareWith(() => ({ type: 'issue', issue }), 2)).rejects.toMatchObject({
      code: issue.code,
      field: issue.field,
      message: issue.text,
    });
    await expect(compareWith(() => 'dies', 2)).rejects.toMatchObject({ code: 'worker-failed' });
  });
});
