import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { formatNames, formats } from '../../wasm/report/index.js';
import {
  axeFinds,
  download,
  eventually,
  field,
  fullTest,
  openPanel,
  overflow,
  quick,
  publicPage,
  publish,
  settled,
  someOf,
} from './reading.js';
import { visits } from './visits.js';

// A report stands there until the next one has come: each test has a page of its own.
const { load: visit } = visits();

// Written as the page writes it: its report links to the run that is shown.
const run = '#v1,dataset-size=6000,batch-size=64,devices=2,epochs=2,drop-last=true';

async function go(hash = quick): Promise<Page> {
  const { page } = await visit(`${hash},panel=cite`);
  await settled(page);
  return page;
}

const article = (page: Page) => page.locator('article.report');
const source = (page: Page) => page.locator('pre.report-source');
const pick = (page: Page, label: string) =>
  page
    .getByRole('group', { name: 'Format of the report' })
    .getByRole('radio', { name: label, exact: true })
    .check();
const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

/** What stands beside a term of the report. */
const told = (page: Page, term: string) =>
  page.locator('article.report dt', { hasText: new RegExp(`^${term}$`) }).locator('+ dd');

describe('e2e: the report', () => {
  test('it tells the run, its answer and the accounting error', async () => {
    const page = await go(run);
    await article(page).waitFor();
    expect(await page.locator('.report h4').allInnerTexts()).toHaveLength(11);
    expect(await told(page, 'Batch size of a step').textContent()).toBe('128');
    expect(await told(page, 'Last short batch').textContent()).toBe('dropped');
    expect(await told(page, 'SHA-256 of engine\\.wasm').textContent()).toMatch(/^[0-9a-f]{64}$/);
    expect(await told(page, 'Link').count()).toBe(0);
    await publish(page);
    const link = (await told(page, 'Link').textContent()) ?? '';
    expect(link.startsWith(`${publicPage}#v1,sampler=shuffle,`)).toBe(true);
    for (const part of run.split(',').slice(1)) expect(link).toContain(part);
    expect(await article(page).innerText()).toMatch(/would understate ε by at least [\d.]+/);
    expect(await article(page).innerText()).toMatch(/true positive rate of the best attack/);
  });

  test('what is typed beside the run is in it at once, and in the address', async () => {
    const page = await go(`${quick},reported=0.5`);
    await article(page).waitFor();
    expect(await article(page).innerText()).toContain('ε = 0.5 was reported.');
    await field(page, 'Clipping norm').fill('1.5');
    await eventually(() => told(page, 'Noise standard deviation σ·C').textContent()).toBe('1.05');
    await eventually(() => page.url()).toContain('report.clipping-norm=1.5');
    await field(page, 'Clipping norm').fill('-1');
    await page.locator('#report-clipping-norm-problem').waitFor();
    expect(await told(page, 'Clipping norm C').count()).toBe(0);
  });

  test('in every format it can be read, copied and saved', async () => {
    const page = await go();
    await article(page).waitFor();
    const actions = page.locator('.report-actions');
    let text: string | null = null;
    for (const name of someOf(formatNames, 2)) {
      const { label, extension } = formats[name];
      await pick(page, label);
      await eventually(() => source(page).textContent(), name).not.toBe(text);
      text = await source(page).textContent();
      expect(text?.length, name).toBeGreaterThan(200);
      await actions.getByRole('button', { name: 'Copy: report' }).click();
      await actions.getByText('Copied').waitFor();
      expect(await clipboard(page)).toBe(text);
      const file = await download(page, page.getByRole('button', { name: 'Download' }));
      expect(file.name).toBe(`privacy-report.${extension}`);
      expect(file.content.toString()).toBe(text);
    }
    // The address opens it in this format.
    await page.reload();
    await source(page).waitFor();
    await eventually(() => source(page).textContent()).toBe(text);
  });

  test('a snippet of it is copied, and it is printed, by itself', async () => {
    const page = await go();
    await article(page).waitFor();
    await page.locator('.report-rest summary').click();
    await page.getByRole('button', { name: 'Copy: The query' }).click();
    await eventually(() => clipboard(page)).toMatch(/^\{"question":"epsilon"/);

    // Printed from here, the report is all there is on the paper.
    await page.evaluate(() => {
      window.print = () => undefined;
    });
    await page.getByRole('button', { name: 'Print' }).click();
    await page.emulateMedia({ media: 'print' });
    expect(await article(page).isVisible()).toBe(true);
    expect(await page.locator('.sentence').isVisible()).toBe(false);
    await page.evaluate(() => dispatchEvent(new Event('afterprint')));
    expect(await page.locator('.sentence').isVisible()).toBe(true);
  });

  fullTest('it breaks no rule of accessibility as LaTeX, with a mistake', async () => {
    const page = await go(`${quick},report.view=latex,report.clipping-norm=x`);
    await source(page).waitFor();
    expect(await axeFinds(page, { within: openPanel })).toEqual([]);
    expect(await overflow(page)).toBe(0);
  });
});
