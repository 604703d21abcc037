// Serves the page that was built.

import { execute, local } from './shell.mjs';

/** Prints the address; ends when the user ends it.
 * @param {readonly string[]} flags of `vite preview`, such as `--port 8000` */
export async function serve(flags) {
  const { code } = await execute(
    local('vite'),
    ['preview', '--config', 'web/vite.config.ts', ...flags],
    { show: true, minutes: 60 * 24 * 7 },
  );
  return code === 0;
}
