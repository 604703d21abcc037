import type { IndexHtmlTransformHook } from 'vite';
import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

/** The contents of the head's tags by their names, for a build that was told this address or none. */
async function headOf(site: string | undefined): Promise<Map<string, string>> {
  vi.resetModules();
  vi.stubEnv('HONEST_EPSILON_SITE', site);
  const { siteHead } = await import('../../.config/page-plugins.js');
  const transform = siteHead().transformIndexHtml as IndexHtmlTransformHook;
  const context = { path: '/index.html' } as Parameters<IndexHtmlTransformHook>[1];
  const tags = await transform.call({} as never, '<title>Honest Epsilon</title>', context);
  if (!Array.isArray(tags)) throw new Error('expected tags');
  return new Map(
    tags.map(({ attrs = {} }) => [
      String(attrs.property ?? attrs.name ?? attrs.rel),
      String(attrs.content ?? attrs.href),
    ]),
  );
}

test('head: a published page names its picture by a whole address', async () => {
  const head = await headOf('https://example.org/epsilon');
  expect(head.get('og:image')).toBe('https://example.org/epsilon/preview.png');
  expect(head.get('canonical')).toBe('https://example.org/epsilon/');
});

test('head: a page whose address is unknown names no picture, which would be found nowhere', async () => {
  const head = await headOf(undefined);
  expect(head.get('og:title')).toBe('Honest Epsilon');
  expect([...head.keys()].filter((name) => /image|card|canonical/.test(name))).toEqual([]);
});
