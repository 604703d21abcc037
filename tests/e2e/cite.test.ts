import { describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { quotationFormats, quotationNames } from '../../wasm/report/index.js';
import {
  draw,
  eventually,
  field,
  hashOf,
  settled,
  publicPage,
  publish,
  tenBatches,
} from './reading.js';
import { visits } from './visits.js';

// A quotation stands there until the next one has come: each test has a page of its own.
const { load: go } = visits();

const run = '#v1,noise-multiplier=1.1,batch-size=256,epochs=10';
const quotation = (page: Page) =>
  page.locator('.cite > :is(.quotation, .quotation-source)').first();
const copy = (page: Page) => page.getByRole('button', { name: 'Copy quotation' });
const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText());
const markup = (page: Page, label: string) =>
  page
    .getByRole('group', { name: 'Markup of the quotation' })
    .getByRole('radio', { name: label, exact: true });

describe('e2e: what to cite', () => {
  test('in every markup it is copied as it is shown, and the address remembers which', async () => {
    const { page } = await go(`#v1,${tenBatches}`);
    await settled(page);
    const [, upper = 'no number'] =
      /^ε\s≤\s([\d.]+)/.exec(await page.locator('.sentence').innerText()) ?? [];
    // For four seconds after a click it says that it has copied, and may be clicked again.
    const button = page.getByRole('button', { name: /^(Copy quotation|Copied)$/ }).first();
    for (const name of quotationNames) {
      await markup(page, quotationFormats[name].label).check();
      await eventually(() => quotation(page).getAttribute('class')).toBe(
        name === 'text' ? 'quotation' : 'quotation-source',
      );
      const shown = (await quotation(page).textContent())?.replaceAll('\u00a0', ' ');
      expect(shown).toContain(upper);
      await button.click();
      await eventually(() => clipboard(page), name).toBe(shown);
    }
    await copy(page).waitFor();
    expect(hashOf(page)).toContain('report.quotation=model-card');
    // Nobody else can open this host, and no bibliography names it.
    expect(await clipboard(page)).not.toContain('127.0.0.1');
    await page.getByText('This copy of the page has no public address').first().waitFor();
    await page.reload();
    await eventually(() => quotation(page).innerText()).toMatch(/^## Differential privacy/);
  });

  test('a published page is cited with all that the number depends on and no more, and its papers', async () => {
    const { page } = await go(`#v1,${tenBatches}`);
    await settled(page);
    await publish(page);
    await markup(page, 'Markdown').check();
    await eventually(() => quotation(page).textContent()).toContain(publicPage);
    const [, hash = ''] =
      /epsilon\/(#[^)]*)\)/.exec((await quotation(page).textContent()) ?? '') ?? [];
    for (const part of ['sampler=shuffle', 'noise-multiplier=2', 'dataset-size=1000'])
      expect(hash).toContain(part);
    for (const part of ['adjacency=zero-out', 'delta=1e-5', 'accountant=best', 'by=counts'])
      expect(hash).toContain(part);
    // What is cited is the run, not how the page was looked at.
    expect(hash).not.toContain('report.');
    // LaTeX comes with the entries that it cites.
    await markup(page, 'LaTeX').check();
    await eventually(() => quotation(page).innerText()).toContain('\\cite');
    const keys = (await quotation(page).innerText()).match(/\\cite\{[^}]*\}/g) ?? [];
    expect(keys.length).toBeGreaterThan(1);
    await page.getByRole('button', { name: 'Copy: BibTeX' }).click();
    await eventually(() => clipboard(page)).toContain('@misc{honest-epsilon,');
    const entries = await clipboard(page);
    for (const key of keys.flatMap((cite) => cite.slice(6, -1).split(',')))
      expect(entries).toContain(`{${key},`);
  });

  test('a reported epsilon that is too small has an erratum, any other has none', async () => {
    const { page } = await go(`${run},reported=1.2`);
    await settled(page);
    expect(await page.locator('.answer .aside').innerText()).toMatch(
      /That is too small: ε is proved to be at least 5\.307\. Poisson accounting of this run gives ε ≤ 0\.9202 \(1\.\d{3} by Rényi accounting\)\./,
    );
    await page.getByRole('button', { name: 'Copy: Correction' }).click();
    await eventually(() => clipboard(page)).toMatch(
      /^Erratum: we reported ε = 1\.2 at δ = 10⁻⁵\. /,
    );
    await field(page, 'Reported').fill('16');
    await eventually(() => page.getByRole('heading', { name: 'Correction' }).count()).toBe(0);
    expect(await page.locator('.answer .aside').innerText()).toMatch(
      /That (holds|is a valid but loose bound)/,
    );
  });

  test('it follows the form, and there is none without a run', async () => {
    const { page } = await go(`#v1,${tenBatches},sampler=deterministic`);
    await settled(page);
    await draw(page, 'Poisson');
    await eventually(() => quotation(page).innerText()).toContain('Poisson batches, each record');
    await field(page, 'Epochs').fill('none');
    await page.getByText('Nothing to quote yet.').waitFor();
    expect(await quotation(page).count()).toBe(0);
  });

  test('the report below shows what a reader needs, and the rest on demand', async () => {
    const { page } = await go(`#v1,${tenBatches}`);
    const rest = page.locator('.report-rest');
    await settled(page);
    // It is neither fetched nor written until a reader comes near it.
    await page.locator('.quotation').waitFor();
    expect(await page.locator('he-report').count()).toBe(0);
    await page.locator('.full-report').scrollIntoViewIfNeeded();
    await rest.waitFor();
    const seen = page.locator('article.report h4:visible');
    const titles = await seen.allInnerTexts();
    expect(titles.map((title) => title.replace(/^.\s+/, ''))).toEqual([
      'Sampling as accounted',
      'Guarantee',
    ]);
    await rest.locator('summary').focus();
    await page.keyboard.press('Enter');
    await eventually(() => seen.count()).toBe(11);
  });
});
