// @ts-nocheck: untyped, as nothing passes or fails by it.
// The built page: how soon it answers, and how long typing and dragging keep it from
// anything else.

/* global PerformanceObserver, document, requestAnimationFrame */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { steps } from '../build.mjs';
import { root } from '../shell.mjs';
import { inChromium } from './chromium.mjs';
import { median } from './numbers.mjs';

const folder = join(root, 'dist/web');
const visits = 10;
const letters = 40;
/** How fast a quick typist types. */
const millisecondsPerLetter = 80;
const moves = 60;
const millisecondsPerMove = 33;

/** Notes when the sentence with the first number was painted, and every task over 50 ms. */
function watch() {
  const noted = { answered: undefined, painted: undefined, tasks: [] };
  globalThis.noted = noted;
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries())
      noted.tasks.push([startTime, duration]);
  }).observe({ type: 'longtask', buffered: true });
  const look = () => {
    const root = document.querySelector('he-page')?.shadowRoot;
    if (noted.painted === undefined && root?.querySelector('input'))
      noted.painted = performance.now();
    const sentence = root?.querySelector('.sentence:not(.muted):not(.stale)');
    if (/\d/.test(sentence?.textContent ?? '')) noted.answered = performance.now();
    else requestAnimationFrame(look);
  };
  look();
}

const answered = (page) => page.waitForFunction(() => globalThis.noted.answered !== undefined);

/** The tasks over 50 ms that begin while this is done, and shortly after. */
async function tasksDuring(tab, act) {
  const start = await tab.evaluate(() => performance.now());
  await act();
  await tab.waitForTimeout(2000);
  const tasks = await tab.evaluate(() => globalThis.noted.tasks);
  return tasks.filter(([at]) => at >= start).map(([, duration]) => duration);
}

/** Digits into the noise multiplier, and away again: each is another question. */
async function typing(tab) {
  await tab.getByRole('textbox', { name: 'Noise multiplier' }).focus();
  await tab.keyboard.press('End');
  for (let letter = 0; letter < letters; ++letter) {
    await tab.keyboard.press(letter % 8 < 4 ? String(1 + (letter % 8)) : 'Backspace');
    await tab.waitForTimeout(millisecondsPerLetter);
  }
}

/** The slider of the noise multiplier, to and fro. */
async function dragging(tab) {
  await tab.locator('#field-noiseMultiplier').hover();
  const { x, y, width, height } = await tab.locator('#slide-noiseMultiplier').boundingBox();
  const at = (move) => [x + width * (0.5 + 0.3 * Math.sin(move / 10)), y + height / 2];
  await tab.mouse.move(...at(0));
  await tab.mouse.down();
  for (let move = 0; move < moves; ++move) {
    await tab.mouse.move(...at(move));
    await tab.waitForTimeout(millisecondsPerMove);
  }
  await tab.mouse.up();
}

/** What a host with brotli sends of the files; typefaces are compressed by themselves. */
const sent = (names) =>
  [...names]
    .map((name) => readFileSync(join(folder, name === '/' ? 'index.html' : name)))
    .reduce((sum, file) => sum + Math.min(file.length, brotliCompressSync(file).length), 0);

export async function page() {
  await steps.page();
  return inChromium(folder, async (tab, address) => {
    await tab.addInitScript(watch);
    const asked = new Set();
    tab.context().on('request', (request) => asked.add(new URL(request.url()).pathname));
    const form = [];
    const first = [];
    // The first three visits fill the caches, that of compiled code last.
    for (let visit = -3; visit < visits; ++visit) {
      await tab.goto(`${address}?${visit}`);
      await answered(tab);
      if (visit >= 0) {
        const noted = await tab.evaluate(() => globalThis.noted);
        first.push(noted.answered);
        form.push(noted.painted);
      }
      await tab.waitForTimeout(2500);
    }
    const size = sent(asked);
    const typed = await tasksDuring(tab, () => typing(tab));
    const dragged = await tasksDuring(tab, () => dragging(tab));
    const whole = (values) => values.map((value) => value.toFixed(0)).join(' ');
    const counted = (tasks) => `${tasks.length}${tasks.length > 0 ? ` (${whole(tasks)} ms)` : ''}`;
    return [
      `First visit: ${asked.size} files, ${(size / 1000).toFixed(0)} kB under brotli.`,
      `First answer on screen: ${median(first).toFixed(0)} ms after the start of navigation, the form after ` +
        `${median(form).toFixed(0)} ms (medians of ${visits} visits, files cached; the visits: ${whole(first)}).`,
      `Tasks of 50 ms and more on the page’s own thread while ${letters} letters were typed, each another ` +
        `question: ${counted(typed)}; while a slider was dragged through ${moves} places: ${counted(dragged)}.`,
    ];
  });
}
