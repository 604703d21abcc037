import { afterEach, describe, expect, test, vi } from 'vitest';
import { find, keep, tidyCache } from '../../web/src/offline/files.js';

const base = 'https://example.org/page/';

/** Stores as a browser keeps them, in the order in which they were made; `missing` cannot be fetched. */
class FakeStores {
  readonly stores = new Map<string, Map<string, string>>();
  missing = '';

  open(name: string) {
    const files = this.stores.get(name) ?? new Map<string, string>();
    this.stores.set(name, files);
    return Promise.resolve({
      addAll: (requests: { url: string }[]) => {
        if (requests.some(({ url }) => url === this.missing))
          return Promise.reject(new Error('404'));
        for (const { url } of requests) files.set(url, `${name}: ${url}`);
        return Promise.resolve();
      },
      match: (url: string) => Promise.resolve(files.get(url.replace(/[?#].*/, ''))),
    });
  }
  delete(name: string) {
    return Promise.resolve(this.stores.delete(name));
  }
  keys() {
    return Promise.resolve([...this.stores.keys()]);
  }
}

const storage = (stores: FakeStores) => stores as unknown as CacheStorage;
const version = (name: string, ...files: string[]) => ({
  version: name,
  files: Object.fromEntries(files.map((file) => [file, ''])),
});

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('offline: kept files', () => {
  test('a version is kept whole or not at all', async () => {
    const stores = new FakeStores();
    await keep(storage(stores), version('1', './', 'a.js'), base);
    stores.missing = `${base}b.js`;
    await expect(keep(storage(stores), version('2', './', 'b.js'), base)).rejects.toThrow('404');
    expect([...stores.stores.keys()]).toEqual(['honest-epsilon-1']);
  });

  test('only what names its content may come from the browser’s own cache, and only whole', async () => {
    const asked: Record<string, RequestInit> = {};
    vi.stubGlobal(
      'Request',
      class {
        readonly url: string;
        constructor(url: URL, options: RequestInit) {
          this.url = url.href;
          asked[url.pathname] = options;
        }
      },
    );
    const files = { './': '', 'assets/a-1f.js': 'sha256-made-up' };
    await keep(storage(new FakeStores()), { version: '1', files }, base);
    expect(asked).toEqual({
      '/page/': { cache: 'no-cache', integrity: '' },
      '/page/assets/a-1f.js': { cache: 'default', integrity: 'sha256-made-up' },
    });
  });

  test('a file comes from its own version, else from the one before', async () => {
    const stores = new FakeStores();
    await keep(storage(stores), version('1', './', 'old.js'), base);
    await keep(storage(stores), version('2', './', 'new.js'), base);
    const found = (path: string) => find(storage(stores), version('2'), base + path);
    expect(await found('')).toContain('epsilon-2');
    expect(await found('index.html#v1,steps=5')).toContain('epsilon-2');
    expect(await found('old.js')).toContain('epsilon-1');
    expect(await found('never.js')).toBeUndefined();
  });

  test('two versions stay, and whatever belongs to others', async () => {
    const stores = new FakeStores();
    await stores.open('another-app');
    for (const name of ['1', '2', '3']) await keep(storage(stores), version(name, './'), base);
    await tidyCache(storage(stores), version('3'));
    expect([...stores.stores.keys()]).toEqual([
      'another-app',
      'honest-epsilon-2',
      'honest-epsilon-3',
    ]);
  });
});
