// The built page: how soon it answers, and how long typing keeps it from anything else.

/* global PerformanceObserver, document, requestAnimationFrame */

import { join } from 'node:path';
import { steps } from '../build.mjs';
import { root } from '../shell.mjs';
import { inChromium } from './chromium.mjs';
import { median } from './numbers.mjs';

const visits = 10;
const typed = ['2000', '60_000', '1/3', '1.25', '12', '7e4', '0.8', '256', '4096', '0.55'];

/** Notes when the sentence with the first interval was painted, and every task over 50 ms. */
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
    if (/\[.+\]/.test(sentence?.textContent ?? '')) noted.answered = performance.now();
    else requestAnimationFrame(look);
  };
  look();
}

const answered = (page) => page.waitForFunction(() => globalThis.noted.answered !== undefined);

export async function page() {
  await steps.page();
  return inChromium(join(root, 'dist/web'), async (tab, address) => {
    await tab.addInitScript(watch);
    const form = [];
    const first = [];
    // The first two visits fill the caches.
    for (let visit = -2; visit < visits; ++visit) {
      await tab.goto(`${address}?${visit}`);
      await answered(tab);
      if (visit >= 0) {
        const noted = await tab.evaluate(() => globalThis.noted);
        first.push(noted.answered);
        form.push(noted.painted);
      }
      await tab.waitForTimeout(2500);
    }
    const start = await tab.evaluate(() => performance.now());
    const fields = tab.locator('he-scenario input[inputmode], he-scenario input[type=text]');
    const count = Math.min(3, await fields.count());
    for (const [i, text] of typed.entries()) {
      const field = fields.nth(i % Math.max(1, count));
      await field.click();
      await field.press('Control+a');
      await field.pressSequentially(text, { delay: 80 });
      await tab.waitForTimeout(300);
    }
    await tab.waitForTimeout(1500);
    const tasks = await tab.evaluate(() => globalThis.noted.tasks);
    const whileTyping = tasks.filter(([at]) => at >= start).map(([, duration]) => duration);
    const whole = (values) => values.map((value) => value.toFixed(0)).join(' ');
    return [
      `First answer on screen: ${median(first).toFixed(0)} ms after the start of navigation, the form after ` +
        `${median(form).toFixed(0)} ms (medians of ${visits} visits, files cached; the visits: ${whole(first)}).`,
      `Tasks of more than 50 ms on the page’s own thread while ${typed.join('').length} characters were typed: ` +
        `${whileTyping.length}${whileTyping.length > 0 ? ` (${whole(whileTyping)} ms)` : ''}.`,
    ];
  });
}
