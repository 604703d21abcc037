import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { exhibits, verdictWords } from '../../wasm/papers/index.js';
import { eventually, field, settled } from './reading.js';
import { visits } from './visits.js';

const { go: visit } = visits();

const go = (figure: string, options?: BrowserContextOptions) =>
  visit(`#v1,panel=papers,papers.figure=${figure}`, options);

const verdicts = (page: Page) => page.locator('.exhibit .papers-verdict').allInnerTexts();

describe('e2e: papers', () => {
  test('a table’s numbers stand beside ours, each with its verdict', async () => {
    const { page } = await go('ap-table1');
    const wanted = exhibits.find(({ id }) => id === 'ap-table1')?.claims ?? [];
    const said = wanted.map((claim) => verdictWords(claim.expected, claim));
    await eventually(async () => (await verdicts(page)).sort()).toEqual([...said].sort());
    const number = page.locator('.papers-claims tr').filter({ hasText: '≤ 0.96' }).first();
    expect(await number.innerText()).toMatch(
      /≤ 0\.96\s+\[0\.9471, 0\.9472\]\s+paper is looser \(still valid\)$/,
    );
    expect(await page.locator('.papers-reason').first().innerText()).toContain('rounds losses up');
  });

  test('a figure draws its lines, can be read by keyboard, and has its points in a table', async () => {
    const { page } = await go('ap-fig3');
    await eventually(() => page.locator('.paper-drawing .line .edge').count()).toBeGreaterThan(2);
    await eventually(() => page.locator('.exhibit .refining').innerText()).toBe('');
    const plot = page.getByRole('slider', { name: /^ε at which the key reads δ/ });
    await plot.focus();
    await page.keyboard.press('End');
    expect(await plot.getAttribute('aria-valuenow')).toBe('1.3');
    expect(await plot.getAttribute('aria-valuetext')).toContain('every pair');
    await page.getByText('The points of these lines as a table').click();
    expect(await page.locator('.exhibit .points tbody tr').count()).toBe(4 * 41);
  });

  test('another figure is one press away, in the link, and one step back', async () => {
    const { page } = await go('ap-fig1');
    const index = page.getByRole('navigation', { name: 'Figures and tables' });
    await eventually(() => index.getByRole('button').count()).toBe(exhibits.length);
    await index.getByRole('button', { name: 'Table 1' }).first().click();
    await eventually(() => page.locator('#papers-title').innerText()).toContain('fixed-size');
    expect(page.url()).toContain('papers.figure=ap-table1');
    await page.goBack();
    await eventually(() => page.locator('#papers-title').innerText()).toContain('Adding may leak');
  });

  test('the counterexample shows both attacks, and that nobody has reviewed it', async () => {
    const { page } = await go('he-conjecture');
    await eventually(async () => new Set(await verdicts(page))).toEqual(new Set(['agrees']));
    const numbers = page.locator('.papers-claims tbody');
    expect(await numbers.innerText()).toMatch(
      /remove.*static attack\s+= 0\.345745.*adaptive\s+= 0\.349106/s,
    );
    expect(await page.locator('.exhibit').innerText()).toContain('not yet peer-reviewed');
  });

  test('a figure opens as the run that it is about', async () => {
    const { page } = await go('hp-fig4');
    await page.getByRole('button', { name: 'Open this run above' }).click();
    await settled(page);
    expect(await field(page, 'Noise multiplier').inputValue()).toBe('0.5');
    expect(await field(page, 'Steps').inputValue()).toBe('10000');
    expect(await page.locator('.sentence').innerText()).toMatch(/shuffle.*1\.95/s);
  });
});
