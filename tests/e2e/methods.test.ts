import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { describe, expect, test, vi } from 'vitest';
import { root } from './package.js';
import { elsewhere, eventually, idle, quick, row, settled, value } from './reading.js';
import { builtPolicy, serve } from './server.js';
import { visits } from './visits.js';

const { go, addressOf } = visits();

const single = pathToFileURL(join(root, 'dist/standalone.html')).href;
const written = readFileSync(join(root, 'web/methods.html'), 'utf8');

/** How many pixels of a picture stand out from a light ground; thin strokes are grey, not black. */
const inkIn = (page: Page, png: string) =>
  page.evaluate(async (data) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext('2d');
    context?.drawImage(image, 0, 0);
    const pixels = context?.getImageData(0, 0, image.width, image.height).data ?? [];
    return Array.from({ length: pixels.length / 4 }).filter((_, i) => (pixels[4 * i] ?? 255) < 200)
      .length;
  }, png);

describe('e2e: the methods page', () => {
  test('needs no script, no other host, and nothing that its policy forbids', async () => {
    const { page, complaints, requests } = await go('methods.html', { javaScriptEnabled: false });
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Methods');
    const kinds = new Set(requests.map((address) => new URL(address).pathname.split('.').pop()));
    expect(
      [...kinds].filter((kind) => !['html', 'css', 'svg', 'woff2'].includes(kind ?? '')),
    ).toEqual([]);
    expect(elsewhere(requests, addressOf())).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test.each([390, 768, 1440])('%i pixels wide, every formula fits', async (width) => {
    const { page } = await go('methods.html', { viewport: { width, height: 900 } });
    const wide = await page.evaluate(() =>
      [document.documentElement, ...document.querySelectorAll('math[display="block"]')]
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
        .map(({ textContent, scrollWidth }) => `${scrollWidth}: ${textContent.slice(0, 60)}`),
    );
    expect(wide).toEqual([]);
  });

  test.each([320, 768, 1440])('%i pixels wide, no description is squeezed', async (width) => {
    const { page } = await go('methods.html', { viewport: { width, height: 900 } });
    const shares = await page
      .locator('main dd')
      .evaluateAll((list) =>
        list.map((one) => one.clientWidth / (one.closest('main')?.clientWidth ?? 0)),
      );
    expect(Math.min(...shares)).toBeGreaterThan(0.6);
  });

  test('formulas are set as formulas: a fraction’s parts stand above one another', async () => {
    const { page } = await go('methods.html');
    const fractions = await page.locator('mfrac').evaluateAll((list) =>
      list.map((fraction) => {
        const [above, below] = [...fraction.children].map((part) => part.getBoundingClientRect());
        return above && below && above.bottom <= below.top + 1;
      }),
    );
    expect(fractions.length).toBeGreaterThan(10);
    expect(fractions).not.toContain(false);
  });

  test.each([
    ['the methods page', 'methods.html', 'body'],
    ['the page', quick, '.notes'],
    ['the single file', `${single}#methods`, '#methods'],
  ])('every root has a radical sign that is seen, on %s', async (_, address, within) => {
    const { page } = await go(address);
    await page.locator(within).waitFor();
    await page.evaluate(() => document.fonts.ready);
    // An answer that arrives later moves what is clipped.
    if (within === '.notes') await settled(page);
    const roots = page.locator(`${within} :is(msqrt, mroot, .radical)`);
    const count = await roots.count();
    expect(count).toBe(within === '.notes' ? 1 : written.match(/\\sqrt/g)?.length);
    for (let index = 0; index < count; ++index) {
      const sign = roots.nth(index);
      // What still moves while it is looked at is looked at again.
      await vi.waitFor(async () => {
        await sign.scrollIntoViewIfNeeded();
        // What is drawn before the root's argument.
        const clip = await sign.evaluate((element) => {
          const { left, right, top, height } = element.getBoundingClientRect();
          const end = element.firstElementChild?.getBoundingClientRect().left ?? right;
          return { x: left, y: top, width: end - left, height };
        });
        expect(clip.width).toBeGreaterThan(4);
        expect(
          await inkIn(page, (await page.screenshot({ clip })).toString('base64')),
        ).toBeGreaterThan(8);
      }, 10_000);
    }
  });

  test('the numbers of its example are those of the page they open', async () => {
    const { page } = await go('methods.html');
    const links = await page
      .locator('.worked a:not(.cite)')
      .evaluateAll((list) =>
        list.map((link) => [link.textContent, (link as HTMLAnchorElement).href]),
      );
    expect(links.length).toBe(5);
    for (const [said = '', address = ''] of links) {
      const { page: opened } = await go(`${address},${idle}`);
      await settled(opened);
      const chosen = new URL(address).hash.split('sampler=')[1] ?? 'shuffle';
      expect(await value(opened, chosen).innerText()).toContain(said.replace('ε ≤ ', ''));
    }
  });

  test('a number’s card leads to what explains it', async () => {
    const { page, complaints } = await go('');
    await settled(page);
    await row(page, 'balls-and-bins').locator('.number').click();
    await page.locator('he-card a[href^="./methods.html"]').click();
    await page.waitForURL(/methods\.html#contour-bins$/);
    const top = await page
      .locator('#contour-bins')
      .evaluate((heading) => heading.getBoundingClientRect().top);
    expect(top).toBeGreaterThanOrEqual(0);
    expect(top).toBeLessThan(100);
    expect(complaints).toEqual([]);
  });

  test('the card of shuffled batches leads to the clone theorem, which it cites', async () => {
    const { page, complaints } = await go('#v1,noise-multiplier=1,batch-size=6');
    await settled(page);
    await row(page, 'shuffle').locator('.number').click();
    const card = page.locator('he-card');
    await card.getByText('Clones of the Zeroed Record').waitFor();
    expect(await card.innerText()).toContain('Not yet peer-reviewed');
    await card.getByRole('link', { name: 'upper: clones' }).click();
    await page.waitForURL(/methods\.html#clones$/);
    expect(
      await page.getByRole('img', { name: 'Records and batches of one shuffled epoch' }).count(),
    ).toBe(1);
    expect(complaints).toEqual([]);
  });

  test('the page’s header leads to it, and its head back', async () => {
    const { page } = await go('#v1,noise-multiplier=0.9');
    await settled(page);
    await page.locator('header a[href="./methods.html"]').click();
    await page.getByRole('heading', { name: 'Methods', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Honest Epsilon' }).first().click();
    await settled(page);
  });

  test('is there without a network after a visit to the page', async () => {
    const host = await serve({ policy: builtPolicy() });
    const { page } = await go(host.address, { serviceWorkers: 'allow' });
    await page.evaluate(async () => navigator.serviceWorker.ready);
    await eventually(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(
      true,
    );
    await host.close();
    await page.context().setOffline(true);
    await page.goto(`${host.address}methods.html#poisson`);
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Methods');
  });
});
