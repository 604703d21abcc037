import type { PropertyDeclarations, PropertyValues } from 'lit';
import { Plain } from './plain.js';

/** A component that draws as wide as the frame around its drawing is. */
export abstract class Measured extends Plain {
  static override properties: PropertyDeclarations = { width: { state: true } };

  /** In pixels; 0 until the frame is there. */
  declare width: number;

  /** Selects the frame among the component's own elements. */
  protected abstract readonly frame: string;

  private sizes: ResizeObserver | undefined;

  constructor() {
    super();
    this.width = 0;
  }

  override updated(changed: PropertyValues<this>): void {
    super.updated(changed);
    const frame = this.querySelector(this.frame);
    if (this.sizes || !frame) return;
    this.sizes = new ResizeObserver(([entry]) => {
      if (entry) this.width = Math.floor(entry.contentRect.width);
    });
    this.sizes.observe(frame);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.sizes?.disconnect();
    this.sizes = undefined;
  }
}
