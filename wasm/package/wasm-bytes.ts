import { fetchWasm } from '../fetch-wasm.js';

/** The engine's bytes from a file beside this module. */
export const wasmBytes = () => fetchWasm(new URL('./engine.wasm', import.meta.url));
