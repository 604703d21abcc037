/** The engine from a file beside this module. */
export const wasmFile = (): Promise<Response> => fetch(new URL('./engine.wasm', import.meta.url));
