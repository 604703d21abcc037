import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { waiting } from '../../wasm/command/progress.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** What is written on a stream for a question that takes so many seconds. */
function written(isTTY: boolean, seconds: number): string[] {
  const texts: string[] = [];
  const done = waiting({ isTTY, write: (text) => texts.push(text) });
  vi.advanceTimersByTime(1000 * seconds);
  done();
  vi.advanceTimersByTime(10_000);
  return texts;
}

test.each([
  [true, 0.9, []],
  [true, 2.5, ['\rcomputing, 1 s\u001b[K', '\rcomputing, 2 s\u001b[K', '\r\u001b[K']],
  [false, 2.5, []],
])('waiting: on a terminal (%s), %s s of work', (isTTY, seconds, texts) => {
  expect(written(isTTY, seconds)).toEqual(texts);
});
