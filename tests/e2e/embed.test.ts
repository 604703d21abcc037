import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { documentNames } from '../../.config/documents.js';
import type { FrameMessage } from '../../web/src/embed/message.js';
import { discard, emptyFolder, root } from './package.js';
import { formatNames, formats } from '../../wasm/report/index.js';
import {
  axeFinds,
  download,
  eventually,
  field,
  follow,
  hashOf,
  isFullRun,
  ofLooks,
  quick,
  refined,
  row,
  settled,
  someOf,
  value,
} from './reading.js';
import { built, builtPolicy, serve } from './server.js';
import { visits } from './visits.js';

const address =
  'embed.html#sampler=shuffle&noise-multiplier=0.7&dataset-size=60000&batch-size=60&epochs=1&delta=1e-5&view=compare';

/** A page that embeds the frame as it is documented: shut off, and as high as it asks to be. */
const outside = `<!doctype html>
<html lang="en">
  <link rel="icon" href="data:," />
  <h1>Another's page</h1>
  <iframe title="Honest Epsilon" width="700" height="150" sandbox="allow-scripts allow-downloads" src="${address}"></iframe>
  <script>
    const frame = document.querySelector('iframe');
    window.messages = [];
    addEventListener('message', ({ source, data }) => {
      if (source !== frame.contentWindow || data.source !== 'honest-epsilon') return;
      window.messages.push(data);
      if (data.height) frame.height = data.height;
    });
  </script>
</html>`;

let folder: string;

beforeAll(() => {
  folder = emptyFolder();
  cpSync(join(built, 'embed.html'), join(folder, 'embed.html'));
  writeFileSync(join(folder, 'index.html'), outside);
});

afterAll(() => {
  discard(folder);
});

const { go, addressOf } = visits(() => ({ folder }));

const frameOf = (page: Page): Frame => {
  const [frame] = page.mainFrame().childFrames();
  if (!frame) throw new Error('the page has no frame');
  return frame;
};

const messages = (page: Page) =>
  page.evaluate(() => (window as unknown as { messages: FrameMessage[] }).messages);

describe('e2e: the frame on another’s page', () => {
  test('answers although it is sandboxed, has no origin and asks for nothing', async () => {
    const { page, complaints, requests } = await go();
    const frame = frameOf(page);
    await frame.locator('.sentence:not(.muted)').waitFor();
    expect(await frame.locator('.sentence').innerText()).toMatch(
      /^ε\s≤\s6\.653 .* at least 6\.528/,
    );
    expect(await frame.evaluate(() => self.origin)).toBe('null');
    const own = requests.filter((request) => !/^(data|blob):/.test(request));
    expect(own).toEqual([addressOf(), addressOf('embed.html')]);
    // It says how high it is and what it answers, and says so again.
    const content = () =>
      frame.evaluate(
        () => document.querySelector('honest-epsilon')?.getBoundingClientRect().height,
      );
    const height = () => page.locator('iframe').getAttribute('height').then(Number);
    await eventually(async () => (await height()) - Math.ceil((await content()) ?? NaN)).toBe(0);
    expect(await height()).toBeGreaterThan(300);
    const answers = async () => (await messages(page)).flatMap(({ answer }) => answer ?? []);
    expect((await answers()).at(-1)).toMatchObject({ sampler: 'shuffle' });
    await frame.getByLabel('Batch sampler').selectOption('deterministic');
    await eventually(async () => (await answers()).at(-1)?.sampler).toBe('deterministic');
    await page.setViewportSize({ width: 500, height: 900 });
    await page.locator('iframe').evaluate((element) => element.setAttribute('width', '380'));
    await eventually(async () => (await height()) - Math.ceil((await content()) ?? NaN)).toBe(0);
    expect(complaints).toEqual([]);
  });

  test('lets what it draws be downloaded', async () => {
    const { page } = await go();
    await page.locator('iframe').evaluate((element) => {
      const frame = element as HTMLIFrameElement;
      frame.src = frame.src.replace(/=60000&.*/, '=60&batch-size=60&delta=1e-5&view=curve');
    });
    const frame = frameOf(page);
    await frame.locator('.line .edge').first().waitFor();
    const { name } = await download(page, frame.getByRole('button', { name: 'CSV' }));
    expect(name).toMatch(/\.csv$/);
  });

  test('marks what is not yet peer-reviewed, and leaves it out on demand', async () => {
    const { page } = await go(address.replace('noise-multiplier=0.7', 'noise-multiplier=1'));
    const said = () => page.locator('.sentence').innerText();
    await page.locator('.sentence:not(.muted)').waitFor();
    expect(await said()).toContain('† By a theorem of ours, not yet peer-reviewed');
    expect(await value(page, 'shuffle').innerText()).toContain('†');
    await page.evaluate(() => {
      location.hash += '&proofs=published';
    });
    await eventually(() => value(page, 'shuffle').innerText()).not.toContain('†');
    await eventually(said).not.toContain('peer-reviewed');
  });

  test('follows its address, and says what of it cannot be read', async () => {
    const { page } = await go(address);
    const [, hash = ''] = address.split('#');
    const alert = page.getByRole('alert');
    for (const part of ['unknown=3', 'v1,sampler=poisson']) {
      await follow(page, `${hash}&${part}`);
      await alert.getByText(`“${part.split('=')[0] ?? ''}”`).waitFor();
      await follow(page, hash);
      await alert.waitFor({ state: 'hidden' });
    }
    await follow(page, hash.replace('sampler=shuffle', 'sampler=poisson'));
    await eventually(() => page.locator('.sentence').innerText()).toContain('Poisson batches');
  });

  test('its policy names its own script and nothing else', () => {
    const policy = builtPolicy(join(built, 'embed.html'));
    expect(policy).toMatch(/script-src 'sha256-[\w+/=]+' 'wasm-unsafe-eval';/);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe-inline|unsafe-eval'? |connect-src|\*/);
  });
});

describe('e2e: the embed panel', () => {
  test('gives a frame that works as it is pasted and shows the run above, and the page as a file', async () => {
    const host = await serve();
    try {
      const hash = '#v1,noise-multiplier=1.4,sampler=deterministic,panel=embed,embed.into=frame';
      const { page } = await go(host.address + hash);
      const code = await page.locator('he-embed pre').innerText();
      writeFileSync(join(folder, 'pasted.html'), `<!doctype html><title>Pasted</title>${code}`);
      const { page: other } = await go('pasted.html');
      const frame = other.frameLocator('#honest-epsilon');
      await frame.locator('.sentence:not(.muted)').waitFor();
      expect(await frame.locator('.sentence').innerText()).toContain('for deterministic batches');
      expect(await frame.getByLabel('Noise multiplier').inputValue()).toBe('1.4');
      const saved = await download(page, page.getByRole('link', { name: 'a single file' }));
      expect(saved.name).toBe('honest-epsilon.html');
      expect(saved.content.equals(readFileSync(join(root, 'dist/standalone.html')))).toBe(true);
    } finally {
      await host.close();
    }
  });
});

describe('e2e: the single file', () => {
  const file = pathToFileURL(join(root, 'dist/standalone.html')).href;

  test('computes from file://, with workers, asks for nothing, keeps its state, prints what is open', async () => {
    const { page, complaints, requests } = await go(file);
    await settled(page);
    expect(await value(page, 'shuffle').innerText()).toContain('[6.528, 6.653]');
    await page.locator('.quotation').waitFor();
    expect(page.workers().length).toBeGreaterThan(0);
    expect(requests.filter((request) => !/^(data|blob):/.test(request))).toEqual([file]);
    expect(complaints).toEqual([]);
    // It keeps its state in the address, and says of a link to itself that nobody else can open it.
    await field(page, 'Noise multiplier').fill('1.1');
    await settled(page);
    expect(page.url()).toContain('noise-multiplier=1.1');
    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.getByText('Local link copied').waitFor();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    expect(link).toMatch(/^file:.*#v1,sampler=shuffle,by=counts,noise-multiplier=1\.1,/);
    await page.goBack();
    await settled(page);
    expect(await field(page, 'Noise multiplier').inputValue()).toBe('0.7');
    // What is open is printed, and nothing of the other.
    await page.emulateMedia({ media: 'print' });
    for (const [address, shown, hidden] of [
      [`${file}#methods`, '[id="methods.html"]', 'he-page'],
      [file, 'he-page', '.document'],
    ] as const) {
      await page.goto(address);
      await page.locator(shown).waitFor();
      expect(await page.locator(hidden).first().isVisible()).toBe(false);
    }
  });

  test('has the documents inside: header and card lead to them, and back to the same run', async () => {
    const { page, complaints, requests } = await go(`${file}#v1,noise-multiplier=0.9`);
    await settled(page);
    const methods = page.getByRole('heading', { name: 'In plain words', level: 1 });
    expect(await methods.count()).toBe(0);
    const link = page.getByRole('link', { name: 'Methods', exact: true });
    await link.click();
    await methods.waitFor();
    expect(await page.title()).toBe('In plain words · Honest Epsilon');
    expect(await page.locator('he-page').isVisible()).toBe(false);
    await page.locator('.home a:visible').click();
    await eventually(() => link.evaluate((one) => one.matches(':focus'))).toBe(true);
    expect(await page.title()).toBe('Honest Epsilon');
    expect(await field(page, 'Noise multiplier').inputValue()).toBe('0.9');

    await row(page, 'balls-and-bins').locator('.number').click();
    await page.locator('he-details').getByRole('link', { name: 'contour integral' }).click();
    const heading = page.locator('#contour-bins');
    await eventually(() => heading.evaluate((one) => one.matches(':focus'))).toBe(true);
    expect((await heading.boundingBox())?.y).toBeLessThan(100);
    // A link from one part to another, and two steps back.
    await page.getByRole('link', { name: 'Solving for a target' }).click();
    await eventually(() => page.evaluate(() => location.hash)).toBe('#calibration');
    await page.goBack();
    await page.goBack();
    await eventually(() => page.title()).toBe('Honest Epsilon');
    expect(await field(page, 'Noise multiplier').inputValue()).toBe('0.9');
    expect(await page.getByText('could not be read').count()).toBe(0);

    // What the methods say of a run opens it.
    await page.goto(`${file}#samplers`);
    await page.locator('blockquote').getByRole('link', { name: '0.609' }).click();
    await settled(page);
    expect(hashOf(page)).toBe('#v1,sampler=poisson');
    expect(requests.filter((request) => !/^(data|blob):/.test(request))).toEqual([file]);
    expect(complaints).toEqual([]);
  });

  test('opens at a part of a document, which the site has too, and every link leads on', async () => {
    const { page } = await go(`${file}#poisson`);
    await page.getByRole('heading', { name: 'Poisson batches', exact: true }).waitFor();
    // Its looks and its text are those of the site, which the usual run looks at.
    if (isFullRun) expect(await axeFinds(page, { but: ofLooks })).toEqual([]);
    const dead = await page
      .locator('.document a[href]')
      .evaluateAll((links) =>
        links
          .map((link) => link.getAttribute('href') ?? '')
          .filter(
            (to) => !/^(https:|data:|#v1|#$)/.test(to) && !document.getElementById(to.slice(1)),
          ),
      );
    expect(dead).toEqual([]);
    const { page: other } = await go('about:blank');
    for (const name of documentNames) {
      const text = await page.locator(`[id="${name}.html"]`).textContent();
      await other.setContent(readFileSync(join(built, `${name}.html`), 'utf8'));
      const hosted = await other.locator('header, nav, main').allTextContents();
      expect(text?.replaceAll(/\s+/g, ''), name).toBe(hosted.join('').replaceAll(/\s+/g, ''));
    }
  });

  test('without a script shows the documents', async () => {
    const { page } = await go(file, { javaScriptEnabled: false });
    await page.getByRole('heading', { name: 'In plain words', level: 1 }).waitFor();
  });

  test('tells nobody where it lies: no path in a report, its BibTeX or a figure', async () => {
    const { page } = await go(`${file}${quick},panel=report`);
    await settled(page);
    const report = page.locator('he-cite');
    await report.locator('article.report').waitFor();
    const texts = [await report.innerText()];
    for (const name of someOf(formatNames, 2)) {
      await report
        .getByRole('group', { name: 'Format of the report' })
        .getByRole('radio', { name: formats[name].label, exact: true })
        .check();
      texts.push(await report.locator('pre.report-source').innerText());
    }
    for (const tab of await page.getByRole('tab').all()) {
      await tab.click();
      texts.push(await page.locator('he-page main').evaluate((main) => main.outerHTML));
    }
    await page.getByRole('tab', { name: 'Curves' }).click();
    await refined(page);
    for (const name of ['SVG', 'CSV', 'JSON']) {
      const button = page.getByRole('button', { name, exact: true });
      texts.push((await download(page, button)).content.toString());
    }
    await page.emulateMedia({ media: 'print' });
    texts.push(await page.locator('footer').innerText());
    for (const text of texts) expect(text).not.toMatch(/file:\/\/|standalone\.html/);
    expect(texts).toHaveLength(someOf(formatNames, 2).length + 10);
  });
});
