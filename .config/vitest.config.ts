import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['**/*.test.ts'],
    exclude: ['**/node_modules/**', 'build/**'],
    // Files run in one after another's modules: to load these, and to start a browser, for each of them
    // took a third of the time of all. What a file sets up, it takes down.
    isolate: false,
    testTimeout: 150_000,
    hookTimeout: 120_000,
  },
});
