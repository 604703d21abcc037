// CMake keeps absolute paths in the cache of a build folder, and refuses to go on with one that was
// copied or moved along with its clone.

import { readFileSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** As the system knows it; links and what is gone stay as they are written.
 * @param {string} path */
function real(path) {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/**
 * Removes a build folder that was configured elsewhere, or for sources elsewhere; whether it did.
 * @param {string} build
 * @param {string} source
 */
export function discardForeign(build, source) {
  /** @type {string} */
  let cache;
  try {
    cache = readFileSync(join(build, 'CMakeCache.txt'), 'utf8');
  } catch {
    return false;
  }
  const named = (/** @type {string} */ entry) =>
    new RegExp(`^${entry}:INTERNAL=(.*?)\r?$`, 'm').exec(cache)?.[1];
  const own =
    real(named('CMAKE_HOME_DIRECTORY') ?? '') === real(source) &&
    real(named('CMAKE_CACHEFILE_DIR') ?? '') === real(build);
  if (!own) rmSync(build, { recursive: true, force: true });
  return !own;
}
