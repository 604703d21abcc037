/** The engine from a file beside this module. */
export const wasmFile = (cache: RequestCache = 'default'): Promise<Response> =>
  fetch(new URL('./engine.wasm', import.meta.url), { cache });
