import { relative } from 'node:path';

/**
 * How the command was started, so that its examples can be run as they stand: `honest-epsilon` is
 * on no registry, where anybody could take the name, and not on every reader's PATH.
 */
export function startedAs(script: string, folder: string): string {
  const near = relative(folder, script);
  const path = near.length < script.length ? near : script;
  return `node ${/^[\w./\\:-]+$/.test(path) ? path : `"${path}"`}`;
}

export const ran = startedAs(process.argv[1] ?? 'honest-epsilon.js', process.cwd());
