import url from '../generated/engine.wasm?url';

/** The engine's bytes from a file beside the page; a build that ships one file only puts its own here. */
export async function wasmBytes(): Promise<ArrayBuffer> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`engine.wasm: HTTP ${String(response.status)}`);
  return response.arrayBuffer();
}
