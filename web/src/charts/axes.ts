import { html, svg, type TemplateResult } from 'lit';
import type { Scale } from './scale.js';

export interface Frame {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

export const frameIn = (width: number, height: number, margin: Frame): Frame => ({
  left: margin.left,
  right: width - margin.right,
  top: margin.top,
  bottom: height - margin.bottom,
});

/** A drawing of so many pixels, for the eye alone. */
export const plot = (width: number, height: number, content: unknown, classes = '') =>
  html`<svg
    class=${`plot ${classes}`}
    width=${width}
    height=${height}
    viewBox=${`0 0 ${width} ${height}`}
    aria-hidden="true"
  >
    ${content}
  </svg>`;

/** Clips a drawing to its axes, with room for half a line's width. */
export const clip = (id: string, { left, right, top, bottom }: Frame): TemplateResult<2> =>
  svg`<clipPath id=${id}>
    <rect x=${left} y=${top - 2} width=${right - left + 2} height=${bottom - top + 3}></rect>
  </clipPath>`;

/** An axis's ticks and their labels, below `y`. */
export const ruler = (ticks: Scale['ticks'], y: number): TemplateResult<2>[] =>
  ticks.map(
    ({ x, label }) => svg`<line class="axis" x1=${x} x2=${x} y1=${y} y2=${y + 5}></line>
      <text class="tick-label" x=${x} y=${y + 19} text-anchor="middle">${label}</text>`,
  );

/** Both axes: hairlines at the ticks, their labels, and what is drawn along each. */
export function axes(
  { left, right, top, bottom }: Frame,
  x: Pick<Scale, 'ticks'>,
  y: Pick<Scale, 'ticks'>,
  names: { x: string; y: string },
): TemplateResult<2> {
  return svg`
    ${y.ticks.map(
      ({ x: at, label }) => svg`<line class="grid" x1=${left} x2=${right} y1=${at} y2=${at}></line>
        <text class="tick-label" x=${left - 8} y=${at + 4} text-anchor="end">${label}</text>`,
    )}
    ${x.ticks.map(({ x: at }) => svg`<line class="grid" x1=${at} x2=${at} y1=${top} y2=${bottom}></line>`)}
    ${ruler(x.ticks, bottom)}
    <line class="axis" x1=${left} x2=${right} y1=${bottom} y2=${bottom}></line>
    <text class="axis-label" x=${right} y=${bottom + 38} text-anchor="end">${names.x}</text>
    <text class="axis-label" x=${left - 30} y=${top - 12}>${names.y}</text>`;
}
