/** The page's one door to the engine: everything else here knows it by its types alone. */
export { createEngine } from '../../wasm/create-engine.js';
