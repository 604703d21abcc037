import { html } from 'lit';
import type { CallOptions, Engine } from '../../../wasm/client.js';
import { shuffleModelQueryFields } from '../../../wasm/generated/schema.js';
import type { ShuffleModelAnswer, ShuffleModelQuery } from '../../../wasm/generated/schema.js';
import { claim, format, givenAs } from '../../../wasm/words/numbers.js';
import { ofShuffleModel } from '../../../wasm/words/explored.js';
import { Explorable, styles, usualKeys } from './explorable.js';

export { styles };

export default class ShuffleModel extends Explorable<ShuffleModelAnswer> {
  override readonly defaults = {
    'local-epsilon': '4',
    users: '10000',
    clone: 'standard',
    rounds: '1',
    epsilon: '0.2, 0.4, 0.6, 0.8',
    delta: '1e-6',
    ...usualKeys,
  };

  protected override readonly key = 'shuffle-model';
  protected override readonly says = ofShuffleModel;
  protected override readonly fields = shuffleModelQueryFields;
  protected override readonly about =
    'Not about shuffled batches: here each user randomises their own value first, and a shuffler hides who sent what. Some of the other outputs look like yours (“clones”) and hide it.';
  protected override readonly meanings = {
    standard: 'Valid for any ε₀-locally-private randomiser.',
    stronger:
      'Only for randomisers, such as randomised response, in which no output is more likely under two inputs than under a third.',
  };

  protected override ask(engine: Engine, query: ShuffleModelQuery, options: CallOptions) {
    return engine.shuffleModel(query, options);
  }

  protected override sentence({ cloneProbability, deltas, epsilons }: ShuffleModelAnswer): string {
    const [byDelta] = epsilons;
    const [byEpsilon] = deltas;
    const clones = `Each other output is a clone with probability ${format(cloneProbability, { side: 'nearest' })}`;
    if (byDelta) {
      return `After shuffling, ${claim('ε', byDelta.epsilon)} at ${givenAs('δ', byDelta.delta)}. ${clones}.`;
    }
    if (byEpsilon) {
      return `After shuffling, ${claim('δ', byEpsilon.delta)} at ${givenAs('ε', byEpsilon.epsilon)}. ${clones}.`;
    }
    return `${clones}.`;
  }

  protected override remark({ deltas, epsilons }: ShuffleModelAnswer) {
    const left = [...deltas, ...epsilons].some(({ closedForm }) => closedForm?.covered === false);
    return left
      ? html`<p class="prose remark">n/a: the closed form needs more users at this ε₀ and δ.</p>`
      : undefined;
  }
}

customElements.define('he-shuffle-model', ShuffleModel);
