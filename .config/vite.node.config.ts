// Bundles the command, the Node entry and its worker into dist/node.
import { chmodSync, copyFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));

export default defineConfig({
  root,
  // The command needs no npm package beside it.
  ssr: { noExternal: true },
  build: {
    ssr: true,
    target: 'node20',
    outDir: 'dist/node',
    emptyOutDir: true,
    copyPublicDir: false,
    minify: false,
    rolldownOptions: {
      input: {
        'honest-epsilon': `${root}wasm/command/main.ts`,
        index: `${root}wasm/node.ts`,
        worker: `${root}wasm/node/worker.ts`,
      },
      output: { entryFileNames: '[name].js', chunkFileNames: 'shared-[name].js' },
    },
  },
  plugins: [
    {
      name: 'finish-package',
      writeBundle() {
        copyFileSync(`${root}wasm/generated/engine.wasm`, `${root}dist/node/engine.wasm`);
        for (const path of ['web/public/honest_epsilon.py', 'wasm/report/report-v1.schema.json'])
          copyFileSync(root + path, `${root}dist/node/${basename(path)}`);
        copyFileSync(`${root}wasm/NOTICE.txt`, `${root}dist/node/NOTICE.txt`);
        chmodSync(`${root}dist/node/honest-epsilon.js`, 0o755);
      },
    },
  ],
});
