/*
 * The page's files, kept for when there is no network. A version's files are fetched and kept
 * together or not at all, and the version before the last stays too: a page that was opened with it
 * still finds what it loads later.
 */

const prefix = 'honest-epsilon-';
const keptVersions = 2;

export interface Version {
  version: string;
  /** By path, relative to the service worker, the page itself './'; the digest of what was built, or ''. */
  files: Readonly<Record<string, string>>;
}

/**
 * Fetches a version's files, all of them or none. Those whose name says their content may be cached,
 * and carry a digest: a host that sends its own page in the place of a file is not believed.
 */
export async function keep(
  stores: CacheStorage,
  { version, files }: Version,
  base: string,
): Promise<void> {
  const store = await stores.open(prefix + version);
  const requests = Object.entries(files).map(
    ([file, integrity]) =>
      new Request(new URL(file, base), { integrity, cache: integrity ? 'default' : 'no-cache' }),
  );
  try {
    await store.addAll(requests);
  } catch (error) {
    await stores.delete(prefix + version);
    throw error;
  }
}

/** Deletes all versions but this one and the one before it. */
export async function tidyCache(stores: CacheStorage, { version }: Version): Promise<void> {
  const own = (await stores.keys()).filter((name) => name.startsWith(prefix));
  const others = own.filter((name) => name !== prefix + version);
  const old = others.slice(0, Math.max(0, others.length - (keptVersions - 1)));
  await Promise.all(old.map((name) => stores.delete(name)));
}

/** A kept file, of this version if it has it; nothing when the network is to be asked. */
export async function find(
  stores: CacheStorage,
  { version }: Version,
  address: string,
): Promise<Response | undefined> {
  const options = { ignoreSearch: true };
  const request = address.replace(/\/index\.html(?=[?#]|$)/, '/');
  const store = await stores.open(prefix + version);
  const own = await store.match(request, options);
  if (own) return own;
  for (const name of await stores.keys()) {
    if (!name.startsWith(prefix)) continue;
    const older = await (await stores.open(name)).match(request, options);
    if (older) return older;
  }
  return undefined;
}
