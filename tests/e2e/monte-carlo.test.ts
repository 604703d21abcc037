import { readFile, readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import createModule from '../../wasm/generated/engine.mjs';
import type { MonteCarloQuery, MonteCarloShard } from '../../wasm/generated/schema.js';
import { isRecord } from '../../wasm/protocol.js';
import { visits } from './visits.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

const { go, addressOf } = visits();

const bins: MonteCarloQuery = {
  sampler: 'balls-and-bins',
  noiseMultiplier: 0.5,
  stepsPerEpoch: 300,
  epsilons: [0.3, 1],
};
const queries: MonteCarloQuery[] = [
  bins,
  { ...bins, direction: 'add' },
  { ...bins, method: 'plain', orderStatistics: 'auto' },
  { ...bins, method: 'importance', direction: 'add', orderStatistics: [1, 2, 4, 8, 100] },
  { ...bins, epochs: 3 },
  { ...bins, sampler: 'poisson' },
  { ...bins, sampler: 'poisson', mechanism: 'laplace' },
  { ...bins, sampler: 'shuffle' },
];
const shards: MonteCarloShard[] = queries.map((query, i) => ({
  ...query,
  ...{ seed: i + 1, firstChunk: 7 * i, chunkCount: 2 },
}));

/** What a worker of the built page draws, one shard after another. */
async function drawnInBrowser(): Promise<unknown[]> {
  const files = await readdir(`${root}dist/web/assets`);
  const named = (pattern: RegExp) => {
    const file = files.find((name) => pattern.test(name));
    if (file === undefined) throw new Error(`the built page has no ${String(pattern)}`);
    return addressOf(`assets/${file}`);
  };
  const { page } = await go();
  return page.evaluate(
    async ({ worker, wasm, shards }) => {
      const bytes = await (await fetch(wasm)).arrayBuffer();
      const port = new Worker(worker, { type: 'module' });
      const reply = (message: unknown) =>
        new Promise<unknown>((resolve) => {
          port.onmessage = (event: MessageEvent<unknown>) => {
            resolve(event.data);
          };
          port.postMessage(message);
        });
      await reply({ type: 'start', wasm: await WebAssembly.compile(bytes) });
      const drawn: unknown[] = [];
      for (const [id, question] of shards.entries()) {
        drawn.push(await reply({ type: 'call', id, method: 'monteCarloChunks', question }));
      }
      return drawn;
    },
    { worker: named(/^worker-.*\.js$/), wasm: named(/^engine-.*\.wasm$/), shards },
  );
}

test('e2e: samples drawn in a browser are those drawn in Node, bit for bit', async () => {
  const wasmBinary = await readFile(`${root}wasm/generated/engine.wasm`);
  const module = await createModule({ wasmBinary });
  const drawn = await drawnInBrowser();
  expect(drawn).toHaveLength(shards.length);
  shards.forEach((shard, i) => {
    const outcome = module.call('monteCarloChunks', shard);
    if (!isRecord(outcome) || !isRecord(outcome.result)) throw new Error('nothing was drawn');
    expect(drawn[i]).toEqual({ type: 'result', id: i, result: outcome.result });
  });
});
