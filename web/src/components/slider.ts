import { html, noChange } from 'lit';
import { live } from 'lit/directives/live.js';
import { nearestStop } from '../state/stops.js';

interface Slider {
  id: string;
  label: string;
  stops: readonly number[];
  text: string;
  value: number | undefined;
  onSlide: (stop: number) => void;
}

/**
 * The slider of a number field: it follows what is typed, and stays where it is if that is no number. Whoever
 * uses the Tab key types the number: a stop at every slider would double the way to the answer.
 */
export function slider({ id, label, stops, text, value, onSlide }: Slider) {
  const at = nearestStop(stops, value ?? NaN);
  return html`<input
    id=${id}
    class="slider"
    type="range"
    tabindex="-1"
    min="0"
    max=${stops.length - 1}
    aria-label=${label}
    aria-valuetext=${text}
    .value=${at === undefined ? noChange : live(String(at))}
    @input=${(event: Event) => {
      const stop = stops[Number((event.target as HTMLInputElement).value)];
      if (stop !== undefined) onSlide(stop);
    }}
  />`;
}
