// @ts-nocheck: untyped, as nothing passes or fails by it.
// Makes the pictures of web/public: icons from icon.svg, and the preview that a shared link shows,
// which is the built element itself. Run by hand, after a build, when either has changed:
//   node .scripts/pictures.mjs

import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { chromium } from 'playwright-core';
import { root, which } from './shell.mjs';

const types = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm' };

const preview = `<!doctype html><html lang="en"><meta charset="utf-8" />
<style>
  @font-face { font-family: Heading; src: url(source-serif-4.woff2); font-weight: 200 900 }
  @font-face { font-family: Sans; src: url(source-sans-3.woff2); font-weight: 200 900 }
  body { margin: 0; padding: 56px 72px; background: #fdfcf9; color: #1c1b19 }
  h1 { margin: 0; font: 600 64px/1.1 Heading, serif; letter-spacing: -0.01em }
  p { margin: 8px 0 20px; font: 400 29px/1.4 Heading, serif; color: #5f5c55 }
  honest-epsilon { --honest-epsilon-rem: 21px; margin: 0; padding: 0; border: 0;
    --serif: Heading, serif; --sans: Sans, sans-serif }
</style>
<h1>Honest Epsilon</h1>
<p>The ε of your DP-SGD run, for the batches you really drew.</p>
<honest-epsilon sampler="shuffle" noise-multiplier="0.7" dataset-size="60000" batch-size="60"
  epochs="1" delta="1e-5" view="compare" hide="form sentence" theme="light"></honest-epsilon>
<script type="module" src="honest-epsilon.js"></script></html>`;

const icon = readFileSync(join(root, 'web/public/icon.svg'), 'utf8');
const iconPage = (size) => `<!doctype html><meta charset="utf-8" />
<style>body { margin: 0; background: #fdfcf9 } svg { display: block; width: ${size}px; height: ${size}px; padding: ${size / 12}px; box-sizing: border-box }</style>${icon}`;

const built = join(root, 'dist/browser');
const fonts = join(root, 'node_modules/@fontsource-variable');
const server = createServer((request, response) => {
  const path = new URL(request.url, 'http://localhost').pathname;
  const [, font] = /^\/(source-[\w-]+)\.woff2$/.exec(path) ?? [];
  const file = font
    ? join(fonts, font, `files/${font}-latin-wght-normal.woff2`)
    : join(built, path);
  response.setHeader('Content-Type', types[extname(path)] ?? 'text/html');
  if (path !== '/' && existsSync(file)) createReadStream(file).pipe(response);
  else response.end(preview);
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const browser = await chromium.launch({
  executablePath: which('chromium') ?? which('google-chrome'),
  args: ['--no-sandbox'],
});
const context = await browser.newContext({ colorScheme: 'light' });
const page = await context.newPage();
const shoot = (name, width, height) =>
  page.screenshot({ path: join(root, 'web/public', name), clip: { x: 0, y: 0, width, height } });

for (const [name, size] of [
  ['apple-touch-icon.png', 180],
  ['icon-512.png', 512],
]) {
  await page.setViewportSize({ width: size, height: size });
  await page.setContent(iconPage(size));
  await shoot(name, size, size);
}
await page.setViewportSize({ width: 1200, height: 630 });
await page.goto(`http://127.0.0.1:${server.address().port}/`);
await page.locator('.forest-row .number').nth(4).waitFor();
await page.waitForTimeout(500);
await shoot('preview.png', 1200, 630);
await browser.close();
server.close();
