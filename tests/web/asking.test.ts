import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CallOptions, Engine } from '../../wasm/client.js';
import { QueryError } from '../../wasm/errors.js';
import { LiveAsking } from '../../web/src/live/asking.js';

interface Call {
  query: number;
  options: CallOptions;
  tell: (soFar: string) => void;
  answer: (text: string) => void;
  refuse: (error: Error) => void;
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function setUp() {
  const calls: Call[] = [];
  const host = {
    engine: {} as Engine,
    requestUpdate: () => undefined,
    addController: () => undefined,
  };
  const asking = new LiveAsking<number, string>(
    host,
    (_, query, options, tell) =>
      new Promise((answer, refuse) => calls.push({ query, options, tell, answer, refuse })),
  );
  return { asking, calls, host };
}

test('asking: the first at once, then when the typing pauses, and the last one wins', async () => {
  const { asking, calls } = setUp();
  asking.ask(1);
  await vi.advanceTimersByTimeAsync(0);
  expect(calls.map(({ query }) => query)).toEqual([1]);
  asking.ask(2);
  await vi.advanceTimersByTimeAsync(60);
  asking.ask(3);
  expect(calls[0]?.options.signal?.aborted).toBe(true);
  await vi.advanceTimersByTimeAsync(200);
  expect(calls.map(({ query }) => query)).toEqual([1, 3]);
  expect(calls[1]?.options.background).toBe(true);
  // The outdated call's answer comes late, and is not heard.
  calls[0]?.answer('one');
  calls[1]?.answer('three');
  await vi.runAllTimersAsync();
  expect(asking.state).toEqual({ answer: 'three', working: false, refusal: undefined });
  asking.ask(3);
  await vi.runAllTimersAsync();
  expect(calls).toHaveLength(2);
});

test('asking: while another is computed the answer before stays, and a refusal clears it', async () => {
  const { asking, calls } = setUp();
  asking.ask(1);
  await vi.runAllTimersAsync();
  calls[0]?.answer('one');
  await vi.runAllTimersAsync();
  asking.ask(2);
  await vi.runAllTimersAsync();
  expect(asking.state).toMatchObject({ answer: 'one', working: true });
  calls[1]?.refuse(new QueryError({ code: 'out-of-range', field: 'users', text: 'users must be' }));
  await vi.runAllTimersAsync();
  expect(asking.state).toEqual({
    answer: undefined,
    working: false,
    refusal: { field: 'users', text: 'users must be' },
  });
});

test('asking: cleared, nothing is left; the same question is then asked again', async () => {
  const { asking, calls } = setUp();
  asking.ask(1);
  await vi.runAllTimersAsync();
  asking.clear();
  calls[0]?.answer('one');
  await vi.runAllTimersAsync();
  expect(asking.state).toEqual({ answer: undefined, working: false, refusal: undefined });
  asking.ask(1);
  await vi.runAllTimersAsync();
  expect(calls).toHaveLength(2);
});

test('asking: an answer that was had before is there at once, and ends what is asked meanwhile', async () => {
  const { asking, calls } = setUp();
  for (const [query, text] of [
    [1, 'one'],
    [2, 'two'],
  ] as const) {
    asking.ask(query);
    await vi.runAllTimersAsync();
    calls.at(-1)?.answer(text);
    await vi.runAllTimersAsync();
  }
  asking.ask(3);
  await vi.runAllTimersAsync();
  asking.ask(1);
  expect(asking.state).toEqual({ answer: 'one', working: false, refusal: undefined });
  expect(calls[2]?.options.signal?.aborted).toBe(true);
  calls[2]?.refuse(new Error('too late'));
  await vi.runAllTimersAsync();
  expect(asking.state).toMatchObject({ answer: 'one', refusal: undefined });
  expect(calls).toHaveLength(3);
});

test('asking: outdated, the answer stays in sight, and the next question waits for the pause', async () => {
  const { asking, calls } = setUp();
  asking.ask(1);
  await vi.runAllTimersAsync();
  calls[0]?.answer('one');
  await vi.runAllTimersAsync();
  asking.ask(2);
  asking.outdate();
  expect(asking.state).toEqual({ answer: 'one', working: false, refusal: undefined });
  asking.ask(2);
  await vi.advanceTimersByTimeAsync(60);
  expect(calls).toHaveLength(1);
  await vi.runAllTimersAsync();
  expect(calls).toHaveLength(2);
});

test('asking: what is known so far is shown ten times a second, and never over the answer', async () => {
  const { asking, calls } = setUp();
  asking.ask(1);
  await vi.advanceTimersByTimeAsync(0);
  for (const part of ['o', 'on']) calls[0]?.tell(part);
  expect(asking.state.answer).toBeUndefined();
  await vi.advanceTimersByTimeAsync(100);
  expect(asking.state).toMatchObject({ answer: 'on', working: true });
  calls[0]?.tell('one, almost');
  calls[0]?.answer('one');
  await vi.runAllTimersAsync();
  expect(asking.state).toEqual({ answer: 'one', working: false, refusal: undefined });
});
