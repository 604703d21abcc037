/** One script for a plain page: defines the element, and exports the engine. */
export * from '../../../wasm/index.js';
export * from './honest-epsilon.js';
