/** A worker from a file beside the page; a build that ships one file only puts its own here. */
export const makeWorker = (): Worker =>
  new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
