import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { panels } from '../../web/src/panels/list.js';
import { changeControl, controlsOf } from './controls.js';
import type { Controls } from './controls.js';
import {
  elsewhere,
  eventually,
  field,
  follow,
  fullDescribe,
  hashOf,
  idle,
  isFullRun,
  settled,
  someOf,
  tenBatches,
} from './reading.js';
import { visits } from './visits.js';

const { go, addressOf } = visits();

let loads = 0;
/** Another address, loaded afresh or, in the usual run, followed: the page only hears of a change. */
const open = (page: Page, hash: string, afresh = isFullRun) =>
  afresh ? page.goto(addressOf(`?${++loads}${hash}`)) : follow(page, hash);

describe('e2e: what is shown as an answer', () => {
  /** What stood there, and the question that the address asked, at one moment. */
  interface Moment {
    hash: string;
    /** The sentence; '' while it is not shown as an answer. */
    said: string;
    /** Values of the rows that are not marked as old. */
    rows: Record<string, string>;
  }

  /** Runs in the page: notes what it shows, now or at every frame: between them its parts change one by one. */
  function look(atEveryFrame: boolean) {
    const moments: Moment[] = [];
    (globalThis as unknown as { moments: Moment[] }).moments = moments;
    const root = document.querySelector('he-page')?.shadowRoot;
    if (!root) throw new Error('there is no page');
    const note = () => {
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
      note();
      if (atEveryFrame) requestAnimationFrame(frame);
    };
    frame();
  }

  const momentsOf = (page: Page) =>
    page.evaluate(() => (globalThis as unknown as { moments: Moment[] }).moments);

  const now = async (page: Page): Promise<Moment> => {
    await page.evaluate(look, false);
    const [moment] = await momentsOf(page);
    if (!moment) throw new Error('nothing was seen');
    return moment;
  };

  test('belongs to the question that stands there: at no moment to an earlier one', async () => {
    const { page, complaints } = await go(`#v1,${tenBatches},${idle}`);
    await settled(page);
    await page.evaluate(look, true);
    const edits: [string, string][] = [
      ...['0.5', '0.6', '0.8'].map((text): [string, string] => ['Noise multiplier', text]),
      ...['2', '1'].map((text): [string, string] => ['Epochs', text]),
      ...['1e-6', '1e-5'].map((text): [string, string] => ['Delta', text]),
      ...['10', '50'].map((text): [string, string] => ['Batch size', text]),
      ...['1', '1.1', '1.2', '1.3'].map((text): [string, string] => ['Noise multiplier', text]),
    ];
    for (const [index, [label, text]] of edits.entries()) {
      await field(page, label).fill(text);
      // Some follow at once, some while the answer is found, some after it.
      await page.waitForTimeout([0, 60, 150, 400][index % 4] ?? 0);
    }
    // A slider's stops follow each other as keys do that are held.
    for (const pause of [0, 30, 150, 0, 400, 0]) {
      await page.locator('#slide-noiseMultiplier').press('ArrowRight');
      await page.waitForTimeout(pause);
    }
    await settled(page);
    await page.waitForTimeout(1000);
    const moments = await momentsOf(page);
    const asked = [...new Set(moments.map(({ hash }) => hash))];
    const answered = asked.filter((hash) => moments.some((m) => m.hash === hash && m.said !== ''));
    // All of them were asked, and more than the last one was answered: otherwise this shows nothing.
    expect(asked.length).toBeGreaterThanOrEqual(edits.length - 1);
    expect(answered.length).toBeGreaterThan(2);
    const { page: fresh } = await go(asked[0]);
    // A share of them, in the usual run.
    for (const hash of new Set([...someOf(asked, 6), hashOf(page)])) {
      const seen = moments.filter((moment) => moment.hash === hash);
      if (seen.every(({ said, rows }) => said === '' && Object.keys(rows).length === 0)) continue;
      await open(fresh, hash);
      await settled(fresh);
      const truth = await now(fresh);
      for (const { said, rows } of seen) {
        if (said !== '') expect(said, hash).toBe(truth.said);
        expect(truth.rows, hash).toMatchObject(rows);
      }
    }
    const last = moments.at(-1);
    expect(last?.said).not.toBe('');
    expect(Object.keys(last?.rows ?? {}).length).toBe(Object.keys((await now(page)).rows).length);
    expect(complaints).toEqual([]);
  });
});

describe('e2e: the address holds every control, and no other host is asked', () => {
  // A run whose answers are quick: what is tested here are the controls.
  const run = '#v1,more=shown,sampler=poisson,dataset-size=100,batch-size=100,epochs=2,reported=3';

  /** What differs between what is on two pages; nothing where they agree. */
  const differences = (one: Controls, other: Controls) =>
    [...new Set([...Object.keys(one), ...Object.keys(other)])]
      .filter((name) => one[name] !== other[name])
      .map((name) => `${name}: ${one[name] ?? 'none'}, opened ${other[name] ?? 'none'}`);

  const shown = async (page: Page, scope: string): Promise<Controls> => {
    await page.locator('main:not(.refining-now)').waitFor();
    if (scope !== '') await page.locator(`${scope} > *:not(.panel-note)`).first().waitFor();
    // An earlier answer stands until the question is answered, and has controls of its own.
    await eventually(() => page.locator(`${scope} .working`).count(), scope).toBe(0);
    return controlsOf(page, scope);
  };

  /** The full run alone tries presets: their own runs are large, and each is changed alone. */
  const isLeftToFullRun = (name: string) => !isFullRun && name.startsWith('Example=');

  /** How often any file was asked for. */
  let requested = 0;

  /** A choice has a control for each of its options. */
  const choiceOf = (name: string) => name.split('=')[0] ?? '';
  const isPicked = (name: string, says: Controls) => name.includes('=') && says[name] === 'true';

  /** One option of each choice: another one than is picked, where there is another. */
  function oneOfEach(names: readonly string[], says: Controls): string[] {
    const chosen = new Map<string, string>();
    for (const name of names) {
      const other = chosen.get(choiceOf(name));
      if (other === undefined || isPicked(other, says)) chosen.set(choiceOf(name), name);
    }
    return [...chosen.values()];
  }

  /**
   * Changes every control that can be reached from some addresses, and opens the address that comes of
   * it in another page, where all must say the same. Many are changed at once; what does not stay so,
   * since it falls back by itself or another change undoes it, in the end alone. Controls that appear
   * on the way are learnt. Meanwhile no other host is asked for anything. The full run alone tries
   * every option of a choice, and what does not stay so.
   */
  async function walk(starts: readonly string[], scope: string): Promise<number> {
    const visited = [await go(starts[0]), await go(starts[0])] as const;
    const [page, other] = [visited[0].page, visited[1].page];
    const found = new Set<string>();
    const left = new Map<string, string>();
    const failures = new Map<string, number>();
    let [stands] = starts;
    const stand = async (address: string) => {
      if (address !== stands) await open(page, address);
      stands = address;
      return shown(page, scope);
    };
    const learn = (address: string, controls: Controls) => {
      for (const name of Object.keys(controls).filter((name) => !found.has(name))) {
        found.add(name);
        if (!isLeftToFullRun(name)) left.set(name, address);
      }
    };
    const change = async (names: readonly string[], before: Controls) => {
      for (const name of names) await changeControl(page, scope, name);
      const hash = hashOf(page);
      await open(other, hash, isFullRun || loads === 0);
      await eventually(
        async () => differences(await shown(page, scope), await shown(other, scope)),
        `${names.join(', ')} in ${stands}`,
      ).toEqual([]);
      const after = await shown(page, scope);
      learn(hash, after);
      // The way back, in the page that has been here before.
      await follow(page, stands ?? '');
      await eventually(() => shown(page, scope)).toMatchObject(before);
      return after;
    };
    for (const start of starts) learn(start, await stand(start));
    while (left.size > 0) {
      const [[, address] = ['', '']] = left;
      const here = [...left.keys()].filter((name) => left.get(name) === address);
      const before = await stand(address);
      const together = here.filter((name) => (failures.get(choiceOf(name)) ?? 0) < 2);
      if (together.length === 0 && !isFullRun) {
        for (const name of here) left.delete(name);
        continue;
      }
      const names = together.length > 0 ? oneOfEach(together, before) : here.slice(0, 1);
      const after = await change(names, before);
      const changed = here.filter((name) => name in after && after[name] !== before[name]);
      for (const name of names.filter((name) => !changed.includes(name)))
        failures.set(choiceOf(name), (failures.get(choiceOf(name)) ?? 0) + 1);
      for (const name of together.length > 0 ? changed : [...changed, ...names]) left.delete(name);
      if (isFullRun) continue;
      const chosen = new Set(changed.map(choiceOf));
      for (const name of left.keys()) if (chosen.has(choiceOf(name))) left.delete(name);
    }
    for (const { requests, complaints } of visited) {
      expect(elsewhere(requests, addressOf())).toEqual([]);
      expect(complaints).toEqual([]);
    }
    requested += visited[0].requests.length;
    return found.size;
  }

  test('of the scenario and the answer', { timeout: 600_000 }, async () => {
    // Controls are changed where they were seen first: the presets' own runs take half a minute to solve.
    const starts = [
      `${run},${idle}`,
      `#v1,more=shown,by=steps,sampler=poisson,sampling-probability=1,steps=2,${idle}`,
      `${run},${idle},open=2,and=epsilon`,
    ];
    expect(await walk(starts, '')).toBeGreaterThan(40);
  });

  /** In the usual run every fourth one. */
  const walked = someOf(panels, 4);
  let inPanels = 0;
  test.each(walked)('of the panel $title', { timeout: 300_000 }, async ({ key }) => {
    inPanels += await walk([`${run},panel=${key}`], `#panel-${key}`);
  });
  test('and there are some in panels, and files that these asked for', () => {
    expect(inPanels).toBeGreaterThan(walked.length);
    expect(requested).toBeGreaterThan(walked.length);
  });
});

fullDescribe('e2e: by keyboard alone', () => {
  /** What a reader would call the control that has the focus. */
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
    const { page, complaints } = await go(`#v1,${tenBatches}`);
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
    expect(link.split('#')[0]).toBe(page.url().split('#')[0]);
    expect(link).toContain('noise-multiplier=0.8');
    const { page: other } = await go(new URL(link).hash);
    await settled(other);
    expect(await other.locator('.sentence').innerText()).toBe(said);

    await page.bringToFront();
    await tabTo(page, /^Cite$/);
    const report = page.getByRole('tabpanel', { name: 'Cite' });
    await eventually(() => report.innerText()).toContain('0.8');
    await report
      .getByRole('button', { name: 'Copy quotation' })
      .and(page.locator(':enabled'))
      .waitFor();
    await tabTo(page, /^Copy quotation$/);
    await page.keyboard.press('Space');
    await report.getByText('Copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('0.8');
    expect(complaints).toEqual([]);
  });
});
