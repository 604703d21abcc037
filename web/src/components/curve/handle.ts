import { nothing, svg } from 'lit';
import type { CurveField } from '../../../../wasm/curve-kinds.js';
import { isWhole, type CurveView } from './view.js';

export interface SetDetail {
  field: CurveField;
  value: number;
}

/** The nearest of 1, 2 and 5 times a power of ten, below 1. */
function niceDelta(delta: number): number {
  const exponent = Math.floor(Math.log10(delta));
  const mantissa = delta / 10 ** exponent;
  const nice = mantissa < 1.5 ? 1 : mantissa < 3.5 ? 2 : mantissa < 7.5 ? 5 : 10;
  return Math.min(0.5, Number(`${nice}e${exponent}`));
}

/** Two digits, whole where the field is. */
function settable(field: CurveField, value: number): number {
  const nice = Number(value.toPrecision(2));
  return isWhole(field) ? Math.max(1, Math.round(nice)) : nice;
}

/**
 * The scenario's point. Dragging it sends `set`, of delta for curves over epsilon, else of the
 * field along x.
 */
export function handle({ kind, field, own, point, shown, x, y }: CurveView, take: () => void) {
  if (!point || point.y < y.least || !shown.some(({ name }) => name === own)) return nothing;
  const still = kind === 'noise-sampling';
  const upright = kind === 'delta-epsilon';
  const move = (event: PointerEvent) => {
    event.stopPropagation();
    const circle = event.currentTarget as SVGCircleElement;
    if (still || !circle.hasPointerCapture(event.pointerId)) return;
    const box = circle.ownerSVGElement?.getBoundingClientRect();
    const value = upright
      ? niceDelta(y.invert(event.clientY - (box?.top ?? 0)))
      : settable(field, x.invert(event.clientX - (box?.left ?? 0)));
    if (value === (upright ? point.y : point.x)) return;
    const detail: SetDetail = { field: upright ? 'delta' : field, value };
    circle.dispatchEvent(new CustomEvent('set', { detail, bubbles: true }));
  };
  return svg`<circle
    class=${`own-point s-${own}${upright ? ' upright' : ''}${still ? ' still' : ''}`}
    cx=${x.at(point.x)}
    cy=${y.at(point.y)}
    r="5.5"
    @pointerdown=${(event: PointerEvent) => {
      event.stopPropagation();
      (event.currentTarget as Element).setPointerCapture(event.pointerId);
      take();
    }}
    @pointermove=${move}
  ></circle>`;
}
