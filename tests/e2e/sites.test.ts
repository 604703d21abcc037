import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { discard, must, packed, root } from './package.js';
import { elsewhere, eventually } from './reading.js';
import { visits } from './visits.js';

const source = join(root, 'tests/e2e/sites/vitepress');
/** Its modules stay from one run to the next, as long as the lock file does not change. */
const folder = join(root, 'build/test/vitepress');

let unpacked: string;
let built: string;

async function install(): Promise<void> {
  const lock = readFileSync(join(source, 'package-lock.json'), 'utf8');
  const stamp = join(folder, 'node_modules/.installed-lock.json');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  await must('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], folder);
  writeFileSync(stamp, lock);
}

/** The site as its author would build it, with the packed package among its modules. */
async function buildSite(): Promise<string> {
  mkdirSync(folder, { recursive: true });
  cpSync(source, folder, { recursive: true });
  await install();
  const modules = join(folder, 'node_modules/honest-epsilon');
  rmSync(modules, { recursive: true, force: true });
  symlinkSync(unpacked, modules);
  await must(process.execPath, ['node_modules/vitepress/bin/vitepress.js', 'build'], folder);
  return join(folder, '.vitepress/dist');
}

beforeAll(async () => {
  unpacked = await packed();
  built = await buildSite();
}, 300_000);

afterAll(() => {
  discard(join(unpacked, '..'));
});

const { go, addressOf } = visits(() => ({ folder: built }));

const sentence = (page: Page) => page.locator('honest-epsilon .sentence:not(.muted)');

/** How many of the pixels in a box differ much from its corner: what is drawn there. */
async function inked(page: Page, selector: string): Promise<number> {
  const picture = await page.locator(selector).screenshot();
  return page.evaluate(
    async (address) => {
      const image = await createImageBitmap(await (await fetch(address)).blob());
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext('2d');
      if (!context) throw new Error('no canvas');
      context.drawImage(image, 0, 0);
      const { data } = context.getImageData(0, 0, image.width, image.height);
      let count = 0;
      for (let i = 0; i < data.length; i += 4) {
        const far = [0, 1, 2].some((c) => Math.abs((data[i + c] ?? 0) - (data[8 + c] ?? 0)) > 90);
        if (far) ++count;
      }
      return count;
    },
    `data:image/png;base64,${picture.toString('base64')}`,
  );
}

describe('e2e: a documentation site made with VitePress', () => {
  test('was rendered on a server with the element’s tag in it', () => {
    const page = readFileSync(join(folder, '.vitepress/dist/index.html'), 'utf8');
    expect(page).toContain('<honest-epsilon sampler="shuffle"');
  });

  test('shows the answer, drawn, in the theme’s colours', async () => {
    const { page, complaints, requests } = await go();
    await sentence(page).waitFor();
    expect(await sentence(page).innerText()).toMatch(/^ε\s≤\s6\.653 .* at least 6\.528/);
    expect(await page.locator('honest-epsilon .forest-row').count()).toBe(5);
    expect(await inked(page, 'honest-epsilon .forest')).toBeGreaterThan(1000);
    const paper = () =>
      page
        .locator('honest-epsilon')
        .evaluate((element) => getComputedStyle(element).backgroundColor);
    expect(await paper()).toBe('rgb(253, 252, 249)');
    await page.getByRole('switch', { name: /dark/i }).first().click();
    await eventually(paper).toBe('rgb(20, 22, 26)');
    expect(elsewhere(requests, addressOf())).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('lives through navigation without a page load, there and back', async () => {
    const { page, complaints, requests } = await go();
    await sentence(page).waitFor();
    await page.evaluate(() => Object.assign(window, { same: true }));
    await page.getByRole('link', { name: 'the other run', exact: true }).click();
    await page.getByRole('heading', { name: 'The other run' }).waitFor();
    await eventually(() => sentence(page).innerText()).toMatch(/^ε.* for Poisson batches/);
    expect(await page.locator('honest-epsilon').count()).toBe(1);
    await page.goBack();
    await eventually(() => sentence(page).innerText()).toMatch(/^ε\s≤\s6\.653 .* at least 6\.528/);
    expect(await page.evaluate(() => 'same' in window)).toBe(true);
    // One engine served all of them.
    expect(requests.filter((address) => address.endsWith('.wasm'))).toHaveLength(1);
    expect(complaints).toEqual([]);
  });
});
