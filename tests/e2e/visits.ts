import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { cleared, launch, profile, visit } from './browser.js';
import type { Looks, Visit } from './browser.js';
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
  /** A page of the shared profile that shows nothing yet, where a test opens addresses by itself. */
  blank: () => Promise<Visit>;
  /** The whole address of what lies below the site's. */
  addressOf: (path?: string) => string;
}

interface Shared {
  browser: Browser;
  context: BrowserContext;
  /** The built page. */
  site: Site;
  /** Pages that a test has left, emptied. */
  spare: Page[];
}

/** A profile with a page that stays and shows nothing: while it is there, so is the site's process. */
async function start(): Promise<Shared> {
  const [browser, site] = await Promise.all([launch(), serve({ policy: builtPolicy() })]);
  const context = await profile(browser);
  const page = await context.newPage();
  await page.route('**', (route) => route.fulfill({ contentType: 'text/html', body: '' }));
  await page.goto(site.address);
  return { browser, context, site, spare: [] };
}

/** All files of a run share a browser, as long as it lives; it and the server end with Vitest's process. */
let shared: Shared | undefined;
async function sharing(): Promise<Shared> {
  if (!shared?.browser.isConnected()) {
    await shared?.site.close();
    shared = await start();
  }
  return shared;
}

const looks = new Set(['viewport', 'colorScheme']);
const needsOwn = (path: string, options: BrowserContextOptions) =>
  path === 'about:blank' || Object.keys(options).some((name) => !looks.has(name));

/** Serves a site to a file's tests: the built page, unless told otherwise. */
export function visits(options?: () => SiteOptions): Visits {
  let browser: Browser;
  let context: BrowserContext;
  let spare: Page[];
  let site: Site;
  const own: BrowserContext[] = [];
  const visited: Page[] = [];

  beforeAll(async () => {
    ({ browser, context, spare, site } = await sharing());
    if (options) site = await serve(options());
  });

  afterAll(async () => {
    if (options) await site?.close();
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
      const another = await profile(browser, given);
      own.push(another);
      return visit(await another.newPage(), addressOf(path));
    }
    return shown(addressOf(path), given);
  };
  const shown = async (address: string, given?: Looks) => {
    const page = spare.pop() ?? (await context.newPage());
    visited.push(page);
    return visit(page, address, given);
  };
  return { go, blank: () => shown('about:blank'), addressOf };
}
