import { readFile } from 'node:fs/promises';
import { AxeBuilder } from '@axe-core/playwright';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { readPrinted } from '../printed.js';

/**
 * For tests of something else than numbers: a run of one batch with all records, which is the same
 * mechanism however batches are drawn. Answers and curves of others take a hundred times as long.
 */
export const quick = '#v1,sampler=deterministic,dataset-size=100,batch-size=100';

/**
 * Ten batches, which every sampler draws in its own way: phases of such runs are composed, and values
 * sought for them, in a fifth of the time that a first visit's run takes.
 */
export const tenBatches = 'noise-multiplier=2,dataset-size=1000,batch-size=100';

/** What takes long and adds little is left to `npm run test:full`. */
export const isFullRun = process.env.HONEST_EPSILON_LONG !== undefined;
type Block<Body> = (name: string, body: Body) => void;
const none = () => undefined;
/** Tests of the full run alone: in any other there are none, which is not to skip them. */
export const fullTest: Block<() => Promise<void>> = isFullRun ? test : none;
export const fullDescribe: Block<() => void> = isFullRun ? describe : none;

/** Of a list whose items are alike: every so many of them, and all in the full run. */
export const someOf = <Item>(list: readonly Item[], every: number): Item[] =>
  list.filter((_, at) => isFullRun || at % every === 0);

/** A panel that computes nothing, where what is looked at is beside the panels. */
export const idle = 'panel=embed';

/** The panel of the curves. */
export const drawing = 'panel=curves';

/** Retries for as long as a loaded machine may need. */
export const eventually = <Value>(read: () => Value, message = '') =>
  expect.poll(read, { timeout: 60_000, message });

/** Where `publish` says that the page is to be found. */
export const publicPage = 'https://example.org/epsilon/';

/** Makes the page a copy of one that is published: the build writes the same line. */
export async function publish(page: Page): Promise<void> {
  await page.evaluate((href) => {
    const link = document.createElement('link');
    [link.rel, link.href] = ['canonical', href];
    document.head.append(link);
    // The page reads its address again, and draws what it says.
    location.hash = `${location.hash || '#v1'},`;
  }, publicPage);
}

/** A row of the forest plot, by sampler. */
export const row = (page: Page, sampler: string) => page.locator(`.forest-row.s-${sampler}`);

/** What the forest plot prints for a sampler. */
export const value = (page: Page, sampler: string) => row(page, sampler).locator('.value');

/** The two ends that a row prints, as numbers. */
export async function ends(page: Page, sampler: string): Promise<[number, number]> {
  const [lower = '', upper = ''] = (await value(page, sampler).innerText())
    .replaceAll(/[[\]†▸▾\s]/g, '')
    .split(',');
  return [readPrinted(lower), readPrinted(upper)];
}

/** Chooses a sampler by its picture. */
export async function draw(page: Page, name: string): Promise<void> {
  const choice = page.locator('.sampler-choice');
  if (!(await choice.evaluate((at: HTMLDetailsElement) => at.open)))
    await choice.locator('summary').click();
  await choice.getByRole('radio', { name }).check();
}

export const sentence = (page: Page) => page.locator('.sentence');

export const field = (page: Page, label: string) => page.getByRole('textbox', { name: label });

/** Resolves when every sampler's answer belongs to what the form says. */
export async function settled(page: Page): Promise<void> {
  await page.locator('main:not(.refining-now) .forest-row:not(.stale) .number').nth(4).waitFor();
  await page.locator('.sentence:not(.stale):not(.muted)').waitFor();
}

/** Resolves when the curves are as fine as they get; there must be some, or on their way. */
export async function refined(page: Page): Promise<void> {
  await page.locator('svg.curve .line:not(.stale)').first().waitFor({ state: 'attached' });
  await eventually(() => page.locator('.curve-head .refining').innerText()).toBe('');
}

/** The choices that a list under these elements cuts when they are chosen, at the page's width. */
export const cutChoices = (within: Locator): Promise<string[]> =>
  within.locator('select:visible').evaluateAll((lists: HTMLSelectElement[]) =>
    lists.flatMap((list) => {
      const { font, paddingLeft, paddingRight } = getComputedStyle(list);
      const pen = document.createElement('canvas').getContext('2d');
      if (!pen) return ['no canvas'];
      pen.font = font;
      // The arrow takes as much as a letter is high, and a little air.
      const room = list.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - 16;
      const cut = [...list.options].filter(({ text }) => pen.measureText(text.trim()).width > room);
      return cut.map(({ text }) => `${list.id}: ${text.trim()}`);
    }),
  );

/** What the keys move along a panel's drawing. */
export const crossHair = (page: Page) => page.locator('.panels-section').getByRole('slider');

/** The tab that is open. */
export const shown = (page: Page) => page.locator('[role=tab][aria-selected=true]').innerText();

/** Another address of the page, as a link in it or the way back gives one; resolves once it is drawn. */
export const follow = (page: Page, hash: string) =>
  page.evaluate(
    (to) =>
      new Promise<void>((resolve) => {
        const from = location.hash;
        addEventListener('hashchange', () => requestAnimationFrame(() => resolve()), {
          once: true,
        });
        location.hash = to;
        if (location.hash === from) resolve();
      }),
    hash,
  );

export const hashOf = (page: Page) => new URL(page.url()).hash;

/** What a button hands out as a file. */
export async function download(
  page: Page,
  button: Locator,
): Promise<{ name: string; content: Buffer }> {
  const [file] = await Promise.all([page.waitForEvent('download'), button.click()]);
  return { name: file.suggestedFilename(), content: await readFile(await file.path()) };
}

/** Requests to others than the page's own host. */
export const elsewhere = (requests: readonly string[], home: string) =>
  requests.filter((address) => !/^(about|blob|data):/.test(address) && !address.startsWith(home));

type Part = Parameters<AxeBuilder['include']>[0];

/** The panel that is open, where all else on the page has been looked at. */
export const openPanel: Part = { fromShadowDom: ['he-page', '.panels-section'] };

/** The part of a page that axe looks at, what in it it passes over, and by which of its rules. */
interface Seen {
  within?: Part;
  without?: string;
  only?: readonly string[];
  but?: readonly string[];
}

/** What colours and widths alone may break. */
export const ofLooks = ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable'];

/** What axe finds wrong, and where. */
export async function axeFinds(
  page: Page,
  { within, without, only, but = [] }: Seen = {},
): Promise<string[]> {
  // Its source is read once per page: read again, it would also lose what has been optimised.
  const source = (await page.evaluate(() => 'axe' in globalThis)) ? { axeSource: ';' } : {};
  // Most of its time would go into telling where all is that passes, and into looking for frames.
  const axe = new AxeBuilder({ page, ...source }).setLegacyMode(true).options({
    reporter: 'no-passes',
    ...(only ? { runOnly: [...only] } : {}),
    rules: Object.fromEntries(but.map((id) => [id, { enabled: false }])),
  });
  if (within !== undefined) axe.include(within);
  if (without !== undefined) axe.exclude(without);
  const { violations } = await axe.analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

export const narrow = { width: 320, height: 800 };
export const wide = { width: 1280, height: 900 };

/** In one visit: wide in light and narrow in the dark; in the full run both widths in both lights. */
export async function hasNoFault(page: Page, seen: Seen = {}, what = ''): Promise<void> {
  const isPage = (await page.locator('he-page').count()) > 0;
  const light = isFullRun ? [wide, narrow] : [wide];
  const dark = isFullRun ? [wide, narrow] : [narrow];
  for (const [colorScheme, viewports] of [
    ['light', light],
    ['dark', dark],
  ] as const) {
    for (const viewport of viewports) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize(viewport);
      const faults = await axeFinds(
        page,
        colorScheme === 'dark' ? { ...seen, only: ofLooks } : seen,
      );
      expect(faults, `${what} ${colorScheme}, ${viewport.width} px`).toEqual([]);
      if (isPage)
        await eventually(() => stickingOut(page), `${what} ${viewport.width} px`).toEqual([]);
    }
  }
}

/** What is out of sight to the right, and not in a box that scrolls there. */
export const stickingOut = (page: Page) =>
  page.locator('he-page').evaluate((host) => {
    const scrolls = (one: Element | null): boolean =>
      one !== null &&
      (/auto|scroll|hidden/.test(getComputedStyle(one).overflowX) || scrolls(one.parentElement));
    return [...(host.shadowRoot?.querySelectorAll('*') ?? [])]
      .filter((one) => one.checkVisibility() && !one.closest('svg, math, .sr, .skip'))
      .filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
      .filter((one) => !scrolls(one.parentElement) && !scrolls(one))
      .map((one) => one.className || one.localName);
  });

/** How many pixels of the page are out of sight to the right. */
export const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
