import { fetchWasm } from '../fetch-wasm.js';
import url from '../generated/engine.wasm?url';

/** The engine's bytes from a file beside the page; a build that ships one file only puts its own here. */
export const wasmBytes = () => fetchWasm(url);
