import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { describe, expect, test, vi } from 'vitest';
import { documentNames, sourceOf } from '../../.config/documents.js';
import { letters } from '../../.config/typefaces.js';
import { root } from './package.js';
import {
  elsewhere,
  eventually,
  field,
  follow,
  fullTest,
  idle,
  isFullRun,
  quick,
  row,
  settled,
  someOf,
  tenBatches,
  value,
} from './reading.js';
import { visits } from './visits.js';

const { go, addressOf } = visits();

const single = pathToFileURL(join(root, 'dist/standalone.html')).href;
const rootsIn = (names: readonly (typeof documentNames)[number][]) =>
  names
    .map(sourceOf)
    .join('')
    .match(/\\sqrt/g)?.length;

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

describe('e2e: the documents', () => {
  test('none needs a script, or another host', async () => {
    const { page, complaints, requests } = await go('', { javaScriptEnabled: false });
    requests.length = 0;
    for (const name of documentNames) {
      await page.goto(addressOf(`${name}.html`));
      const [, title] = /^# (.*)$/m.exec(sourceOf(name)) ?? [];
      expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(title);
    }
    const kinds = new Set(requests.map((address) => new URL(address).pathname.split('.').pop()));
    expect(
      [...kinds].filter((kind) => !['html', 'css', 'svg', 'woff2'].includes(kind ?? '')),
    ).toEqual([]);
    expect(elsewhere(requests, addressOf())).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('the typefaces have every letter that pages and scripts hold', () => {
    const folder = join(root, 'dist/web');
    const texts = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /(?<!standalone)\.(?:html|js)$/.test(name))
      .map((name) => readFileSync(join(folder, name), 'utf8'));
    const used = new Set(texts.join('').match(/[À-ÖØ-öø-ɏͰ-Ͽ]/g));
    expect([...used].filter((letter) => !letters.includes(letter))).toEqual([]);
    expect(used.size).toBeGreaterThan(10);
  });

  test('whatever its width, page and formulas fit, no description is squeezed', async () => {
    const { page } = await go('methods.html');
    let descriptions = 0;
    let fractions = 0;
    for (const name of documentNames) {
      await page.goto(addressOf(`${name}.html`));
      for (const width of someOf([390, 320, 1000], 3)) {
        await page.setViewportSize({ width, height: 900 });
        const { wide, shares } = await page.evaluate(() => ({
          wide: [document.documentElement, ...document.querySelectorAll('math[display="block"]')]
            .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
            .map(({ textContent, scrollWidth }) => `${scrollWidth}: ${textContent.slice(0, 60)}`),
          shares: [...document.querySelectorAll('main dd')].map(
            (one) => one.clientWidth / (one.closest('main')?.clientWidth ?? 0),
          ),
        }));
        // On the narrowest screens a formula scrolls by itself.
        if (width > 320) expect(wide, `${name}, ${width} pixels`).toEqual([]);
        expect(Math.min(1, ...shares), `${name}, ${width} pixels`).toBeGreaterThan(0.6);
        descriptions += shares.length;
      }
      // A fraction's parts stand above one another.
      const upright = await page.locator('mfrac').evaluateAll((list) =>
        list.map((fraction) => {
          const [above, below] = [...fraction.children].map((part) => part.getBoundingClientRect());
          return above && below && above.bottom <= below.top + 1;
        }),
      );
      expect(upright, name).not.toContain(false);
      fractions += upright.length;
    }
    expect(descriptions).toBeGreaterThan(4);
    expect(fractions).toBeGreaterThan(10);
  });

  test.each([
    ['the samplers', 'samplers.html', 'body', rootsIn(['samplers'])],
    ['the page', quick, '.notes', 1],
    ['the single file', `${single}#proofs.html`, '[id="proofs.html"]', rootsIn(['proofs'])],
  ])('every root has a radical sign that is seen, on %s', async (_, address, within, roots) => {
    const { page } = await go(address);
    await page.locator(within).waitFor();
    await page.evaluate(() => document.fonts.ready);
    // An answer that arrives later moves what is clipped.
    if (within === '.notes') await settled(page);
    const signs = page.locator(`${within} :is(msqrt, mroot, .radical)`);
    const count = await signs.count();
    expect(count).toBe(roots);
    // In the usual run a few of them: all are drawn by one rule.
    for (let index = 0; index < count; index += isFullRun ? 1 : Math.ceil(count / 4)) {
      const sign = signs.nth(index);
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

  test('the numbers of the examples are those of the page they open', async () => {
    const links: string[][] = [];
    for (const name of ['samplers', 'proofs']) {
      const { page } = await go(`${name}.html`);
      const found = await page
        .locator('blockquote a:not(.cite)')
        .evaluateAll((list) =>
          list.map((link) => [link.textContent, (link as HTMLAnchorElement).href]),
        );
      links.push(...found);
    }
    expect(links.length).toBe(5);
    const { page: opened } = await go(`#v1,${idle}`);
    for (const [said = '', address = ''] of someOf(links, 2)) {
      await follow(opened, `${new URL(address).hash},${idle}`);
      await settled(opened);
      const chosen = new URL(address).hash.split('sampler=')[1] ?? 'shuffle';
      expect(await value(opened, chosen).innerText()).toContain(said.replace('ε ≤ ', ''));
    }
  });

  test('a number’s card leads to what explains it', async () => {
    const { page, complaints } = await go(`#v1,${tenBatches},${idle}`);
    await settled(page);
    await row(page, 'balls-and-bins').locator('.number').click();
    await page.locator('he-details a[href^="./methods.html"]').click();
    await page.waitForURL(/numerics\.html#contour-bins$/);
    const top = await page
      .locator('#contour-bins')
      .evaluate((heading) => heading.getBoundingClientRect().top);
    expect(top).toBeGreaterThanOrEqual(0);
    expect(top).toBeLessThan(100);
    expect(complaints).toEqual([]);
  });

  fullTest('the card of shuffled batches leads to the clone theorem it cites', async () => {
    const { page, complaints } = await go('#v1,noise-multiplier=1,batch-size=6');
    await settled(page);
    await row(page, 'shuffle').locator('.number').click();
    const card = page.locator('he-details');
    await card.getByText('Clones of the Zeroed Record').waitFor();
    expect(await card.innerText()).toContain('Not yet peer-reviewed');
    await card.getByRole('link', { name: 'upper end: swap theorem' }).click();
    await page.waitForURL(/proofs\.html#swaps$/);
    expect(
      await page.getByRole('img', { name: 'Records and batches of one shuffled epoch' }).count(),
    ).toBe(1);
    expect(complaints).toEqual([]);
  });

  test('the page’s header leads to them, and their head back to the same run', async () => {
    const { page } = await go(`${quick},noise-multiplier=0.9,${idle}`);
    await settled(page);
    await page.locator('header a[href="./methods.html"]').click();
    await page.getByRole('heading', { name: 'In plain words', level: 1 }).waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'Samplers' }).click();
    await page.waitForURL(/samplers\.html$/);
    await page.getByRole('link', { name: 'Honest Epsilon' }).first().click();
    await settled(page);
    expect(await field(page, 'Noise multiplier').inputValue()).toBe('0.9');
  });

  test('a link to an anchor of the one page that the methods were leads to the page that has it', async () => {
    const { page } = await go('methods.html#swaps');
    await page.waitForURL(/proofs\.html#swaps$/);
    for (const [anchor, name] of [
      ['HP24', 'numerics'],
      ['poisson', 'samplers'],
      ['kinds', 'methods'],
    ]) {
      await page.goto(addressOf(`methods.html#${anchor}`));
      await page.waitForURL(`**/${name}.html#${anchor}`);
    }
  });

  test('the navigation marks the page that is open, and the section that is read', async () => {
    const { page } = await go('samplers.html', { viewport: { width: 1280, height: 900 } });
    const marked = () =>
      page
        .locator('nav [aria-current]')
        .evaluateAll((list) => list.map(({ textContent }) => textContent));
    expect(await marked()).toEqual(['Samplers', 'The question']);
    await page.locator('#balls-and-bins').scrollIntoViewIfNeeded();
    await page.locator('#balls-and-bins').evaluate((heading) => heading.scrollIntoView());
    await eventually(marked).toEqual(['Samplers', 'Balls-and-bins']);
  });
});
