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
    if (registration.waiting && workers.controller) show(registration.waiting);
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

/** A quiet line at the window's foot. Nothing changes until the reader says so. */
function show(waiting: ServiceWorker): void {
  document.querySelector('.update')?.remove();
  const note = document.createElement('p');
  note.className = 'update';
  note.role = 'status';
  const button = (text: string, does: () => void) => {
    const made = document.createElement('button');
    made.textContent = text;
    made.addEventListener('click', does);
    return made;
  };
  const reload = button('Reload', () => takeTurn(waiting));
  note.append(
    'A new version is ready. ',
    reload,
    ' ',
    button('Later', () => note.remove()),
  );
  document.body.append(note);
}

function takeTurn(waiting: ServiceWorker): void {
  // Another tab has asked for it before this one: it waits no more.
  if (waiting.state !== 'installed') {
    location.reload();
    return;
  }
  navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), {
    once: true,
  });
  waiting.postMessage(takeOver);
}
