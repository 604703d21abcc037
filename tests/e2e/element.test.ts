import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../../wasm/generated/schema.js';
import { HonestEpsilon } from '../../web/src/element/honest-epsilon.js';
import { readAddress } from '../../web/src/state/address.js';
import { discard, emptyFolder, root } from './package.js';
import { axeFinds, elsewhere, eventually, ofLooks, someOf } from './reading.js';
import { serve } from './server.js';
import { visits } from './visits.js';

/** What the element is documented to need, and nothing more. */
const strict = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "connect-src 'self'",
  "worker-src 'self'",
  'img-src data: blob:',
].join('; ');

let folder: string;

beforeAll(() => {
  folder = emptyFolder();
  cpSync(join(root, 'tests/e2e/sites/plain'), folder, { recursive: true });
  cpSync(join(root, 'dist/browser'), join(folder, 'honest-epsilon'), { recursive: true });
});

afterAll(() => {
  discard(folder);
});

const { go, addressOf } = visits(() => ({ folder, policy: strict }));

const first = (page: Page) => page.locator('#first');
const sentence = (page: Page, id: string) => page.locator(`#${id} .sentence`);

async function answered(page: Page): Promise<void> {
  for (const id of ['first', 'second']) {
    await page.locator(`#${id} .sentence:not(.muted)`).waitFor();
  }
}

/** The next `change` of the first element, after `act`. */
async function changeAfter(page: Page, act: () => Promise<unknown>): Promise<Answer> {
  // It is listened to first: what is at hand is answered at once.
  const listening = await first(page).evaluateHandle((element) => ({
    heard: new Promise<Answer>((resolve) => {
      element.addEventListener(
        'change',
        (change) => {
          resolve((change as CustomEvent<Answer>).detail);
        },
        { once: true },
      );
    }),
  }));
  await act();
  return listening.evaluate(({ heard }) => heard);
}

describe('e2e: the element on a plain page, under a strict policy', () => {
  test('two of them answer, from one engine, and ask no other origin for anything', async () => {
    const { page, complaints, requests } = await go();
    await answered(page);
    expect(await sentence(page, 'first').innerText()).toMatch(
      /^ε\s≤\s6\.653 at δ\s=\s10⁻⁵ is proved for shuffled batches; the true value is at least 6\.528\. Poisson accounting would give ε\s≤\s0\.6090,/,
    );
    expect(await sentence(page, 'second').innerText()).toMatch(
      /^At ε\s=\s1, δ\s≤\s\S+ for Poisson batches; exact to four digits\.$/,
    );
    expect(await first(page).locator('.forest-row').count()).toBe(5);
    expect(await page.locator('#second .forest-row').count()).toBe(0);
    const wasm = requests.filter((address) => address.endsWith('.wasm'));
    expect(wasm).toHaveLength(1);
    expect(elsewhere(requests, addressOf())).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('what stands between the tags is shown until the answer is, and without scripts', async () => {
    const { page } = await go('', { javaScriptEnabled: false });
    expect(await first(page).innerText()).toContain('Until then');
    const { page: scripted } = await go();
    await answered(scripted);
    await eventually(() => first(scripted).innerText()).not.toContain('Until then');
  });

  test('an attribute that changes, by the site or the reader, is a new question; its answer comes with the event', async () => {
    const { page } = await go();
    await answered(page);
    const answer = await changeAfter(page, () =>
      first(page).evaluate((element) => {
        element.setAttribute('sampler', 'deterministic');
        element.setAttribute('noise-multiplier', '1.4');
      }),
    );
    expect(answer.sampler).toBe('deterministic');
    expect(await sentence(page, 'first').innerText()).toContain('for deterministic batches');
    const read = await first(page).evaluate((element: HonestEpsilon) => element.answer?.epsilon);
    expect(read).toEqual(answer.epsilon);

    // The reader may change what is not locked, and the attribute follows.
    expect(await first(page).getByRole('textbox', { name: 'Delta' }).count()).toBe(0);
    expect(await page.locator('#second input, #second select').count()).toBe(0);
    const next = await changeAfter(page, () =>
      first(page).getByLabel('Noise multiplier').fill('1.5'),
    );
    expect(next.epsilon.upper).toBeLessThan(Number(answer.epsilon.upper));
    expect(await first(page).getAttribute('noise-multiplier')).toBe('1.5');
    await changeAfter(page, () => first(page).getByLabel('Batch sampler').selectOption('poisson'));
    expect(await first(page).getAttribute('sampler')).toBe('poisson');
  });

  test('a bad number is explained under its field, and by an event', async () => {
    const { page } = await go();
    await answered(page);
    const trouble = first(page).evaluate(
      (element) =>
        new Promise((resolve) => {
          element.addEventListener('trouble', (event) => {
            resolve((event as CustomEvent<unknown>).detail);
          });
        }),
    );
    await first(page).getByLabel('Noise multiplier').fill('-1');
    expect(await trouble).toMatchObject({ field: 'noiseMultiplier' });
    expect(await first(page).locator('.problem').innerText()).toContain('got -1');
    expect(await sentence(page, 'first').innerText()).toBe('No answer yet.');
    await first(page).evaluate((element) => {
      element.setAttribute('view', 'everything');
    });
    await first(page).getByRole('alert').getByText('view must be one of').waitFor();
  });

  test('a sampler that is none is one error, and nothing stands for another one', async () => {
    const { page, complaints } = await go();
    await answered(page);
    for (const view of ['compare', 'all']) {
      await first(page).evaluate((element, shown) => {
        element.setAttribute('view', shown);
        element.setAttribute('sampler', 'poison');
      }, view);
      await eventually(() => first(page).locator('.problem').allInnerTexts(), view).toEqual([
        expect.stringMatching(
          /must be poisson, .*; got “poison” in the attribute sampler\. Did you mean “poisson”\?$/,
        ),
      ]);
      expect(await first(page).getByLabel('Batch sampler').inputValue()).toBe('poison');
      expect(await sentence(page, 'first').innerText()).toBe('No answer yet.');
      expect(await first(page).locator('.forest-row, svg.curve').count()).toBe(0);
    }
    expect(complaints).toEqual([]);
  });

  test('whatever cannot be read, before anything was answered, too, is one message inside', async () => {
    const { page, complaints } = await go();
    await page.evaluate(() => {
      const bad = document.createElement('honest-epsilon');
      bad.id = 'bad';
      bad.setAttribute('sampler', 'poison');
      const worse = document.createElement('honest-epsilon');
      worse.id = 'worse';
      worse.setAttribute('view', 'all');
      worse.query = { phases: [{ sampler: 'poison' as 'poisson' }] };
      document.body.append(bad, worse);
    });
    await page.locator('#bad .problem').waitFor();
    const alert = page.locator('#worse').getByRole('alert');
    expect(await alert.innerText()).toMatch(/^sampler must be .*; got "poison" in query\.$/);

    // Any attribute that cannot be read is one message inside.
    const some = someOf(HonestEpsilon.observedAttributes, 3);
    const bad = await page.evaluate(async (names) => {
      const made = names.map((name) => {
        const element = document.createElement('honest-epsilon');
        element.setAttribute('delta', '1e-5');
        element.setAttribute('view', 'all');
        element.setAttribute(name, '☃');
        document.body.append(element);
        return { name, element };
      });
      const said = (root: ShadowRoot | null) =>
        [...(root?.querySelectorAll('.problem, [role=alert]') ?? [])].map((one) => one.textContent);
      for (let wait = 0; wait < 200; ++wait) {
        if (made.every(({ element }) => said(element.shadowRoot).length > 0)) break;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      return made.map(({ name, element }) => ({ name, texts: said(element.shadowRoot) }));
    }, some);
    expect(bad.length).toBeGreaterThan(8);
    for (const { name, texts } of bad) {
      expect(texts, name).toHaveLength(1);
      expect(texts[0], name).toContain('☃');
    }
    expect(complaints).toEqual([]);
  });

  test('an attribute that it has not is named inside until it is gone; one names the page', async () => {
    const { page, complaints } = await go();
    await answered(page);
    await first(page).evaluate((element) => {
      element.classList.add('wide');
      element.setAttribute('neighbors', 'add-remove');
    });
    const alert = first(page).getByRole('alert');
    await alert.waitFor();
    expect(await alert.innerText()).toBe(
      'There is no attribute neighbors; did you mean adjacency?',
    );
    expect(await sentence(page, 'first').innerText()).toBe('No answer yet.');
    await first(page).evaluate((element) => {
      element.removeAttribute('neighbors');
    });
    await sentence(page, 'first').getByText('is proved').waitFor();
    expect(complaints).toEqual([]);

    // Its name leads to the same run on the page, where it knows the page.
    const name = first(page).getByRole('link', { name: 'Honest Epsilon' });
    expect(await name.count()).toBe(0);
    await first(page).evaluate((element) => {
      element.setAttribute('page', 'https://example.org/epsilon/#old');
    });
    await name.waitFor();
    const address = new URL((await name.getAttribute('href')) ?? '');
    expect(address.origin + address.pathname).toBe('https://example.org/epsilon/');
    const { state, notes } = readAddress(address.hash);
    expect(notes).toEqual([]);
    expect(state.scenario.entries[0]).toMatchObject({
      sampler: 'shuffle',
      texts: { noiseMultiplier: '0.7', datasetSize: '60000', batchSize: '60', epochs: '1' },
    });
    await first(page).getByLabel('Noise multiplier').fill('1.4');
    await eventually(() => name.getAttribute('href')).toContain('noise-multiplier=1.4');
  });

  test('several phases go in by the property, and a view shows its parts', async () => {
    const { page } = await go();
    await answered(page);
    const answer = await changeAfter(page, () =>
      first(page).evaluate((element: HonestEpsilon) => {
        element.query = {
          phases: [
            { sampler: 'poisson', noiseMultiplier: 1, samplingProbability: 0.01, steps: 100 },
            { epsilon: 0.5, delta: 1e-8 },
          ],
          delta: 1e-6,
        };
      }),
    );
    expect(answer.epsilon.lower).toBeGreaterThan(0.5);
    expect(await sentence(page, 'first').innerText()).toContain('and another release');

    // A view shows its parts, without those that are hidden.
    await first(page).evaluate((element) => {
      element.setAttribute('view', 'all');
      element.setAttribute('hide', 'sentence plot');
    });
    await first(page).locator('.line .edge').first().waitFor();
    expect(await first(page).locator('.forest').count()).toBe(1);
    expect(await first(page).locator('.sentence').count()).toBe(0);
  });

  test('has no fault that axe knows, in light and dark', async () => {
    const { page } = await go('', { bypassCSP: true });
    await answered(page);
    for (const colorScheme of someOf(['dark', 'light'] as const, 2)) {
      await page.emulateMedia({ colorScheme });
      const only = colorScheme === 'light' ? { only: ofLooks } : {};
      expect(await axeFinds(page, { within: 'honest-epsilon', ...only }), colorScheme).toEqual([]);
    }
  });

  test('theme is the reader’s, or what the attribute says; colours can be set from outside', async () => {
    const { page } = await go('', { colorScheme: 'dark' });
    await answered(page);
    const paper = () =>
      first(page).evaluate((element) => getComputedStyle(element).backgroundColor);
    expect(await paper()).toBe('rgb(20, 22, 26)');
    await first(page).evaluate((element) => {
      element.setAttribute('theme', 'light');
    });
    expect(await paper()).toBe('rgb(253, 252, 249)');
    await first(page).evaluate((element) => {
      element.style.setProperty('--paper', 'rgb(1, 2, 3)');
    });
    expect(await paper()).toBe('rgb(1, 2, 3)');
  });

  test('a worker that dies is replaced; when the last element goes, so do all; one that comes back answers', async () => {
    const { page } = await go();
    await answered(page);
    for (const worker of page.workers()) {
      await worker.evaluate(() => {
        setTimeout(() => {
          throw new Error('killed');
        });
      });
    }
    const answer = await changeAfter(page, () =>
      first(page).getByLabel('Noise multiplier').fill('2'),
    );
    expect(answer.epsilon.upper).not.toBeNull();

    expect(page.workers().length).toBeGreaterThan(0);
    await page.evaluate(() => {
      const all = [...document.querySelectorAll('honest-epsilon')];
      for (const element of all) element.remove();
      Object.assign(window, { all });
    });
    await eventually(() => page.workers().length).toBe(0);
    await page.evaluate(() => {
      const [element] = (window as unknown as { all: HTMLElement[] }).all;
      if (element) document.body.append(element);
    });
    await page.locator('#first .sentence:not(.muted)').waitFor();
    expect(await sentence(page, 'first').innerText()).toMatch(/^ε\s≤\s.* is proved for shuffled/);
  });

  test('files from another origin are refused with the reason, not with silence', async () => {
    const other = await serve({ folder, headers: { 'Access-Control-Allow-Origin': '*' } });
    const here = await serve({ folder });
    try {
      const page = readFileSync(join(folder, 'index.html'), 'utf8');
      const moved = page.replace('src="honest-epsilon/', `src="${other.address}honest-epsilon/`);
      writeFileSync(join(folder, 'elsewhere.html'), moved);
      const { page: visited } = await go(`${here.address}elsewhere.html`);
      const alert = first(visited).getByRole('alert');
      await alert.waitFor();
      expect(await alert.innerText()).toContain('serve the files from your own site');
    } finally {
      await Promise.all([other.close(), here.close()]);
    }
  });
});
