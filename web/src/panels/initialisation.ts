import { html } from 'lit';
import type { CallOptions, Engine } from '../../../wasm/client.js';
import { initialisationQueryFields } from '../../../wasm/generated/schema.js';
import type { InitialisationAnswer, InitialisationQuery } from '../../../wasm/generated/schema.js';
import { claim, format, formatInterval, givenAs } from '../../../wasm/words/numbers.js';
import { ofInitialisation } from '../../../wasm/words/explored.js';
import { Explorable, styles, usualHints, usualKeys } from './explorable.js';

export { styles };

/** One noisy step from a random start, against what is said of it whatever the start. */
export default class Initialisation extends Explorable<InitialisationAnswer> {
  override readonly defaults = {
    offset: '1',
    clip: '1',
    'noise-multiplier': '1',
    examples: '1',
    epsilon: '0.1, 0.5, 1, 2',
    delta: '1e-5',
    ...usualKeys,
  };

  protected override readonly key = 'initialisation';
  protected override readonly says = ofInitialisation;
  protected override readonly fields = initialisationQueryFields;
  protected override readonly about =
    'A linear model takes one step of noisy gradient descent from a random start, N(0, 1). The start determines the gradient of the example, which is rarely as large as clipping allows.';
  protected override readonly hints = {
    clip: 'no clipping',
    noiseMultiplier: '1',
    examples: '1',
    ...usualHints,
  };

  protected override ask(engine: Engine, query: InitialisationQuery, options: CallOptions) {
    return engine.initialisation(query, options);
  }

  protected override sentence(answer: InitialisationAnswer): string {
    const { deltas, gdpMu, tradeOff } = answer;
    const [row] = deltas;
    if (!row) return `The best attack’s advantage is ${formatInterval(tradeOff.advantage)}.`;
    const own = `With the start drawn at random, ${claim('δ', row.delta)} at ${givenAs('ε', row.epsilon)}`;
    return row.gdp && gdpMu !== undefined
      ? `${own}; clipping alone (${format(gdpMu, { side: 'given' })}-GDP) gives ${claim('δ', row.gdp)}.`
      : `${own}. Without clipping there is no bound that ignores the starting point.`;
  }

  protected override remark({ renyiInfiniteFrom }: InitialisationAnswer) {
    const order = format(renyiInfiniteFrom, { side: 'nearest' });
    return html`<p class="prose remark">
      Without clipping the Rényi divergence is infinite from order ${order} on, while δ is below 1
      at every ε: the random start protects, but moments of too high an order cannot say so. “Output
      alone” is for an adversary who does not see the start.
    </p>`;
  }
}

customElements.define('he-initialisation', Initialisation);
