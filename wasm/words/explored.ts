/** What the shuffle model, random starts and mixtures answer: curves and tables, for page and command. */

import { format, formatInterval, given, type Setting } from './numbers.js';
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

/** A cell as it is read; `nothing` where there is none. */
export function cellText(cell: ExploredCell, nothing: string, setting?: Setting): string {
  if (cell === undefined || typeof cell === 'string') return cell ?? nothing;
  if ('kind' in cell) return formatInterval(cell);
  if ('given' in cell) return given(cell.given, setting);
  if ('rounded' in cell) return format(cell.rounded, { side: 'nearest' });
  if ('about' in cell) return `≈ ${format(cell.about, { side: 'nearest' })}`;
  return `≤ ${format(cell.atMost, { side: 'up' })}`;
}

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

/** A table by its columns: the heading of each, and what it says of a row. */
const tableOf = <Row>(
  caption: string,
  rows: readonly Row[],
  columns: Readonly<Record<string, (row: Row) => ExploredCell>>,
): ExploredTable => ({
  caption,
  heads: Object.keys(columns),
  rows: rows.map((row) => Object.values(columns).map((cell) => cell(row))),
});

export const ofShuffleModel: Explored<ShuffleModelAnswer> = {
  bands: concavities,
  tables: ({ deltas, epsilons }) => [
    tableOf('δ at each ε', deltas, {
      ε: ({ epsilon }) => ({ given: epsilon }),
      exact: ({ delta }) => delta,
      [advanced]: ({ advancedJoint }) => advancedJoint,
      [plainly]: ({ joint }) => joint,
      'closed form': ({ closedForm }) => closed(closedForm),
    }),
    tableOf('ε at each δ', epsilons, {
      δ: ({ delta }) => ({ given: delta }),
      exact: ({ epsilon }) => epsilon,
      [advanced]: ({ advancedJoint }) => advancedJoint,
      'closed form': ({ closedForm }) => closed(closedForm),
    }),
  ],
};

const gdpName = (mu: number) => `${given(mu)}-GDP`;

export const ofInitialisation: Explored<InitialisationAnswer> = {
  bands: ({ tradeOff, gdp, gdpMu = 0 }) => [
    ...bandOf('random-start', 'random start', tradeOff),
    ...bandOf('gdp', gdpName(gdpMu), gdp),
  ],
  tables({ deltas, epsilons, gdpMu }) {
    const whole =
      gdpMu === undefined ? {} : { [gdpName(gdpMu)]: ({ gdp }: { gdp?: Interval }) => gdp };
    return [
      tableOf('δ at each ε', deltas, {
        ε: ({ epsilon }) => ({ given: epsilon }),
        'random start': ({ delta }) => delta,
        ...whole,
      }),
      tableOf('ε at each δ', epsilons, {
        δ: ({ delta }) => ({ given: delta }),
        'random start': ({ epsilon }) => epsilon,
        ...whole,
      }),
    ];
  },
  /** What is left of privacy when nothing is clipped. */
  further: ({ unclipped, renyi }) => [
    tableOf('The same step without clipping', unclipped, {
      ε: ({ epsilon }) => ({ given: epsilon }),
      δ: ({ delta }) => delta,
      'output alone, remove': ({ outputRemove }) => ({ about: outputRemove }),
      'output alone, add': ({ outputAdd }) => ({ about: outputAdd }),
    }),
    tableOf('Its Rényi divergence', renyi, {
      order: ({ order }) => ({ given: order }),
      unclipped: ({ unclipped: about }) => (about === undefined ? 'infinite' : { about }),
      clipped: ({ clipped: atMost }) => (atMost === undefined ? undefined : { atMost }),
    }),
  ],
};

export const ofMixtures: Explored<MixturesAnswer> = {
  bands: concavities,
  tables({ deltas }) {
    const rows = deltas.flatMap(({ epsilon, remove, add }) => [
      { epsilon, direction: 'remove', ...remove },
      { epsilon, direction: 'add', ...add },
    ]);
    return [
      tableOf('δ at each ε', rows, {
        ε: ({ epsilon }) => ({ given: epsilon }),
        direction: ({ direction }) => direction,
        exact: ({ delta }) => delta,
        [advanced]: ({ advancedJoint }) => advancedJoint,
        [plainly]: ({ joint }) => joint,
        γ: ({ gamma }) => ({ rounded: gamma }),
        η: ({ eta }) => ({ rounded: eta }),
      }),
    ];
  },
};
