import type { Scale } from '../charts/scale.js';

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
