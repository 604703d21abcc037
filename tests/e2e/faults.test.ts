import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContextOptions, Locator, Page, Route } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { panels } from '../../web/src/panels/list.js';
import {
  eventually,
  field,
  fullTest,
  hashOf,
  quick,
  sentence,
  settled,
  someOf,
  value,
} from './reading.js';
import { built } from './server.js';
import { visits } from './visits.js';

const { go: visit, addressOf } = visits();

/** Opens the page where something has been done to the browser beforehand. */
async function go(
  prepare: (page: Page) => Promise<unknown>,
  hash = quick,
  options?: BrowserContextOptions,
) {
  const visited = await visit('about:blank', options);
  await prepare(visited.page);
  await visited.page.goto(addressOf(hash));
  return visited;
}

const notice = (page: Page) => page.getByRole('alert').filter({ hasText: /\S/ });

/** What the browser itself reports of a file that it could not have; all else is the page's own. */
const networks = /^Failed to load resource|preloaded using link preload/;
const own = (complaints: readonly string[]) => complaints.filter((text) => !networks.test(text));

/** What a script of the test may tell the page's workers. */
interface Fates {
  /** How many of the next calls kill their worker. */
  deaths: number;
}

/** Workers die as the test says, at work, as where memory runs out. */
const mortalWorkers = (page: Page) =>
  page.addInitScript(() => {
    const fates = globalThis as unknown as Fates;
    fates.deaths = 0;
    class Mortal extends Worker {
      override postMessage(message: unknown): void {
        super.postMessage(message);
        const call = (message as { type?: string }).type === 'call';
        if (!call || fates.deaths <= 0) return;
        fates.deaths -= 1;
        this.terminate();
        setTimeout(() => this.dispatchEvent(new ErrorEvent('error', { message: 'killed' })));
      }
    }
    globalThis.Worker = Mortal;
  });

const letDie = (page: Page, deaths: number) =>
  page.evaluate((count) => {
    (globalThis as unknown as Fates).deaths = count;
  }, deaths);

/** From the first row of samples on, set within the page: a run may end before a call from here. */
const letDieAtFirstRow = (page: Page, deaths: number) =>
  page.locator('he-monte-carlo').evaluate((panel, count) => {
    const root = panel.shadowRoot ?? panel;
    const watching = new MutationObserver(() => {
      if (!root.querySelector('.mc-progress') || !root.querySelector('.mc-result tbody tr')) return;
      (globalThis as unknown as Fates).deaths = count;
      watching.disconnect();
    });
    watching.observe(root, { childList: true, subtree: true, characterData: true });
  }, deaths);

describe('e2e: workers that die', () => {
  test('one, at work: its question is asked again, and the reader is not bothered', async () => {
    const { page, complaints } = await go(mortalWorkers);
    await settled(page);
    await letDie(page, 1);
    await field(page, 'Noise multiplier').fill('0.9');
    await settled(page);
    expect(await page.evaluate(() => (globalThis as unknown as Fates).deaths)).toBe(0);
    expect(await notice(page).count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test('all of them: the page says so, and answers the next question that can be answered', async () => {
    const { page, complaints } = await go(mortalWorkers);
    await settled(page);
    await letDie(page, 1e9);
    await field(page, 'Noise multiplier').fill('0.9');
    await notice(page).getByText('stopped twice from outside').first().waitFor();
    await eventually(() => sentence(page).innerText()).toBe('No answer yet.');
    expect(await page.locator('.forest-row .number').count()).toBe(0);
    await letDie(page, 0);
    await field(page, 'Noise multiplier').fill('0.8');
    await settled(page);
    expect(await notice(page).count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  fullTest('while samples are drawn: none is lost, none is counted twice', async () => {
    const run =
      '#v1,sampler=balls-and-bins,by=steps,noise-multiplier=0.5,sampling-probability=1/300,steps=300,' +
      'panel=monte-carlo,mc.samples=100000,mc.epsilons=0.3,mc.method=plain';
    const { page, complaints } = await go(mortalWorkers, run);
    await settled(page);
    const draw = async (name: string) => {
      await page.getByRole('button', { name, exact: true }).click();
      await page.locator('.mc-progress').waitFor();
    };
    const drawn = async () => {
      await page.getByRole('button', { name: 'Run again' }).waitFor({ timeout: 120_000 });
      return page.locator('.mc-result td:nth-child(2)').allInnerTexts();
    };
    await draw('Run');
    const undisturbed = await drawn();
    await draw('Run again');
    await letDie(page, 2);
    expect(await drawn()).toEqual(undisturbed);
    // A trouble that does not pass ends the run with its reason; what was finished is kept.
    await letDieAtFirstRow(page, 1e9);
    await draw('Run again');
    await eventually(() => page.locator('.mc-sentence').innerText()).toContain('stopped twice');
    await letDie(page, 0);
    await page.getByRole('button', { name: 'Resume' }).click();
    expect(await drawn()).toEqual(undisturbed);
    expect(complaints).toEqual([]);
  });
});

const engine = () => {
  const [name = ''] = readdirSync(join(built, 'assets')).filter((file) => file.endsWith('.wasm'));
  return readFileSync(join(built, 'assets', name));
};

describe('e2e: an engine that does not arrive', () => {
  const half = () => engine().subarray(0, engine().length / 2);
  const portal = '<!doctype html><title>Welcome to our network</title>';
  const faults: [string, (route: Route) => Promise<void>, RegExp][] = [
    ['is not there', (route) => route.fulfill({ status: 404 }), /HTTP 404/],
    ['cannot be reached', (route) => route.abort('connectionreset'), /could not start/],
    [
      'ends in the middle',
      (route) => route.fulfill({ body: half() }),
      /one of its files is incomplete/,
    ],
    [
      'is a portal’s page',
      (route) => route.fulfill({ contentType: 'text/html', body: portal }),
      /text\/html came in its place/,
    ],
    ['is empty', (route) => route.fulfill({ body: '' }), /came in its place/],
  ];
  test.each(someOf(faults, 2))('it %s: the page says so in words', async (_name, fault, reason) => {
    const { page, complaints } = await go((page) => page.route('**/*.wasm', fault));
    await notice(page).waitFor();
    expect(await sentence(page).innerText()).toBe('This page cannot compute here.');
    const said = await notice(page).innerText();
    expect(said).toContain('Reload the page');
    expect(said).not.toMatch(/fetch|TypeError|WebAssembly\.|CompileError/);
    expect(said).toContain('your own built clone');
    expect(said).toMatch(reason);
    // A file that is broken is not the browser's fault.
    expect(said).not.toContain('Hardened');
    expect(await page.locator('.forest-row .number').count()).toBe(0);
    expect(await page.locator('main.refining-now').count()).toBe(0);
    expect(own(complaints)).toEqual([]);
  });

  test('nor the script that runs it: the same', async () => {
    const { page, complaints } = await go((page) =>
      page.route('**/worker-*.js', (route) => route.fulfill({ status: 404 })),
    );
    await notice(page).getByText('one of its files is incomplete').waitFor();
    expect(own(complaints)).toEqual([]);
  });

  test('it takes its time: the form is there at once, and what was typed meanwhile is answered', async () => {
    let arrive: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (arrive = resolve));
    const slowly = async (route: Route) => {
      await held;
      await route.continue();
    };
    const { page, complaints } = await go((page) => page.route('**/*.wasm', slowly));
    await page.getByText('Loading the calculator (0.4 MB) …').waitFor();
    expect(await page.locator('.forest-row').count()).toBeGreaterThan(0);
    expect(await page.locator('.forest-row .number').count()).toBe(0);
    await field(page, 'Noise multiplier').fill('0.5');
    arrive();
    await settled(page);
    expect(await page.locator('.late').isVisible()).toBe(false);
    const said = await sentence(page).innerText();
    const { page: other } = await go(() => Promise.resolve(), hashOf(page));
    await settled(other);
    expect(await sentence(other).innerText()).toBe(said);
    expect(own(complaints)).toEqual([]);
  });

  test('every panel that computes says so, too, and none waits for ever', async () => {
    const { page, complaints } = await go((page) =>
      page.route('**/*.wasm', (route) => route.fulfill({ status: 404 })),
    );
    await notice(page).waitFor();
    for (const { title, group } of panels) {
      const tab = page.getByRole('tab', { name: title });
      // What is not about the run is reached from the header.
      if (group !== undefined && !(await tab.isVisible()))
        await page.getByRole('navigation').getByRole('link', { name: group }).click();
      await tab.click();
      const shown = page.getByRole('tabpanel');
      await eventually(() => shown.innerText()).not.toMatch(/^Loading …$/);
      expect(await shown.innerText(), title).toMatch(/\S/);
      expect(await shown.innerText(), title).not.toMatch(/computing …|refining|\d of …/i);
    }
    expect(own(complaints)).toEqual([]);
  });
});

describe('e2e: a script that does not arrive', () => {
  const late = (page: Page) => page.locator('.late');

  test('of the page: said at once', async () => {
    const { page, complaints } = await go((page) =>
      page.route('**/page-*.js', (route) => route.abort()),
    );
    await late(page).waitFor({ timeout: 5_000 });
    expect(await late(page).innerText()).toContain('If nothing appears, reload.');
    expect(own(complaints)).toEqual([]);
  });

  test('of all: said after a while, without any script', async () => {
    const { page } = await go((page) => page.route('**/*.js', (route) => route.abort()));
    expect(await late(page).isVisible()).toBe(false);
    // The test does not wait for it: the style sheet says how long a reader would.
    const delays = await page.evaluate(() =>
      document.getAnimations().map((animation) => {
        animation.finish();
        return animation.effect?.getTiming().delay;
      }),
    );
    expect(delays).toEqual([10_000]);
    expect(await late(page).isVisible()).toBe(true);
  });
});

describe('e2e: what a browser refuses', () => {
  test('all storage, and whoever asks for it: the page keeps nothing there', async () => {
    const refuse = (page: Page) =>
      page.addInitScript(() => {
        const refusal = () => {
          throw new DOMException('refused', 'SecurityError');
        };
        for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches']) {
          Object.defineProperty(globalThis, name, { get: refusal });
        }
        Object.defineProperty(navigator, 'serviceWorker', { get: refusal });
        Object.defineProperty(document, 'cookie', { get: refusal, set: refusal });
      });
    const { page, complaints } = await go(refuse, quick, { serviceWorkers: 'allow' });
    await settled(page);
    await page.getByRole('tab', { name: 'Curves' }).click();
    await field(page, 'Noise multiplier').fill('0.9');
    await settled(page);
    await page.reload();
    await settled(page);
    expect(await field(page, 'Noise multiplier').inputValue()).toBe('0.9');
    expect(complaints).toEqual([]);
  });

  test.each(someOf(['refuses', 'does not have'], 2))(
    'the clipboard, which it %s: every button that copies says so',
    async (how) => {
      const { page, complaints } = await go((page) =>
        page.addInitScript((has) => {
          const writeText = () => Promise.reject(new DOMException('refused', 'NotAllowedError'));
          const clipboard = has ? { writeText } : undefined;
          Object.defineProperty(navigator, 'clipboard', { get: () => clipboard });
        }, how === 'refuses'),
      );
      await settled(page);
      let pressed = 0;
      /** Presses all there are; those without an answer yet are off. */
      const pressAll = async (part: Locator) => {
        const buttons = part.getByRole('button', { name: /^Copy/, disabled: false });
        await buttons.first().waitFor();
        for (const button of await buttons.elementHandles()) {
          await Promise.all([
            eventually(() => button.innerText()).toBe('The browser forbids copying'),
            button.click(),
          ]);
          ++pressed;
        }
      };
      for (const part of ['he-result', 'footer .command']) await pressAll(page.locator(part));
      await value(page, 'shuffle').locator('.number').click();
      await pressAll(page.locator('he-details'));
      await page.keyboard.press('Escape');
      for (const title of ['Cite', 'Embed']) {
        await page.getByRole('tab', { name: title }).click();
        await pressAll(page.getByRole('tabpanel', { name: title }));
      }
      expect(pressed).toBeGreaterThan(4);
      expect(complaints).toEqual([]);
    },
  );

  fullTest('so many addresses: answers come, and the address follows', async () => {
    const { page, complaints } = await go((page) =>
      page.addInitScript(() => {
        const asked = globalThis as unknown as { refusing: boolean };
        asked.refusing = false;
        for (const how of ['pushState', 'replaceState'] as const) {
          const original = history[how].bind(history);
          history[how] = (...given) => {
            if (asked.refusing) throw new DOMException('too often', 'SecurityError');
            original(...given);
          };
        }
      }),
    );
    await settled(page);
    const refuse = (refusing: boolean) =>
      page.evaluate((now) => {
        (globalThis as unknown as { refusing: boolean }).refusing = now;
      }, refusing);
    await refuse(true);
    const before = await sentence(page).innerText();
    await field(page, 'Noise multiplier').fill('0.5');
    await eventually(() => sentence(page).innerText()).not.toBe(before);
    await settled(page);
    expect(hashOf(page)).toBe(quick);
    await refuse(false);
    await eventually(() => hashOf(page)).toContain('noise-multiplier=0.5');
    expect(complaints).toEqual([]);
  });
});
