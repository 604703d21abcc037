import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import createModule from '../../wasm/generated/engine.mjs';
import { samplers } from '../../wasm/generated/schema.js';
import { questionsFor } from '../agreement/digits.mjs';
import { visits } from './visits.js';

const { load } = visits();

const generated = new URL('../../wasm/generated/', import.meta.url);

const questions = questionsFor(samplers.map(({ name }) => name));

/** The page that asks: plain text, so that no bundler comes between. */
const page = `<!doctype html><title>engine</title><script type="module">
  import create from './engine.mjs';
  const wasmBinary = await (await fetch('./engine.wasm')).arrayBuffer();
  const engine = await create({ wasmBinary });
  globalThis.ask = (questions) =>
    questions.map((question) => JSON.stringify(engine.call('answer', question)));
</script>`;

async function inChromium(files: Readonly<Record<string, [Buffer | string, string]>>) {
  const server = createServer((request, response) => {
    const [body, type] = files[request.url ?? ''] ?? ['', 'text/plain'];
    response.setHeader('Content-Type', type).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  try {
    const { page } = await load(`http://127.0.0.1:${String(address.port)}/`);
    await page.waitForFunction('globalThis.ask !== undefined');
    return await page.evaluate<string[]>(`ask(${JSON.stringify(questions)})`);
  } finally {
    server.close();
  }
}

test('the same questions get the same bits in Node and in Chromium', async () => {
  const [glue, wasmBinary] = await Promise.all([
    readFile(new URL('engine.mjs', generated)),
    readFile(new URL('engine.wasm', generated)),
  ]);
  const module = await createModule({ wasmBinary });
  // JSON writes a double with the digits that tell it from every other one.
  const inNode = questions.map((question) => JSON.stringify(module.call('answer', question)));
  expect(inNode.filter((text) => text.includes('"result"'))).toHaveLength(questions.length);
  const answers = await inChromium({
    '/': [page, 'text/html'],
    '/engine.mjs': [glue, 'text/javascript'],
    '/engine.wasm': [wasmBinary, 'application/wasm'],
  });
  questions.forEach((question, i) => {
    expect(answers[i], JSON.stringify(question)).toBe(inNode[i]);
  });
});
