import { LitElement } from 'lit';

/**
 * A component without a shadow root of its own: the page is one shadow tree with one style sheet, so
 * that labels, descriptions and styles reach across its parts.
 */
export class Plain extends LitElement {
  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  /** Tells those around it. */
  protected tell(name: string, detail?: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
  }

  /** Goes to what has just been drawn, here or elsewhere in the tree. */
  protected async focusOn(selector: string): Promise<void> {
    await new Promise(requestAnimationFrame);
    (this.getRootNode() as ShadowRoot).querySelector<HTMLElement>(selector)?.focus();
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
