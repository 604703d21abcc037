// Builds one file that holds all it needs: `--mode standalone`, the page for file://, or `--mode
// embed`, the frame for another's page. Neither may start a worker, or fetch, from an address.
import { defaultClientConditions, defineConfig } from 'vite';
import { documentsInside, texts } from './documents.js';
import { cssTarget, packedWasm, root, singleFile } from './page-plugins.js';

const pages: Readonly<Record<string, { from: string; to: string; folder: string }>> = {
  standalone: { from: 'index.html', to: 'standalone.html', folder: 'dist' },
  embed: { from: 'embed.html', to: 'embed.html', folder: 'dist/web' },
};

export default defineConfig(({ mode }) => {
  const page = pages[mode];
  if (!page)
    throw new Error(`the mode must be one of ${Object.keys(pages).join(', ')}; got ${mode}`);
  return {
    root: `${root}web`,
    base: './',
    publicDir: false,
    resolve: { conditions: ['honest-epsilon-inline', ...defaultClientConditions] },
    plugins: [
      packedWasm(),
      texts(),
      ...(mode === 'standalone' ? [documentsInside()] : []),
      singleFile(page.to),
    ],
    worker: { format: 'iife' },
    build: {
      target: 'es2022',
      cssTarget,
      outDir: root + page.folder,
      emptyOutDir: false,
      assetsInlineLimit: Infinity,
      chunkSizeWarningLimit: Infinity,
      modulePreload: false,
      rolldownOptions: {
        input: `${root}web/${page.from}`,
        output: { codeSplitting: false },
      },
    },
  };
});
