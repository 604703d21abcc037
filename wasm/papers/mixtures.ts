/** Unified Enhancement of Privacy Bounds for Mixture Mechanisms via f-Differential Privacy, 2023. */

import { EngineError } from '../errors.js';
import type {
  Band,
  ClosedForm,
  InitialisationAnswer,
  InitialisationQuery,
  Interval,
  ShuffleDelta,
  ShuffleModelAnswer,
  ShuffleModelQuery,
} from '../generated/schema.js';
import { counted } from './ask.js';
import { paperOf, stated } from './paper.js';
import type {
  NumberAsked,
  Axis,
  Claim,
  SeriesPoint,
  Exhibit,
  FigurePanel,
  Series,
  AskedEngine,
  WholeSeries,
} from './shape.js';
import { lineOf } from './polygons.js';

const paper = paperOf('WS23');

/** The clone that the paper builds on. */
const clone = 'stronger' as const;

const shuffled = (query: ShuffleModelQuery, source: AskedEngine) =>
  source.once({ shuffleModel: query }, () => source.engine.shuffleModel(query, source.call));

const started = (query: InitialisationQuery, source: AskedEngine) =>
  source.once({ initialisation: query }, () => source.engine.initialisation(query, source.call));

function askShuffled(
  query: ShuffleModelQuery,
  read: (answer: ShuffleModelAnswer) => Interval | undefined,
): NumberAsked {
  return {
    question: { shuffleModel: query },
    async find(source) {
      const answer = await shuffled(query, source);
      const value = read(answer);
      if (!value) throw new EngineError('engine-failed', 'the answer lacks what was asked');
      return { value, milliseconds: answer.work.milliseconds };
    },
  };
}

/**
 * The value of a closed form: a bound where its theorem covers the question, else only a number.
 */
const formula = (closed: ClosedForm | undefined): Interval | undefined =>
  closed && {
    lower: closed.value,
    upper: closed.value,
    kind: closed.covered ? 'bound' : 'estimate',
  };

/** The errors that an (epsilon, delta) guarantee allows a test: two lines that meet. */
function guarantee(epsilon: number, delta: number): SeriesPoint[] {
  const corner = (1 - delta) / (1 + Math.exp(epsilon));
  const points: [number, number][] = [
    [0, 1 - delta],
    [corner, corner],
    [1 - delta, 0],
    [1, 0],
  ];
  return points.map(([x, y]) => ({ x, y: { lower: y, upper: null, kind: 'bound' } }));
}

function whole<Answer extends { work: { milliseconds: number } }>(
  label: string,
  question: unknown,
  ask: (source: AskedEngine) => Promise<Answer>,
  line: (answer: Answer) => readonly SeriesPoint[],
  dashed = false,
): WholeSeries {
  return {
    label,
    dashed,
    question,
    async draw(source) {
      const answer = await ask(source);
      return { line: line(answer), milliseconds: answer.work.milliseconds };
    },
  };
}

const rates = (to: number): { x: Axis; y: Axis } => ({
  x: { label: 'α', scale: 'linear', from: 0, to },
  y: { label: 'β', scale: 'linear', from: to === 1 ? 0 : 1 - 2 * to, to: 1 },
});

const shuffledLine = (
  label: string,
  query: ShuffleModelQuery,
  line: (answer: ShuffleModelAnswer) => readonly SeriesPoint[],
  dashed = false,
) => whole(label, { shuffleModel: query }, (source) => shuffled(query, source), line, dashed);

const provedBy = (band: Band | undefined): SeriesPoint[] =>
  band ? lineOf({ ...band, upper: [] }) : [];

const users = 10_000;
const usualDelta = users ** -1.5;

const figure1Query = (localEpsilon: number): ShuffleModelQuery => ({
  localEpsilon,
  users,
  clone,
  delta: usualDelta,
});

function figure1Panel(localEpsilon: number): FigurePanel {
  const query = figure1Query(localEpsilon);
  return {
    title: `ε₀ = ${String(localEpsilon)}, n = 10,000`,
    ...rates(1),
    series: [
      shuffledLine('exact', query, ({ tradeOff }) => lineOf(tradeOff)),
      shuffledLine('Theorem 4.2', query, ({ advancedJoint }) => provedBy(advancedJoint), true),
      ...(localEpsilon > 4.4445
        ? []
        : [
            shuffledLine('(ε, δ) of [23]', query, ({ epsilons }) => {
              const closed = epsilons[0]?.closedForm;
              return closed?.covered ? guarantee(closed.value, usualDelta) : [];
            }),
          ]),
    ],
  };
}

const figure1: Exhibit = {
  id: 'fd-fig1',
  paper,
  name: 'Figure 1',
  title: 'Shuffled local randomisers: the trade-off function and (ε, δ)',
  caption:
    'False negative over false positive rate of any test for one user’s input, n = 10,000, beside what an (ε, 10⁻⁶) guarantee allows that Feldman, McMillan and Talwar prove (2023, the paper’s [23]). Nearer to the diagonal is more private. The paper does not print which ε₀ it draws; we chose these. Beyond ε₀ = 4.444 the guarantee’s condition fails. All of it is for the “stronger clone”, which holds for randomised response and its like only.',
  panels: [2, 4.444, 6].map(figure1Panel),
  claims: [
    stated(
      'largest ε₀ that the condition of [23] allows',
      'about',
      '4.444',
      counted(
        'log(n / (8 log(2 / δ)) − 1)',
        Number(Math.log(users / (8 * Math.log(2 / usualDelta)) - 1).toPrecision(6)),
      ),
    ),
  ],
  explores: { asks: 'shuffleModel', query: figure1Query(4.444) },
};

const setting: ShuffleModelQuery = { localEpsilon: 4.444, users, clone };

interface Column {
  epsilon: number;
  closed?: string;
  ours: string;
}

/** Three cells of the first row are blank in the text. */
const columns1: readonly Column[] = [
  { epsilon: 0.5, ours: '3e-6' },
  { epsilon: 0.6, ours: '1e-7' },
  { epsilon: 0.7, closed: '0.1038', ours: '4e-9' },
  { epsilon: 0.8, ours: '9e-11' },
  { epsilon: 0.9, closed: '0.0018', ours: '2e-12' },
  { epsilon: 1, closed: '8e-5', ours: '2e-14' },
];

const deltaAt = (epsilon: number): ShuffleModelQuery => ({ ...setting, epsilon });

const cells1 = columns1.flatMap(({ epsilon, closed, ours }): Claim[] => {
  const row = `ε = ${String(epsilon)}`;
  const query = deltaAt(epsilon);
  const inColumn = (
    column: string,
    printed: string,
    read: (delta: ShuffleDelta) => Interval | undefined,
    more: Partial<Claim> = {},
  ) => {
    const ask = askShuffled(query, ({ deltas: [delta] }) => delta && read(delta));
    return stated(`${column}, ${row}`, '=', printed, ask, { cell: { row, column }, ...more });
  };
  const beyond: Partial<Claim> = {
    expected: 'paper-wrong',
    reason: '0.1038 belongs to ε₀ = 4.4445, the end of the condition.',
  };
  const by23 = ({ closedForm }: ShuffleDelta) => formula(closedForm);
  return [
    ...(closed === undefined
      ? []
      : [inColumn('δ of [23]', closed, by23, closed === '0.1038' ? beyond : {})]),
    inColumn('δ by Corollary 4.3', ours, ({ advancedJoint }) => advancedJoint),
  ];
});

/** Delta over epsilon, all points in one question. */
function deltaLine(
  label: string,
  read: (delta: ShuffleDelta) => Interval | undefined,
  dashed = false,
): Series {
  const epsilon = Array.from({ length: 19 }, (_, index) => 0.1 + index * 0.05);
  return shuffledLine(
    label,
    { ...setting, epsilon },
    ({ deltas }) =>
      deltas.flatMap((delta) => {
        const y = read(delta);
        return y ? [{ x: delta.epsilon, y }] : [];
      }),
    dashed,
  );
}

const table1: Exhibit = {
  id: 'fd-table1',
  paper,
  name: 'Table 1',
  title: 'δ of shuffled randomisers by three bounds',
  caption:
    'ε₀ = 4.444, n = 10,000: the closed form of Feldman, McMillan and Talwar (2023, the paper’s [23]), the paper’s own Corollary 4.3 (at its best threshold: as printed it may fall below the truth), and the exact δ of the same pair, which is below both.',
  panels: [
    {
      title: 'δ vs ε',
      x: { label: 'ε', scale: 'linear', from: 0.1, to: 1 },
      y: { label: 'δ', scale: 'log', from: 1e-14, to: 1 },
      series: [
        deltaLine('closed form of [23]', ({ closedForm }) => formula(closedForm), true),
        deltaLine('Corollary 4.3', ({ advancedJoint }) => advancedJoint),
        deltaLine('exact', ({ delta }) => delta),
      ],
    },
  ],
  claims: cells1,
  explores: {
    asks: 'shuffleModel',
    query: { ...setting, epsilon: columns1.map(({ epsilon }) => epsilon) },
  },
};

interface Row2 {
  delta: number;
  row: string;
  ours: string;
  upper: string;
  lower: string;
}

const rows2: readonly Row2[] = [
  { delta: 5e-5, row: '5 × 10⁻⁵', ours: '0.4', upper: '1.014', lower: '0.369' },
  { delta: 3e-6, row: '3 × 10⁻⁶', ours: '0.5', upper: '1.085', lower: '0.470' },
  { delta: 1e-7, row: '10⁻⁷', ours: '0.6', upper: 'none', lower: '0.575' },
  { delta: 4e-9, row: '4 × 10⁻⁹', ours: '0.7', upper: 'none', lower: '0.664' },
  { delta: 9e-11, row: '9 × 10⁻¹¹', ours: '0.8', upper: 'none', lower: '0.758' },
];

const cells2 = rows2.flatMap(({ delta, row, ours, upper, lower }): Claim[] => {
  const query: ShuffleModelQuery = { ...setting, delta };
  const head = `δ = ${row}`;
  const cell = (column: string) => ({ row: head, column });
  const [byPaper, by23, search] = ['ε by Corollary 4.3', 'upper bound of [23]', 'lower bound'];
  return [
    stated(
      `${byPaper}, ${head}`,
      '=',
      ours,
      askShuffled(query, ({ epsilons }) => epsilons[0]?.advancedJoint),
      { cell: cell(byPaper) },
    ),
    stated(
      `${by23}, ${head}`,
      '=',
      upper === 'none' ? '4.444' : upper,
      askShuffled(query, ({ epsilons: [found] }) => {
        const closed = found?.closedForm;
        // Where its condition fails, only the randomiser's own guarantee is left.
        if (closed?.covered === false) return formula({ value: 4.444, covered: false });
        return formula(closed);
      }),
      { cell: cell(by23) },
    ),
    stated(
      `${search}, ${head}`,
      '>=',
      lower,
      askShuffled(query, ({ epsilons }) => epsilons[0]?.epsilon),
      {
        expected: 'paper-looser',
        reason:
          'The lower bounds come from a search that the paper does not describe; shown beside them is the exact ε of the pair, which is above each.',
        cell: cell(search),
      },
    ),
  ];
});

const table2: Exhibit = {
  id: 'fd-table2',
  paper,
  name: 'Table 2',
  title: 'ε of shuffled randomisers by three bounds',
  caption:
    'ε₀ = 4.444, n = 10,000, at the δ of Table 1’s second row. Where the condition of [23] fails the paper prints ε₀ itself.',
  panels: [],
  claims: cells2,
  explores: {
    asks: 'shuffleModel',
    query: { ...setting, delta: rows2.map(({ delta }) => delta) },
  },
};

const figure2Query = (clip: number): InitialisationQuery => ({
  offset: 1,
  clip,
  noiseMultiplier: 1,
});

function figure2Panel(clip: number): FigurePanel {
  const query = figure2Query(clip);
  const line = (
    label: string,
    read: (answer: InitialisationAnswer) => readonly SeriesPoint[],
    dashed = false,
  ) => whole(label, { initialisation: query }, (source) => started(query, source), read, dashed);
  return {
    title: `c = ${String(clip)}`,
    ...rates(1),
    series: [
      line('random start', ({ tradeOff }) => lineOf(tradeOff)),
      line('c-GDP', ({ gdp }) => (gdp ? lineOf(gdp) : []), true),
    ],
  };
}

const figure2: Exhibit = {
  id: 'fd-fig2',
  paper,
  name: 'Figure 2',
  title: 'What a random start adds to one step of DP-GD',
  caption:
    'A linear model with a = 1, gradients clipped at c, σ = 1, started at a standard normal point: the trade-off function of Theorem 5.1 beside c-GDP, which disregards the start. The gain grows with c. The text does not print which c are drawn; we chose them.',
  panels: [0.5, 1, 2].map(figure2Panel),
  claims: [],
  explores: { asks: 'initialisation', query: figure2Query(1) },
};

/** The mixture has weight 1/3 where e^eps0 = 2. */
const third = (people: number): ShuffleModelQuery => ({
  localEpsilon: Math.log(2),
  users: people,
  clone,
  epsilon: 0.5,
});

function figure3Panel(title: string, to: number): FigurePanel {
  const query = third(94);
  return {
    title,
    ...rates(to),
    series: [
      shuffledLine('exact', query, ({ tradeOff }) => lineOf(tradeOff)),
      shuffledLine('advanced', query, ({ advancedJoint }) => provedBy(advancedJoint), true),
      shuffledLine('joint', query, ({ joint }) => provedBy(joint)),
    ],
  };
}

const noCount =
  'The caption names no n, and none gives both of its numbers: the first asks for 94, the second for 110.';

const figure3Claims = [94, 110].flatMap((people): Claim[] => {
  const guess = `n = ${String(people)}`;
  const proved = (lemma: 'advanced joint' | 'joint', printed: string, fits: number) =>
    stated(
      `δ at ε = 0.5 by ${lemma} concavity, ${guess}`,
      '=',
      printed,
      askShuffled(
        third(people),
        ({ deltas }) => deltas[0]?.[lemma === 'joint' ? 'joint' : 'advancedJoint'],
      ),
      { guess, ...(people === fits ? {} : { expected: 'paper-wrong', reason: noCount }) },
    );
  return [proved('advanced joint', '1.5e-6', 94), proved('joint', '0.0020', 110)];
});

const figure3: Exhibit = {
  id: 'fd-fig3',
  paper,
  name: 'Figure 3',
  title: 'Joint and advanced joint concavity',
  caption:
    'The shuffle model’s two mixtures with weight w = 1/3, and what Lemma 3.1 (joint) and Lemma 6.3 (advanced) prove of them: where α is small, which is what small δ are read off, only the advanced one is of use. Drawn for n = 94, since the caption names none.',
  panels: [figure3Panel('The corner of small α', 0.05), figure3Panel('All of it', 1)],
  claims: figure3Claims,
  explores: { asks: 'shuffleModel', query: third(94) },
};

export const mixtures: readonly Exhibit[] = [table1, table2, figure1, figure2, figure3];
