import { html, nothing, svg } from 'lit';
import { state } from 'lit/decorators.js';
import { axes, clip, plot, type Frame } from '../charts/axes.js';
import { interpolate } from '../charts/curve-geometry.js';
import { mark } from '../charts/glyphs.js';
import { placeNames, type Labelled } from '../charts/line-names.js';
import { crossLine, lineMarks, lineNames, strokes, type Paths } from '../charts/lines.js';
import type { Scale } from '../charts/scale.js';
import { Measured } from './measured.js';

/** A line as it is drawn, named along its points, and read at the cross-hair. */
export interface PlotLine extends Labelled {
  /** In a list of all lines: with what belongs to its name. */
  title: string;
  /** Its colour, its dashes, and how it stands beside the others. */
  classes: string;
  paths: Paths;
  /** Whose marks tell it apart without colour. */
  sampler?: string | undefined;
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
  /** Where the cross-hair stands, and in words. */
  at: number | undefined;
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

  /** Where a key leads: where places lie further apart than its step, to the next one. */
  private placeAfter(event: KeyboardEvent, { ground: { x }, at = x.least }: LineSet) {
    const from = x.at(Math.max(x.least, at));
    const here = this.placeAt(at, x);
    for (let stride = 1; ; ++stride) {
      const pixel = steppedTo(event, from, x, stride);
      if (pixel === undefined) return undefined;
      const to = x.invert(pixel);
      const next = this.placeAt(to, x);
      if (next !== here || to === x.least || to === x.most) return next;
    }
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
      ${this.drawing(set)} ${beside}
    </div>`;
  }

  private drawing(set: LineSet) {
    const { lines, ground, size, room, classes, axes: names, below, above } = set;
    const { x, y, frame } = ground;
    const classesOf = (name: string) => lines.find((line) => line.name === name)?.classes ?? '';
    const drawn = svg`${clip(`${this.key}-clip`, frame)} ${axes(frame, x, y, names)} ${below}
      <g clip-path=${`url(#${this.key}-clip)`}>
        ${lines.map((line, index) => this.line(line, ground, [index, lines.length]))}
      </g>
      ${lineNames(placeNames(lines, ground, room), classesOf)} ${this.crossHair(set)} ${above}`;
    return plot(size.width, size.height, drawn, classes);
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
}

/** In pixels. */
const steps = { usual: 8, shift: 40, page: 80 };

/** The pixel that a key moves to, `stride` steps away; undefined for other keys. */
function steppedTo({ key, shiftKey }: KeyboardEvent, at: number, x: Scale, stride: number) {
  const step = stride * (shiftKey ? steps.shift : steps.usual);
  const page = stride * steps.page;
  const places: Readonly<Record<string, number>> = {
    ...{ ArrowLeft: at - step, ArrowDown: at - step, ArrowRight: at + step, ArrowUp: at + step },
    ...{ PageDown: at - page, PageUp: at + page, Home: x.at(x.least), End: x.at(x.most) },
  };
  return places[key];
}

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
