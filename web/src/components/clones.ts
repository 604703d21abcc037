import { html, svg } from 'lit';
import { state } from 'lit/decorators.js';
import { samplers, type SamplerName } from '../../../wasm/generated/schema.js';
import {
  batchAt,
  batchesLeft,
  clonesBox,
  clonesDrawing,
  places,
  usualBatch,
} from '../charts/clones-figure.js';
import { drawnSampler, samplerInfo } from '../../../wasm/words/samplers.js';
import { clonesHint, clonesSentence, clonesSlider, clonesSpoken } from '../words/clones.js';
import { radios } from './fields.js';
import { Plain } from './plain.js';
import { placeAfter } from './stepping.js';

const take = ({ currentTarget, pointerId }: PointerEvent) =>
  (currentTarget as Element).setPointerCapture(pointerId);

/** Records and batches of one epoch, under every sampler: the reader moves the marked record. */
export class Clones extends Plain {
  @state() private sampler: SamplerName = drawnSampler;
  @state() private batch = usualBatch;

  protected override render() {
    const { sampler, batch } = this;
    const left = batchesLeft(sampler, batch);
    return html`<p class="why">${clonesHint}</p>
      ${radios({
        ...{ legend: 'Batches drawn as', name: 'clones-sampler' },
        ...{ values: samplers.map(({ name }) => name), chosen: sampler },
        colour: (name) => `s-${name}`,
        label: (name) => samplerInfo(name).label,
        pick: (name) => {
          this.sampler = name;
        },
      })}
      <figure class=${`clones s-${sampler}`}>
        <svg
          viewBox=${clonesBox}
          role="slider"
          tabindex="0"
          aria-label=${clonesSlider}
          aria-valuemin="1"
          aria-valuemax=${places}
          aria-valuenow=${batch + 1}
          aria-valuetext=${clonesSpoken(batch, left)}
          @keydown=${this.step}
          @pointerdown=${take}
          @pointermove=${this.drag}
          @click=${this.drag}
        >
          ${clonesDrawing(svg, sampler, batch)}
        </svg>
        <figcaption aria-live="polite">${clonesSentence(sampler, batch, left)}</figcaption>
      </figure>`;
  }

  private readonly step = (event: KeyboardEvent): void => {
    const to = placeAfter(event, this.batch, places);
    if (to === undefined) return;
    event.preventDefault();
    this.batch = to;
  };

  /** A finger that scrolls moves nothing: the browser takes its pointer away. */
  private readonly drag = (event: PointerEvent): void => {
    const drawing = event.currentTarget as SVGSVGElement;
    if (event.type !== 'click' && !drawing.hasPointerCapture(event.pointerId)) return;
    const place = drawing.getScreenCTM();
    if (place) this.batch = batchAt((event.clientX - place.e) / place.a);
  };
}

customElements.define('he-clones', Clones);
