/** How every WebAssembly file begins. */
const magic = '\0asm';

/** The engine's bytes from a file; what came in its place, from a portal or a host's own page, is refused. */
export async function fetchWasm(address: string | URL): Promise<ArrayBuffer> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`engine.wasm: HTTP ${String(response.status)}`);
  const bytes = await response.arrayBuffer();
  if (String.fromCharCode(...new Uint8Array(bytes.slice(0, magic.length))) !== magic) {
    const type = response.headers.get('Content-Type') ?? 'something';
    throw new Error(`engine.wasm: ${type} came in its place`);
  }
  return bytes;
}
