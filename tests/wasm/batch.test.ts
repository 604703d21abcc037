import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { isRecord } from '../../wasm/protocol.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const command = `${root}${packageJson.bin['honest-epsilon']}`;

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

/** Writes as fast as the process reads; resolves with what it read once it pauses for a second. */
async function feed({ stdin }: ChildProcessWithoutNullStreams, pieces: Iterable<string>) {
  let taken = 0;
  for (const piece of pieces) {
    if (!stdin.write(piece)) {
      const stalled = new Promise((resolve) => setTimeout(resolve, 1000, 'stalled'));
      if ((await Promise.race([once(stdin, 'drain'), stalled])) === 'stalled') return taken;
    }
    taken += piece.length;
  }
  stdin.end();
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
    await feed(child, [...endless, '\n', `${question(3)}\r\n`, '1'.repeat(4_000_001)]);
    const [code] = (await once(child, 'close')) as [number];
    expect(code).toBe(0);
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
    const all = 200_000;
    const taken = await feed(
      child,
      times(all, (index) => `${question(1 + (index % 9))}\n`),
    );
    // Of 24 MB no more is read than pipes, buffers and the lines under way hold.
    expect(taken).toBeLessThan(2_000_000);
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
      for (const line of times(all, (index) => `${question(1 + index)}\n`)) {
        if (!child.stdin.write(line)) await once(child.stdin, 'drain');
      }
      child.stdin.end();
      await once(child, 'close');
      expect(answered).toBe(all);
      // 100,000 answers are 110 MB of text.
      expect(late - early).toBeLessThan(48);
    },
  );
});
