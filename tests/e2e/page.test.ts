import { readFile } from 'node:fs/promises';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { samplers } from '../../wasm/generated/schema.js';
import { field, launch, row, settled, value, visit } from './browser.js';
import type { Visit } from './browser.js';
import { builtPolicy, serve } from './server.js';
import type { Site } from './server.js';

let browser: Browser;
let site: Site;
const open: Page[] = [];

beforeAll(async () => {
  [browser, site] = await Promise.all([launch(), serve({ policy: builtPolicy() })]);
});

afterAll(async () => {
  await browser?.close();
  await site?.close();
});

afterEach(async () => {
  await Promise.all(open.splice(0).map((page) => page.context().close()));
});

async function go(hash = '', options: BrowserContextOptions = {}): Promise<Visit> {
  const visited = await visit(browser, site.address + hash, options);
  open.push(visited.page);
  return visited;
}

/** Retries for as long as a loaded machine may need. */
const eventually = <Value>(read: () => Value) => expect.poll(read, { timeout: 30_000 });

const sentence = (page: Page) => page.locator('.sentence');
const problem = (page: Page, name: string) => page.locator(`#problem-${name}`);

/** The two ends that the table prints for a sampler, as numbers. */
async function ends(page: Page, sampler: string): Promise<[number, number]> {
  const cells = page.locator(`table.bounds tr.s-${sampler} td.figure`);
  const titles = await Promise.all([0, 1].map((index) => cells.nth(index).getAttribute('title')));
  const [lower, upper] = titles.map((title) =>
    Number(title?.replace('×10', 'e').replace(/[⁻⁰-⁹]/g, '')),
  );
  return [lower ?? NaN, upper ?? NaN];
}

describe('e2e: the answer', () => {
  test('a first visit is answered for every sampler, the reader’s own first', async () => {
    const { page, complaints } = await go();
    await settled(page);
    expect(await page.locator('.forest-row').count()).toBe(samplers.length);
    expect(await page.locator('.forest-row').first().getAttribute('class')).toContain('s-shuffle');
    expect(await sentence(page).innerText()).toMatch(
      /^You shuffle once per epoch\. Poisson accounting would say ε.* at δ\s=\s10⁻⁵\.$/,
    );
    // HP24, Figure 5: deterministic batches cost 6.652.
    expect(await value(page, 'deterministic').innerText()).toBe('6.65');
    const [lower, upper] = await ends(page, 'deterministic');
    expect(lower).toBeLessThanOrEqual(6.6525);
    expect(upper).toBeGreaterThanOrEqual(6.652);
    // There: shuffling costs at least 6.528, and Poisson accounting would say at most 0.61.
    expect(await value(page, 'shuffle').innerText()).toBe('[6.53, 6.65]');
    const [least, most] = await ends(page, 'poisson');
    expect(least).toBeGreaterThan(0.6);
    expect(most).toBeLessThanOrEqual(0.61);
    expect(complaints).toEqual([]);
  });

  test('what is typed is answered, whichever way the run is told', async () => {
    const { page } = await go();
    await settled(page);
    await page.getByText('by steps and probability').click();
    await field(page, 'Sampling probability').fill('1/10_000');
    await field(page, 'Steps').fill('1e4');
    await field(page, 'Noise multiplier').fill('.5');
    await field(page, 'Delta').fill('1e-6');
    await settled(page);
    // HP24, Figure 4: deterministic 10.997.
    await eventually(() => value(page, 'deterministic').innerText()).toBe('11.0');
    expect(await page.locator('.derived').innerText()).toContain('10,000 steps');
    expect(await page.locator('#curve-title').innerText()).toContain('σ = 0.5, 10,000 steps');
  });

  test('another sampler is one click, and says what it would have been', async () => {
    const { page } = await go();
    await settled(page);
    await page.getByRole('radio', { name: 'Poisson' }).check();
    await settled(page);
    expect(await page.locator('.forest-row').first().getAttribute('class')).toContain('s-poisson');
    expect(await sentence(page).innerText()).toMatch(
      /^You draw Poisson batches\. .* shuffled instead/,
    );
  });

  test('the choice between fresh and kept draws appears with the second epoch', async () => {
    const { page } = await go();
    await settled(page);
    const choice = page.getByRole('combobox', { name: 'Batches drawn' });
    expect(await choice.count()).toBe(0);
    await field(page, 'Epochs').fill('4');
    await settled(page);
    expect(await sentence(page).innerText()).toContain('afresh each epoch');
    await choice.selectOption('once');
    await settled(page);
    expect(await sentence(page).innerText()).toContain('keep the order');
    expect(page.url()).toContain('reshuffle=once');
  });

  test('a reported epsilon is drawn as a diamond and held against the proof', async () => {
    const { page } = await go();
    await settled(page);
    await field(page, 'Reported').fill('0.1');
    await page.locator('.forest-row.own .reported').waitFor();
    await settled(page);
    await field(page, 'Reported').fill('50');
    await eventually(() => page.locator('.aside').innerText()).toContain('holds');
  });

  test('a preset fills the form', async () => {
    const { page } = await go();
    await settled(page);
    await page.getByLabel('Start from').selectOption({ label: 'MNIST tutorial' });
    await settled(page);
    expect(await field(page, 'Steps').inputValue()).toBe('14062');
    expect(await sentence(page).innerText()).toContain('You draw Poisson batches.');
  });

  test('twenty quick edits: the last one is answered, and stays', async () => {
    const { page, complaints } = await go();
    await settled(page);
    const noise = field(page, 'Noise multiplier');
    for (let edit = 1; edit < 20; ++edit) await noise.fill(String(edit / 2));
    await noise.fill('0.5');
    await settled(page);
    const answered = await value(page, 'deterministic').innerText();
    const said = await sentence(page).innerText();
    await page.waitForTimeout(1500);
    await settled(page);
    expect(await value(page, 'deterministic').innerText()).toBe(answered);
    expect(await sentence(page).innerText()).toBe(said);
    const { page: fresh } = await go(new URL(page.url()).hash);
    await settled(fresh);
    expect(await value(fresh, 'deterministic').innerText()).toBe(answered);
    expect(complaints).toEqual([]);
  });

  test('a number says how it is known', async () => {
    const { page } = await go();
    await settled(page);
    const number = value(page, 'shuffle').locator('.number');
    await number.click();
    const card = page.locator('he-card');
    await card.getByText('How Private are DP-SGD Implementations?').waitFor();
    expect(await card.innerText()).toMatch(/at most\s+6\.65\d{6,}/);
    await card.getByRole('button', { name: 'Copy as JSON' }).click();
    await card.getByText('Copied').waitFor();
    const copied: unknown = JSON.parse(await page.evaluate(() => navigator.clipboard.readText()));
    expect(copied).toMatchObject({ sampler: 'shuffle', delta: { lower: 1e-5, upper: 1e-5 } });
    await page.keyboard.press('Escape');
    await card.waitFor({ state: 'hidden' });
  });

  test('remove and add are shown on demand, in plot and table', async () => {
    const { page } = await go();
    await settled(page);
    expect(await page.locator('.forest .directions').count()).toBe(0);
    await page.getByLabel('remove and add separately').check();
    await eventually(() => page.locator('.forest .directions').count()).toBe(samplers.length);
    expect(await page.getByRole('columnheader', { name: 'remove' }).count()).toBe(1);
    expect(page.url()).toContain('directions=shown');
  });
});

describe('e2e: the address', () => {
  test('holds the state there and back', async () => {
    const { page } = await go();
    await settled(page);
    expect(new URL(page.url()).hash).toBe('');
    await field(page, 'Noise multiplier').fill('0.9');
    await page.getByRole('radio', { name: 'Balls-and-bins' }).check();
    await settled(page);
    const said = await sentence(page).innerText();
    const { hash } = new URL(page.url());
    expect(hash).toBe('#v1,sampler=balls-and-bins,noise-multiplier=0.9');
    const { page: other } = await go(hash);
    await settled(other);
    expect(await sentence(other).innerText()).toBe(said);
    expect(await field(other, 'Noise multiplier').inputValue()).toBe('0.9');
    expect(await other.getByRole('radio', { name: 'Balls-and-bins' }).isChecked()).toBe(true);
  });

  test('goes back and forward', async () => {
    const { page } = await go();
    await settled(page);
    const before = await sentence(page).innerText();
    await field(page, 'Noise multiplier').fill('0.9');
    await settled(page);
    const after = await sentence(page).innerText();
    expect(after).not.toBe(before);
    await page.goBack();
    await eventually(() => sentence(page).innerText()).toBe(before);
    expect(await field(page, 'Noise multiplier').inputValue()).toBe('0.7');
    await page.goForward();
    await eventually(() => sentence(page).innerText()).toBe(after);
  });

  test('says what of it was not understood', async () => {
    const { page } = await go('#v1,sampler=roulette');
    await page.getByText('was not understood').waitFor();
    await settled(page);
  });
});

describe('e2e: mistakes', () => {
  test.each([
    ['Noise multiplier', 'noiseMultiplier', 'abc', 'a number', '0.7'],
    ['Noise multiplier', 'noiseMultiplier', '-1', 'above 0', '0.7'],
    ['Noise multiplier', 'noiseMultiplier', 'NaN', 'finite', '0.7'],
    ['Epochs', 'epochs', '2.5', 'whole', '1'],
    ['Batch size', 'batchSize', '60001', 'at most', '60'],
    ['Delta', 'delta', '0', 'above 0', '1e-5'],
    ['Dataset size', 'datasetSize', '', 'missing', '60000'],
  ])(
    '%s (%s): %j is refused under the field, and kept',
    async (label, name, text, reason, mended) => {
      const { page } = await go();
      await settled(page);
      const input = field(page, label);
      await input.fill(text);
      await problem(page, name).waitFor();
      expect(await problem(page, name).innerText()).toContain(reason);
      expect(await problem(page, name).innerText()).toContain(label);
      expect(await input.inputValue()).toBe(text);
      expect(await input.getAttribute('aria-invalid')).toBe('true');
      expect(await input.getAttribute('aria-describedby')).toBe(`problem-${name}`);
      // Nothing may look like an answer to it.
      expect(await page.locator('.forest-row .number').count()).toBe(0);
      await input.fill(mended);
      await settled(page);
      expect(await problem(page, name).count()).toBe(0);
    },
  );

  test('an odd but valid run is answered, with a warning', async () => {
    const { page, complaints } = await go();
    await settled(page);
    await field(page, 'Delta').fill('0.5');
    await settled(page);
    await page.locator('.warnings li').first().waitFor();
    expect(complaints).toEqual([]);
  });
});

describe('e2e: the curve', () => {
  async function drawn(page: Page): Promise<void> {
    await settled(page);
    await page.locator('.curve-head .refining', { hasText: /^$/ }).waitFor({ state: 'attached' });
    await eventually(() => page.locator('svg.curve .line').count()).toBe(samplers.length);
  }

  test('is drawn for every sampler and read under the pointer', async () => {
    const { page } = await go();
    await drawn(page);
    const frame = page.locator('.curve-frame');
    await frame.scrollIntoViewIfNeeded();
    const box = await frame.boundingBox();
    if (!box) throw new Error('the curve has no place');
    await page.mouse.move(box.x + box.width / 3, box.y + box.height / 2);
    const key = page.locator('.key-row.s-deterministic .key-value');
    // First read off the drawing, then proved on the spot.
    await eventually(() => key.innerText()).toMatch(/^(\d|\[)/);
    expect(await page.locator('.key-head').innerText()).toMatch(/^at ε = [\d.]+$/);
  });

  test('leaves out what is not picked', async () => {
    const { page } = await go();
    await drawn(page);
    await page.locator('.key-row.s-poisson input').uncheck();
    await eventually(() => page.locator('svg.curve .line').count()).toBe(samplers.length - 1);
    expect(page.url()).toContain('hide=poisson');
  });

  test('a row of the plot lights its curve', async () => {
    const { page } = await go();
    await drawn(page);
    await row(page, 'deterministic').hover();
    await page.locator('svg.curve .line.s-shuffle.quiet').waitFor({ state: 'attached' });
    expect(await page.locator('svg.curve .line.s-deterministic.quiet').count()).toBe(0);
  });

  test('its point sets delta by dragging', async () => {
    const { page } = await go();
    await drawn(page);
    const point = page.locator('.own-point');
    await point.scrollIntoViewIfNeeded();
    const box = await point.boundingBox();
    if (!box) throw new Error('the point has no place');
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2, box.y + 120, { steps: 8 });
    await page.mouse.up();
    await settled(page);
    // Downwards is smaller; how far depends on the axis, which follows the curves.
    const dragged = await field(page, 'Delta').inputValue();
    expect(dragged).toMatch(/^[125]e-\d+$/);
    expect(Number(dragged)).toBeLessThan(1e-5);
  });

  async function download(page: Page, name: string): Promise<string> {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name, exact: true }).click(),
    ]);
    return readFile(await file.path(), name === 'PNG' ? 'latin1' : 'utf8');
  }

  test('goes out as SVG, PNG and CSV with its parameters', async () => {
    const { page, complaints } = await go();
    await drawn(page);
    const svg = await download(page, 'SVG');
    expect(svg).toContain('<title>δ at ε, σ = 0.7, 1,000 steps, q = 0.001</title>');
    expect(svg).not.toMatch(/class=|var\(|<!--/);
    expect(svg.match(/<path /g)?.length).toBeGreaterThanOrEqual(samplers.length);
    expect((await download(page, 'PNG')).slice(1, 4)).toBe('PNG');
    const lines = (await download(page, 'CSV')).trim().split('\n');
    expect(lines[2]).toBe('sampler,epsilon,delta_lower,delta_upper,kind');
    expect(lines.length - 3).toBe(33 * samplers.length);
    for (const line of lines.slice(3)) {
      const [, , lower, upper] = line.split(',').map(Number);
      expect(lower).toBeLessThanOrEqual(upper ?? NaN);
    }
    expect(complaints).toEqual([]);
  });

  test('has a table behind it', async () => {
    const { page } = await go();
    await drawn(page);
    await page.getByText('as a table').click();
    expect(await page.locator('.points tbody tr').count()).toBe(33 * samplers.length);
  });
});

describe('e2e: without a mouse', () => {
  test('everything is reached and worked by keyboard', async () => {
    const { page } = await go();
    await settled(page);
    const focused = () =>
      page.evaluate(() => {
        let at = document.activeElement;
        while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
        return at?.getAttribute('name') ?? at?.getAttribute('role') ?? at?.className ?? '';
      });
    const tabTo = async (wanted: string) => {
      for (let press = 0; press < 40; ++press) {
        await page.keyboard.press('Tab');
        if ((await focused()).includes(wanted)) return;
      }
      throw new Error(`the Tab key never reached ${wanted}`);
    };
    await tabTo('sampler');
    await page.keyboard.press('ArrowDown');
    await eventually(() => page.url()).toContain('sampler=balls-and-bins');
    await tabTo('noiseMultiplier');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('0.5');
    await settled(page);
    await eventually(() => value(page, 'deterministic').innerText()).toBe('10.0');
    await tabTo('number');
    await page.keyboard.press('Enter');
    await page.locator('he-card dl').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('he-card').waitFor({ state: 'hidden' });
    await tabTo('slider');
    const slider = page.getByRole('slider');
    const before = Number(await slider.getAttribute('aria-valuenow'));
    await page.keyboard.press('ArrowLeft');
    await expect
      .poll(async () => Number(await slider.getAttribute('aria-valuenow')))
      .toBeLessThan(before);
    expect(await slider.getAttribute('aria-valuetext')).toContain('Deterministic δ');
  });

  const visits: [string, string, BrowserContextOptions][] = [
    ['light', '', { colorScheme: 'light' }],
    ['dark', '', { colorScheme: 'dark' }],
    ['on a phone', '#v1,epochs=3,directions=shown', { viewport: { width: 390, height: 844 } }],
    ['with a mistake', '#v1,delta=two', {}],
  ];
  test.each(visits)('axe finds nothing: %s', async (_name, hash, options) => {
    const { page } = await go(hash, options);
    if (hash.includes('delta=two')) await problem(page, 'delta').waitFor();
    else {
      await settled(page);
      await eventually(() => page.locator('svg.curve .line').count()).toBe(samplers.length);
      await value(page, 'shuffle').locator('.number').click();
      await page.locator('he-card dl').waitFor();
    }
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(
      violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`),
    ).toEqual([]);
  });
});

describe('e2e: wherever it is opened', () => {
  test.each([320, 390, 768, 1440])('%i pixels wide, nothing scrolls sideways', async (width) => {
    const { page } = await go('#v1,directions=shown', { viewport: { width, height: 800 } });
    await settled(page);
    await eventually(() => page.locator('svg.curve .line').count()).toBe(samplers.length);
    const [inner, scroll] = await page.evaluate(() => [
      document.documentElement.clientWidth,
      document.documentElement.scrollWidth,
    ]);
    expect(scroll).toBe(inner);
  });

  test('on a phone the answer comes before the form', async () => {
    const { page } = await go('', { viewport: { width: 390, height: 844 } });
    await settled(page);
    const top = async (selector: string) => (await page.locator(selector).boundingBox())?.y ?? NaN;
    expect(await top('.sentence')).toBeLessThan(await top('he-scenario'));
    expect(await top('.forest')).toBeLessThan(await top('he-scenario'));
  });

  test('asks nothing of any other host, and nothing that its policy forbids', async () => {
    const { page, requests, complaints } = await go();
    await settled(page);
    expect(requests.length).toBeGreaterThan(3);
    expect(
      requests.filter(
        (address) => !/^(blob|data):/.test(address) && !address.startsWith(site.address),
      ),
    ).toEqual([]);
    expect(complaints).toEqual([]);
    expect(builtPolicy()).toContain("script-src 'self' 'wasm-unsafe-eval';");
    expect(builtPolicy()).not.toMatch(/unsafe-inline|'unsafe-eval'/);
  });

  test('computes nothing on the main thread', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    open.push(page);
    await page.addInitScript(() => {
      const counter = globalThis as unknown as { modules: number };
      counter.modules = 0;
      for (const name of ['instantiate', 'compile', 'instantiateStreaming'] as const) {
        const original = WebAssembly[name] as (...values: unknown[]) => unknown;
        Object.assign(WebAssembly, {
          [name]: (...values: unknown[]) => {
            ++counter.modules;
            return original(...values);
          },
        });
      }
    });
    await page.goto(site.address);
    await settled(page);
    expect(await page.evaluate(() => (globalThis as unknown as { modules: number }).modules)).toBe(
      0,
    );
  });

  test('says so where WebAssembly is blocked', async () => {
    const strict = await serve({ policy: builtPolicy().replace(" 'wasm-unsafe-eval'", '') });
    try {
      const { page } = await visit(browser, strict.address);
      open.push(page);
      await page.getByText('This page cannot compute here.').waitFor();
      expect(await page.getByRole('alert').innerText()).toContain('WebAssembly');
      expect(await page.getByRole('alert').innerText()).toContain('npx honest-epsilon');
    } finally {
      await strict.close();
    }
  });

  test('says so where the engine does not arrive', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    open.push(page);
    await page.route('**/*.wasm', (route) => route.fulfill({ status: 404 }));
    await page.goto(site.address);
    await page.getByRole('alert').getByText('could not be started').waitFor();
    expect(await page.locator('.forest-row .number').count()).toBe(0);
  });

  test('says what it is where scripts are off', async () => {
    const { page } = await go('', { javaScriptEnabled: false });
    await page.locator('.plain-notice').waitFor();
    expect(await page.locator('.plain-notice').innerText()).toContain('needs JavaScript');
    expect(await page.locator('.skeleton').isVisible()).toBe(false);
  });

  test('prints the sentence, the plot, the table and the parameters', async () => {
    const { page } = await go('#v1,noise-multiplier=0.9');
    await settled(page);
    await page.emulateMedia({ media: 'print' });
    for (const selector of [
      '.sentence',
      '.forest',
      'table.bounds',
      '#field-noiseMultiplier',
      '.print-link',
    ]) {
      expect(await page.locator(selector).isVisible(), selector).toBe(true);
    }
    expect(await page.locator('.print-link').innerText()).toContain('noise-multiplier=0.9');
    expect(await page.locator('.notes').isVisible()).toBe(false);
    const pdf = await page.pdf({ format: 'A4' });
    expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
  });
});
