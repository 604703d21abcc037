// @ts-nocheck: untyped, as nothing passes or fails by it.
// A browser for the benchmark, and the little server it needs.

import { createReadStream, existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { which } from '../shell.mjs';

const types = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

/** Serves the folder's files as a static host does: they may be kept, and their address names them. */
async function serve(folder) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const file = join(folder, normalize(pathname === '/' ? '/index.html' : pathname));
    if (!file.startsWith(folder) || !existsSync(file)) {
      // A folder without a page of its own gets an empty one.
      response.writeHead(pathname === '/' ? 200 : 404, { 'Content-Type': 'text/html' });
      response.end('<!doctype html><title>bench</title>');
      return;
    }
    response.setHeader('Content-Type', types[extname(file)] ?? 'application/octet-stream');
    response.setHeader('Cache-Control', 'max-age=3600');
    createReadStream(file).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, address: `http://127.0.0.1:${server.address().port}/` };
}

const names = ['chromium', 'chromium-headless-shell', 'google-chrome'];

/** Opens the folder in Chromium and hands the page to `use`. */
export async function inChromium(folder, use) {
  const { chromium } = await import('playwright-core');
  const executablePath = [process.env.CHROMIUM, ...names.map(which)].find(Boolean);
  if (!executablePath) throw new Error('no Chromium found; install it, or name it in CHROMIUM');
  const { server, address } = await serve(folder);
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    // The page as a plain site: what a service worker keeps is another matter.
    const context = await browser.newContext({ serviceWorkers: 'block' });
    const page = await context.newPage();
    await page.goto(address);
    return await use(page, address);
  } finally {
    await browser.close();
    server.closeAllConnections();
    server.close();
  }
}
