import { nothing, svg } from 'lit';
import type { TemplateResult } from 'lit';
import type { Label } from './curve-geometry.js';
import type { Frame } from './axes.js';

/** A line's edges and what lies between them; '' for what is not to be seen. */
export interface Paths {
  band: string;
  upper: string;
  lower: string;
}

/** Everything that is known of a line, in the colour of the group around it. */
export const strokes = ({ band, upper, lower }: Paths): TemplateResult<2> => svg`
  ${band ? svg`<path class="band" d=${band}></path>` : nothing}
  ${lower ? svg`<path class="edge" d=${lower}></path>` : nothing}
  ${upper ? svg`<path class="edge" d=${upper}></path>` : nothing}`;

/** Names beside their lines. */
export const lineNames = (
  labels: ReadonlyMap<string, Label>,
  isQuiet: (name: string) => boolean = () => false,
): TemplateResult<2>[] =>
  [...labels].map(
    ([name, { x, y, anchor, text }]) =>
      svg`<text class=${isQuiet(name) ? 'line-label quiet' : 'line-label'} x=${x} y=${y + 4.5} text-anchor=${anchor}>${text}</text>`,
  );

/** Where the reader looks, which no export keeps; `resting` where nobody has put it there. */
export const crossLine = (x: number, { top, bottom }: Frame, resting = false): TemplateResult<2> =>
  svg`<line class=${resting ? 'cross resting' : 'cross'} data-passing x1=${x} x2=${x} y1=${top} y2=${bottom}></line>`;
