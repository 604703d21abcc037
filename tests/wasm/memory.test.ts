import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test, vi } from 'vitest';
import createModule from '../../wasm/generated/engine.mjs';
import type { Answer } from '../../wasm/generated/schema.js';
import { isRecord, isResult } from '../../wasm/protocol.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

async function ask(mayGrow: boolean): Promise<Answer> {
  const wasmBinary = await readFile(`${root}wasm/generated/engine.wasm`);
  const module = await createModule({ wasmBinary });
  if (!mayGrow) {
    starved();
  }
  // Laplace noise is answered by transforms alone.
  const phases = [
    { sampler: 'poisson', mechanism: 'laplace', noiseMultiplier: 1, stepsPerEpoch: 1e3 },
  ];
  const outcome = module.call('answer', { question: 'epsilon', delta: 1e-6, width: 1e-6, phases });
  if (!isRecord(outcome) || !isResult('answer', outcome.result)) throw new Error('no answer');
  const [answer] = outcome.result;
  if (!answer) throw new Error('no answer');
  return answer;
}

const starved = () => {
  vi.spyOn(WebAssembly.Memory.prototype, 'grow').mockImplementation(() => {
    throw new RangeError('there is no more memory');
  });
};

describe('memory', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  test('where the browser gives no more, a coarser grid answers, and says so', async () => {
    const ample = await ask(true);
    const scarce = await ask(false);
    expect(ample.warnings.map(({ code }) => code)).not.toContain('memory-limit');
    expect(scarce.warnings.map(({ code }) => code)).toContain('memory-limit');
    expect(scarce.work.gridPoints).toBeLessThan(ample.work.gridPoints);
    expect(scarce.epsilon.lower).toBeGreaterThan(0);
    expect(scarce.epsilon.lower).toBeLessThanOrEqual(ample.epsilon.upper ?? 0);
    expect(scarce.epsilon.upper).toBeGreaterThanOrEqual(ample.epsilon.lower ?? Infinity);
  });

  test('what the core cannot hold at all is a code, not what its library says', async () => {
    const wasmBinary = await readFile(`${root}wasm/generated/engine.wasm`);
    const module = await createModule({ wasmBinary });
    starved();
    const epsilon = Array<number>(4e6).fill(0.5);
    expect(module.call('shuffleModel', { localEpsilon: 1, users: 100, epsilon })).toEqual({
      failure: 'out-of-memory',
    });
    expect(module.call('tell', {})).toEqual({ failure: 'no-such-method' });
  });
});
