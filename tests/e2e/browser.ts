import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

/** Where distributions put Chromium; CHROMIUM names another. */
const places = [
  process.env.CHROMIUM,
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
    viewport: { width: 1280, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
    // A visit is a first one; what is kept for later ones has tests of its own.
    serviceWorkers: 'block',
    ...options,
  });
  // A loaded machine may need longer than the usual half minute.
  context.setDefaultTimeout(60_000);
  return context;
}

/** Opens an address in a fresh page and notes what goes wrong in it. */
export async function visit(
  context: BrowserContext,
  address: string,
  { viewport, colorScheme }: Looks = {},
): Promise<Visit> {
  const page = await context.newPage();
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
  await page.goto(address);
  return { page, complaints, requests };
}
