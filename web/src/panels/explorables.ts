import { html } from 'lit';
import {
  initialisationQueryFields,
  mixturesQueryFields,
  shuffleModelQueryFields,
} from '../../../wasm/generated/schema.js';
import type {
  InitialisationAnswer,
  InitialisationQuery,
  Interval,
  MixturesAnswer,
  MixturesQuery,
  ShuffleModelAnswer,
  ShuffleModelQuery,
} from '../../../wasm/generated/schema.js';
import { ofInitialisation, ofMixtures, ofShuffleModel } from '../../../wasm/words/explored.js';
import { claim, format, formatInterval, givenAs } from '../../../wasm/words/numbers.js';
import { explorable, styles } from './explorable.js';

const most = ({ upper }: Interval) => format(upper ?? 1, { side: 'up' });
const advantage = ({ advantage: value }: { advantage: Interval }) =>
  `The best attack’s advantage is ${formatInterval(value)}.`;

const ShuffleModel = explorable<ShuffleModelAnswer>({
  key: 'shuffle-model',
  about:
    'Not about shuffled batches: here each user randomises their own value first, and a shuffler hides who sent what. Some of the other outputs look like yours (“clones”) and hide it.',
  fields: shuffleModelQueryFields,
  defaults: {
    ...{ 'local-epsilon': '4', users: '10000', clone: 'standard', rounds: '1' },
    ...{ epsilon: '0.2, 0.4, 0.6, 0.8', delta: '1e-6' },
  },
  meanings: {
    standard: 'Valid for any ε₀-locally-private randomiser.',
    stronger:
      'Only for randomisers, such as randomised response, in which no output is more likely under two inputs than under a third.',
  },
  ask: (engine, query: ShuffleModelQuery, options) => engine.shuffleModel(query, options),
  says: ofShuffleModel,
  sentence({ cloneProbability, deltas, epsilons }) {
    const [byDelta] = epsilons;
    const [byEpsilon] = deltas;
    const clones = `Each other output is a clone with probability ${format(cloneProbability, { side: 'nearest' })}`;
    if (byDelta)
      return `After shuffling, ${claim('ε', byDelta.epsilon)} at ${givenAs('δ', byDelta.delta)}. ${clones}.`;
    if (byEpsilon)
      return `After shuffling, ${claim('δ', byEpsilon.delta)} at ${givenAs('ε', byEpsilon.epsilon)}. ${clones}.`;
    return `${clones}.`;
  },
  remark({ deltas, epsilons }) {
    const left = [...deltas, ...epsilons].some(({ closedForm }) => closedForm?.covered === false);
    return left
      ? html`<p class="prose remark">n/a: the closed form needs more users at this ε₀ and δ.</p>`
      : undefined;
  },
});

/** One noisy step from a random start, against what is said of it whatever the start. */
const Initialisation = explorable<InitialisationAnswer>({
  key: 'initialisation',
  about:
    'A linear model takes one step of noisy gradient descent from a random start, N(0, 1). The start determines the gradient of the example, which is rarely as large as clipping allows.',
  fields: initialisationQueryFields,
  defaults: {
    ...{ offset: '1', clip: '1', 'noise-multiplier': '1', examples: '1' },
    ...{ epsilon: '0.1, 0.5, 1, 2', delta: '1e-5' },
  },
  hints: { clip: 'no clipping', noiseMultiplier: '1', examples: '1' },
  ask: (engine, query: InitialisationQuery, options) => engine.initialisation(query, options),
  says: ofInitialisation,
  sentence({ deltas, gdpMu, tradeOff }) {
    const [row] = deltas;
    if (!row) return advantage(tradeOff);
    const own = `With the start drawn at random, ${claim('δ', row.delta)} at ${givenAs('ε', row.epsilon)}`;
    return row.gdp && gdpMu !== undefined
      ? `${own}; clipping alone (${format(gdpMu, { side: 'given' })}-GDP) gives ${claim('δ', row.gdp)}.`
      : `${own}. Without clipping there is no bound that ignores the starting point.`;
  },
  remark({ renyiInfiniteFrom }) {
    const order = format(renyiInfiniteFrom, { side: 'nearest' });
    return html`<p class="prose remark">
      Without clipping the Rényi divergence is infinite from order ${order} on, while δ is below 1
      at every ε: the random start protects, but moments of too high an order cannot say so. “Output
      alone” is for an adversary who does not see the start.
    </p>`;
  },
});

/** Two mixtures of two Gaussians each: the truth, and what joint concavity proves of it. */
const Mixtures = explorable<MixturesAnswer>({
  key: 'mixtures',
  about:
    'A random choice that the adversary does not see, such as which batch or which clone, makes the output a mixture. Joint concavity bounds δ as if the choice were told; advanced joint concavity regroups the components first.',
  fields: mixturesQueryFields,
  defaults: { weight: '1/3', p1: '1', p2: '0', q1: '0', q2: '1', epsilon: '0.1, 0.25, 0.5' },
  ask: (engine, query: MixturesQuery, options) => engine.mixtures(query, options),
  says: ofMixtures,
  sentence({ deltas, tradeOff }) {
    const [row] = deltas;
    if (!row) return advantage(tradeOff);
    const { delta, joint, advancedJoint } = row.remove;
    return `At ${givenAs('ε', row.epsilon)}, ${claim('δ', delta)}; advanced joint concavity proves δ ≤ ${most(advancedJoint)}, joint concavity δ ≤ ${most(joint)}.`;
  },
  remark: () =>
    html`<p class="prose remark">
      Remove is <i>P</i> against <i>Q</i>, add <i>Q</i> against <i>P</i>. <i>γ</i> and <i>η</i> are
      the weights by which advanced joint concavity regroups the components.
    </p>`,
});

export const shuffleModel = { default: ShuffleModel, styles };
export const initialisation = { default: Initialisation, styles };
export const mixtures = { default: Mixtures, styles };
