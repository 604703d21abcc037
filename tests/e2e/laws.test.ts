import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { panels } from '../../web/src/panels/list.js';
import { changeControl, controlsOf } from './controls.js';
import type { Controls } from './controls.js';
import { elsewhere, eventually, field, hashOf, idle, settled } from './reading.js';
import { visits } from './visits.js';

const { go, addressOf } = visits();

describe('e2e: what is shown as an answer', () => {
  /** What stood there, and the question that the address asked, at one moment. */
  interface Moment {
    hash: string;
    /** The sentence; '' while it is not shown as an answer. */
    said: string;
    /** Values of the rows that are not marked as old. */
    rows: Record<string, string>;
  }

  /** Runs in the page: notes what every frame shows. Between frames its parts change one by one. */
  function keepLooking() {
    const moments: Moment[] = [];
    (globalThis as unknown as { moments: Moment[] }).moments = moments;
    const root = document.querySelector('he-page')?.shadowRoot;
    if (!root) throw new Error('there is no page');
    const look = () => {
      const sentence = root.querySelector('.sentence:not(.stale):not(.muted)');
      const rows = root.querySelectorAll('.forest-row:not(.stale):has(.number)');
      moments.push({
        hash: location.hash,
        said: sentence?.textContent ?? '',
        rows: Object.fromEntries(
          [...rows].map((row) => [
            /\bs-([\w-]+)/.exec(row.className)?.[1] ?? '',
            row.querySelector('.value')?.textContent?.trim() ?? '',
          ]),
        ),
      });
    };
    const frame = () => {
      look();
      requestAnimationFrame(frame);
    };
    frame();
  }

  const momentsOf = (page: Page) =>
    page.evaluate(() => (globalThis as unknown as { moments: Moment[] }).moments);

  const now = async (page: Page): Promise<Moment> => {
    await page.evaluate(keepLooking);
    const [moment] = await momentsOf(page);
    if (!moment) throw new Error('nothing was seen');
    return moment;
  };

  test('belongs to the question that stands there: at no moment to an earlier one', async () => {
    const { page, complaints } = await go(`#v1,${idle}`);
    await settled(page);
    await page.evaluate(keepLooking);
    const edits: [string, string][] = [
      ...['0.5', '0.6', '0.8', '0.9'].map((text): [string, string] => ['Noise multiplier', text]),
      ...['2', '3', '1'].map((text): [string, string] => ['Epochs', text]),
      ...['1e-6', '1e-7', '1e-5'].map((text): [string, string] => ['Delta', text]),
      ...['61', '120', '600'].map((text): [string, string] => ['Batch size', text]),
      ...['1', '1.1', '1.2', '1.3', '1.4', '1.5'].map((text): [string, string] => [
        'Noise multiplier',
        text,
      ]),
      ['Reported', '1'],
    ];
    for (const [index, [label, text]] of edits.entries()) {
      await field(page, label).fill(text);
      // Some follow at once, some while the answer is found, some after it.
      await page.waitForTimeout([0, 60, 150, 400][index % 4] ?? 0);
    }
    await settled(page);
    await page.waitForTimeout(1000);
    const moments = await momentsOf(page);
    const asked = [...new Set(moments.map(({ hash }) => hash))];
    const answered = asked.filter((hash) => moments.some((m) => m.hash === hash && m.said !== ''));
    // All twenty were asked, and more than the last one was answered: otherwise this shows nothing.
    expect(asked.length).toBeGreaterThanOrEqual(edits.length - 1);
    expect(answered.length).toBeGreaterThan(2);
    for (const hash of asked) {
      const { page: fresh } = await go(hash);
      await settled(fresh);
      const truth = await now(fresh);
      for (const { said, rows } of moments.filter((moment) => moment.hash === hash)) {
        if (said !== '') expect(said, hash).toBe(truth.said);
        expect(truth.rows, hash).toMatchObject(rows);
      }
      await fresh.context().close();
    }
    const last = moments.at(-1);
    expect(last?.said).not.toBe('');
    expect(Object.keys(last?.rows ?? {}).length).toBe(Object.keys((await now(page)).rows).length);
    expect(complaints).toEqual([]);
  });
});

describe('e2e: the address holds every control', () => {
  // A run whose answers are quick: what is tested here are the controls.
  const run = '#v1,more=shown,sampler=poisson,dataset-size=100,batch-size=50,epochs=2';

  const load = async (page: Page, hash: string): Promise<void> => {
    // The same page at another address would only hear of a change.
    await page.goto('about:blank');
    await page.goto(addressOf(hash));
  };

  /** What differs between what is on two pages; nothing where they agree. */
  const differences = (one: Controls, other: Controls) =>
    [...new Set([...Object.keys(one), ...Object.keys(other)])]
      .filter((name) => one[name] !== other[name])
      .map((name) => `${name}: ${one[name] ?? 'none'}, opened ${other[name] ?? 'none'}`);

  const shown = async (page: Page, scope: string): Promise<Controls> => {
    await page.locator('.answer:not(.refining-now)').waitFor();
    if (scope !== '') await page.locator(`${scope} > *:not(.panel-note)`).first().waitFor();
    return controlsOf(page, scope);
  };

  /**
   * Changes every control that can be reached from some addresses, and opens the address that comes of
   * it in another page, where all must say the same. Many are changed at once; those that another
   * change has undone are changed again, in the end alone. Controls that appear on the way are learnt.
   */
  async function walk(starts: readonly string[], scope: string): Promise<number> {
    const { page } = await go();
    const { page: other } = await go();
    const found = new Set<string>();
    const left = new Map<string, string>();
    const learn = (address: string, controls: Controls) => {
      for (const name of Object.keys(controls).filter((name) => !found.has(name))) {
        found.add(name);
        left.set(name, address);
      }
    };
    const change = async (address: string, names: readonly string[]) => {
      await load(page, address);
      const before = await shown(page, scope);
      for (const name of names) await changeControl(page, scope, name);
      const hash = hashOf(page);
      await load(other, hash);
      await eventually(
        async () => differences(await shown(page, scope), await shown(other, scope)),
        `${names.join(', ')} in ${address}`,
      ).toEqual([]);
      const after = await controlsOf(page, scope);
      learn(hash, after);
      // The way back, in the page that has been here before.
      await page.evaluate((at) => (location.hash = at), address);
      await eventually(() => shown(page, scope)).toMatchObject(before);
      return names.filter((name) => name in after && after[name] !== before[name]);
    };
    for (const start of starts) {
      await load(page, start);
      learn(start, await shown(page, scope));
    }
    while (left.size > 0) {
      const [[first, address] = ['', '']] = left;
      const here = [...left].flatMap(([name, at]) => (at === address ? [name] : []));
      const changed = await change(address, here);
      // What falls back by itself, or is changed by others, is looked at alone.
      if (changed.length === 0) await change(address, [first]);
      for (const name of changed.length === 0 ? [first] : changed) left.delete(name);
    }
    return found.size;
  }

  test('of the scenario and the answer', { timeout: 600_000 }, async () => {
    const starts = [run, `${run},open=2,and=epsilon`];
    expect(
      await walk(
        starts.map((start) => `${start},${idle}`),
        '',
      ),
    ).toBeGreaterThan(40);
  });

  let inPanels = 0;
  test.each(panels)('of the panel $title', { timeout: 300_000 }, async ({ key }) => {
    inPanels += await walk([`${run},panel=${key}`], `#panel-${key}`);
  });
  test('and there are some in panels', () => {
    expect(inPanels).toBeGreaterThan(panels.length);
  });
});

describe('e2e: by keyboard alone', () => {
  /** What the reader would call that which has the focus. */
  const focused = (page: Page) =>
    page.evaluate(() => {
      let at = document.activeElement;
      while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
      const labels = (at as HTMLInputElement | null)?.labels;
      return (at?.getAttribute('aria-label') ?? labels?.[0]?.textContent ?? at?.textContent ?? '')
        .replace(/\s+/g, ' ')
        .trim();
    });

  async function tabTo(page: Page, wanted: RegExp, key: 'Tab' | 'Shift+Tab' = 'Tab') {
    const met: string[] = [];
    for (let press = 0; press < 150; ++press) {
      await page.keyboard.press(key);
      met.push(await focused(page));
      if (wanted.test(met.at(-1) ?? '')) return;
    }
    throw new Error(`the key ${key} never reached ${String(wanted)}; it met ${met.join(' | ')}`);
  }

  test('from the first visit to one’s own number, its link and its report', async () => {
    const { page, complaints } = await go();
    await settled(page);
    const first = await page.locator('.sentence').innerText();
    await tabTo(page, /^Noise multiplier/);
    await page.keyboard.press('Control+A');
    await page.keyboard.type('0.8');
    await eventually(() => page.locator('.sentence').innerText()).not.toBe(first);
    await settled(page);
    const said = await page.locator('.sentence').innerText();

    await tabTo(page, /^Copy link$/, 'Shift+Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Link copied').waitFor();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    expect(link).toBe(page.url());
    const { page: other } = await go(new URL(link).hash);
    await settled(other);
    expect(await other.locator('.sentence').innerText()).toBe(said);

    await page.bringToFront();
    await tabTo(page, new RegExp(`^${panels[0]?.title ?? ''}$`));
    while (!/^Report$/.test(await focused(page))) await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    const report = page.getByRole('tabpanel', { name: 'Report' });
    await eventually(() => report.innerText()).toContain('0.8');
    await report
      .getByRole('button', { name: 'Copy', exact: true })
      .and(page.locator(':enabled'))
      .waitFor();
    await tabTo(page, /^Copy$/);
    await page.keyboard.press('Space');
    await report.getByText('Copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('0.8');
    expect(complaints).toEqual([]);
  });
});

describe('e2e: other hosts', () => {
  test.each(panels)('the panel $title asks nothing of them', async ({ key }) => {
    const { page, requests, complaints } = await go(`#v1,sampler=poisson,panel=${key}`);
    await settled(page);
    await page.locator(`#panel-${key} > *:not(.panel-note)`).first().waitFor();
    // What a panel computes at once, it has.
    await page.waitForLoadState('networkidle');
    expect(elsewhere(requests, addressOf())).toEqual([]);
    expect(requests.length).toBeGreaterThan(3);
    expect(complaints).toEqual([]);
  });
});
