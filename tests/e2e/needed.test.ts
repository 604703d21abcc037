import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { samplers } from '../../wasm/generated/schema.js';
import {
  axeFinds,
  draw,
  eventually,
  field,
  follow,
  fullTest,
  idle,
  isFullRun,
  overflow,
  sentence,
  settled,
  tenBatches,
} from './reading.js';
import { visits } from './visits.js';

const { go } = visits();

const noiseSought = `#v1,${tenBatches},solve-for=noise,${idle}`;

const table = (page: Page) => page.locator('table.needed');
const cell = (page: Page, sampler: string) => table(page).locator(`tr.s-${sampler} td`).first();

/** A value without the mark of what is not yet peer-reviewed. */
const noiseOf = (text = '') => Number.parseFloat(text);

/** What the table says of each sampler, once all of it is of the present question. */
async function needed(page: Page): Promise<Record<string, string>> {
  await settled(page);
  await eventually(() => table(page).innerText()).not.toContain('computing');
  await eventually(() => table(page).locator('.stale').count()).toBe(0);
  const entries = samplers.map(
    async ({ name }) => [name, await cell(page, name).innerText()] as const,
  );
  return Object.fromEntries(await Promise.all(entries));
}

describe('e2e: what every sampler needs', () => {
  test('no value stands under the caption of another target, whatever is typed', async () => {
    const { page } = await go(noiseSought);
    const before = await needed(page);
    await page.locator('he-page').evaluate((host) => {
      const seen: string[][] = [];
      Object.assign(window, { seen });
      const look = () => {
        const found = host.shadowRoot?.querySelector('table.needed');
        const rows = [...(found?.querySelectorAll('tbody tr') ?? [])];
        seen.push([
          found?.querySelector('caption')?.textContent.trim() ?? '',
          ...rows.map((row) => `${row.className} ${row.querySelector('td')?.textContent ?? ''}`),
        ]);
      };
      const root = host.shadowRoot;
      if (root)
        new MutationObserver(look).observe(root, {
          subtree: true,
          childList: true,
          characterData: true,
        });
    });
    for (const epsilon of ['2.5', '3', '3.5']) await field(page, 'Epsilon').fill(epsilon);
    const after = await needed(page);
    const seen = await page.evaluate(() => (window as unknown as { seen: string[][] }).seen);
    expect(seen.some(([caption]) => caption?.includes('ε = 3.5'))).toBe(true);
    for (const [caption = '', ...rows] of seen) {
      const values = caption.includes('ε = 2 ')
        ? before
        : caption.includes('ε = 3.5 ')
          ? after
          : {};
      for (const [name, value] of Object.entries(values)) {
        const own = rows.find((row) => row.includes(`s-${name}`)) ?? '';
        const said = own.split(' ').at(-1) ?? '';
        if (/^\d/.test(said)) expect(said, `${caption}: ${own}`).toBe(value);
      }
    }
  });

  test('the noise for a target stands side by side, while it is sought, and each is what its sampler finds', async () => {
    const { page, complaints } = await go(noiseSought);
    const values = await needed(page);
    expect(await table(page).locator('caption').innerText()).toMatch(/^To meet ε = 2 at δ = 10⁻⁵$/);
    expect(await table(page).locator('tr.own').innerText()).toMatch(/Shuffled batches your run/);
    // Proved in this order: the noise of known batches always suffices.
    expect(Number(values.poisson)).toBeLessThan(noiseOf(values.shuffle));
    expect(Number(values['balls-and-bins'])).toBeLessThan(noiseOf(values.shuffle));
    expect(noiseOf(values.shuffle)).toBeLessThanOrEqual(Number(values.deterministic));
    expect(await table(page).locator('tr.s-without-replacement').innerText()).toContain(
      'for add/remove neighbours',
    );
    await draw(page, 'Poisson');
    expect(await needed(page)).toEqual(values);
    expect(await table(page).locator('tr.own').getAttribute('class')).toContain('s-poisson');
    expect(await page.locator('output.found').innerText()).toBe(values.poisson);
    expect(await sentence(page).innerText()).toContain(` ${values.poisson} `);
    await field(page, 'Epsilon').fill('1');
    await eventually(() => table(page).locator('caption').innerText()).toContain('ε = 1');
    const harder = await needed(page);
    for (const { name } of samplers) {
      expect(noiseOf(harder[name]), name).toBeGreaterThan(noiseOf(values[name]));
    }
    if (isFullRun) expect(await axeFinds(page, { within: 'he-page' })).toEqual([]);

    // It is there only while something is solved for.
    await field(page, 'Epsilon').fill('two');
    await page.locator('#field-epsilon-problem').waitFor();
    await eventually(() => table(page).count()).toBe(0);
    await field(page, 'Epsilon').fill('2');
    await page.getByRole('combobox', { name: 'Find' }).selectOption({ label: 'Epochs' });
    // The noise that was found before is not shown under the epochs.
    await eventually(() => table(page).locator('thead').innerText()).toContain('Epochs');
    expect(await table(page).locator('td.figure').allInnerTexts()).not.toContain(values.poisson);
    await page.getByRole('combobox', { name: 'Find' }).selectOption({ label: 'Epsilon' });
    await eventually(() => table(page).count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test('where a sampler has none, it says why', async () => {
    const { page } = await go(`#v1,sampler=poisson,solve-for=batch-size,epsilon=0.3,${idle}`);
    const sizes = await needed(page);
    expect(Number(sizes.poisson)).toBeGreaterThan(1);
    expect(sizes.deterministic).toBe('Not reachable: batch size 1 already exceeds it.');
    // It fits a phone.
    await page.setViewportSize({ width: 320, height: 700 });
    await eventually(() => overflow(page)).toBe(0);
    const box = await table(page).boundingBox();
    expect((box?.x ?? NaN) + (box?.width ?? NaN)).toBeLessThanOrEqual(320);
    await follow(page, `#v1,sampler=poisson,${tenBatches},solve-for=cap,${idle}`);
    expect((await needed(page)).shuffle).toBe('All batches have the same size.');
  });

  fullTest('where the own sampler has none, the others stand beside that', async () => {
    const { page } = await go(
      `#v1,sampler=deterministic,batch-size=6000,solve-for=epochs,epsilon=1,noise-multiplier=2,${idle}`,
    );
    await eventually(() => sentence(page).innerText()).toBe(
      'No number of epochs meets ε = 1 at δ = 10⁻⁵ for deterministic batches.',
    );
    expect(await page.locator('.answer .aside').innerText()).toMatch(
      /^Even with epochs 1, ε exceeds 1 .*raise the target/,
    );
    await eventually(() => cell(page, 'poisson').innerText()).toMatch(/^\d/);
    expect(await cell(page, 'deterministic').innerText()).toBe(
      'Not reachable: 1 epoch already exceeds it.',
    );
    await draw(page, 'Poisson');
    await needed(page);
  });
});
