import './update-note.js';
import { takeOver } from './messages.js';

/** A page that stays open asks for a new version when it is looked at again, but not all the time. */
const checkEvery = 3_600_000;

/** Keeps the page for when there is no network, and says when a new version is there. */
export async function keepOffline(): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  const workers = navigator.serviceWorker;
  const registration = await workers.register('./sw.js').catch(() => undefined);
  // Some browsers and profiles forbid it; the page works without.
  if (!registration) return;
  const announce = () => {
    // Without a controller it is the first version, which nobody waits for.
    if (registration.waiting && workers.controller) show(registration.waiting);
  };
  announce();
  registration.addEventListener('updatefound', () => {
    registration.installing?.addEventListener('statechange', announce);
  });
  let checked = performance.now();
  document.addEventListener('visibilitychange', () => {
    if (document.hidden || performance.now() - checked < checkEvery) return;
    checked = performance.now();
    registration.update().catch(() => undefined);
  });
}

function show(waiting: ServiceWorker): void {
  const shown = document.querySelector('he-update');
  const note = shown ?? document.createElement('he-update');
  note.reload = () => {
    navigator.serviceWorker.addEventListener(
      'controllerchange',
      () => {
        location.reload();
      },
      { once: true },
    );
    waiting.postMessage(takeOver);
  };
  if (!shown) document.body.append(note);
}
