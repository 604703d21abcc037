import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** A documentation site takes long to build, and shows little that the element's own tests do not. */
const leftToFullRun = process.env.HONEST_EPSILON_LONG === undefined ? ['**/sites.test.ts'] : [];

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['**/*.test.ts'],
    exclude: ['**/node_modules/**', 'build/**', ...leftToFullRun],
    // The files that one worker runs share modules and a browser: loading and starting them for each
    // file took a third of the time. What a file sets up, it takes down.
    isolate: false,
    testTimeout: 150_000,
    hookTimeout: 120_000,
  },
});
