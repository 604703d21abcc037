// Bundles the package for browsers into dist/browser: the engine, the element, and both in one script.
import { copyFileSync } from 'node:fs';
import { defaultClientConditions, defineConfig } from 'vite';
import { cssTarget, notices, root } from './page-plugins.js';

export default defineConfig({
  root,
  resolve: { conditions: ['honest-epsilon-package', ...defaultClientConditions] },
  // Built as for a server: new URL(…, import.meta.url) then stays as written, for whoever bundles this.
  ssr: {
    target: 'webworker',
    noExternal: true,
    resolve: { conditions: ['honest-epsilon-package', ...defaultClientConditions] },
  },
  build: {
    ssr: true,
    target: 'es2022',
    cssTarget,
    outDir: 'dist/browser',
    emptyOutDir: true,
    copyPublicDir: false,
    minify: true,
    rolldownOptions: {
      input: {
        'honest-epsilon': `${root}web/src/element/script.ts`,
        element: `${root}web/src/element/honest-epsilon.ts`,
        index: `${root}wasm/index.ts`,
        worker: `${root}wasm/browser/worker.ts`,
      },
      output: { entryFileNames: '[name].js', chunkFileNames: 'shared-[name].js' },
    },
  },
  plugins: [
    notices(),
    {
      // Minified to template literals, which not every bundler that looks for these addresses reads.
      name: 'plain-addresses',
      generateBundle: {
        order: 'post',
        handler(_, bundle) {
          for (const chunk of Object.values(bundle)) {
            if (chunk.type !== 'chunk') continue;
            chunk.code = chunk.code.replaceAll(
              /new URL\(`([^`$]+)`,\s*import\.meta\.url\)/g,
              'new URL("$1",import.meta.url)',
            );
          }
        },
      },
    },
    {
      name: 'finish-package',
      writeBundle() {
        copyFileSync(`${root}wasm/generated/engine.wasm`, `${root}dist/browser/engine.wasm`);
      },
    },
  ],
});
