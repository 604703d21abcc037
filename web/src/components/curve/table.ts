import { html } from 'lit';
import { formatNumber } from '../../words/format.js';
import { nameOf, placeText, symbolOf } from './view.js';
import type { View } from './view.js';

const end = (value: number | null) => (value === null ? '–' : formatNumber(value, 4));

/** Every point of the curves that are drawn. */
export function table(view: View) {
  const { shown, field, value } = view;
  const [x, y] = [symbolOf(field), symbolOf(value)];
  return html`<details class="points">
    <summary>The points of these curves as a table</summary>
    <div class="scroll" tabindex="0" role="region" aria-label="Points of the curves">
      <table>
        <thead>
          <tr>
            <th scope="col">Curve</th>
            <th scope="col" class="figure">${x}</th>
            <th scope="col" class="figure">${y} at least</th>
            <th scope="col" class="figure">${y} at most</th>
          </tr>
        </thead>
        <tbody>
          ${shown.flatMap((curve) =>
            curve.points.map(
              ({ x, y }) =>
                html`<tr>
                  <th scope="row">${nameOf(view, curve)}</th>
                  <td class="figure">${placeText(field, x, 4)}</td>
                  <td class="figure">${end(y.lower)}</td>
                  <td class="figure">${end(y.upper)}</td>
                </tr>`,
            ),
          )}
        </tbody>
      </table>
    </div>
  </details>`;
}
