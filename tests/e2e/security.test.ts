import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { panels } from '../../web/src/panels/list.js';
import { snippetsOf } from '../../web/src/words/snippets.js';
import { discard, emptyFolder, root } from './package.js';
import { eventually, field, quick, sentence, settled, someOf } from './reading.js';
import { built, serve } from './server.js';
import type { Site } from './server.js';
import { visits } from './visits.js';

const { go, addressOf } = visits();

/** What nobody who embeds a frame or stands beside it has a reason to say. */
const hostile: unknown[] = [
  ...['take-over', '', '{"source":"honest-epsilon","height":1}', null, 7, [], {}],
  { source: 'honest-epsilon', height: 100_000 },
  { source: 'honest-epsilon', answer: { epsilon: { lower: 0, upper: 0.001 } } },
  { type: 'ready' },
  { type: 'start', wasm: null },
  { type: 'call', id: 1, method: 'answer', question: {} },
  { type: 'result', id: 1, result: [{ epsilon: { lower: 0, upper: 0.001 } }] },
  { type: 'trap', id: 1, text: 'no' },
];

let folder: string;
let host: Site;

/** A frame that says all of it to everybody. */
const liar = `<!doctype html><link rel="icon" href="data:," /><script>
  const say = () => {
    for (const target of [parent, ...Array.from({ length: parent.length }, (_, i) => parent[i])]) {
      for (const words of ${JSON.stringify(hostile)}) target.postMessage(words, '*');
    }
  };
  addEventListener('message', ({ data }) => data === 'lie' && say());
</script>`;

/** Another's site: the built page in a folder of it, and the frame and the element as they are handed out. */
beforeAll(async () => {
  folder = emptyFolder();
  mkdirSync(join(folder, 'own'));
  cpSync(built, join(folder, 'own'), { recursive: true });
  cpSync(join(root, 'dist/browser'), join(folder, 'honest-epsilon'), { recursive: true });
  const attributes = [
    ['sampler', 'deterministic'],
    ['steps-per-epoch', '1'],
    ['noise-multiplier', '1'],
    ['delta', '1e-5'],
  ] as const;
  const code = (key: string) => {
    const steps = snippetsOf(attributes, 'own/embed.html').find((one) => one.key === key)?.steps;
    return steps?.map((step) => step.code).find((text) => text.includes('<')) ?? '';
  };
  const head = '<!doctype html><html lang="en"><link rel="icon" href="data:," />';
  writeFileSync(join(folder, 'liar.html'), liar);
  const beside = '<iframe title="liar" src="liar.html"></iframe>';
  writeFileSync(join(folder, 'index.html'), `${head}${code('frame')}${beside}`);
  writeFileSync(join(folder, 'element.html'), `${head}${code('page')}${beside}`);
  const page = `<iframe title="page" src="own/index.html${quick}"></iframe>`;
  writeFileSync(join(folder, 'around.html'), `${head}${page}${beside}`);
  host = await serve({ folder });
});

afterAll(async () => {
  await host.close();
  discard(folder);
});

describe('e2e: the policy, in every view', () => {
  interface Told {
    violations: string[];
  }

  /** A page that notes what its policy stopped, in whatever document it opens. */
  async function watched() {
    const visited = await go('about:blank');
    await visited.page.addInitScript(() => {
      const told: Told = { violations: [] };
      Object.assign(globalThis, told);
      document.addEventListener('securitypolicyviolation', (event) => {
        told.violations.push(
          `${event.effectiveDirective} ${event.blockedURI} ${event.sourceFile} ${event.sample}`,
        );
      });
    });
    return visited;
  }

  const violations = (page: Page) =>
    page.evaluate(() => (globalThis as unknown as Told).violations);

  test('nothing is stopped that a view does: panels, lights, papers and methods', async () => {
    const { page, complaints } = await watched();
    await page.goto(addressOf(quick));
    await settled(page);
    for (const { key } of someOf(panels, 2)) {
      await page.evaluate((hash) => (location.hash = hash), `${quick},panel=${key}`);
      await page.locator(`#panel-${key} > *`).first().waitFor();
      await eventually(() => page.getByText('Loading …').count()).toBe(0);
      expect(await violations(page), key).toEqual([]);
    }
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    await page.emulateMedia({ media: 'print' });
    await page.emulateMedia({ media: null });
    await page.locator('.forest-row.own .number').click();
    await page.locator('he-details').waitFor();
    expect(await violations(page), 'card').toEqual([]);
    const embedded =
      'embed.html#sampler=poisson&noise-multiplier=1&steps-per-epoch=1&epochs=1&delta=1e-5&view=compare';
    for (const name of ['methods', 'samplers', 'command']) {
      await page.goto(addressOf(`${name}.html`));
      expect(await violations(page), name).toEqual([]);
    }
    // These hold all they need, and carry a policy of their own that is narrower.
    for (const path of [embedded, 'standalone.html', '404.html']) {
      await page.goto(`${host.address}own/${path}`);
      if (path === embedded) await page.locator('.sentence:not(.muted)').waitFor();
      if (path === 'standalone.html') await settled(page);
      expect(await violations(page), path).toEqual([]);
    }
    expect(complaints).toEqual([]);
  });

  test('and what is not the page’s own is stopped, and seen to be', async () => {
    const { page, complaints } = await watched();
    await page.goto(addressOf(quick));
    const ran = await page.evaluate(async () => {
      const script = document.createElement('script');
      script.textContent = 'globalThis.foreign = true';
      document.head.append(script);
      document.body.setAttribute('style', 'color: red');
      await fetch('http://127.0.0.1:1/').catch(() => undefined);
      return 'foreign' in globalThis;
    });
    expect(ran).toBe(false);
    const stopped = (await violations(page)).map((text) => text.split(' ')[0] ?? '');
    expect([...new Set(stopped)].sort()).toEqual([
      'connect-src',
      'script-src-elem',
      'style-src-attr',
    ]);
    expect(complaints.length).toBeGreaterThanOrEqual(3);
  });
});

describe('e2e: frames and messages of others', () => {
  const frameAt = (page: Page, part: string): Frame => {
    const found = page.frames().find((frame) => frame.url().includes(part));
    if (!found) throw new Error(`there is no frame of ${part}`);
    return found;
  };

  /** The neighbour says all it can, to everybody; then everybody has had time to listen. */
  async function lie(page: Page): Promise<void> {
    await frameAt(page, 'liar.html').evaluate(() => {
      postMessage('lie', '*');
    });
    await page.waitForTimeout(200);
  }

  test('the frame shows what it computed, and is as high as itself says', async () => {
    const { page, complaints } = await go(host.address);
    const frame = frameAt(page, 'embed.html');
    await frame.locator('.sentence:not(.muted)').waitFor();
    const before = await frame.locator('.sentence').innerText();
    const height = () => page.locator('#honest-epsilon').getAttribute('height');
    await eventually(height).not.toBe('420');
    const high = await height();
    await lie(page);
    expect(await frame.locator('.sentence').innerText()).toBe(before);
    expect(await height()).toBe(high);
    expect(frame.url()).toContain('embed.html');
    expect(complaints).toEqual([]);
  });

  test('the element listens to nobody', async () => {
    const { page, complaints } = await go(`${host.address}element.html`);
    const said = page.locator('honest-epsilon .sentence');
    await page.locator('honest-epsilon .sentence:not(.muted)').waitFor();
    const before = await said.innerText();
    await lie(page);
    await page.evaluate((all) => all.forEach((words) => postMessage(words, '*')), hostile);
    await page.locator('honest-epsilon').evaluate((element) => {
      element.setAttribute('noise-multiplier', '2');
    });
    await eventually(() => said.innerText()).not.toBe(before);
    await page.locator('honest-epsilon .sentence:not(.muted)').waitFor();
    expect(await said.innerText()).toMatch(/^ε/);
    expect(complaints).toEqual([]);
  });

  test('the page in another’s frame neither listens nor leaves, and tells the frame nothing', async () => {
    const { page, complaints } = await go(`${host.address}around.html`);
    const frame = frameAt(page, 'own/');
    const said = frame.locator('.sentence:not(.stale):not(.muted)');
    await said.waitFor();
    const before = await said.innerText();
    await page.evaluate(() => {
      Object.assign(globalThis, { heard: [] });
      addEventListener('message', ({ data }) =>
        (globalThis as unknown as { heard: unknown[] }).heard.push(data),
      );
    });
    await lie(page);
    expect(await said.innerText()).toBe(before);
    // The liar speaks to this page, too; of what the page in the frame might say, there is nothing else.
    const heard = await page.evaluate(() => (globalThis as unknown as { heard: unknown[] }).heard);
    expect(heard).toHaveLength(hostile.length);
    expect(complaints).toEqual([]);
  });
});

describe('e2e: addresses that carry code', () => {
  const code = '"><img src=x onerror=globalThis.foreign=1><script>globalThis.foreign=1</script>';

  const carriers: [string, string][] = [
    ['a sampler', `#v1,sampler=${encodeURIComponent(code)}`],
    ['a number', `${quick},noise-multiplier=${encodeURIComponent(code)}`],
    ['a panel', `${quick},panel=${encodeURIComponent(code)}`],
    ['a panel’s setting', `${quick},panel=curves,curves.kind=${encodeURIComponent(code)}`],
    [
      'the frame',
      `own/embed.html#sampler=${encodeURIComponent(code)}&${encodeURIComponent(code)}=1`,
    ],
    ['the frame’s number', `own/embed.html#noise-multiplier=${encodeURIComponent(code)}`],
  ];
  test.each(someOf(carriers, 2))('as %s say it, and do not run it', async (_, address) => {
    const there = address.startsWith('own/') ? host.address + address : address;
    const { page, complaints } = await go(there);
    await page.locator('.sentence').first().waitFor({ state: 'attached' });
    const foreign = await page.evaluate(() => {
      const inside = (node: ParentNode): Element[] =>
        [...node.querySelectorAll('*')].flatMap((one) => [
          one,
          ...(one.shadowRoot ? inside(one.shadowRoot) : []),
        ]);
      const all = inside(document);
      const found = all.filter((one) => one.hasAttribute('onerror') || one.matches('[src="x"]'));
      return { ran: 'foreign' in globalThis, found: found.length, all: all.length };
    });
    expect(foreign).toMatchObject({ ran: false, found: 0 });
    expect(foreign.all).toBeGreaterThan(20);
    expect(complaints).toEqual([]);
  });

  test('as what is pasted, too', async () => {
    const { page, complaints } = await go(quick);
    await settled(page);
    const said = await sentence(page).innerText();
    await page.getByRole('button', { name: 'a config or a paper’s text' }).click();
    await page.locator('#paste-text').fill(`{"noise_multiplier": ${JSON.stringify(code)}}`);
    await field(page, 'Noise multiplier').focus();
    expect(await page.evaluate(() => 'foreign' in globalThis)).toBe(false);
    expect(await sentence(page).innerText()).toBe(said);
    expect(complaints).toEqual([]);
  });
});
