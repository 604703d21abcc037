import { nothing, svg, type TemplateResult } from 'lit';
import type { Interval } from '../../../wasm/generated/schema.js';
import { samplerMarks, type Mark } from './sampler-picture.js';

/*
 * One glyph for each kind of number, the same in plot, table and legend. Colour comes from the enclosing
 * element's `--c`.
 */

const marks: Readonly<Record<string, Mark | undefined>> = samplerMarks;

/** The mark of a row or an entry, told apart without colour. */
export function mark(sampler: string, x: number, y: number, r: number): TemplateResult<2> {
  switch (sampler) {
    // Several phases: three bars; another release: a ring.
    case 'composition':
      return svg`<path class="mark" d=${`M${x - r} ${y - 0.9 * r}h${2 * r}v${0.45 * r}h${-2 * r}zM${x - r} ${y - 0.22 * r}h${2 * r}v${0.45 * r}h${-2 * r}zM${x - r} ${y + 0.45 * r}h${2 * r}v${0.45 * r}h${-2 * r}z`}></path>`;
    case 'release':
      return svg`<circle class="mark ring" cx=${x} cy=${y} r=${0.75 * r}></circle>`;
    default:
      return (marks[sampler] ?? samplerMarks.poisson)(x, y, r);
  }
}

const tick = (x: number, y: number, half: number, name = 'tick') =>
  svg`<line class=${name} x1=${x} x2=${x} y1=${y - half} y2=${y + half}></line>`;

export interface GlyphPlace {
  at: (value: number) => number;
  /** Where an open end fades out. */
  left: number;
  right: number;
  y: number;
  /** Half the height of an end's tick. */
  half: number;
  /** Unique in the document: names the gradient of an open end. */
  id: string;
}

/** No epsilon is below 0: a lower end of 0 proves nothing. */
export const openStart = ({ lower, upper }: Interval) =>
  lower === null || (lower === 0 && upper !== 0);

/** Where a bar that is open to the left has faded out. */
export const fadeStart = (left: number, end: number) =>
  Math.max(left, end - Math.max(48, (end - left) * 0.6));

export function intervalGlyph(
  interval: Interval,
  place: GlyphPlace,
): TemplateResult<2> | typeof nothing {
  const { at, left, right, y, half, id } = place;
  const { lower, upper, kind } = interval;
  const open = {
    left: openStart(interval),
    right: upper === null || upper === Infinity,
  };
  if (open.left && open.right) return nothing;
  const x0 = open.left ? left : at(lower ?? 0);
  const x1 = open.right ? right : at(upper ?? 0);
  const thick = half * 0.9;
  if (kind === 'estimate') {
    const x = (x0 + x1) / 2;
    return svg`
      <line class="estimate" x1=${x0} x2=${x1} y1=${y} y2=${y}></line>
      <circle class="hollow" cx=${x} cy=${y} r=${half * 0.6}></circle>`;
  }
  if (open.left || open.right) {
    const solid = open.left ? x1 : x0;
    const faded = open.left ? fadeStart(left, x1) : right;
    return svg`
      <linearGradient id=${id} gradientUnits="userSpaceOnUse" x1=${solid} x2=${faded} y1="0" y2="0">
        <stop class="stop" offset="0" stop-opacity="0.75"></stop>
        <stop class="stop" offset="1" stop-opacity="0"></stop>
      </linearGradient>
      <rect fill=${`url(#${id})`} x=${Math.min(solid, faded)} y=${y - thick / 2} width=${Math.abs(faded - solid)} height=${thick}></rect>
      ${tick(solid, y, half)}`;
  }
  // Narrower than a pixel: the two ends are one tick.
  if (x1 - x0 < 1) return tick((x0 + x1) / 2, y, half, 'tick alone');
  const hatched = kind === 'confidence';
  return svg`
    ${
      hatched
        ? svg`<pattern id=${id} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <line class="hatch" x1="0" x2="0" y1="0" y2="5"></line></pattern>`
        : nothing
    }
    <rect class=${hatched ? 'bar hatched' : 'bar'} fill=${hatched ? `url(#${id})` : nothing} x=${x0} y=${y - thick / 2} width=${x1 - x0} height=${thick}></rect>
    ${tick(x0, y, half)}${tick(x1, y, half)}`;
}

/** From an upper end to where it would be without the better theorem; `words` when it is pointed at. */
export const ghostGlyph = (from: number, to: number, y: number, half: number, words: string) =>
  svg`<g class="ghost">
    <title>${words}</title>
    <rect class="ghost-bar" x=${from} y=${y - 1.5} width=${to - from} height="3"></rect>
    ${tick(to, y, 0.8 * half, 'ghost-tick')}
  </g>`;

/** The value that a report states. */
export const reportedGlyph = (x: number, y: number, r: number) =>
  svg`<path class="reported" d=${`M${x} ${y - r}L${x + r} ${y}L${x} ${y + r}L${x - r} ${y}Z`}></path>`;
