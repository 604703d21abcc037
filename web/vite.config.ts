import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import type { Plugin } from 'vite';
import {
  contentSecurityPolicy,
  cssTarget,
  notFoundPage,
  policy,
  siteHead,
} from '../.config/page-plugins.js';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** As a header too, but for the files that hold all they need: their own policy is another one. */
function previewPolicy(): Plugin {
  return {
    name: 'preview-policy',
    configurePreviewServer(server) {
      server.middlewares.use((request, response, next) => {
        const closed = /\/(embed|standalone|404)\.html$/.test(request.url?.split(/[?#]/)[0] ?? '');
        if (!closed) response.setHeader('Content-Security-Policy', policy);
        next();
      });
    },
  };
}

export default defineConfig({
  root: here('.'),
  base: './',
  plugins: [contentSecurityPolicy(), siteHead(), notFoundPage(), previewPolicy()],
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    cssTarget,
    outDir: here('../dist/web'),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
