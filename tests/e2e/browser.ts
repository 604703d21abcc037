import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

/** Where distributions put Chromium; CHROMIUM names another. Its headless shell has no windows to draw. */
const places = [
  process.env.CHROMIUM,
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
];

export function launch(): Promise<Browser> {
  const executablePath = places.find((path) => path !== undefined && existsSync(path));
  if (executablePath === undefined) {
    throw new Error('no Chromium found; install it, or name it in CHROMIUM');
  }
  return chromium.launch({
    executablePath,
    // Containers give Chromium no sandbox of its own. Pages of one site and profile share a process:
    // to start one, and to compile the engine in it, takes longer than most tests.
    args: ['--no-sandbox', '--disable-gpu', '--process-per-site'],
  });
}

/** What a page may have of its own, in whatever profile it is opened. */
export type Looks = Pick<BrowserContextOptions, 'viewport' | 'colorScheme'>;

const usualSize = { width: 1280, height: 900 };

export interface Visit {
  page: Page;
  /** Whatever the console or an uncaught exception complained about. */
  complaints: string[];
  /** Addresses that the page asked for. */
  requests: string[];
}

/** A fresh profile. */
export async function profile(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: usualSize,
    permissions: ['clipboard-read', 'clipboard-write'],
    // A visit is a first one; what is kept for later ones has tests of its own.
    serviceWorkers: 'block',
    // To draw what moves takes a fourteenth of all that the browser does; `views.test.ts` lets it.
    reducedMotion: 'reduce',
    ...options,
  });
  // A loaded machine may need longer than the usual half minute.
  context.setDefaultTimeout(60_000);
  return context;
}

const goTo = (page: Page, address: string): Promise<unknown> => page.goto(address);

/** Opens an address, and notes what goes wrong there. */
export async function visit(
  page: Page,
  address: string,
  { viewport, colorScheme }: Looks = {},
  open = goTo,
): Promise<Visit> {
  const complaints: string[] = [];
  const requests: string[] = [];
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    if (!message.text().includes('blocked by Playwright')) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => requests.push(request.url()));
  if (viewport) await page.setViewportSize(viewport);
  if (colorScheme !== undefined) await page.emulateMedia({ colorScheme });
  await open(page, address);
  return { page, complaints, requests };
}

/** Whether a test has left nothing on the page that its address does not say, nor anything that runs. */
export const isUntouched = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const host = document.querySelector('he-page');
    const root = host?.shadowRoot;
    if (!root || host.hasAttribute('style') || document.querySelector('[rel=canonical]'))
      return false;
    // What a test keeps for itself, while it looks at every frame, is a variable of the window.
    const kept = Object.entries(Object.getOwnPropertyDescriptors(window)).filter(
      ([name, { enumerable, writable, value }]) =>
        enumerable && writable && typeof value !== 'function' && !/^(axe|lit|reactive)/.test(name),
    );
    const figures = root.querySelectorAll<HTMLSelectElement>('.exports select');
    const buttons = [...root.querySelectorAll('button')];
    return (
      kept.length === 0 &&
      root.querySelector('details[open]:not(.more), he-details, he-paste, [role=alert]') === null &&
      [...figures].every(({ selectedIndex }) => selectedIndex === 0) &&
      buttons.every(({ textContent }) => !/copied/i.test(textContent))
    );
  });

/** Gives a page that was visited the usual looks again, from its top. */
export async function restored(page: Page): Promise<Page> {
  for (const kind of ['console', 'pageerror', 'request'] as const) page.removeAllListeners(kind);
  await page.unrouteAll();
  await page.mouse.move(0, 0);
  await page.emulateMedia({ media: null, colorScheme: null });
  await page.setViewportSize(usualSize);
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
  return page;
}

/** Makes of a page that was visited one that shows nothing, as if it were new. */
export async function cleared(page: Page): Promise<Page> {
  await page.goto('about:blank');
  return restored(page);
}
