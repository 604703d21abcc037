import { html, nothing } from 'lit';
import { releaseKinds } from '../state/scenario.js';
import type { OtherRelease, ReleaseKind, ReleaseNumber } from '../state/scenario.js';
import { radios } from './fields.js';

const releaseLabels: Readonly<Record<ReleaseKind, string>> = {
  epsilon: '(ε, δ)',
  mu: 'μ-GDP',
  rho: 'ρ-zCDP',
  range: 'exponential mechanism',
};

/** Another release on the same budget: how it is stated, and the numbers that this takes. */
export function releaseForm(
  entry: OtherRelease,
  change: (change: { by: ReleaseKind }, key: string) => void,
  field: (name: ReleaseNumber) => unknown,
) {
  return html`
    ${radios({
      ...{ classes: 'small', name: 'release', seen: true },
      legend: 'Another release from the same data. Its guarantee:',
      values: Object.keys(releaseKinds) as ReleaseKind[],
      chosen: entry.by,
      label: (by) => releaseLabels[by],
      pick: (by) => change({ by }, 'release'),
    })}
    <div class="fields">
      ${releaseKinds[entry.by].map((name) => field(name))}
      ${
        entry.by === 'mu'
          ? html`<p class="consequence">
              Noise by matrix factorisation, without sampling: μ is the largest column norm divided
              by σ.
            </p>`
          : nothing
      }
    </div>
  `;
}
