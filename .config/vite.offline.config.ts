// Builds dist/web/sw.js, which keeps the page for when there is no network. It comes after the page:
// it carries the list of its files, and a version that differs whenever one of them does.
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vite';
import type { Version } from '../web/src/offline/files.js';
import { root } from './page-plugins.js';

const folder = join(root, 'dist/web');

/** Not of the page itself: what others fetch, and what is fetched to be kept elsewhere. */
const notKept =
  /^(sw\.js|404\.html|embed\.html|standalone\.html|robots\.txt|NOTICE\.txt|preview\.png)$/;

/** Names under assets/ say their content, and no host has a reason to rewrite it. */
const digestOf = (path: string, bytes: Buffer) =>
  path.startsWith('assets/') ? `sha256-${createHash('sha256').update(bytes).digest('base64')}` : '';

function built(): Version {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => !notKept.test(path))
    .sort();
  const hash = createHash('sha256');
  const files: Record<string, string> = {};
  for (const path of paths) {
    const bytes = readFileSync(join(folder, path));
    hash.update(`${path}\0`).update(bytes);
    files[path === 'index.html' ? './' : path] = digestOf(path, bytes);
  }
  return { version: hash.digest('hex').slice(0, 16), files };
}

export default defineConfig({
  root: join(root, 'web'),
  publicDir: false,
  define: { __VERSION__: JSON.stringify(built()) },
  build: {
    target: 'es2022',
    outDir: folder,
    emptyOutDir: false,
    rolldownOptions: {
      input: join(root, 'web/src/offline/service-worker.ts'),
      output: { format: 'iife', entryFileNames: 'sw.js' },
    },
  },
});
