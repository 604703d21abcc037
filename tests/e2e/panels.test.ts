import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { curveKinds } from '../../wasm/curve-kinds.js';
import { samplers } from '../../wasm/generated/schema.js';
import { panels } from '../../web/src/panels/list.js';
import {
  download,
  eventually,
  field,
  follow,
  hashOf,
  overflow,
  quick,
  publish,
  settled,
  shown,
  someOf,
} from './reading.js';
import { visits } from './visits.js';

const { go, load } = visits();

const tab = (page: Page, name: string) => page.getByRole('tab', { name });
const drawn = (page: Page, name: string) => page.locator(`svg.curve .line.s-${name}:not(.stale)`);

describe('e2e: panels', () => {
  test('are tabs: by pointer and keyboard, in the address, back and forward', async () => {
    const { page, complaints } = await go(quick);
    await settled(page);
    await eventually(() => shown(page)).toBe('Cite');
    const five = ['Cite', 'Curves', 'Attacks', 'Check by sampling', 'Embed'];
    expect(await page.getByRole('tab').allInnerTexts()).toEqual(five);
    await tab(page, 'Embed').click();
    await page.getByRole('tabpanel', { name: 'Embed' }).locator('pre').first().waitFor();
    expect(hashOf(page)).toContain('panel=embed');
    await page.goBack();
    await eventually(() => shown(page)).toBe('Cite');
    expect(hashOf(page)).toBe(quick);
    await page.goForward();
    await eventually(() => shown(page)).toBe('Embed');
    await tab(page, 'Embed').focus();
    await page.keyboard.press('Home');
    await eventually(() => shown(page)).toBe('Cite');
    const names = await page.getByRole('tab').allInnerTexts();
    await page.keyboard.press('ArrowRight');
    await eventually(() => shown(page)).toBe(names[1]);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await eventually(() => shown(page)).toBe(names.at(-1));
    // The others are out of the tab order, and out of sight.
    expect(await page.locator('[role=tab][tabindex="0"]').count()).toBe(1);
    expect(await page.locator('[role=tabpanel]:visible').count()).toBe(1);
    expect(complaints).toEqual([]);
  });

  test('older links open what they meant, and nothing is complained of', async () => {
    const { page } = await go(quick);
    for (const [parts, title] of [
      ['panel=report,report.view=markdown', 'Cite'],
      // Before curves were named.
      ['curves.kind=epsilon-noise', 'Curves'],
      ['panel=mixtures', 'Mixtures'],
      // When phases had a tab.
      ['panel=compose,and=mu,mu=0.25', 'Cite'],
    ] as const) {
      await follow(page, `${quick},${parts}`);
      await settled(page);
      await eventually(() => shown(page), parts).toBe(title);
      expect(await page.locator('.note').count(), parts).toBe(0);
      if (parts.includes('report')) await page.locator('pre.report-source').waitFor();
    }
  });

  test('what is not about the run stands in the header, and the run stays as it is', async () => {
    const { page, complaints } = await go(quick);
    await settled(page);
    const header = page.getByRole('navigation', { name: 'This site' });
    expect(await header.getByRole('link').allInnerTexts()).toEqual([
      ...['Papers', 'Other mechanisms', 'Methods'],
    ]);
    await header.getByRole('link', { name: 'Other mechanisms' }).click();
    await page.getByText('Not about shuffled batches: here each user').waitFor();
    expect(await page.getByRole('tab').allInnerTexts()).toEqual([
      ...['Shuffle model', 'Random start', 'Mixtures'],
    ]);
    expect(await header.locator('[aria-current]').innerText()).toBe('Other mechanisms');
    await header.getByRole('link', { name: 'Papers' }).click();
    await page.getByRole('tabpanel', { name: 'Papers' }).locator('h2').first().waitFor();
    await page.getByRole('button', { name: 'Back to this run' }).click();
    await eventually(() => shown(page)).toBe('Cite');
    expect(hashOf(page)).toBe(quick);
    expect(complaints).toEqual([]);
  });

  test('a panel stays open when the last of its parts leaves the address; one that is none is said', async () => {
    const { page } = await go(`${quick},curves.kind=epsilon-noise`);
    await settled(page);
    await page.getByLabel('δ vs ε').check();
    await eventually(() => hashOf(page)).toBe(`${quick},panel=curves`);
    expect(await shown(page)).toBe('Curves');
    await follow(page, `${quick},panel=astrology,astro.sign=leo`);
    await eventually(() => shown(page)).toBe('Cite');
    expect(await page.locator('.note li').allInnerTexts()).toHaveLength(2);
  });

  test('is loaded when it is opened, not before; one that does not arrive can be asked again', async () => {
    const { page, requests } = await load(quick);
    await settled(page);
    await page.locator('.quotation').waitFor();
    expect(requests.some((address) => address.includes('/embed-'))).toBe(false);
    await page.route('**/embed-*.js', (route) => route.abort());
    await tab(page, 'Embed').click();
    const again = page.getByRole('tabpanel').getByRole('button', { name: 'Try again' });
    await again.waitFor();
    expect(await page.getByRole('alert').innerText()).toContain('failed to load');
  });

  test('on a phone the row of tabs scrolls to the open one, and the page does not', async () => {
    const { page } = await go(`${quick},and=mu,mu=0.3`, { viewport: { width: 390, height: 700 } });
    await settled(page);
    for (const { key, title } of someOf(panels, 3)) {
      await follow(page, `${quick},panel=${key},and=mu,mu=0.3`);
      await eventually(() => shown(page)).toBe(title);
      await eventually(async () => {
        const box = await tab(page, title).boundingBox();
        return box !== null && box.x >= 0 && box.x + box.width <= 390;
      }, title).toBe(true);
      await eventually(() => overflow(page), title).toBe(0);
    }
  });
});

describe('e2e: curves', () => {
  const run = `${quick},hide=shuffle%2Bballs-and-bins`;
  /** Curves over the sampling rate need one that may rise. */
  const runFor = (kind: string) =>
    kind === 'noise-sampling' ? run.replace('batch-size=100', 'batch-size=50') : run;

  test('every kind of them is drawn and exported', async () => {
    const { page, complaints } = await go(run);
    await publish(page);
    for (const { name: kind } of someOf(curveKinds, 2)) {
      await follow(page, `${runFor(kind)},curves.kind=${kind}`);
      await settled(page);
      for (const name of ['deterministic', 'poisson'])
        await eventually(() => drawn(page, name).count(), kind).toBe(1);
      const { name: file, content } = await download(
        page,
        page.getByRole('button', { name: 'JSON' }),
      );
      expect(file).toBe(`${kind}.json`);
      const made = JSON.parse(content.toString()) as {
        link: string;
        kind: string;
        curves: { name: string; run: { phases: unknown[] }; points: unknown[] }[];
      };
      expect(made).toHaveProperty('kind', kind);
      expect(made.link).toMatch(/^https:\/\/example\.org\/epsilon\/#v1,.*adjacency=zero-out,/);
      expect(made.link).toContain(`curves.kind=${kind}`);
      expect(made.curves.find(({ name }) => name === 'poisson')?.run.phases).toHaveLength(1);
    }
    expect(complaints).toEqual([]);
  });
});

describe('e2e: compose', () => {
  const two = '#v1,sampler=poisson,dataset-size=100,batch-size=50,and=mu,mu=0.25';

  test('a refused number is found in its own phase, and the form says whose is solved for', async () => {
    const { page } = await go(`${two},and=phase,noise-multiplier=-1,by=steps`);
    await page.locator('.entry.wrong').waitFor();
    expect(await page.locator('.entry').nth(2).getAttribute('class')).toContain('wrong');
    await eventually(() => page.locator('.aside').innerText()).toMatch(
      /^Entry 3 of the run: Noise multiplier must be .*got -1/,
    );
    await page.locator('.entry').nth(2).locator('button').click();
    await page.locator('#field-noiseMultiplier-problem').waitFor();
    await follow(page, `${two},and=phase,open=1`.replace('and=mu', 'solve-for=noise,and=mu'));
    await page.getByText('Found for phase 1, the open one').waitFor();
  });
});

describe('e2e: neighbours other than asked', () => {
  // Known batches hold for zero-out alone.
  const asked = `${quick},adjacency=add-remove`;
  const words = 'for zero-out neighbours';

  test('are said beside a trade-off curve and in its table', async () => {
    const { page } = await go(`${asked},panel=tradeoff`);
    const head = page.locator('.attack-readings thead');
    await eventually(() => head.innerText()).toContain(words);
    expect(await page.locator('.attack .key').innerText()).toContain(words);
  });

  test('are said of what was sampled, and of what is proved beside it', async () => {
    const run = quick
      .replace('deterministic', 'shuffle')
      .replace('batch-size=100', 'batch-size=50');
    const { page } = await go(
      `${run},adjacency=add-remove,panel=monte-carlo,mc.samples=5000,mc.epsilons=1`,
    );
    await settled(page);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await eventually(() => page.locator('.mc-sentence').innerText()).toContain(words);
    expect(await page.locator('.mc-result thead').innerText()).toContain(words);
  });
});

describe('e2e: panels for everybody', () => {
  const charts = [
    ['curves', 'svg.curve .line'],
    ['shuffle-model', '.tradeoff-drawing .line'],
    ['tradeoff', '.tradeoff-drawing .line'],
    ['initialisation', '.tradeoff-drawing .line'],
    ['papers', '.paper-drawing .line'],
    ['mixtures', '.tradeoff-drawing .line'],
  ] as const;
  test('on paper, every drawing shows what it has, and no controls', async () => {
    const { page } = await go(quick);
    for (const [key, chart] of someOf(charts, 2)) {
      await page.emulateMedia({ media: null });
      await follow(page, `${quick},panel=${key}`);
      await page.locator(`#panel-${key}`).locator(chart).first().waitFor();
      await settled(page);
      await page.emulateMedia({ media: 'print' });
      const panel = page.getByRole('tabpanel');
      expect(await panel.locator(chart).first().isVisible(), key).toBe(true);
      for (const control of [
        'button:not(.number, [aria-current])',
        'input[type=radio]',
        'input[type=checkbox]',
      ])
        expect(await panel.locator(`${control}:visible`).count(), `${key}: ${control}`).toBe(0);
      expect(await page.getByRole('tab').count(), key).toBe(0);
      // A drawing is no wider than the paper.
      const plot = panel.locator('.plot').first();
      const pixels = await plot.boundingBox();
      const [across, view] = await plot.evaluate((one) => [
        one.getAttribute('width'),
        one.getAttribute('viewBox'),
      ]);
      expect(view, key).toContain(` ${across} `);
      expect((pixels?.x ?? 0) + (pixels?.width ?? NaN), key).toBeLessThanOrEqual(1280);
    }
  });

  test('curves of every sampler come progressively, and twenty quick edits leave the last run’s', async () => {
    const { page, complaints } = await go(`${quick},curves.kind=epsilon-epochs`);
    await settled(page);
    const noise = field(page, 'Noise multiplier');
    for (let edit = 1; edit < 20; ++edit) await noise.fill(String(1 + edit / 10));
    await noise.fill('4');
    await settled(page);
    await eventually(() => drawn(page, 'poisson').count()).toBe(1);
    await eventually(() => page.locator('svg.curve .line:not(.stale)').count()).toBe(
      samplers.length,
    );
    const { content } = await download(page, page.getByRole('button', { name: 'CSV' }));
    expect(content.toString()).toContain('"noiseMultiplier":4');
    expect(content.toString()).not.toContain('"noiseMultiplier":2');
    expect(complaints).toEqual([]);
  });
});
