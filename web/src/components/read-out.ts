import { html, nothing } from 'lit';
import type { Frame } from '../charts/axes.js';
import type { Scale } from '../charts/scale.js';

/** A plot that is read along x, by pointer and keys. */
interface ReadOut {
  class: string;
  label: string;
  x: Pick<Scale, 'least' | 'most'>;
  at: number | undefined;
  /** Whether there is nothing to read yet: keys then do nothing. */
  off?: boolean;
  spoken: string;
  /** Called with the pointer's distance from the frame's left end, in pixels. */
  look: (pixel: number) => void;
  key: (event: KeyboardEvent) => void;
  leave?: () => void;
}

/** A drawing that says what it shows at the cross-hair. */
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

interface LineReading {
  classes: string;
  name: string;
  value: string;
}

/**
 * The values at the cross-hair, beside it: shown while the pointer or the keyboard is on the plot.
 * Screen readers have them as the plot's value.
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

/** The one of so many places that a key moves to; undefined for other keys. */
export function placeAfter({ key }: KeyboardEvent, from: number, count: number) {
  const last = count - 1;
  const places: Readonly<Record<string, number>> = {
    ArrowLeft: from - 1,
    ArrowDown: from - 1,
    ArrowRight: from + 1,
    ArrowUp: from + 1,
    Home: 0,
    End: last,
  };
  const to = places[key];
  return to === undefined ? undefined : Math.min(last, Math.max(0, to));
}

/** In pixels. */
const steps = { usual: 8, shift: 40, page: 80 };

/** The value that a key moves to; undefined for other keys. */
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
