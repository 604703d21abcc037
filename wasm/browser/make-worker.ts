/** A worker from a file beside the page; a build that ships one file only puts its own here. */
export function makeWorker(): Worker {
  return new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
}
