import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { launch, visit } from './browser.js';
import type { Visit } from './browser.js';
import { builtPolicy, serve } from './server.js';
import type { Site, SiteOptions } from './server.js';

/** How a file's tests open pages; each is closed after its test. */
export interface Visits {
  /** Opens what lies below the site's address, or any whole address, in a fresh profile. */
  go: (path?: string, options?: BrowserContextOptions) => Promise<Visit>;
  /** The whole address of what lies below the site's. */
  addressOf: (path?: string) => string;
}

/** Starts a browser for a file's tests, and serves a site to it: the built page, unless told otherwise. */
export function visits(options: () => SiteOptions = () => ({ policy: builtPolicy() })): Visits {
  let browser: Browser;
  let site: Site;
  const open: Visit[] = [];

  beforeAll(async () => {
    [browser, site] = await Promise.all([launch(), serve(options())]);
  });

  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });

  afterEach(async () => {
    await Promise.all(open.splice(0).map(({ page }) => page.context().close()));
  });

  const addressOf = (path = '') => new URL(path, site.address).href;
  const go: Visits['go'] = async (path, profile) => {
    const visited = await visit(browser, addressOf(path), profile);
    open.push(visited);
    return visited;
  };
  return { go, addressOf };
}
