import { EngineError } from '../errors.js';

/**
 * A worker from a file beside this module, named so that a bundler of the package's user sees it. A
 * browser starts workers only from the page's own origin, whatever other headers say.
 */
export function makeWorker(): Worker {
  const own = new URL(import.meta.url);
  if (own.origin !== location.origin) {
    throw new EngineError(
      'start-failed',
      `The engine could not start: the files of honest-epsilon come from ${own.origin} and the page from ${location.origin}; ` +
        'browsers block workers from other origins, so serve the files from your own site.',
    );
  }
  return new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
}
