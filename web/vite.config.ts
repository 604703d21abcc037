import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import { documentFiles, documents, texts } from '../.config/documents.js';
import {
  contentSecurityPolicy,
  cssTarget,
  flushTemplates,
  notFoundPage,
  notices,
  policy,
  siteHead,
} from '../.config/page-plugins.js';
import { pictures } from '../.config/pictures.js';
import { typefaces } from '../.config/typefaces.js';

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

/** The files that the first screen needs are on their way before the script that asks for them runs. */
function preloadEarly(): Plugin {
  return {
    name: 'preload-early',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle = {}, path }) => {
        if (path !== '/index.html') return [];
        const files = Object.values(bundle);
        const wasm = files.find(({ fileName }) => fileName.endsWith('.wasm'));
        const page = files.find((file) => file.type === 'chunk' && file.name === 'page');
        if (!wasm || page?.type !== 'chunk') throw new Error('the page or the engine is not there');
        const scripts = [page.fileName, ...page.imports].filter((name) => !html.includes(name));
        const link = (href: string, attrs: Record<string, string>) => ({
          tag: 'link',
          attrs: { ...attrs, crossorigin: '', href: `./${href}` },
          injectTo: 'head' as const,
        });
        return [
          link(wasm.fileName, { rel: 'preload', as: 'fetch' }),
          ...scripts.map((name) => link(name, { rel: 'modulepreload' })),
        ];
      },
    },
  };
}

export default defineConfig({
  root: here('.'),
  base: './',
  plugins: [
    documents(),
    texts(),
    contentSecurityPolicy(),
    siteHead(),
    notFoundPage(),
    notices(),
    preloadEarly(),
    flushTemplates(),
    typefaces(),
    pictures(),
    previewPolicy(),
  ],
  worker: { format: 'es' },
  // By its number: a system without a hosts file does not know `localhost`.
  preview: { host: '127.0.0.1' },
  build: {
    target: 'es2022',
    cssTarget,
    outDir: here('../dist/web'),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: [here('index.html'), ...documentFiles] },
  },
});
