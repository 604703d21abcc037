import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, test } from 'vitest';
import { isRecord } from '../../wasm/protocol.js';
import { command } from './run-command.js';

const question = (steps: number) =>
  JSON.stringify({
    ...{ question: 'epsilon', delta: 1e-5 },
    phases: [{ sampler: 'deterministic', noiseMultiplier: 1, stepsPerEpoch: steps, epochs: 1 }],
  });

const started: ChildProcessWithoutNullStreams[] = [];

function batch(): ChildProcessWithoutNullStreams {
  const child = spawn(command, ['batch'], { cwd: '/' });
  started.push(child);
  // What is stopped while it is written to closes its end.
  child.stdin.on('error', () => undefined);
  return child;
}

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

/** Writes all as fast as the process reads, however long it pauses, and resolves with its exit code. */
async function feed(child: ChildProcessWithoutNullStreams, pieces: Iterable<string>) {
  const closed = once(child, 'close') as Promise<[number | null]>;
  for (const piece of pieces) {
    // A process that has ended reads no more.
    if (!child.stdin.write(piece)) await Promise.race([once(child.stdin, 'drain'), closed]);
  }
  child.stdin.end();
  const [code] = await closed;
  return code;
}

/** Writes until a process that has begun to answer pauses for a second; how much it read until then. */
async function feedUntilPause(child: ChildProcessWithoutNullStreams, pieces: Iterable<string>) {
  const { stdin, stdout } = child;
  let begun: Promise<unknown> | undefined = once(stdout, 'readable');
  let taken = 0;
  for (const piece of pieces) {
    if (!stdin.write(piece)) {
      const drained = once(stdin, 'drain');
      // Until it has answered it may be starting, on a busy machine for longer than a second.
      await begun;
      begun = undefined;
      const paused = new Promise((resolve) => setTimeout(resolve, 1000, 'paused'));
      if ((await Promise.race([drained, paused])) === 'paused') return taken;
    }
    taken += piece.length;
  }
  return taken;
}

/** In MB; what the system holds for a process now. */
const resident = ({ pid }: ChildProcessWithoutNullStreams) =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${String(pid)}/status`, 'utf8'))?.[1]) /
  1024;

function* times(count: number, piece: (index: number) => string): Generator<string> {
  for (let index = 0; index < count; ++index) yield piece(index);
}

describe('batch: however much it is asked', () => {
  test('a question is answered before the next one is asked', async () => {
    const child = batch();
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    for (const steps of [2, 3, 4]) {
      child.stdin.write(`${question(steps)}\n`);
      const { value } = (await lines.next()) as { value: unknown };
      expect(JSON.parse(String(value))).toMatchObject({ derived: { stepsPerEpoch: steps } });
    }
    child.stdin.end();
    const [code] = (await once(child, 'close')) as [number];
    expect(code).toBe(0);
  });

  test('a line that never ends is not held, and the next one is answered', async () => {
    const child = batch();
    const answers: unknown[] = [];
    const lines = createInterface({ input: child.stdout });
    lines.on('line', (line) => answers.push(JSON.parse(line)));
    const endless = Array<string>(90).fill('1'.repeat(1_000_000));
    const pieces = [...endless, '\n', `${question(3)}\r\n`, '1'.repeat(4_000_001)];
    expect(await feed(child, pieces)).toBe(0);
    const wrong = (line: number) => ({
      error: expect.objectContaining({ code: 'too-long', line }) as unknown,
    });
    expect(answers).toEqual([
      expect.objectContaining(wrong(1)),
      expect.objectContaining({ sampler: 'deterministic' }),
      expect.objectContaining(wrong(3)),
    ]);
  });

  test('where nobody reads the answers, no more questions are read', async () => {
    const child = batch();
    const all = times(200_000, (index) => `${question(1 + (index % 9))}\n`);
    // Of 24 MB no more is read than pipes, buffers and the lines under way hold.
    expect(await feedUntilPause(child, all)).toBeLessThan(2_000_000);
  });

  test.runIf(existsSync('/proc/self/status'))(
    'memory does not grow with the number of questions',
    { timeout: 600_000 },
    async () => {
      const child = batch();
      const all = process.env.HONEST_EPSILON_LONG === undefined ? 3000 : 100_000;
      let answered = 0;
      let early = NaN;
      let late = NaN;
      createInterface({ input: child.stdout }).on('line', (line) => {
        const answer: unknown = JSON.parse(line);
        if (isRecord(answer) && answer.sampler === 'deterministic') answered += 1;
        if (answered === 1000) early = resident(child);
        // The last answers come when there are no more questions, and then the process is gone.
        if (answered === all - 100) late = resident(child);
      });
      const lines = times(all, (index) => `${question(1 + index)}\n`);
      expect(await feed(child, lines)).toBe(0);
      expect(answered).toBe(all);
      // 100,000 answers are 110 MB of text.
      expect(late - early).toBeLessThan(48);
    },
  );
});
