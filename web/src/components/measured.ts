import type { PropertyValues } from 'lit';
import { state } from 'lit/decorators.js';
import { pixelsOf, type PaperName } from '../export/paper.js';
import { Plain } from './plain.js';

export abstract class Measured extends Plain {
  /** In pixels; 0 until the frame is there. */
  @state() width = 0;
  /** Whether it is drawn for a file: as high as the width suggests, its lines told apart by marks. */
  @state() printed = false;
  @state() paper: PaperName = 'screen';

  /** Selects the frame among the component's own elements. */
  protected abstract readonly frame: string;

  /** Looks what else has come with another width. */
  protected resized?(): void;

  private sizes: ResizeObserver | undefined;

  /** Draws for a file, hands over what `take` makes of it, and goes back before anything is painted. */
  async drawnFor<Type>(take: () => Type): Promise<Type> {
    const { width } = this;
    this.printed = true;
    this.width = pixelsOf(this.paper) ?? width;
    await this.updateComplete;
    try {
      return take();
    } finally {
      this.printed = false;
      this.width = width;
    }
  }

  /** How high a printed drawing is: a single column has room for the axis names too. */
  protected get printedHeight(): number {
    return Math.round(this.width < 480 ? 0.75 * this.width : 0.58 * this.width);
  }

  override updated(changed: PropertyValues<this>): void {
    super.updated(changed);
    const frame = this.querySelector(this.frame);
    if (this.sizes || !frame) return;
    this.sizes = new ResizeObserver(([entry]) => {
      if (!entry) return;
      this.width = Math.floor(entry.contentRect.width);
      this.resized?.();
    });
    this.sizes.observe(frame);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.sizes?.disconnect();
    this.sizes = undefined;
  }
}
