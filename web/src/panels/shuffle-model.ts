import { html, nothing } from 'lit';
import type { CallOptions, Engine } from '../../../wasm/client.js';
import { shuffleModelQueryFields } from '../../../wasm/generated/schema.js';
import type {
  ClosedForm,
  ShuffleModelAnswer,
  ShuffleModelQuery,
} from '../../../wasm/generated/schema.js';
import { formatGiven, formatInterval, formatNumber, givenAs } from '../../../wasm/words/numbers.js';
import { Explorable, grid, styles } from './explorable.js';
import type { ReadBand } from './explorable.js';

export { styles };

/** What shuffling makes of local randomisers, and what is proved of it. */
export default class ShuffleModel extends Explorable<ShuffleModelAnswer> {
  override readonly defaults = {
    'local-epsilon': '4',
    users: '10000',
    clone: 'standard',
    rounds: '1',
    epsilon: '0.2, 0.4, 0.6, 0.8',
    delta: '1e-6',
    'false-positive-rates': '',
    priors: '',
    axis: '',
  };

  protected override readonly key = 'shuffle-model';
  protected override readonly fields = shuffleModelQueryFields;
  protected override readonly about =
    'Not about shuffled batches: here each user randomises their own value first, and a shuffler hides who sent which. Each output of the others is, with some probability, a clone of the one in question, and the clones hide it.';
  protected override readonly hints = { falsePositiveRates: '0.001, 0.01', priors: '0.5' };
  protected override readonly meanings = {
    standard: 'Valid for any ε₀-locally-private randomiser.',
    stronger:
      'Holds for restricted randomisers alone: no output may be likelier under two inputs than under a third, as in randomised response.',
  };

  protected override ask(engine: Engine, query: ShuffleModelQuery, options: CallOptions) {
    return engine.shuffleModel(query, options);
  }

  protected override sentence({ cloneProbability, deltas, epsilons }: ShuffleModelAnswer): string {
    const [byDelta] = epsilons;
    const [byEpsilon] = deltas;
    const clones = `Each other output is a clone with probability ${formatNumber(cloneProbability, 'nearest')}`;
    if (byDelta) {
      return `After shuffling, ε = ${formatInterval(byDelta.epsilon)} at ${givenAs('δ', byDelta.delta)}. ${clones}.`;
    }
    if (byEpsilon) {
      return `After shuffling, δ = ${formatInterval(byEpsilon.delta)} at ${givenAs('ε', byEpsilon.epsilon)}. ${clones}.`;
    }
    return `${clones}.`;
  }

  protected override tables({ deltas, epsilons }: ShuffleModelAnswer) {
    const left = [...deltas, ...epsilons].some(
      ({ closedForm }) => closedForm !== undefined && !closedForm.covered,
    );
    return html`${grid(
      'δ at each ε',
      ['ε', 'exact', 'advanced joint concavity', 'joint concavity', 'closed form'],
      deltas.map((row) => [
        formatGiven(row.epsilon),
        ...[row.delta, row.advancedJoint, row.joint],
        closed(row.closedForm),
      ]),
    )}
    ${grid(
      'ε at each δ',
      ['δ', 'exact', 'advanced joint concavity', 'closed form'],
      epsilons.map((row) => [
        formatGiven(row.delta),
        ...[row.epsilon, row.advancedJoint],
        closed(row.closedForm),
      ]),
    )}
    ${
      left
        ? html`<p class="remark">n/a: the closed form needs more users at this ε₀ and δ.</p>`
        : nothing
    }`;
  }

  protected override bands({ tradeOff, advancedJoint, joint }: ShuffleModelAnswer): ReadBand[] {
    return [
      { name: 'exact', label: 'exact', ...tradeOff },
      ...(advancedJoint
        ? [{ name: 'advanced-joint', label: 'advanced joint concavity', ...advancedJoint }]
        : []),
      ...(joint ? [{ name: 'joint', label: 'joint concavity', ...joint }] : []),
    ];
  }
}

function closed(form: ClosedForm | undefined): string | undefined {
  if (!form) return undefined;
  return form.covered ? `≤ ${formatNumber(form.value, 'up')}` : 'n/a';
}

customElements.define('he-shuffle-model', ShuffleModel);
