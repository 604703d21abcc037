import { html } from 'lit';
import type { CallOptions, Engine } from '../../../wasm/client.js';
import { mixturesQueryFields } from '../../../wasm/generated/schema.js';
import type { Interval, MixturesAnswer, MixturesQuery } from '../../../wasm/generated/schema.js';
import { claim, format, formatInterval, givenAs } from '../../../wasm/words/numbers.js';
import { ofMixtures } from '../../../wasm/words/explored.js';
import { Explorable, styles, usualKeys } from './explorable.js';

export { styles };

/** Two mixtures of two Gaussians each: the truth, and what joint concavity proves of it. */
export default class Mixtures extends Explorable<MixturesAnswer> {
  override readonly defaults = {
    weight: '1/3',
    p1: '1',
    p2: '0',
    q1: '0',
    q2: '1',
    epsilon: '0.1, 0.25, 0.5',
    ...usualKeys,
  };

  protected override readonly key = 'mixtures';
  protected override readonly says = ofMixtures;
  protected override readonly fields = mixturesQueryFields;
  protected override readonly about =
    'A random choice that the adversary does not see, such as which batch or which clone, makes the output a mixture. Joint concavity bounds δ as if the choice were told; advanced joint concavity regroups the components first.';

  protected override ask(engine: Engine, query: MixturesQuery, options: CallOptions) {
    return engine.mixtures(query, options);
  }

  protected override sentence({ deltas, tradeOff }: MixturesAnswer): string {
    const [row] = deltas;
    if (!row) return `The best attack’s advantage is ${formatInterval(tradeOff.advantage)}.`;
    const { delta, joint, advancedJoint } = row.remove;
    return `At ${givenAs('ε', row.epsilon)}, ${claim('δ', delta)}; advanced joint concavity proves δ ≤ ${most(advancedJoint)}, joint concavity δ ≤ ${most(joint)}.`;
  }

  protected override remark() {
    return html`<p class="prose remark">
      Remove is <i>P</i> against <i>Q</i>, add <i>Q</i> against <i>P</i>. <i>γ</i> and <i>η</i> are
      the weights by which advanced joint concavity regroups the components.
    </p>`;
  }
}

const most = ({ upper }: Interval) => format(upper ?? 1, { side: 'up' });

customElements.define('he-mixtures', Mixtures);
