import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readingRows } from '../../wasm/words/readings.js';
import { formatInterval } from '../../wasm/words/numbers.js';
import type { Band, Query } from '../../wasm/generated/schema.js';
import { createEngine } from '../../wasm/node.js';
import type { Engine } from '../../wasm/node.js';
import {
  axeFinds,
  crossHair,
  download,
  eventually,
  field,
  fullTest,
  hashOf,
  settled,
  openPanel,
} from './reading.js';
import { visits } from './visits.js';

const { go: visit } = visits();
let engine: Engine;

beforeAll(async () => {
  engine = await createEngine();
});
afterAll(() => {
  engine?.close();
});

const run =
  '#v1,sampler=balls-and-bins,by=steps,noise-multiplier=1,sampling-probability=1/50,steps=100,panel=tradeoff';
const query = (sampler: 'balls-and-bins' | 'poisson', asked: Partial<Query> = {}): Query => ({
  phases: [{ sampler, noiseMultiplier: 1, samplingProbability: 1 / 50, steps: 100 }],
  ...{ falsePositiveRates: [1e-3, 1e-2], priors: [0.5] },
  ...asked,
});

const readings = (page: Page) => page.locator('.attack-readings table');

async function go(extra = '', options?: BrowserContextOptions, columns = 1) {
  const visited = await visit(run + extra, options);
  await settled(visited.page);
  await computed(visited.page, columns);
  return visited;
}

/** Every curve that is asked for belongs to what the form says. */
async function computed(page: Page, columns: number): Promise<void> {
  await readings(page).locator('thead th').nth(columns).waitFor();
  await eventually(() => page.locator('.attack [role=status]').innerText()).toBe('');
  expect(await page.locator('.attack .stale').count()).toBe(0);
}

/** The table's rows, as they are read. */
const shown = (page: Page) =>
  readings(page)
    .locator('tbody tr')
    .evaluateAll((rows) =>
      rows.map((row) => [...row.children].map((cell) => (cell as HTMLElement).innerText.trim())),
    );

const exported = (page: Page, name: string) =>
  download(page, page.locator('he-tradeoff-plot').getByRole('button', { name, exact: true }));

describe('e2e: the trade-off', () => {
  test('shows what the engine proves of the form’s own run, in each direction', async () => {
    const { page, complaints } = await go();
    const answer = await engine.tradeoff(query('balls-and-bins'));
    expect(await shown(page)).toEqual(readingRows([answer.symmetric]));
    await page.getByRole('radio', { name: 'remove', exact: true }).check();
    await eventually(() => shown(page)).toEqual(readingRows([answer.remove]));
    await page.getByRole('radio', { name: 'add', exact: true }).check();
    await eventually(() => shown(page)).toEqual(readingRows([answer.add]));
    expect(hashOf(page)).toContain('tradeoff.direction=add');
    expect(complaints).toEqual([]);
  });

  test('says the same numbers as the report', async () => {
    const { page } = await go();
    const [, [, rate = ''] = [], , , [, mu = ''] = []] = await shown(page);
    await page.getByRole('tab', { name: 'Cite' }).click();
    await page.locator('.full-report').scrollIntoViewIfNeeded();
    const article = page.locator('article.report');
    await article.waitFor({ timeout: 60_000 });
    const text = await article.innerText();
    expect(text).toContain(rate);
    expect(text).toContain(mu);
  });

  test('other samplers are added, rates and priors asked, and all of it is in the address', async () => {
    const { page } = await go();
    await page.locator('.attack-samplers').getByRole('checkbox', { name: 'Poisson' }).check();
    await computed(page, 2);
    await field(page, 'False positive rates').fill('1e-4, 0.05 1/2');
    await field(page, 'Priors').fill('0.1');
    const asked = { falsePositiveRates: [1e-4, 0.05, 0.5], priors: [0.1] };
    const bands: Band[] = [];
    for (const sampler of ['balls-and-bins', 'poisson'] as const)
      bands.push((await engine.tradeoff(query(sampler, asked))).symmetric);
    await eventually(() => shown(page)).toEqual(readingRows(bands));
    await page.getByRole('checkbox', { name: 'logarithmic axis' }).check();
    await eventually(() => hashOf(page)).toContain('tradeoff.axis=log');
    const { page: again } = await visit(page.url());
    await settled(again);
    await computed(again, 2);
    expect(await shown(again)).toEqual(readingRows(bands));
    expect(await again.getByRole('checkbox', { name: 'logarithmic axis' }).isChecked()).toBe(true);
    expect(hashOf(again)).toBe(hashOf(page));
  });

  test('is read with the pointer and with the arrow keys', async () => {
    const { page } = await go();
    const { symmetric } = await engine.tradeoff(query('balls-and-bins'));
    const spoken = () => crossHair(page).getAttribute('aria-valuetext');
    const at = async () => Number(await crossHair(page).getAttribute('aria-valuenow'));
    const before = await at();
    await crossHair(page).focus();
    await page.keyboard.press('ArrowRight');
    await eventually(at).toBeGreaterThan(before);
    await page.keyboard.press('Home');
    await eventually(at).toBe(0);
    await page.keyboard.press('End');
    await eventually(at).toBe(1);
    // Where the plot is may change until all letters are there.
    const atItsMiddle = async () => {
      const frame = await crossHair(page).boundingBox();
      if (!frame) throw new Error('the plot has no box');
      await page.mouse.move(frame.x + frame.width / 2, frame.y + frame.height / 2);
      return at();
    };
    await eventually(atItsMiddle).toBeLessThan(0.7);
    expect(await at()).toBeGreaterThan(0.3);
    expect(await spoken()).toMatch(/Balls-and-bins: false negatives [\d.[]+.*true positives/);
    // What is read there is what the engine proves there.
    const rate = await at();
    const there = await engine.tradeoff(query('balls-and-bins', { falsePositiveRates: [rate] }));
    const [proved] = there.symmetric.attackRates;
    const title = await page.locator('.key-value small').first().innerText();
    const [low = NaN, high = low] = (title.match(/0\.\d+/g) ?? []).map(Number);
    expect(low).toBeLessThanOrEqual((proved?.truePositiveRate.upper ?? NaN) + 1e-12);
    expect(high).toBeGreaterThanOrEqual((proved?.truePositiveRate.lower ?? NaN) - 1e-12);
    expect(high - low).toBeLessThan(0.01);
    expect(symmetric.lower.length).toBeGreaterThan(9);
  });

  test('leaves the page as a picture and as numbers, with what they were computed from', async () => {
    const { page } = await go(',tradeoff.direction=remove,tradeoff.samplers=poisson', {}, 2);
    const own = await engine.tradeoff(query('balls-and-bins'));
    const svg = await exported(page, 'SVG');
    expect(svg.name).toBe('tradeoff.svg');
    expect(svg.content.toString()).toContain('"noiseMultiplier":1');
    expect(svg.content.toString()).toContain('Honest Epsilon');
    const png = await exported(page, 'PNG');
    expect(png.content.subarray(1, 4).toString()).toBe('PNG');
    const text = (await exported(page, 'CSV')).content.toString();
    expect(text).toContain('# direction: remove');
    expect(text).toContain('"sampler":"balls-and-bins"');
    const lower = text.split('\n').filter((line) => line.startsWith('balls-and-bins,lower,'));
    expect(lower).toEqual(
      own.remove.lower.map(
        ({ falsePositiveRate, falseNegativeRate }) =>
          `balls-and-bins,lower,${falsePositiveRate},${falseNegativeRate}`,
      ),
    );
    const json = JSON.parse((await exported(page, 'JSON')).content.toString()) as object;
    // A local copy of the page has no address for others.
    expect(json).not.toHaveProperty('link');
    expect(json).toMatchObject({
      direction: 'remove',
      'balls-and-bins': query('balls-and-bins'),
      curves: [{ name: 'balls-and-bins', ...own.remove }, { name: 'poisson' }],
    });
  });

  test('says which lists are wrong, and keeps no number of another one', async () => {
    const { page } = await go();
    await field(page, 'False positive rates').fill('0.1, often');
    await eventually(() => page.locator('#tradeoff-rates-problem').innerText()).toContain(
      '“often”',
    );
    await page.locator('.attack-readings .stale').waitFor();
    await field(page, 'False positive rates').fill('2');
    await eventually(() => page.locator('#tradeoff-rates-problem').innerText()).toMatch(
      /^False positive rates must be .*2/,
    );
    await field(page, 'Priors').fill('3');
    await eventually(() => page.locator('#tradeoff-priors-problem').innerText()).toMatch(
      /^Priors must be .*3/,
    );
    expect(await page.locator('#tradeoff-rates-problem').count()).toBe(1);
    await field(page, 'Priors').fill('0.5');
    await field(page, 'False positive rates').fill('0.1');
    const { symmetric } = await engine.tradeoff(
      query('balls-and-bins', { falsePositiveRates: [0.1] }),
    );
    const [attack] = symmetric.attackRates;
    if (!attack) throw new Error('nothing was read off');
    await eventually(async () => (await shown(page))[1]?.[1]).toBe(
      formatInterval(attack.truePositiveRate),
    );
  });

  fullTest('axe finds nothing in the dark, with all choices changed', async () => {
    const extra = ',tradeoff.axis=log,tradeoff.direction=add,tradeoff.samplers=poisson';
    const { page } = await go(extra, { colorScheme: 'dark' }, 2);
    expect(await axeFinds(page, { within: openPanel })).toEqual([]);
  });
});
