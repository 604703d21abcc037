import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import {
  axeFinds,
  download,
  drawing,
  ends,
  eventually,
  hashOf,
  idle,
  isFullRun,
  refined,
  sentence,
  settled,
  value,
} from './reading.js';
import { visits } from './visits.js';

const { go } = visits();

/** A run of which the clone theorem proves much more than deterministic batches. */
const gained = '#v1,noise-multiplier=1';
const mark = '†';
const reason = 'not yet peer-reviewed';

const atMost = async (page: Page, sampler: string) => String((await ends(page, sampler))[1]);

describe('e2e: what is not yet peer-reviewed', () => {
  test('is marked in sentence, ladder, legend and details', async () => {
    const { page, complaints } = await go(`${gained},${idle}`);
    await settled(page);
    const known = await atMost(page, 'deterministic');
    expect(await sentence(page).innerText()).toContain(mark);
    expect(await sentence(page).innerText()).toContain(reason);
    expect(await sentence(page).innerText()).toMatch(/published theorems alone give ε ≤ 4\.378?\b/);
    expect(known).toMatch(/^4\.37/);
    expect(await value(page, 'shuffle').innerText()).toContain(mark);
    expect(await value(page, 'deterministic').innerText()).not.toContain(mark);
    expect(await page.locator('.legend').innerText()).toContain(reason);
    await value(page, 'shuffle').getByRole('button').click();
    await eventually(() => page.locator('he-details').innerText()).toContain(reason);
    expect(await page.locator('he-details').innerText()).toContain('by published theorems alone');
    if (isFullRun) expect(await axeFinds(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('is left out on demand, in form and link', async () => {
    const { page, complaints } = await go(`${gained},more=shown,${idle}`);
    await settled(page);
    const known = await atMost(page, 'deterministic');
    await page.getByRole('radio', { name: 'published theorems only' }).check();
    await settled(page);
    await eventually(() => atMost(page, 'shuffle')).toBe(known);
    expect(hashOf(page)).toContain('proofs=published');
    expect(await page.locator('.answer').innerText()).not.toContain(mark);
    expect(await page.locator('.ladder').innerText()).not.toContain(mark);
    expect(complaints).toEqual([]);
  });

  test('is marked in curves and their files', async () => {
    const { page } = await go(`${gained},${drawing},hide=balls-and-bins+without-replacement`);
    await settled(page);
    await refined(page);
    expect(await page.locator('he-curve .mark-note').innerText()).toContain(reason);
    const file = async (name: string) =>
      (await download(page, page.getByRole('button', { name, exact: true }))).content.toString();
    const svg = await file('SVG');
    expect(svg).toContain(`Shuffled batches ${mark}`);
    expect(svg.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')).toContain('peer-reviewed');
    expect(await file('CSV')).toMatch(/^# .*not yet peer-reviewed/m);
  });
});
