import packed from '../generated/engine.wasm?packed';

/** The engine from the page itself, where it is gzipped and in base64. */
export function wasmFile(): Promise<Response> {
  const bytes = Uint8Array.from(atob(packed), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return Promise.resolve(new Response(stream, { headers: { 'Content-Type': 'application/wasm' } }));
}
