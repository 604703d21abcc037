import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { draw, eventually, field, follow, hashOf, idle, row, settled, value } from './reading.js';
import { visits } from './visits.js';

const { go } = visits();

/** Ten thousand steps, where clones halve the upper end and more. */
const gained = `#v1,noise-multiplier=1,batch-size=6,${idle}`;
const middle = async (page: Page, selector: string) => {
  const box = await page.locator(selector).boundingBox();
  return box ? box.x + box.width / 2 : NaN;
};
/** From the ghost to where deterministic batches end. */
const distance = async (page: Page) => {
  const known = await middle(page, '.forest-row.s-deterministic .tick');
  return Math.abs((await middle(page, '.forest-row.s-shuffle .ghost-tick')) - known);
};

describe('e2e: the row of shuffled batches', () => {
  test('ends at the clones’ end, and has a ghost where deterministic batches end', async () => {
    const { page, complaints } = await go(gained);
    await settled(page);
    expect(await value(page, 'shuffle').innerText()).toContain('[1.132, 1.151]†');
    expect(await value(page, 'deterministic').innerText()).toContain('[4.377, 4.378]');
    expect(await page.locator('.forest-row .ghost').count()).toBe(1);
    expect(await distance(page)).toBeLessThan(1);
    expect(await page.locator('.legend').innerText()).toContain(
      'upper end from published theorems alone',
    );
    const words =
      'Published theorems alone prove that ε is at most 4.378. A theorem of ours, not yet peer-reviewed, lowers that to 1.151.';
    const cell = row(page, 'shuffle').getByRole('cell').first();
    expect(await cell.locator('.sr').allInnerTexts()).toContain(words);
    expect(await cell.locator('.ghost title').textContent()).toBe(words);
    // Less noise, and it is where deterministic batches end now.
    await page.getByRole('textbox', { name: 'Noise multiplier' }).fill('0.85');
    await settled(page);
    expect(await distance(page)).toBeLessThan(1);
    expect(await page.locator('.ghost title').first().textContent()).toContain('5.29');
    // With a release beside the run it has its ghost, too.
    await follow(page, `${gained},and=epsilon`);
    await settled(page);
    expect(await page.locator('.forest-row.s-shuffle .ghost').count()).toBe(1);
    expect(complaints).toEqual([]);
  });

  test('has none where clones gain nothing that is seen', async () => {
    const { page } = await go(`#v1,${idle}`);
    for (const [noise, address] of [
      ['1', '#v1,noise-multiplier=1,batch-size=6,epochs=2,reshuffle=once'],
      ['1', '#v1,noise-multiplier=1,batch-size=6,accountant=rdp'],
    ] as const) {
      await follow(page, `${address},${idle}`);
      const typed = page.getByRole('textbox', { name: 'Noise multiplier' });
      await eventually(() => typed.inputValue()).toBe(noise);
      await settled(page);
      expect(await page.locator('.ghost').count(), address).toBe(0);
      expect(await page.locator('.legend').innerText(), address).not.toContain(
        'published theorems',
      );
    }
  });
});

describe('e2e: why a shuffle leaks', () => {
  test('a link leads to the figure and the proof', async () => {
    const { page } = await go(gained);
    await settled(page);
    await page.getByRole('link', { name: 'Why shuffling leaks' }).click();
    await page.waitForURL(/proofs\.html#clones$/);
    const figure = page.getByRole('img', { name: 'Records and batches of one shuffled epoch' });
    await figure.waitFor();
    // The grid and its key are inside of the drawing.
    const outside = await figure.evaluate((drawing) => {
      const { left, right, top, bottom } = drawing.getBoundingClientRect();
      return [...drawing.querySelectorAll('text, rect, circle')]
        .map((part) => part.getBoundingClientRect())
        .filter(
          (box) => box.left < left || box.right > right || box.top < top || box.bottom > bottom,
        ).length;
    });
    expect(outside).toBe(0);
  });
});

describe('e2e: which sampler a data loader is', () => {
  test('is asked first, chooses the sampler and what goes with it, and stays in the address', async () => {
    const { page } = await go(
      `#v1,epochs=3,noise-multiplier=2,dataset-size=1000,batch-size=100,${idle}`,
    );
    await settled(page);
    const loader = page.getByLabel('How did you load batches?');
    const choice = page.locator('.sampler-choice summary');
    expect(await loader.inputValue()).toBe('dataloader');
    for (const [label, batches, part] of [
      ['Shuffled once, the order kept', 'Shuffled batches', 'reshuffle=once'],
      ['PyTorch RandomSampler(replacement=True)', 'Fixed-size batches', 'replacement=true'],
      ['Opacus (Poisson sampling)', 'Poisson batches', 'sampler=poisson'],
      ['Not sure', 'Deterministic batches', 'loader=unsure'],
    ] as const) {
      await loader.selectOption({ label });
      expect(await choice.innerText()).toContain(batches);
      await eventually(() => hashOf(page)).toContain(part);
    }
    await settled(page);
    await page.getByText('holds for any order').waitFor();
    await loader.selectOption({ label: 'PyTorch DistributedSampler' });
    expect(await page.locator('.loader-note').innerText()).toMatch(/secret seed: the default is 0/);
    expect(await page.getByRole('combobox', { name: 'Reshuffle' }).inputValue()).toBe('each-epoch');
    // By its picture another one is chosen, whatever the loader was.
    await draw(page, 'Balls-and-bins');
    expect(await loader.inputValue()).toBe('balls');
    await page.getByRole('link', { name: 'Loaders, and what is not covered' }).click();
    await page.waitForURL(/samplers\.html#loaders$/);
  });

  test('by sampling probability, the field says that batches are taken as full', async () => {
    const { page } = await go(`#v1,by=steps,${idle}`);
    const rate = field(page, 'Sampling probability');
    expect(await rate.getAttribute('aria-description')).toContain('assumed to be full');
    await rate.focus();
    await eventually(() => page.locator('.explained').innerText()).toContain('assumed to be full');
  });
});
