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

/** The engine is on its way before the script that asks for it has been read. */
function preloadEngine(): Plugin {
  return {
    name: 'preload-engine',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_, { bundle }) =>
        Object.keys(bundle ?? {})
          .filter((file) => /^assets\/engine-.*\.wasm$/.test(file))
          .map((file) => ({
            tag: 'link',
            attrs: { rel: 'preload', href: `./${file}`, as: 'fetch', crossorigin: '' },
            injectTo: 'head',
          })),
    },
  };
}

export default defineConfig({
  root: here('.'),
  base: './',
  plugins: [contentSecurityPolicy(), siteHead(), notFoundPage(), preloadEngine(), previewPolicy()],
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
