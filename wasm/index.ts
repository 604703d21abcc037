export { createEngine } from './create-engine.js';
export * from './entry.js';
