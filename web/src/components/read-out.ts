import { html, nothing } from 'lit';
import type { Frame } from '../charts/axes.js';
import type { Scale } from '../charts/epsilon-scale.js';

/** A plot that is read along x, by pointer and keys. */
export interface ReadOut {
  /** Of the frame around the drawing. */
  class: string;
  label: string;
  x: Pick<Scale, 'least' | 'most'>;
  at: number | undefined;
  /** There is nothing to read yet, and keys lead nowhere. */
  off?: boolean;
  /** What is read there, in words. */
  spoken: string;
  /** The pointer is so many pixels right of the frame's left end. */
  look: (pixel: number) => void;
  key: (event: KeyboardEvent) => void;
  leave?: () => void;
}

/** A drawing that says what it shows where the reader looks. */
export function readOut(
  { class: name, label, x, at, off = false, spoken, look, key, leave }: ReadOut,
  drawing: unknown,
) {
  const move = (event: PointerEvent) => {
    if (!event.isPrimary) return;
    const frame = event.currentTarget as HTMLElement;
    look(event.clientX - frame.getBoundingClientRect().left);
  };
  return html`<div
    class=${`read-out ${name}`}
    role="slider"
    tabindex="0"
    aria-label=${label}
    aria-disabled=${off ? 'true' : nothing}
    aria-valuemin=${x.least}
    aria-valuemax=${x.most}
    aria-valuenow=${at ?? x.least}
    aria-valuetext=${spoken}
    @keydown=${off ? nothing : key}
    @pointermove=${move}
    @pointerdown=${move}
    @pointerleave=${() => leave?.()}
  >
    ${drawing}
  </div>`;
}

/** In pixels. */
const narrow = 480;

/** One line where the reader looks. */
export interface LineReading {
  /** The classes of its line. */
  classes: string;
  name: string;
  value: string;
}

/**
 * What is read where the reader looks, beside that place: seen while the pointer is on the plot, or the
 * keyboard. Who does not see it hears the same as the plot's value.
 */
export function readingBeside(
  at: number,
  { left, right, top }: Frame,
  width: number,
  head: unknown,
  lines: readonly LineReading[],
) {
  const isLeft = at < (left + right) / 2;
  const beside = isLeft ? `left: ${at + 10}px` : `right: ${width - at + 10}px`;
  // A narrow plot has little room between the place and its edge.
  const side = width > narrow ? beside : isLeft ? 'right: 0' : `left: ${left}px`;
  return html`<div class="reading" aria-hidden="true" .style=${`top: ${top + 6}px; ${side}`}>
    <p>${head}</p>
    ${lines.map(
      ({ classes, name, value }) =>
        html`<svg class=${`line ${classes}`} width="14" height="12">
            <path class="edge" d="M0 6H14"></path>
          </svg>
          <span>${name}</span> <b>${value}</b>`,
    )}
  </div>`;
}

/** In pixels. */
const steps = { usual: 8, shift: 40, page: 80 };

/** Where a key leads from a value of the axis; nothing for a key that leads nowhere. */
export function steppedTo({ key, shiftKey }: KeyboardEvent, from: number, x: Scale) {
  const at = x.at(from);
  const step = shiftKey ? steps.shift : steps.usual;
  const places: Readonly<Record<string, number>> = {
    ArrowLeft: at - step,
    ArrowDown: at - step,
    ArrowRight: at + step,
    ArrowUp: at + step,
    PageDown: at - steps.page,
    PageUp: at + steps.page,
    Home: x.at(x.least),
    End: x.at(x.most),
  };
  const to = places[key];
  return to === undefined ? undefined : x.invert(to);
}
