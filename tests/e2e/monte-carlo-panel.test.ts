import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { axeFinds, eventually, fullTest, isFullRun, settled, openPanel } from './reading.js';
import { visits } from './visits.js';

// Samples stay in a panel, whatever the address says: each test has its own.
const { load: go } = visits();

const run =
  '#v1,sampler=balls-and-bins,by=steps,noise-multiplier=0.5,sampling-probability=1/300,steps=300,panel=monte-carlo';

async function visitPanel(extra = '') {
  const visited = await go(run + extra);
  await settled(visited.page);
  await visited.page.locator('he-monte-carlo').waitFor();
  return visited;
}

const said = (page: Page) => page.locator('.mc-sentence').innerText();
const button = (page: Page, name: string) =>
  page.locator('.mc-controls').getByRole('button', { name });
const sampledCells = (page: Page) => page.locator('.mc-result td:nth-child(2)').allInnerTexts();

/** Pauses at the first row, from within the page: a run may end before a click from here arrives. */
const paused = (page: Page) =>
  page.locator('he-monte-carlo').evaluate(async (panel) => {
    const root = panel.shadowRoot ?? panel;
    const pause = () => {
      const [go] = root.querySelectorAll<HTMLButtonElement>('.mc-go');
      if (!root.querySelector('.mc-result tbody tr') || go?.innerText.trim() !== 'Pause') return;
      go.click();
    };
    const watching = new MutationObserver(pause);
    watching.observe(root, { childList: true, subtree: true, characterData: true });
    root.querySelector<HTMLButtonElement>('.mc-go')?.click();
    const progress = () => root.querySelector('.mc-progress')?.textContent ?? '';
    while (!progress().includes('paused')) await new Promise(requestAnimationFrame);
    watching.disconnect();
    return progress();
  });

const finished = (page: Page) => button(page, 'Run again').waitFor({ timeout: 120_000 });

describe('e2e: the Monte Carlo panel', () => {
  test('draws what the form says, and the proved band holds it', async () => {
    const { page, complaints } = await visitPanel(',mc.samples=20000,mc.epsilons=0.3%201%202');
    await button(page, 'Run').click();
    await finished(page);
    await eventually(() => said(page)).toContain('all 3 intervals overlap the proved ones');
    expect(await page.locator('.mc-result tbody tr').count()).toBe(3);
    expect(await page.locator('.sampled-drawing .hatched').count()).toBe(3);
    if (isFullRun) expect(await axeFinds(page, { within: openPanel })).toEqual([]);
    expect(complaints).toEqual([]);
  });

  fullTest('several participations are sampled, too', async () => {
    // A run that one sampler alone can do: the other rows have no number to wait for.
    const { page } = await go(`${run},participations=3,mc.samples=20000,mc.epsilons=1%203`);
    await page.locator('he-monte-carlo').waitFor();
    await button(page, 'Run').click();
    await finished(page);
    await eventually(() => said(page)).toContain('2 intervals overlap the proved ones');
  });

  test('paused and taken up again, it ends where an unbroken run ends', async () => {
    const asked = ',mc.samples=200000,mc.epsilons=0.3%201,mc.method=plain';
    const { page } = await visitPanel(asked);
    await button(page, 'Run').click();
    await finished(page);
    const unbroken = await sampledCells(page);
    expect(await paused(page)).not.toContain('200,704 of 200,704');
    await button(page, 'Resume').click();
    await finished(page);
    expect(await sampledCells(page)).toEqual(unbroken);
  });

  test('cancelled, nothing is left that looks like a result', async () => {
    const { page } = await visitPanel(',mc.samples=1e7,mc.epsilons=1,mc.method=plain');
    await button(page, 'Run').click();
    await page.locator('.mc-progress').waitFor();
    await button(page, 'Cancel').click();
    await eventually(() => said(page)).toBe('No samples yet.');
    expect(await page.locator('.sampled-drawing').count()).toBe(0);
  });

  test('another run asks before samples go', async () => {
    const { page } = await visitPanel(',mc.samples=20000,mc.epsilons=0.3%201');
    await button(page, 'Run').click();
    await finished(page);
    expect(await page.locator('.mc-progress').innerText()).toContain('20,480 of 20,480');
    const told = await sampledCells(page);
    const noise = page.getByRole('textbox', { name: 'Noise multiplier' });
    const before = await noise.inputValue();
    await noise.fill('3');
    await page.getByText('These samples belong to the previous settings.').waitFor();
    expect(await button(page, 'Run again').isDisabled()).toBe(true);
    await noise.fill(before);
    await eventually(() => page.locator('.mc-other').count()).toBe(0);
    // Numbers stay those of the confidence that they were drawn for.
    await page.getByLabel('Confidence').fill('0.9');
    await page.locator('.mc-other').waitFor();
    await page.getByText('sampled δ, confidence 0.999').waitFor();
    await page.getByLabel('Confidence').fill('0.999');
    await eventually(() => page.locator('.mc-other').count()).toBe(0);
    expect(await sampledCells(page)).toEqual(told);
    await noise.fill('3');
    // By key: an answer that arrives may move what is under the pointer.
    await page.getByRole('button', { name: 'Discard them' }).press('Enter');
    await eventually(() => said(page)).toBe('No samples yet.');
  });

  test('says what is wrong with a number, and what cannot be sampled', async () => {
    const { page } = await visitPanel(',mc.samples=many');
    expect(await page.locator('.mc .problem').innerText()).toBe(
      'Samples must be a whole number, such as 60,000; got “many”',
    );
    expect(await button(page, 'Run').isDisabled()).toBe(true);
    await page.getByLabel('Samples').fill('-1');
    await button(page, 'Run').click();
    await eventually(() => said(page)).toContain('Samples must be');
    await page.getByLabel('Samples').fill('1000');
    for (const label of ['At ε', 'Order statistics']) {
      await page.getByLabel(label).fill('few');
      const words = new RegExp(`^${label} must be a list of .*; got “few”$`);
      expect(await page.locator('.mc .problem').innerText()).toMatch(words);
      await page.getByLabel(label).fill('');
    }
    await page.getByLabel('Order statistics').fill('0');
    await button(page, 'Run').click();
    await eventually(() => said(page)).toMatch(/^Order statistics must hold .* got 0\.$/);
    await page.getByLabel('Order statistics').fill('all');
    expect(await page.locator('.mc .problem').count()).toBe(0);
    await button(page, 'Run').click();
    await finished(page);
  });
});
