import { markSections } from '../document/sections.js';
import type { History } from '../state/store.js';

/**
 * In the single file the documents are parts of the page's own document. While the address names a part
 * of one, that one is shown in the page's place, and the page keeps the run and the focus that it had.
 */
export function besideDocuments(history: History): History {
  const page = document.querySelector<HTMLElement>('he-page');
  const documents = [...document.querySelectorAll<HTMLElement>('.document')];
  if (!page || documents.length === 0) throw new Error('the page or the documents are not there');
  const title = document.title;
  let run = '';
  let focused: Element | null | undefined;
  let open: HTMLElement | undefined;
  for (const one of documents) markSections(one);

  const show = () => {
    const part = document.getElementById(history.hash().slice(1));
    const named = part?.closest<HTMLElement>('.document') ?? undefined;
    if (!named) run = history.hash();
    if (!open && named) focused = page.shadowRoot?.activeElement;
    const changed = open !== named;
    open = named;
    if (!changed) return;
    page.hidden = named !== undefined;
    for (const one of documents) {
      one.hidden = one !== named;
      const home = one.querySelector<HTMLAnchorElement>('.home a');
      if (home) home.href = run || '#';
    }
    const heading = named?.querySelector('h1')?.textContent;
    document.title = heading === undefined ? title : `${heading} · ${title}`;
    if (part && named) {
      part.tabIndex = -1;
      part.focus({ preventScroll: true });
      part.scrollIntoView();
    } else if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  };
  show();
  return {
    ...history,
    hash: () => run,
    push: (hash) => history.push((run = hash)),
    replace: (hash) => history.replace((run = hash)),
    listen: (onChange) => {
      history.listen(() => {
        show();
        if (!open) onChange();
      });
    },
  };
}
