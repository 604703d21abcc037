import packed from '../generated/engine.wasm?packed';

/** The engine's bytes from the page itself, where they are gzipped and in base64. */
export async function wasmBytes(): Promise<ArrayBuffer> {
  const bytes = Uint8Array.from(atob(packed), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).arrayBuffer();
}
