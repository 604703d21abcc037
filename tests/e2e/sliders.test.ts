import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import {
  axeFinds,
  drawing,
  eventually,
  field,
  idle,
  isFullRun,
  overflow,
  quick,
  refined,
  sentence,
  settled,
} from './reading.js';
import { visits } from './visits.js';

const { go } = visits();

const slider = (page: Page, label: string) =>
  page.locator('he-scenario').getByRole('slider', { name: label });

/** Presses the mouse on a slider's thumb and moves it in steps by a part of the width. */
async function drag(page: Page, label: string, by: number): Promise<void> {
  const input = slider(page, label);
  const box = await input.boundingBox();
  if (!box) throw new Error(`the slider of ${label} has no place`);
  const part = await input.evaluate((at: HTMLInputElement) => Number(at.value) / Number(at.max));
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + part * box.width, y);
  await page.mouse.down();
  await page.mouse.move(box.x + (part + by) * box.width, y, { steps: 10 });
}

describe('e2e: sliders', () => {
  test('a drag writes the number, is answered like one that is typed, and is one step back', async () => {
    const { page, complaints } = await go(`${quick},${idle}`);
    await settled(page);
    const before = await sentence(page).innerText();
    await drag(page, 'Noise multiplier', 0.25);
    await page.mouse.up();
    await settled(page);
    const typed = await field(page, 'Noise multiplier').inputValue();
    expect(typed).toMatch(/^[2-9](\.\d+)?$/);
    const said = await sentence(page).innerText();
    expect(said).not.toBe(before);
    const { page: fresh } = await go(new URL(page.url()).hash);
    await settled(fresh);
    expect(await field(fresh, 'Noise multiplier').inputValue()).toBe(typed);
    expect(await sentence(fresh).innerText()).toBe(said);
    await page.goBack();
    await eventually(() => sentence(page).innerText()).toBe(before);
    expect(await field(page, 'Noise multiplier').inputValue()).toBe('0.7');
    expect(complaints).toEqual([]);
  });

  test('the answer and the curve are redrawn while it moves, and nothing old looks new', async () => {
    const { page } = await go(`${quick},hide=shuffle+balls-and-bins,${drawing}`);
    await settled(page);
    await refined(page);
    const seen = await page.evaluate(async () => {
      const root = document.querySelector('he-page')?.shadowRoot;
      const input = root?.querySelector<HTMLInputElement>('#slide-noiseMultiplier');
      const text = root?.querySelector<HTMLInputElement>('#field-noiseMultiplier');
      if (!root || !input || !text) throw new Error('there is no slider');
      const sentences = new Set<string>();
      const values = new Set<string>();
      const curves = new Set<string>();
      const fresh: [string, string][] = [];
      const start = Number(input.value);
      const until = performance.now() + 30_000;
      for (let move = 0; performance.now() < until; ++move) {
        // Back and forth by up to fifty stops.
        input.value = String(start + 50 - Math.abs(50 - (move % 100)));
        input.dispatchEvent(new Event('input', { bubbles: true }));
        await new Promise(requestAnimationFrame);
        const said = root.querySelector('.sentence');
        sentences.add(said?.textContent ?? '');
        values.add(root.querySelector('.forest-row.s-poisson .value')?.textContent ?? '');
        curves.add(root.querySelector('.curve .line.s-poisson path')?.getAttribute('d') ?? '');
        if (said && !said.matches('.stale, .muted')) fresh.push([text.value, said.textContent]);
        if (Math.min(sentences.size, values.size) > 5 && curves.size > 3) break;
      }
      return { counts: [sentences.size, values.size, curves.size], fresh };
    });
    const [sentences = 0, values = 0, curves = 0] = seen.counts;
    expect(sentences).toBeGreaterThan(5);
    expect(values).toBeGreaterThan(5);
    expect(curves).toBeGreaterThan(3);
    for (const [typed, said] of seen.fresh) {
      const others = seen.fresh.filter((other) => other[0] === typed && other[1] !== said);
      expect(others, typed).toEqual([]);
    }
    await settled(page);
    await refined(page);
  });

  test('keys move it from stop to stop, and it says the number', async () => {
    const { page } = await go(`${quick},${idle}`);
    await settled(page);
    const noise = slider(page, 'Noise multiplier');
    const typed = field(page, 'Noise multiplier');
    await noise.focus();
    await page.keyboard.press('ArrowRight');
    expect(await typed.inputValue()).toBe('0.71');
    expect(await noise.getAttribute('aria-valuetext')).toBe('0.71');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    expect(await typed.inputValue()).toBe('0.69');
    await page.keyboard.press('End');
    expect(await typed.inputValue()).toBe('100');
    await settled(page);
    expect(page.url()).toContain('noise-multiplier=100');
    await slider(page, 'Delta').focus();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    expect(await field(page, 'Delta').inputValue()).toBe('1e-6');
    await slider(page, 'Epochs').focus();
    await page.keyboard.press('ArrowUp');
    expect(await field(page, 'Epochs').inputValue()).toBe('2');
  });

  test('what is typed moves it and stays as it is typed', async () => {
    const { page } = await go(`${quick},${idle}`);
    await settled(page);
    const noise = slider(page, 'Noise multiplier');
    const typed = field(page, 'Noise multiplier');
    const at = async () => Number(await noise.inputValue());
    const most = Number(await noise.getAttribute('max'));
    const start = await at();
    await typed.fill('1.2345');
    const moved = await at();
    expect(moved).toBeGreaterThan(start);
    for (const text of ['', 'abc', 'NaN']) {
      await typed.fill(text);
      expect(await at(), text).toBe(moved);
      expect(await typed.inputValue()).toBe(text);
    }
    await typed.fill('20000');
    expect(await at()).toBe(most);
    await settled(page);
    expect(await typed.inputValue()).toBe('20000');
    await typed.fill('0.001');
    expect(await at()).toBe(0);
    expect(await typed.inputValue()).toBe('0.001');
  });

  test('it makes no batch larger than the dataset', async () => {
    const { page } = await go(`${quick},${idle}`);
    await settled(page);
    await slider(page, 'Batch size').focus();
    await page.keyboard.press('End');
    expect(await field(page, 'Batch size').inputValue()).toBe('100');
    await field(page, 'Dataset size').fill('5e4');
    await slider(page, 'Dataset size').focus();
    await page.keyboard.press('Home');
    expect(await field(page, 'Dataset size').inputValue()).toBe('100');
    await settled(page);
    expect(await page.locator('.problem').count()).toBe(0);
  });

  test('there is one for every number of the form that is not empty by default', async () => {
    const { page } = await go(`${quick},${idle},more=shown,sampler=balls-and-bins,epochs=2`);
    await settled(page);
    const names = (role: 'slider' | 'textbox') =>
      page
        .locator('he-scenario')
        .getByRole(role)
        .and(page.locator(':enabled'))
        .evaluateAll((all) => all.map(({ id }) => id.replace(/^\w+-/, '')));
    const optional = ['maxBatchSize', 'countNoise', 'noiseEnd', 'partOfData', 'reported'];
    const numbers = (await names('textbox')).filter((name) => !optional.includes(name));
    expect(numbers.length).toBeGreaterThan(6);
    expect(await names('slider')).toEqual(numbers);
    if (isFullRun) expect(await axeFinds(page, { within: 'he-page' })).toEqual([]);
  });

  test('on a phone it is wide enough for a finger, and the page no wider', async () => {
    const { page } = await go(`${quick},${idle},more=shown`, {
      viewport: { width: 320, height: 700 },
      hasTouch: true,
      isMobile: true,
    });
    await settled(page);
    expect(await overflow(page)).toBe(0);
    const boxes = await slider(page, '').evaluateAll((all) =>
      all.map((input) => input.getBoundingClientRect().toJSON() as DOMRect),
    );
    expect(boxes.length).toBeGreaterThan(4);
    for (const { width, height } of boxes) {
      expect(height).toBeGreaterThanOrEqual(24);
      expect(width).toBeGreaterThan(120);
    }
  });
});
