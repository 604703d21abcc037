import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { cleared, isUntouched, launch, profile, restored, visit } from './browser.js';
import type { Looks, Visit } from './browser.js';
import { follow, isFullRun } from './reading.js';
import { builtPolicy, serve } from './server.js';
import type { Site, SiteOptions } from './server.js';

/** How a file's tests open pages; each is closed after its test. */
export interface Visits {
  /**
   * Opens what lies below the site's address, or any whole address, in a page that shows nothing else.
   * Pages share a profile, in which this site keeps nothing, unless the test sets more than how they
   * look; they serve one test after another, unless it does something to them first, at `about:blank`.
   */
  load: (path?: string, options?: BrowserContextOptions) => Promise<Visit>;
  /**
   * The same for a hash of the page, in one that an earlier test of the file has left as its address
   * made it: it follows the hash as it follows a link, which takes a third of the time. In the full
   * run it is loaded afresh.
   */
  go: Visits['load'];
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
const needsOwn = (options: BrowserContextOptions) =>
  Object.keys(options).some((name) => !looks.has(name));

/** Serves a site to a file's tests: the built page, unless told otherwise. */
export function visits(options?: () => SiteOptions): Visits {
  let browser: Browser;
  let context: BrowserContext;
  let spare: Page[];
  let site: Site;
  /** What is closed after the test. */
  const own: (BrowserContext | Page)[] = [];
  const visited: Page[] = [];
  /** Pages that need no load before the next test. */
  const standing: Page[] = [];

  beforeAll(async () => {
    ({ browser, context, spare, site } = await sharing());
    if (options) site = await serve(options());
  });

  afterAll(async () => {
    spare.push(...(await Promise.all(standing.splice(0).map(cleared))));
    if (options) await site?.close();
  });

  afterEach(async ({ task }) => {
    const passed = task.result?.state === 'pass';
    const after = async (page: Page) => {
      if (!passed || page.isClosed()) await page.close();
      else if (!isFullRun && (await isUntouched(page))) standing.push(await restored(page));
      else spare.push(await cleared(page));
    };
    await Promise.all([
      ...own.splice(0).map((one) => one.close()),
      ...visited.splice(0).map(after),
    ]);
  });

  const addressOf = (path = '') => new URL(path, site.address).href;
  const load: Visits['load'] = async (path = '', given = {}) => {
    if (needsOwn(given)) {
      const another = await profile(browser, given);
      own.push(another);
      return visit(await another.newPage(), addressOf(path));
    }
    if (path === 'about:blank') {
      const page = await context.newPage();
      own.push(page);
      return visit(page, path, given);
    }
    return shown(addressOf(path), given);
  };
  const shown = async (address: string, given?: Looks) => {
    const left = standing.pop();
    const page = spare.pop() ?? (left ? await cleared(left) : await context.newPage());
    visited.push(page);
    return visit(page, address, given);
  };
  const go: Visits['go'] = async (path = '', given = {}) => {
    const page = path.startsWith('#') && !needsOwn(given) ? standing.pop() : undefined;
    if (!page) return load(path, given);
    visited.push(page);
    return visit(page, path, given, follow);
  };
  return { load, go, blank: () => shown('about:blank'), addressOf };
}
