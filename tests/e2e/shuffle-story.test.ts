import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import {
  axeFinds,
  draw,
  eventually,
  field,
  follow,
  hashOf,
  idle,
  ofLooks,
  overflow,
  row,
  settled,
  value,
  wide,
} from './reading.js';
import { visits } from './visits.js';

const { go } = visits();

const phone = { width: 390, height: 844 };

/** Ten thousand steps, where clones halve the upper end and more. */
const gained = `#v1,noise-multiplier=1,batch-size=6,${idle}`;
const figureName = 'Records and batches of one shuffled epoch';
const summary = (page: Page) => page.locator('.why-clones > summary');
const figure = (page: Page) => page.getByRole('slider', { name: 'Batch of your record' });
const caption = (page: Page) => page.locator('.why-clones figcaption').innerText();
const middle = async (page: Page, selector: string) => {
  const box = await page.locator(selector).boundingBox();
  return box ? box.x + box.width / 2 : NaN;
};

describe('e2e: the row of shuffled batches', () => {
  test('ends at the clones’ end, and has a ghost where deterministic batches end', async () => {
    const { page, complaints } = await go(gained);
    await settled(page);
    expect(await value(page, 'shuffle').innerText()).toContain('[1.133, 1.155]†');
    expect(await value(page, 'deterministic').innerText()).toContain('[4.377, 4.378]');
    expect(await page.locator('.forest-row .ghost').count()).toBe(1);
    const ghost = await middle(page, '.forest-row.s-shuffle .ghost-tick');
    const known = await middle(page, '.forest-row.s-deterministic .tick');
    expect(Math.abs(ghost - known)).toBeLessThan(1);
    expect(await page.locator('.legend').innerText()).toContain(
      'upper end from published theorems alone',
    );
    const words =
      'Published theorems alone prove that ε is at most 4.378. A theorem of ours, not yet peer-reviewed, lowers that to 1.155.';
    const cell = row(page, 'shuffle').getByRole('cell').first();
    expect(await cell.locator('.sr').allInnerTexts()).toContain(words);
    expect(await cell.locator('.ghost title').textContent()).toBe(words);
    expect(complaints).toEqual([]);
  });

  test('has its ghost with a release beside the run, too', async () => {
    const { page } = await go(`${gained},and=epsilon`);
    await settled(page);
    expect(await page.locator('.forest-row.s-shuffle .ghost').count()).toBe(1);
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

  test('follows the run: less noise, and the ghost is where deterministic batches end now', async () => {
    const { page } = await go(gained);
    await settled(page);
    await page.getByRole('textbox', { name: 'Noise multiplier' }).fill('0.85');
    await settled(page);
    const ghost = await middle(page, '.forest-row.s-shuffle .ghost-tick');
    const known = await middle(page, '.forest-row.s-deterministic .tick');
    expect(Math.abs(ghost - known)).toBeLessThan(1);
    expect(await page.locator('.ghost title').first().textContent()).toContain('5.29');
  });
});

describe('e2e: why a shuffle leaks', () => {
  test('is a folded figure below the plot, and leads to the proof', async () => {
    const { page, complaints } = await go(gained);
    await settled(page);
    expect(await figure(page).count()).toBe(0);
    await summary(page).focus();
    await page.keyboard.press('Enter');
    await figure(page).waitFor();
    expect(await caption(page)).toMatch(
      /^Your record is in batch 6\. .* can only be in 4, 6 and 7,/,
    );
    await page.getByRole('link', { name: 'The theorem and its proof' }).click();
    await page.waitForURL(/proofs\.html#clones$/);
    expect(await page.getByRole('img', { name: figureName }).count()).toBe(1);
    expect(complaints).toEqual([]);
  });

  test('the marked record is moved by the arrow keys, and said', async () => {
    const { page } = await go(`#v1,noise-multiplier=0.1,${idle}`);
    await settled(page);
    await summary(page).click();
    await figure(page).focus();
    const spoken = () => figure(page).getAttribute('aria-valuetext');
    await page.keyboard.press('ArrowLeft');
    await eventually(spoken).toBe('Batch 5; left: 4, 5 and 7.');
    await page.keyboard.press('End');
    await eventually(spoken).toBe('Batch 8; left: 4, 7 and 8.');
    await page.keyboard.press('ArrowRight');
    await eventually(spoken).toBe('Batch 8; left: 4, 7 and 8.');
    await page.getByRole('radio', { name: 'Poisson batches' }).last().check();
    await eventually(spoken).toBe('Batch 8; left: all eight.');
    expect(await caption(page)).toContain('when yours moves, no other does');
    await page.getByRole('radio', { name: 'Fixed-size batches' }).last().check();
    await eventually(() => caption(page)).toContain('twice the clipping norm');
  });

  test.each<[string, BrowserContextOptions]>([
    ['by a mouse', {}],
    ['by a finger', { viewport: phone, hasTouch: true }],
  ])('the marked record is dragged %s', async (by, options) => {
    const { page } = await go(gained, options);
    await settled(page);
    await summary(page).click();
    const dot = page.locator('.clones circle.own').first();
    await dot.scrollIntoViewIfNeeded();
    const at = async (batch: number) => {
      const box = await page.locator('.clones .gone, .clones .left').nth(batch).boundingBox();
      if (!box) throw new Error('there is no such batch');
      return box.x + box.width / 2;
    };
    const box = await dot.boundingBox();
    if (!box) throw new Error('the record is not drawn');
    const [from, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const to = await at(1);
    if (by === 'by a mouse') {
      await page.mouse.move(to, y);
      await eventually(() => figure(page).getAttribute('aria-valuenow')).toBe('6');
      await page.mouse.move(from, y);
      await page.mouse.down();
      await page.mouse.move(to, y + 30, { steps: 5 });
      await page.mouse.up();
    } else {
      const finger = await page.context().newCDPSession(page);
      const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x?: number) =>
        finger.send('Input.dispatchTouchEvent', {
          type,
          touchPoints: x === undefined ? [] : [{ x, y }],
        });
      await touch('touchStart', from);
      for (const share of [0.1, 0.3, 0.6, 1]) await touch('touchMove', from + share * (to - from));
      await touch('touchEnd');
    }
    await eventually(() => figure(page).getAttribute('aria-valuenow')).toBe('2');
    expect(await caption(page)).toMatch(
      /^Your record is in batch 2\. .* can only be in 2, 4 and 7,/,
    );
    await eventually(async () => (await dot.boundingBox())?.x).toBeLessThan(to);
  });

  test('on a phone and in the dark it fits, and axe finds nothing', async () => {
    const { page } = await go(gained, { viewport: phone });
    await settled(page);
    await summary(page).click();
    await page.locator('.sampler-choice > summary').click();
    await figure(page).waitFor();
    for (const [viewport, colorScheme] of [
      [phone, 'light'],
      [wide, 'dark'],
    ] as const) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      await eventually(() => overflow(page)).toBe(0);
      const cut = await page
        .locator('.why-clones, .sampler-choice')
        .evaluateAll(
          (list) => list.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length,
        );
      expect(cut).toBe(0);
      // The grid and its key are inside of the drawing.
      const outside = await page.locator('.why-clones svg').evaluate((drawing) => {
        const { left, right, top, bottom } = drawing.getBoundingClientRect();
        return [...drawing.querySelectorAll('text, rect, circle')]
          .filter((part) => {
            const box = part.getBoundingClientRect();
            return box.left < left || box.right > right || box.top < top || box.bottom > bottom;
          })
          .map(({ outerHTML }) => outerHTML);
      });
      expect(outside).toEqual([]);
      expect(await axeFinds(page, colorScheme === 'dark' ? { only: ofLooks } : {})).toEqual([]);
    }
  });
});

describe('e2e: which sampler a data loader is', () => {
  test('is asked first, chooses the sampler and what goes with it, and stays in the address', async () => {
    const { page } = await go(`#v1,epochs=3,noise-multiplier=2,batch-size=6000,${idle}`);
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
