import type { LitElement } from 'lit';
import type { RowName } from '../state/scenario.js';

/** Which number's details are open, for an element whose numbers are buttons with `data-sampler`. */
export class Opening {
  name: RowName | undefined;
  private readonly host: LitElement;
  private opener: HTMLElement | undefined;

  constructor(host: LitElement) {
    this.host = host;
  }

  /** Listens to all numbers under `root`, and to Escape in what they open. */
  watch(root: ShadowRoot): void {
    root.addEventListener('click', ({ target }) => {
      const number = (target as Element).closest<HTMLElement>('.number[data-sampler]');
      const name = number?.dataset.sampler as RowName | undefined;
      if (number && name !== undefined) void this.open(root, number, name);
    });
    root.addEventListener('keydown', (event) => {
      const inside = (event.target as Element).closest('he-details, .number[data-sampler]');
      if ((event as KeyboardEvent).key === 'Escape' && inside) this.close();
    });
    root.addEventListener('close', (event) => {
      if ((event.target as Element).matches('he-details')) this.close();
    });
  }

  private async open(root: ShadowRoot, opener: HTMLElement, name: RowName): Promise<void> {
    // Its own number closes them again; one in the sentence leads to them.
    const again = this.name === name && opener.ariaExpanded !== null;
    if (again) {
      this.close();
      return;
    }
    // Few readers open a number.
    await import('./details.js');
    this.name = name;
    this.opener = opener;
    this.host.requestUpdate();
    await this.host.updateComplete;
    await new Promise(requestAnimationFrame);
    root.querySelector<HTMLElement>('he-details h3')?.focus();
  }

  private close(): void {
    if (this.name === undefined) return;
    this.name = undefined;
    this.host.requestUpdate();
    // A number that was drawn again is another element.
    if (this.opener?.isConnected) this.opener.focus();
  }
}
