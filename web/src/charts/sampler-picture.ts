import { html, svg } from 'lit';
import type { TemplateResult } from 'lit';
import type { SamplerName } from '../../../wasm/generated/schema.js';

/** Six records across, the three batches of an epoch down; the second record is followed. */
const draws: Readonly<Record<SamplerName, readonly string[]>> = {
  deterministic: ['##....', '..##..', '....##'],
  shuffle: ['...#.#', '##....', '..#.#.'],
  'balls-and-bins': ['..#...', '##.#..', '....##'],
  poisson: ['.#..#.', '.##..#', '....#.'],
  'without-replacement': ['.#..#.', '..#..#', '.#...#'],
};

export type Mark = (x: number, y: number, r: number) => TemplateResult<2>;
const path = (d: string) => svg`<path class="mark" d=${d}></path>`;

/** The mark that tells a sampler apart without colour. */
export const samplerMarks: Readonly<Record<SamplerName, Mark>> = {
  deterministic: (x, y, r) =>
    svg`<rect class="mark" x=${x - 0.85 * r} y=${y - 0.85 * r} width=${1.7 * r} height=${1.7 * r}></rect>`,
  shuffle: (x, y, r) => path(`M${x} ${y - r}L${x + 1.05 * r} ${y + 0.8 * r}H${x - 1.05 * r}Z`),
  'balls-and-bins': (x, y, r) => {
    const arm = 0.38 * r;
    return path(
      `M${x - arm} ${y - r}h${2 * arm}v${r - arm}h${r - arm}v${2 * arm}h${arm - r}v${r - arm}h${-2 * arm}v${arm - r}h${arm - r}v${-2 * arm}h${r - arm}Z`,
    );
  },
  poisson: (x, y, r) => svg`<circle class="mark" cx=${x} cy=${y} r=${0.95 * r}></circle>`,
  'without-replacement': (x, y, r) =>
    path(`M${x} ${y + r}L${x + 1.05 * r} ${y - 0.8 * r}H${x - 1.05 * r}Z`),
};

const cell = 7;
const followed = 1;

/** Which records are in which batches, for one draw as the sampler makes it. */
export function samplerPicture(name: SamplerName): TemplateResult {
  const rows = draws[name];
  const width = cell * 6;
  const height = cell * rows.length;
  const squares = rows.flatMap((row, down) =>
    Array.from(row, (sign, across) => {
      const kind = sign === '#' ? (across === followed ? 'taken followed' : 'taken') : '';
      return svg`<rect class=${kind} x=${across * cell + 0.5} y=${down * cell + 0.5} width=${cell - 1} height=${cell - 1}></rect>`;
    }),
  );
  return html`<svg
    class="sampler-picture"
    width=${width}
    height=${height}
    viewBox=${`0 0 ${width} ${height}`}
    aria-hidden="true"
  >
    ${squares}
  </svg>`;
}
