import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import type { Plugin } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * Emscripten's glue names its .wasm through import.meta.url, so the file would be emitted twice. The
 * engine always hands the bytes in; the glue's own address is never used. The method differs by
 * Emscripten version.
 */
function dropGlueUrl(): Plugin {
  return {
    name: 'drop-glue-url',
    enforce: 'pre',
    transform(code, id) {
      if (!id.endsWith('/generated/engine.mjs')) return null;
      const out = code.replace(
        /new URL\("engine\.wasm",\s*import\.meta\.url\)\.(toString\(\)|href)/g,
        '"engine.wasm"',
      );
      if (out.includes('new URL("engine.wasm"')) {
        throw new Error(`the glue names its wasm file in an unknown way: ${id}`);
      }
      return { code: out, map: null };
    },
  };
}

/** `'wasm-unsafe-eval'` lets WebAssembly compile; no script, style or request from anywhere else. */
const policy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** Only in the build: the development server injects inline scripts and styles. */
function contentSecurityPolicy(): Plugin {
  return {
    name: 'content-security-policy',
    apply: 'build',
    transformIndexHtml: () => [
      {
        tag: 'meta',
        attrs: { 'http-equiv': 'Content-Security-Policy', content: policy },
        injectTo: 'head-prepend',
      },
    ],
  };
}

export default defineConfig({
  root: here('.'),
  base: './',
  plugins: [dropGlueUrl(), contentSecurityPolicy()],
  worker: { format: 'es', plugins: () => [dropGlueUrl()] },
  build: {
    target: 'es2022',
    outDir: here('../dist/web'),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  preview: { headers: { 'Content-Security-Policy': policy } },
});
