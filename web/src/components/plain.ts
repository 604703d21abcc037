import { LitElement } from 'lit';

/**
 * A component without a shadow root of its own: the page is one shadow tree with one style sheet, so
 * that labels, descriptions and styles reach across its parts.
 */
export class Plain extends LitElement {
  protected override createRenderRoot(): HTMLElement {
    return this;
  }
}

/** Gives the tree around an element the style sheet of a part that has just been loaded. */
export function adopt(element: Element, styles: string | undefined): void {
  const root = element.getRootNode();
  if (styles === undefined || !(root instanceof ShadowRoot)) return;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
}
