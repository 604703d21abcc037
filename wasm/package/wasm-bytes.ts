/** The engine's bytes from a file beside this module. */
export async function wasmBytes(): Promise<ArrayBuffer> {
  const response = await fetch(new URL('./engine.wasm', import.meta.url));
  if (!response.ok) throw new Error(`engine.wasm: HTTP ${String(response.status)}`);
  return response.arrayBuffer();
}
