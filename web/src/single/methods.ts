import type { History } from '../state/store.js';

/**
 * In the single file the methods are a part of the page's own document. While the address names a part
 * of them, they are shown in the page's place, and the page keeps the run and the focus that it had.
 */
export function besideMethods(history: History): History {
  const page = document.querySelector<HTMLElement>('he-page');
  const methods = document.getElementById('methods');
  const home = methods?.querySelector<HTMLAnchorElement>('.home a');
  if (!page || !methods || !home) throw new Error('the page or the methods are not there');
  const title = document.title;
  let run = '';
  let focused: Element | null | undefined;

  const named = () => {
    const part = document.getElementById(history.hash().slice(1));
    return part !== null && methods.contains(part) ? part : undefined;
  };
  const show = () => {
    const part = named();
    if (!part) run = history.hash();
    if (page.hidden === (part !== undefined)) return;
    if (part) focused = page.shadowRoot?.activeElement;
    page.hidden = part !== undefined;
    methods.hidden = !page.hidden;
    document.title = part ? `Methods · ${title}` : title;
    home.href = run || '#';
    if (part) {
      part.tabIndex = -1;
      part.focus({ preventScroll: true });
      part.scrollIntoView();
    } else if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  };
  show();
  return {
    ...history,
    hash: () => run,
    push: (hash) => {
      run = hash;
      history.push(hash);
    },
    replace: (hash) => {
      run = hash;
      history.replace(hash);
    },
    listen: (onChange) => {
      history.listen(() => {
        show();
        if (page.hidden === false) onChange();
      });
    },
  };
}
