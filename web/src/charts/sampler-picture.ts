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
