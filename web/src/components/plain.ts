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
