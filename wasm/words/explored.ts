/** What the shuffle model, random starts and mixtures answer: curves and tables, for page and command. */

import { given } from './numbers.js';
import type {
  Band,
  InitialisationAnswer,
  Interval,
  MixturesAnswer,
  ShuffleModelAnswer,
} from '../generated/schema.js';

/** A number and what is known of it: given, rounded, an estimate, or an upper end. */
export type ExploredCell =
  | Interval
  | { given: number }
  | { rounded: number }
  | { about: number }
  | { atMost: number }
  | string
  | undefined;

export interface ExploredTable {
  caption: string;
  heads: readonly string[];
  rows: readonly (readonly ExploredCell[])[];
}

/** A curve, with its name in files and in words. */
export type ExploredBand = { name: string; label: string } & Band;

/** What an answer says: its curves, its tables, and those that follow the curves. */
export interface Explored<A> {
  bands: (answer: A) => readonly ExploredBand[];
  tables: (answer: A) => readonly ExploredTable[];
  further?: (answer: A) => readonly ExploredTable[];
}

const advanced = 'advanced joint concavity';
const plainly = 'joint concavity';

const bandOf = (name: string, label: string, band: Band | undefined): ExploredBand[] =>
  band ? [{ name, label, ...band }] : [];

interface Concavities {
  tradeOff: Band;
  advancedJoint?: Band;
  joint?: Band;
}

const concavities = ({ tradeOff, advancedJoint, joint }: Concavities): ExploredBand[] => [
  ...bandOf('exact', 'exact', tradeOff),
  ...bandOf('advanced-joint', advanced, advancedJoint),
  ...bandOf('joint', plainly, joint),
];

const closed = (form: ShuffleModelAnswer['deltas'][number]['closedForm']): ExploredCell =>
  form && (form.covered ? { atMost: form.value } : 'n/a');

export const ofShuffleModel: Explored<ShuffleModelAnswer> = {
  bands: concavities,
  tables: ({ deltas, epsilons }) => [
    {
      caption: 'δ at each ε',
      heads: ['ε', 'exact', advanced, plainly, 'closed form'],
      rows: deltas.map(({ epsilon, delta, advancedJoint, joint, closedForm }) => [
        { given: epsilon },
        delta,
        advancedJoint,
        joint,
        closed(closedForm),
      ]),
    },
    {
      caption: 'ε at each δ',
      heads: ['δ', 'exact', advanced, 'closed form'],
      rows: epsilons.map(({ delta, epsilon, advancedJoint, closedForm }) => [
        { given: delta },
        epsilon,
        advancedJoint,
        closed(closedForm),
      ]),
    },
  ],
};

const gdpName = (mu: number) => `${given(mu)}-GDP`;

export const ofInitialisation: Explored<InitialisationAnswer> = {
  bands: ({ tradeOff, gdp, gdpMu = 0 }) => [
    ...bandOf('random-start', 'random start', tradeOff),
    ...bandOf('gdp', gdpName(gdpMu), gdp),
  ],
  tables({ deltas, epsilons, gdpMu }) {
    const whole = gdpMu === undefined ? [] : [gdpName(gdpMu)];
    return [
      {
        caption: 'δ at each ε',
        heads: ['ε', 'random start', ...whole],
        rows: deltas.map(({ epsilon, delta, gdp }) => [
          { given: epsilon },
          delta,
          ...(gdp ? [gdp] : []),
        ]),
      },
      {
        caption: 'ε at each δ',
        heads: ['δ', 'random start', ...whole],
        rows: epsilons.map(({ delta, epsilon, gdp }) => [
          { given: delta },
          epsilon,
          ...(gdp ? [gdp] : []),
        ]),
      },
    ];
  },
  /** What is left of privacy when nothing is clipped. */
  further: ({ unclipped, renyi }) => [
    {
      caption: 'The same step without clipping',
      heads: ['ε', 'δ', 'output alone, remove', 'output alone, add'],
      rows: unclipped.map(({ epsilon, delta, outputRemove, outputAdd }) => [
        { given: epsilon },
        delta,
        { about: outputRemove },
        { about: outputAdd },
      ]),
    },
    {
      caption: 'Its Rényi divergence',
      heads: ['order', 'unclipped', 'clipped'],
      rows: renyi.map((row) => [
        { given: row.order },
        row.unclipped === undefined ? 'infinite' : { about: row.unclipped },
        row.clipped === undefined ? undefined : { atMost: row.clipped },
      ]),
    },
  ],
};

export const ofMixtures: Explored<MixturesAnswer> = {
  bands: concavities,
  tables: ({ deltas }) => [
    {
      caption: 'δ at each ε',
      heads: ['ε', 'direction', 'exact', advanced, plainly, 'γ', 'η'],
      rows: deltas.flatMap(({ epsilon, ...both }) =>
        (['remove', 'add'] as const).map((direction) => {
          const { delta, advancedJoint, joint, gamma, eta } = both[direction];
          return [
            { given: epsilon },
            direction,
            delta,
            advancedJoint,
            joint,
            { rounded: gamma },
            { rounded: eta },
          ];
        }),
      ),
    },
  ],
};
