// Times the built page in Chromium: the first answer, and what typing costs the main thread. It prints a
// table and demands nothing: times are a machine's own.

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { preview } from 'vite';

const visits = 10;
const letters = 40;
/** Of a quick typist. */
const millisecondsPerLetter = 80;

const root = fileURLToPath(new URL('../..', import.meta.url));
const places = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser'];

const middle = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/** Runs in the page: when the sentence first was an answer, in milliseconds since navigation began. */
function watchForAnswer() {
  const look = () => {
    const root = document.querySelector('he-page')?.shadowRoot;
    if (root?.querySelector('.sentence:not(.stale):not(.muted)')) {
      globalThis.answeredAt = performance.now();
    } else requestAnimationFrame(look);
  };
  look();
}

function watchLongTasks() {
  globalThis.longTasks = [];
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) globalThis.longTasks.push(duration);
  }).observe({ type: 'longtask' });
}

async function firstAnswer(page, address) {
  await page.goto('about:blank');
  await page.goto(address);
  await page.waitForFunction(() => globalThis.answeredAt !== undefined);
  return page.evaluate(() => globalThis.answeredAt);
}

/** Digits into the noise multiplier, and away again: each is another question. */
async function typing(page) {
  await page.evaluate(watchLongTasks);
  const field = page.getByRole('textbox', { name: 'Noise multiplier' });
  await field.focus();
  await page.keyboard.press('End');
  for (let letter = 0; letter < letters; ++letter) {
    await page.keyboard.press(letter % 8 < 4 ? String(1 + (letter % 8)) : 'Backspace');
    await page.waitForTimeout(millisecondsPerLetter);
  }
  await page.waitForTimeout(2000);
  return page.evaluate(() => globalThis.longTasks);
}

export async function benchPage() {
  const executablePath = places.find((path) => path !== undefined && existsSync(path));
  const server = await preview({
    configFile: `${root}web/vite.config.ts`,
    logLevel: 'error',
    preview: { port: 0, host: '127.0.0.1' },
  });
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    const { port } = server.httpServer.address();
    const address = `http://127.0.0.1:${port}/`;
    const context = await browser.newContext({ serviceWorkers: 'block' });
    const page = await context.newPage();
    await page.addInitScript(watchForAnswer);
    const cold = await firstAnswer(page, address);
    const warm = [];
    for (let visit = 0; visit < visits; ++visit) warm.push(await firstAnswer(page, address));
    const tasks = await typing(page);
    const rows = [
      ['first answer, nothing cached', cold],
      [`first answer, files cached, median of ${visits}`, middle(warm)],
      [`the slowest of them`, Math.max(...warm)],
      [`longest task while ${letters} letters are typed`, Math.max(0, ...tasks)],
      ['all tasks of 50 ms and more then, together', tasks.reduce((sum, task) => sum + task, 0)],
    ];
    const width = Math.max(...rows.map(([name]) => name.length));
    console.log('The page in Chromium, milliseconds.\n');
    for (const [name, value] of rows) {
      console.log(`${name.padEnd(width)}  ${value.toFixed(0).padStart(5)}`);
    }
  } finally {
    await browser.close();
    await server.close();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await benchPage();
