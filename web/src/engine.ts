/** The page's one door to the engine: everything else here knows it by its types alone. */
export { BadTally, createEngine, QueryError, readTally } from '../../wasm/index.js';
