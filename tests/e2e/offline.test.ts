import { createHash } from 'node:crypto';
import {
  appendFileSync,
  cpSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import type { BrowserContext, Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { documentNames } from '../../.config/documents.js';
import { drawnPictures, firstAnswers, previewSvg } from '../../.config/pictures.js';
import { version } from '../../wasm/generated/schema.js';
import { createEngine } from '../../wasm/node.js';
import { discard, emptyFolder } from './package.js';
import { eventually, field, fullDescribe, fullTest, quick, settled, value } from './reading.js';
import { built, builtPolicy, serve } from './server.js';
import type { Site } from './server.js';
import { visits } from './visits.js';

const { go } = visits();
let folder: string;
let site: Site;

beforeEach(async () => {
  folder = emptyFolder();
  cpSync(built, folder, { recursive: true });
  site = await serve({ folder, policy: builtPolicy() });
});

afterEach(async () => {
  await site.close();
  discard(folder);
});

async function firstVisit(hash = quick) {
  const visited = await go(site.address + hash, { serviceWorkers: 'allow' });
  await settled(visited.page);
  await visited.page.evaluate(async () => navigator.serviceWorker.ready);
  return visited;
}

const embedPanel = (files: readonly string[]) =>
  files.find((name) => /^embed-.*\.js$/.test(name)) ?? 'no embed panel';

/** Puts another version in the site's place: another title, and a panel's file under another name. */
function publishAnother(): void {
  const edit = (file: string, change: (text: string) => string) => {
    const text = readFileSync(join(folder, file), 'utf8');
    const changed = change(text);
    if (changed === text) throw new Error(`nothing to change was found in ${file}`);
    writeFileSync(join(folder, file), changed);
  };
  const panel = embedPanel(readdirSync(join(folder, 'assets')));
  renameSync(join(folder, 'assets', panel), join(folder, 'assets', `next-${panel}`));
  edit('index.html', (text) => text.replace('<title>', '<title>Next: '));
  edit('sw.js', (text) => text.replace(/version:(["'`])\w+\1/, 'version:"another"'));
  edit('sw.js', (text) => text.replace(panel, `next-${panel}`));
}

/** Puts a version in the site's place of which every file has another name, and the engine other bytes. */
function publishAllOther(): void {
  const assets = readdirSync(join(folder, 'assets'));
  const named = new RegExp(assets.map((name) => name.replaceAll('.', '\\.')).join('|'), 'g');
  for (const name of assets)
    renameSync(join(folder, 'assets', name), join(folder, 'assets', `next-${name}`));
  const digests = new Map<string, string>();
  const rewrite = (path: string, change = (text: string) => text) => {
    const file = join(folder, path);
    const text = readFileSync(file, 'utf8').replace(named, 'next-$&');
    writeFileSync(file, change(text));
  };
  for (const name of assets.map((name) => `next-${name}`)) {
    const path = `assets/${name}`;
    // A section that says nothing: the same engine, and yet not the same file.
    if (name.endsWith('.wasm'))
      appendFileSync(join(folder, path), Buffer.from([0, 5, 4, ...Buffer.from('next')]));
    else if (/\.(js|css)$/.test(name)) rewrite(path);
    digests.set(
      path,
      createHash('sha256')
        .update(readFileSync(join(folder, path)))
        .digest('base64'),
    );
  }
  rewrite('index.html', (text) => text.replace('<title>', '<title>Next: '));
  rewrite('methods.html');
  rewrite('sw.js', (text) =>
    text
      .replace(/version:(["'`])\w+\1/, 'version:"another"')
      .replace(
        /(["'`])(assets\/[^"'`]+)\1:(["'`])sha256-[^"'`]*\3/g,
        (_, quote: string, path: string) =>
          `${quote}${path}${quote}:"sha256-${digests.get(path) ?? ''}"`,
      ),
  );
}

const controlled = (page: Page) =>
  eventually(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);

const storesOf = (page: Page) => page.evaluate(() => caches.keys());

async function lookForUpdate(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await (await navigator.serviceWorker.getRegistration())?.update();
  });
}

async function inContext(context: BrowserContext, address: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(address);
  await settled(page);
  return page;
}

describe('e2e: offline', () => {
  test('after the first visit, the page works without a network', async () => {
    const { page, complaints } = await firstVisit();
    await controlled(page);
    await site.close();
    await page.context().setOffline(true);
    await page.reload();
    await settled(page);
    // Chromium 150 forgets to tell a reloaded page.
    await page.context().setOffline(false);
    await page.context().setOffline(true);
    await field(page, 'Noise multiplier').fill('0.9');
    await settled(page);
    await page.locator('.quotation').waitFor();
    // The single file is not kept, so there is no link to it that would lead nowhere.
    await page.getByRole('tab', { name: 'Embed' }).click();
    await page.getByText('a single file (to be had here once there is a network)').waitFor();
    expect(await page.getByRole('link', { name: 'a single file' }).count()).toBe(0);
    const again = await inContext(
      page.context(),
      `${site.address}index.html${quick},noise-multiplier=1.2`,
    );
    expect(await value(again, 'deterministic').innerText()).not.toBe('');
    // So do the documents.
    await again.goto(`${site.address}methods.html#poisson`);
    await again.getByRole('heading', { name: 'Samplers', level: 1 }).waitFor();
    expect(complaints).toEqual([]);
    site = await serve();
  });

  test('all that a visit asks for comes from its own host, and is light', async () => {
    const { page, requests } = await firstVisit('');
    await page.locator('.quotation').waitFor();
    const files = [...new Set(requests.filter((address) => !/^(data|blob):/.test(address)))];
    for (const address of files) expect(address.startsWith(site.address), address).toBe(true);
    // Quality 9 takes a tenth of the time of the best one, which hosts use, and leaves a tenth more.
    const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
    const weight = (chosen: readonly string[]) =>
      chosen
        .map((address) => {
          const path = new URL(address).pathname.replace(/^\/page\//, '') || 'index.html';
          const bytes = readFileSync(join(built, path));
          return /\.(woff2|png)$/.test(path)
            ? bytes.length
            : brotliCompressSync(bytes, { params }).length;
        })
        .reduce((sum, bytes) => sum + bytes, 0);
    const isFont = (address: string) => address.endsWith('.woff2');
    const own = files.filter((address) => !isFont(address));
    expect(own.length).toBeGreaterThan(4);
    expect(weight(own)).toBeLessThan(440_000);
    // Only systems without any of the typefaces that are named first ask for these.
    expect(weight(files.filter(isFont))).toBeLessThan(120_000);
  });

  test('a new version waits, says so, and comes to each tab when its reader asks for it', async () => {
    const { page, complaints } = await firstVisit();
    await controlled(page);
    await field(page, 'Noise multiplier').fill('0.9');
    await settled(page);
    expect(await storesOf(page)).toHaveLength(1);
    publishAnother();
    await lookForUpdate(page);
    const note = page.locator('.update');
    await note.getByText('A new version is ready').waitFor();
    expect(await page.title()).toBe('Honest Epsilon');
    // The one that runs goes on as it was, and a second look at it is still the old one.
    await field(page, 'Noise multiplier').fill('1.1');
    await settled(page);
    const second = await inContext(page.context(), `${site.address}${quick},epochs=2`);
    expect(await second.title()).toBe('Honest Epsilon');
    await note.getByRole('button', { name: 'Reload' }).click();
    await eventually(() => page.title()).toBe('Next: Honest Epsilon');
    await settled(page);
    expect(await field(page, 'Noise multiplier').inputValue()).toBe('1.1');
    expect(await page.locator('.update').count()).toBe(0);
    // The other tab was not touched, and what it loads later is still there.
    expect(await second.title()).toBe('Honest Epsilon');
    await second.getByRole('tab', { name: 'Embed' }).click();
    await second.locator('he-embed pre').waitFor();
    expect(await storesOf(page)).toHaveLength(2);
    // It comes after the first, when its own reader asks, with what was typed there.
    await field(second, 'Noise multiplier').fill('0.9');
    await settled(second);
    await second.locator('.update').getByRole('button', { name: 'Reload' }).click();
    await eventually(() => second.title()).toBe('Next: Honest Epsilon');
    await settled(second);
    expect(new URL(second.url()).hash).toBe(
      `${quick.replace(',dataset', ',noise-multiplier=0.9,dataset')},epochs=2,panel=embed`,
    );
    expect(complaints).toEqual([]);
  });

  test('no page mixes two versions: engine, workers and panels are all of its own', async () => {
    const { page, complaints } = await firstVisit();
    await controlled(page);
    const old = await inContext(page.context(), site.address + quick);
    publishAllOther();
    await lookForUpdate(page);
    const note = page.locator('.update');
    await note.getByText('A new version is ready').waitFor();
    const asked = { old: [] as string[], next: [] as string[] };
    old.on('request', (request) => asked.old.push(request.url()));
    await note.getByRole('button', { name: 'Reload' }).click();
    await eventually(() => page.title()).toBe('Next: Honest Epsilon');
    page.on('request', (request) => asked.next.push(request.url()));
    // The version that took over serves the old page, too, whose files are gone from the host.
    for (const [tab, requests] of [
      [old, asked.old],
      [page, asked.next],
    ] as const) {
      await settled(tab);
      const before = tab.workers();
      expect(before.length).toBeGreaterThan(0);
      for (const worker of before) {
        await worker.evaluate(() => {
          setTimeout(() => {
            throw new Error('killed');
          });
        });
      }
      await eventually(() => tab.workers().some((worker) => !before.includes(worker))).toBe(true);
      await field(tab, 'Noise multiplier').fill('0.9');
      await settled(tab);
      await tab.getByRole('tab', { name: 'Embed' }).click();
      await tab.locator('he-embed pre').waitFor();
      requests.push(...tab.workers().map((worker) => worker.url()));
      // Whatever asks for the engine again gets the one that this page began with.
      const engine = await tab.evaluate(async () => {
        const link = document.querySelector<HTMLLinkElement>('link[rel=preload][as=fetch]');
        return (await (await fetch(link?.href ?? '')).arrayBuffer()).byteLength;
      });
      const [file = ''] = readdirSync(join(built, 'assets')).filter((name) =>
        name.endsWith('.wasm'),
      );
      const bytes = readFileSync(join(built, 'assets', file)).length;
      expect(engine).toBe(tab === old ? bytes : bytes + 7);
    }
    const assets = (all: string[]) => all.filter((address) => address.includes('/assets/'));
    expect(assets(asked.old).length).toBeGreaterThan(2);
    expect(assets(asked.next).length).toBeGreaterThan(2);
    expect(assets(asked.old).filter((address) => address.includes('/next-'))).toEqual([]);
    expect(assets(asked.next).filter((address) => !address.includes('/next-'))).toEqual([]);
    expect(complaints.filter((text) => !text.includes('killed'))).toEqual([]);
  });

  fullTest('no version is kept with a file missing, or a page of the host’s', async () => {
    const { page } = await firstVisit();
    await controlled(page);
    publishAnother();
    const assets = join(folder, 'assets');
    const panel = readdirSync(assets).find((name) => name.startsWith('next-')) ?? '';
    writeFileSync(join(assets, panel), '<!doctype html><title>Our site</title>');
    await lookForUpdate(page).catch(() => undefined);
    await eventually(() => storesOf(page)).toHaveLength(1);
    rmSync(join(assets, panel));
    await lookForUpdate(page).catch(() => undefined);
    await eventually(() => storesOf(page)).toHaveLength(1);
    await page.reload();
    await settled(page);
    expect(await page.title()).toBe('Honest Epsilon');
    expect(await page.locator('.update').count()).toBe(0);
  });
});

fullDescribe('e2e: a new version, at a bad moment', () => {
  const note = (page: Page) => page.locator('.update');

  test('while samples are drawn, the run goes on as if nothing were', async () => {
    const { page, complaints } = await firstVisit(
      '#v1,sampler=poisson,panel=monte-carlo,mc.samples=1e8,mc.epsilons=0.3,mc.method=plain',
    );
    await controlled(page);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.locator('.mc-result tbody tr').waitFor();
    publishAnother();
    await lookForUpdate(page);
    await note(page).getByText('A new version is ready').waitFor();
    const bar = page.locator('.mc-progress progress');
    const progress = () => bar.evaluate((at: HTMLProgressElement) => at.value);
    const before = await progress();
    await eventually(progress).toBeGreaterThan(before);
    await note(page).getByRole('button', { name: 'Later' }).click();
    await page.getByRole('button', { name: 'Pause' }).click();
    const paused = await progress();
    expect(paused).toBeGreaterThan(before);
    await page.getByRole('button', { name: 'Resume' }).click();
    await eventually(progress).toBeGreaterThan(paused);
    expect(await page.title()).toBe('Honest Epsilon');
    expect(complaints).toEqual([]);
  });

  test('where what was kept cannot be read, the network is asked', async () => {
    const script = join(folder, 'sw.js');
    const breaking = `addEventListener('message', ({ data }) => {
      if (data === 'break') caches.open = () => Promise.reject(new Error('broken'));
    });`;
    writeFileSync(script, `${breaking}\n${readFileSync(script, 'utf8')}`);
    const { page, complaints } = await firstVisit();
    await controlled(page);
    await page.evaluate(() => navigator.serviceWorker.controller?.postMessage('break'));
    await page.reload();
    await settled(page);
    expect(complaints).toEqual([]);
  });
});

describe('e2e: what a host is given', () => {
  test('every page carries a policy without inline scripts, evaluation or other hosts', () => {
    const pages = readdirSync(built).filter((name) => name.endsWith('.html'));
    expect(pages.sort()).toEqual(
      [
        ...['404.html', 'embed.html', 'index.html', 'standalone.html'],
        ...documentNames.map((name) => `${name}.html`),
      ].sort(),
    );
    for (const page of pages) {
      const policy = builtPolicy(join(built, page));
      expect(policy, page).toContain("default-src 'none'");
      expect(policy, page).not.toMatch(/'unsafe-inline'|'unsafe-eval'|https?:|\*/);
    }
  });

  test('what the page’s head names is there', () => {
    const page = readFileSync(join(built, 'index.html'), 'utf8');
    const named = [...page.matchAll(/(?:href|src|content)="\.\/([^"]+)"/g)].map(([, path]) => path);
    expect(named).toEqual(expect.arrayContaining(['apple-touch-icon.png', 'manifest.webmanifest']));
    for (const path of named)
      expect(readFileSync(join(built, path ?? '')).length).toBeGreaterThan(0);
    const { icons } = JSON.parse(readFileSync(join(built, 'manifest.webmanifest'), 'utf8')) as {
      icons: { src: string }[];
    };
    for (const { src } of icons) expect(readFileSync(join(built, src)).length).toBeGreaterThan(0);
  });

  test('its pictures are of this version: drawn again, they are the same', async () => {
    const engine = await createEngine();
    try {
      const drawing = previewSvg(await firstAnswers(engine));
      expect(drawing).toContain(`version ${version}`);
      for (const { fileName, source } of await drawnPictures(engine))
        expect(readFileSync(join(built, fileName)).equals(source), fileName).toBe(true);
    } finally {
      engine.close();
    }
  });

  test('the page of a wrong address looks the same at any depth', async () => {
    const host = await serve();
    try {
      const { page, requests } = await go(`${host.address}404.html`);
      expect(await page.getByRole('heading').innerText()).toBe('Page not found');
      const width = () => page.evaluate(() => getComputedStyle(document.body).maxWidth);
      expect(await width()).not.toBe('none');
      expect(requests.filter((address) => !address.endsWith('favicon.ico'))).toHaveLength(1);
    } finally {
      await host.close();
    }
  });
});
