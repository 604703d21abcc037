import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createClient } from '../../wasm/client.js';
import { compile } from '../../wasm/module.js';
import { Pool } from '../../wasm/pool.js';

const bytes = readFileSync(join(import.meta.dirname, '../../wasm/generated/engine.wasm'));

const sent = (type: string, body: BodyInit = bytes, status = 200) =>
  new Response(body, { status, headers: { 'Content-Type': type } });

describe('module', () => {
  test.each([
    'application/wasm',
    'Application/Wasm',
    'application/wasm; charset=utf-8',
    'application/octet-stream',
  ])('compiles the engine from a host that says %s', async (type) => {
    expect(await compile(sent(type))).toBeInstanceOf(WebAssembly.Module);
  });

  test('refuses what came in its place', async () => {
    await expect(compile(sent('text/html', '<!doctype html>'))).rejects.toThrow(
      'text/html came in its place',
    );
    await expect(compile(sent('application/wasm', 'gone', 404))).rejects.toThrow('HTTP 404');
  });

  test('an engine that cannot read its file again tells no hash, and no trouble', async () => {
    const idle = () => undefined;
    const port = { post: idle, listen: idle, terminate: idle, setBusy: idle };
    const wasm = new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0));
    const pool = new Pool({ makePort: () => port, wasm, size: 1 });
    const engine = createClient(pool, () => Promise.reject(new TypeError('Failed to fetch')));
    expect(await engine.wasmSha256()).toBeUndefined();
  });
});
