import { LitElement, css, html } from 'lit';

/** A quiet line at the window's foot. Nothing changes until the reader says so. */
class UpdateNote extends LitElement {
  static override styles = css`
    :host {
      position: fixed;
      inset: auto 1rem 1rem auto;
      padding: 0.5rem 1rem;
      border: 1px solid light-dark(#8d897f, #71757c);
      border-radius: 2px;
      color: light-dark(#1c1b19, #e8e6e1);
      background: light-dark(#ffffff, #1b1e23);
      font:
        400 0.875rem/1.5rem system-ui,
        sans-serif;
    }
    button {
      padding: 0.125rem 0.25rem;
      border: 0;
      background: none;
      color: light-dark(#1f3a5f, #a9c1de);
      font: inherit;
      text-decoration: underline;
      cursor: pointer;
    }
    @media print {
      :host {
        display: none;
      }
    }
  `;

  /** Puts the new version in this one's place. */
  reload: () => void = () => undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.role = 'status';
  }

  protected override render() {
    return html`<span>A new version is ready.</span>
      <button @click=${() => this.reload()}>Reload</button>
      <button @click=${() => this.remove()}>Later</button>`;
  }
}

customElements.define('he-update', UpdateNote);

declare global {
  interface HTMLElementTagNameMap {
    'he-update': UpdateNote;
  }
}
