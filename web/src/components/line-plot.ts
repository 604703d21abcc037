import { html, nothing, svg } from 'lit';
import { state } from 'lit/decorators.js';
import { axes, clip, type Frame } from '../charts/axes.js';
import { interpolate } from '../charts/curve-geometry.js';
import { mark } from '../charts/glyphs.js';
import { placeNames, type Labelled } from '../charts/line-names.js';
import { crossLine, lineMarks, lineNames, strokes, type Paths } from '../charts/lines.js';
import type { Scale } from '../charts/scale.js';
import { Measured } from './measured.js';
import { steppedTo } from './stepping.js';

/** A line as it is drawn, named along its points, and read at the cross-hair. */
export interface PlotLine extends Labelled {
  /** In a list of all lines: with what belongs to its name. */
  title: string;
  /** Where there is little room. */
  short: string;
  /** Its colour, its dashes, and how it stands beside the others. */
  classes: string;
  paths: Paths;
  /** Whose marks tell it apart without colour. */
  sampler?: string | undefined;
  value: string;
  spoken: string;
}

/** Lines on their axes. */
export interface LineSet {
  lines: readonly PlotLine[];
  ground: { x: Scale; y: Scale; frame: Frame };
  size: { width: number; height: number };
  /** How wide the names right of the frame may be. */
  room: number;
  axes: { x: string; y: string };
  /** The drawing's class. */
  classes: string;
  /** Where the cross-hair stands, what the values there are of, and the same where it is spoken. */
  at: number | undefined;
  head: unknown;
  where: string;
  /** What moving the cross-hair does. */
  label: string;
  /** Whether there is nothing to read yet: keys then do nothing. */
  waits?: boolean;
  below?: unknown;
  above?: unknown;
}

/** Lines that are read along x by pointer and keys. */
export abstract class LinePlot extends Measured {
  /** Where the reader put the cross-hair; nothing while it rests. */
  @state() cross: number | undefined;
  /** Unique in the document: begins ids. */
  protected abstract readonly key: string;
  protected override readonly frame = '.read-out';

  /** The place to read near a number: three digits, so that the key shows where the cross-hair stands. */
  protected placeAt(value: number, _x: Scale): number | undefined {
    return Number(value.toPrecision(3));
  }

  /** Where a key leads; whole numbers may lie further apart than a step of pixels. */
  protected placeAfter(event: KeyboardEvent, { ground: { x }, at = x.least }: LineSet) {
    const to = steppedTo(event, Math.max(x.least, at), x);
    if (to === undefined) return undefined;
    const next = this.placeAt(to, x);
    if (next === undefined || next !== this.placeAt(at, x) || to === at) return next;
    return Math.min(x.most, Math.max(x.least, next + Math.sign(to - at)));
  }

  /** The pointer is on a line, or no longer. */
  protected light?(name: string | undefined): void;
  /** The pointer has left the plot. */
  protected leave?(): void;

  /** The drawing, which says what it shows at the cross-hair. */
  protected readable(set: LineSet, beside: unknown = nothing) {
    const { lines, ground, at, label, where, waits = false } = set;
    const { x } = ground;
    const look = (event: PointerEvent) => {
      if (!event.isPrimary || lines.length === 0) return;
      const { left } = (event.currentTarget as HTMLElement).getBoundingClientRect();
      this.cross = this.placeAt(x.invert(event.clientX - left), x);
    };
    const step = (event: KeyboardEvent) => {
      if (event.key === 'Escape') this.cross = undefined;
      const to = this.placeAfter(event, set);
      if (to === undefined) return;
      event.preventDefault();
      this.cross = to;
    };
    const spoken =
      at === undefined
        ? `${waits ? 'no curve' : 'nothing is read'} yet`
        : `${where} ${lines.map((line) => line.spoken).join('; ')}`;
    return html`<div
      class="read-out"
      role="slider"
      tabindex="0"
      aria-label=${label}
      aria-disabled=${waits ? 'true' : nothing}
      aria-valuemin=${x.least}
      aria-valuemax=${x.most}
      aria-valuenow=${at ?? x.least}
      aria-valuetext=${spoken}
      @keydown=${waits ? nothing : step}
      @pointermove=${look}
      @pointerdown=${look}
      @pointerleave=${() => this.leave?.()}
    >
      ${this.drawing(set)} ${this.readings(set)} ${beside}
    </div>`;
  }

  private drawing(set: LineSet) {
    const { lines, ground, size, room, classes, axes: names, below, above } = set;
    const { x, y, frame } = ground;
    const { width, height } = size;
    const classesOf = (name: string) => lines.find((line) => line.name === name)?.classes ?? '';
    return html`<svg
      class=${`plot ${classes}`}
      width=${width}
      height=${height}
      viewBox=${`0 0 ${width} ${height}`}
      aria-hidden="true"
    >
      ${clip(`${this.key}-clip`, frame)} ${axes(frame, x, y, names)} ${below}
      <g clip-path=${`url(#${this.key}-clip)`}>
        ${lines.map((line, index) => this.line(line, ground, [index, lines.length]))}
      </g>
      ${lineNames(placeNames(lines, ground, room), classesOf)} ${this.crossHair(set)} ${above}
    </svg>`;
  }

  private line(line: PlotLine, ground: LineSet['ground'], place: readonly [number, number]) {
    const { name, title, classes, paths, sampler, points } = line;
    return svg`<g class=${`line ${classes}`} data-line=${title}
      @pointerenter=${() => this.light?.(name)}
      @pointerleave=${() => this.light?.(undefined)}>
      ${strokes(paths)} ${sampler === undefined ? nothing : lineMarks(sampler, points, ground, place)}
      ${this.light ? svg`<path class="hit" data-passing d=${paths.upper}></path>` : nothing}
    </g>`;
  }

  private crossHair({ lines, ground: { x, y, frame }, at }: LineSet) {
    if (at === undefined || lines.length === 0) return nothing;
    const pixel = x.at(Math.max(x.least, at));
    const marks = lines.map((line) => {
      const height = heightAt(line, at, x);
      if (line.sampler === undefined || height < y.least || height > y.most) return nothing;
      return svg`<g class=${line.classes} data-passing>${mark(line.sampler, pixel, y.at(height), 4)}</g>`;
    });
    return svg`${crossLine(pixel, frame, this.cross === undefined)}${marks}`;
  }

  /**
   * The values at the cross-hair, from the highest line to the lowest: shown while the pointer or the keyboard
   * is on the plot. Screen readers have them as the plot's value.
   */
  private readings({ lines, ground: { x, frame }, size, at, head }: LineSet) {
    if (at === undefined || this.cross === undefined) return nothing;
    const sorted = lines.toSorted((a, b) => heightAt(b, at, x) - heightAt(a, at, x));
    const { left, right, top } = frame;
    const pixel = x.at(at);
    const isLeft = pixel < (left + right) / 2;
    const beside = isLeft ? `left: ${pixel + 10}px` : `right: ${size.width - pixel + 10}px`;
    // A narrow plot has little room between the place and its edge.
    const side = size.width > narrow ? beside : isLeft ? 'right: 0' : `left: ${left}px`;
    return html`<div class="reading" aria-hidden="true" .style=${`top: ${top + 6}px; ${side}`}>
      <p>${head}</p>
      ${sorted.map(
        ({ classes, short, value }) =>
          html`<svg class=${`line ${classes}`} width="14" height="12">
              <path class="edge" d="M0 6H14"></path>
            </svg>
            <span>${short}</span> <b>${value}</b>`,
      )}
    </div>`;
  }
}

/** In pixels. */
const narrow = 480;

const heightAt = ({ points }: PlotLine, at: number, x: Scale): number =>
  interpolate(points, at, (place) => x.at(place))?.upper ?? -1;

/** A plot's lines by their names, and what is read of them. */
export const keyOf = (head: unknown, rows: unknown) =>
  html`<div class="key" role="group" aria-label="Lines">
    <p class="key-head">${head}</p>
    ${rows}
    <p class="fine key-foot">Hover or use the arrow keys to read values.</p>
  </div>`;

export const keyRow = ({ text, classes }: Pick<PlotLine, 'text' | 'classes'>, value: unknown) =>
  html`<div class="key-row">
    <svg width="26" height="10" aria-hidden="true" class=${`line ${classes}`}>
      <path class="edge" d="M1 5H25"></path>
    </svg>
    <span>${text}</span>
    <span class="key-value">${value}</span>
  </div>`;
