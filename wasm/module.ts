import { EngineError } from './errors.js';

/** The first bytes of every WebAssembly file. */
const magic = '\0asm';

const missing = (why: string) =>
  new EngineError(
    'start-failed',
    `The engine could not start: its file engine.wasm did not load; ${why}. Reload the page, or put the file next to the others.`,
  );

export function arrived(file: Response): Response {
  if (!file.ok) throw missing(`the server answered HTTP ${file.status}`);
  return file;
}

/**
 * Compiled as it arrives: browsers keep what they compiled so, and the next visit starts with fast
 * code. They do so for this very type alone, without parameters; a host that says another one gets the
 * file compiled all the same. What came in the file's place, from a portal or a host's own page, is
 * refused.
 */
export async function compile(file: Response): Promise<WebAssembly.Module> {
  const type = arrived(file).headers.get('Content-Type') ?? 'something';
  if (type === 'application/wasm') return WebAssembly.compileStreaming(file);
  const bytes = await file.arrayBuffer();
  if (String.fromCharCode(...new Uint8Array(bytes.slice(0, magic.length))) !== magic) {
    throw missing(`${type} came in its place`);
  }
  return WebAssembly.compile(bytes);
}
