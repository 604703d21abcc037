import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { cleared, launch, profile, visit } from './browser.js';
import type { Visit } from './browser.js';
import { builtPolicy, serve } from './server.js';
import type { Site, SiteOptions } from './server.js';

/** How a file's tests open pages; each is closed after its test. */
export interface Visits {
  /**
   * Opens what lies below the site's address, or any whole address, in a page that shows nothing else.
   * Pages share a profile, in which this site keeps nothing, and serve one test after another, unless
   * the test sets more than how they look or does something to the browser first, at `about:blank`.
   */
  go: (path?: string, options?: BrowserContextOptions) => Promise<Visit>;
  /** The whole address of what lies below the site's. */
  addressOf: (path?: string) => string;
}

/** A profile with a page that stays and shows nothing: while it is there, so is the site's process. */
async function sharedProfile(browser: Browser, address: string): Promise<BrowserContext> {
  const context = await profile(browser);
  const page = await context.newPage();
  await page.route('**', (route) => route.fulfill({ contentType: 'text/html', body: '' }));
  await page.goto(address);
  return context;
}

const looks = new Set(['viewport', 'colorScheme']);
const needsOwn = (path: string, options: BrowserContextOptions) =>
  path === 'about:blank' || Object.keys(options).some((name) => !looks.has(name));

/** Starts a browser for a file's tests, and serves a site to it: the built page, unless told otherwise. */
export function visits(options: () => SiteOptions = () => ({ policy: builtPolicy() })): Visits {
  let browser: Browser;
  let site: Site;
  let shared: BrowserContext;
  const own: BrowserContext[] = [];
  const visited: Page[] = [];
  const spare: Page[] = [];

  beforeAll(async () => {
    [browser, site] = await Promise.all([launch(), serve(options())]);
    shared = await sharedProfile(browser, site.address);
  });

  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });

  afterEach(async ({ task }) => {
    const passed = task.result?.state === 'pass';
    const after = async (page: Page) => {
      if (passed && !page.isClosed()) spare.push(await cleared(page));
      else await page.close();
    };
    await Promise.all([
      ...own.splice(0).map((context) => context.close()),
      ...visited.splice(0).map(after),
    ]);
  });

  const addressOf = (path = '') => new URL(path, site.address).href;
  const go: Visits['go'] = async (path = '', given = {}) => {
    if (needsOwn(path, given)) {
      const context = await profile(browser, given);
      own.push(context);
      return visit(await context.newPage(), addressOf(path));
    }
    const page = spare.pop() ?? (await shared.newPage());
    visited.push(page);
    return visit(page, addressOf(path), given);
  };
  return { go, addressOf };
}
