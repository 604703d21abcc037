import { keepRun } from './document/kept-run.js';
import { mayBuild } from './early.js';
import { keepOffline } from './offline/register.js';

// A file of its own: the engine starts while the browser still reads this one.
Promise.all([import('./page.js'), mayBuild])
  .then(([{ Page }]) => customElements.define('he-page', Page))
  .catch(() => {
    // The placeholder says by itself, after a while, that nothing has come.
    document.querySelector('.late')?.classList.add('now');
  });

// The documents lead back to the run.
addEventListener('pagehide', () => keepRun(location.hash));

// The single file has nothing to keep, and in development nothing should be kept.
if (import.meta.env.MODE === 'production') void keepOffline();
