import { takeOver } from './messages.js';

/** In milliseconds: when an open page is looked at again, it asks for a new version no oftener. */
const checkEvery = 3_600_000;

/** Keeps the page for when there is no network, and says when a new version is there. */
export async function keepOffline(): Promise<void> {
  const registration = await register();
  if (!registration) return;
  const workers = navigator.serviceWorker;
  const announce = () => {
    // Without a controller it is the first version, which nobody waits for.
    if (registration.waiting && workers.controller) void show(registration.waiting);
  };
  announce();
  registration.addEventListener('updatefound', () =>
    registration.installing?.addEventListener('statechange', announce),
  );
  let checked = performance.now();
  document.addEventListener('visibilitychange', () => {
    if (document.hidden || performance.now() - checked < checkEvery) return;
    checked = performance.now();
    registration.update().catch(() => undefined);
  });
}

/** Some browsers, profiles and frames forbid service workers; the page works without. */
async function register(): Promise<ServiceWorkerRegistration | undefined> {
  try {
    return await navigator.serviceWorker.register('./sw.js');
  } catch {
    return undefined;
  }
}

async function show(waiting: ServiceWorker): Promise<void> {
  await import('./update-note.js');
  const shown = document.querySelector('he-update');
  const note = shown ?? document.createElement('he-update');
  note.reload = () => {
    // Another tab has asked for it before this one: it waits no more.
    if (waiting.state !== 'installed') {
      location.reload();
      return;
    }
    navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), {
      once: true,
    });
    waiting.postMessage(takeOver);
  };
  if (!shown) document.body.append(note);
}
