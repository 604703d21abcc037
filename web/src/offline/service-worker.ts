/*
 * Answers the page's requests from the files that were kept at its last visit. A new version waits
 * until no page uses the old one, or until the reader asks for it: it never takes over by itself.
 */
import { find, keep, tidyCache, type Version } from './files.js';
import { takeOver } from './messages.js';

/** Put in by the build: what it built. */
declare const __VERSION__: Version;

/**
 * The parts of a service worker's events that are used; TypeScript has them in a separate library.
 */
interface LifeEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface RequestEvent extends Event {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}
interface Scope {
  readonly clients: { claim(): Promise<void> };
  readonly registration: { readonly scope: string };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', listener: (event: LifeEvent) => void): void;
  addEventListener(type: 'fetch', listener: (event: RequestEvent) => void): void;
  addEventListener(type: 'message', listener: (event: MessageEvent<unknown>) => void): void;
}

const scope = globalThis as unknown as Scope;
const version = __VERSION__;

scope.addEventListener('install', (event) =>
  event.waitUntil(keep(caches, version, scope.registration.scope)),
);

scope.addEventListener('activate', (event) =>
  event.waitUntil(tidyCache(caches, version).then(() => scope.clients.claim())),
);

scope.addEventListener('message', ({ data }) => {
  if (data === takeOver) void scope.skipWaiting();
});

scope.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || !request.url.startsWith(scope.registration.scope)) return;
  // The cache may have been deleted or be out of reach: then the network answers.
  const kept = find(caches, version, request.url).catch(() => undefined);
  event.respondWith(kept.then((response) => response ?? fetch(request)));
});
