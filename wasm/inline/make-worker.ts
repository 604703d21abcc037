import InlineWorker from '../browser/worker.js?worker&inline';

/** A worker from a blob: neither a file's page nor a sandboxed frame may start one from an address. */
export const makeWorker = (): Worker => new InlineWorker();
