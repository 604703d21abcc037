import { html, svg, type TemplateResult } from 'lit';
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

const squaresOf = (name: SamplerName): string =>
  draws[name]
    .flatMap((row, down) =>
      Array.from(row, (sign, across) => {
        const kind = sign === '#' ? (across === followed ? 'taken followed' : 'taken') : '';
        const [x, y, side] = [across * cell + 0.5, down * cell + 0.5, cell - 1];
        return `<rect class="${kind}" x="${x}" y="${y}" width="${side}" height="${side}"/>`;
      }),
    )
    .join('');

const [width, height] = [cell * 6, cell * 3];

/** Which records are in which batches, for one draw as the sampler makes it. */
export const samplerPicture = (name: SamplerName): TemplateResult =>
  html`<svg
    class="sampler-picture"
    width=${width}
    height=${height}
    viewBox=${`0 0 ${width} ${height}`}
    aria-hidden="true"
    .innerHTML=${squaresOf(name)}
  ></svg>`;

/** The same as text, in its sampler's colour. */
export function drawnPicture(name: string): string {
  const sampler = (Object.keys(draws) as SamplerName[]).find((one) => one === name);
  if (sampler === undefined) throw new Error(`there is no sampler ${name}`);
  return `<svg class="sampler-picture s-${name}" viewBox="0 0 ${width} ${height}" aria-hidden="true">${squaresOf(sampler)}</svg>`;
}
