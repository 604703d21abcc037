import url from '../generated/engine.wasm?url';

/** The engine from a file beside the page; a build that ships one file only puts its own here. */
export const wasmFile = (cache: RequestCache = 'default'): Promise<Response> =>
  fetch(url, { cache });
