import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { documentNames } from '../../.config/documents.js';
import { panels } from '../../web/src/panels/list.js';
import {
  axeFinds,
  eventually,
  follow,
  hasNoFault,
  isFullRun,
  narrow,
  quick,
  settled,
  shown,
  someOf,
  tenBatches,
} from './reading.js';
import { visits } from './visits.js';

const { go } = visits();

async function open(page: Page, key: string): Promise<void> {
  await follow(page, `${quick},panel=${key}`);
  const title = panels.find((panel) => panel.key === key)?.title;
  await eventually(() => shown(page)).toBe(title);
  await settled(page);
  await page
    .locator('[role=tabpanel]:not([hidden]) > *, .panel:not([hidden]) > *')
    .first()
    .waitFor({ state: 'attached' });
  await eventually(() => page.getByText('Loading …').count()).toBe(0);
  await eventually(() => page.locator('.explorable-result.working').count()).toBe(0);
}

describe('e2e: every view', () => {
  /** Panels that have whatever any other has: the usual run looks at them alone. */
  const sampled = ['curves', 'monte-carlo', 'embed', 'papers', 'mixtures'];

  /** Names that several parts of the open panel have. */
  const namedTwice = (page: Page) =>
    page
      .locator(
        '.panel:not([hidden]) :is(section, nav, [role=region]):is([aria-label], [aria-labelledby])',
      )
      .evaluateAll((parts) => {
        const names = parts.map(
          (one) => one.getAttribute('aria-label') ?? one.getAttribute('aria-labelledby'),
        );
        return names.filter((name, index) => names.indexOf(name) < index);
      });

  test('no panel has a fault that axe knows, nor what stands beside every one', async () => {
    const { page } = await go(quick);
    for (const { key } of panels.filter(({ key }) => isFullRun || sampled.includes(key))) {
      await open(page, key);
      expect(await namedTwice(page), key).toEqual([]);
    }
    // All of them at once: axe reads the whole page, whatever part of it is asked about.
    await page.locator('he-page .panel').evaluateAll((all: HTMLElement[]) => {
      for (const panel of all) panel.hidden = false;
    });
    await hasNoFault(page, { but: ['landmark-unique'] });
  });

  test.each(someOf(['dark', 'light'] as const, 2))(
    'in forced colours, %s, axe finds nothing, and the tab that is shown has a line',
    async (colorScheme) => {
      const { page } = await go(quick, { forcedColors: 'active', colorScheme });
      await settled(page);
      // Of text axe reads the colour that the system has replaced.
      expect(await axeFinds(page, { but: ['color-contrast'] })).toEqual([]);
      // A border that is transparent elsewhere is drawn there.
      const lines = (selected: boolean) =>
        page
          .locator(`[role=tab][aria-selected=${selected}]`)
          .evaluateAll((tabs) => tabs.map((tab) => getComputedStyle(tab).borderBottomWidth));
      expect(await lines(true)).toEqual(['3px']);
      expect(new Set(await lines(false))).toEqual(new Set(['0px']));
    },
  );

  /** Documents that have whatever any other has: in the usual run they stand for all. */
  const looked = ['samplers', 'methods'] as const;

  test.each(isFullRun ? documentNames : looked)('the document %s has none', async (name) => {
    const { page } = await go(`${name}.html`);
    // A formula has the colours of the words around it: to measure each of its signs took as long as
    // all the rest.
    await hasNoFault(page, { without: 'math' });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const coloured = await page.locator('math, math *').evaluateAll(
        (all) =>
          all.filter((one) => {
            const around = one.closest('math')?.parentElement;
            if (!around) return true;
            const { color, backgroundColor, opacity } = getComputedStyle(one);
            const is = [color, backgroundColor, opacity].join();
            return is !== [getComputedStyle(around).color, 'rgba(0, 0, 0, 0)', '1'].join();
          }).length,
      );
      expect(coloured, colorScheme).toBe(0);
    }
    if (name === 'proofs') expect(await page.locator('math *').count()).toBeGreaterThan(1000);
  });
});

describe('e2e: what scrolls', () => {
  test('is reached by keyboard and has a name, and a table shows that it does', async () => {
    const { page } = await go(quick, { viewport: narrow });
    for (const key of ['cite', 'curves', 'tradeoff', 'embed', 'papers']) {
      await open(page, key);
      const found = await page.locator('he-page').evaluate((host) => {
        const all = [...(host.shadowRoot?.querySelectorAll<HTMLElement>('*') ?? [])];
        const scrolls = all.filter(
          (one) =>
            one.scrollWidth > one.clientWidth + 1 &&
            /auto|scroll/.test(getComputedStyle(one).overflowX) &&
            one.checkVisibility(),
        );
        return scrolls.map((one) => ({
          name: one.className || one.localName,
          table: one.querySelector('table') !== null,
          reached:
            one.tabIndex >= 0 || one.querySelector('button, a, input, select, summary') !== null,
          named: one.getAttribute('role') === null || one.hasAttribute('aria-label'),
          shadow: getComputedStyle(one).backgroundAttachment.includes('local'),
        }));
      });
      expect(found, key).not.toEqual([]);
      for (const one of found) {
        expect(one, one.name).toMatchObject({ reached: true, named: true });
        if (one.table) expect(one.shadow, one.name).toBe(true);
      }
    }
  });

  test('nothing moves where motion is not wanted; where it is, bars come to lie where they then do', async () => {
    const scattered = `#v1,sampler=shuffle,${tenBatches},hide=shuffle+balls-and-bins,panel=curves`;
    const still = await go(scattered);
    await settled(still.page);
    const moving = await still.page.locator('he-page').evaluate((host) =>
      [...(host.shadowRoot?.querySelectorAll('*') ?? [])].flatMap((one) => {
        const { transitionDuration, animationName, scrollBehavior } = getComputedStyle(one);
        const rests = /^(0s(, )?)+$/.test(transitionDuration) && animationName === 'none';
        return rests && scrollBehavior !== 'smooth' ? [] : [one.localName];
      }),
    );
    expect(moving).toEqual([]);
    const lively = await go(scattered, { reducedMotion: 'no-preference' });
    await settled(lively.page);
    const bars = (page: Page) =>
      page.locator('.forest-row .bar').evaluateAll((all) =>
        all.map((one) => {
          const { left, right } = one.getBoundingClientRect();
          return [Math.round(left), Math.round(right)];
        }),
      );
    for (const { page } of [still, lively]) await follow(page, `${scattered},noise-multiplier=3`);
    await settled(still.page);
    const there = await bars(still.page);
    expect(there.length).toBeGreaterThan(0);
    await eventually(() => bars(lively.page)).toEqual(there);
  });
});
