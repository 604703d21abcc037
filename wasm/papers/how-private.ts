/** How Private is DP-SGD? Chua and others, 2024. */

import type { Phase, SamplerName } from '../generated/schema.js';
import { deltaOf, epsilonOf, type ReadingName } from './ask.js';
import { format } from '../words/numbers.js';
import { paperOf, stated } from './paper.js';
import { epoch, poissonEpoch } from './runs.js';
import type { Axis, Claim, Exhibit, FigurePanel, NumberAsked, Relation, Series } from './shape.js';
import { showPrinted } from './verdict.js';

const paper = paperOf('HP24', 'How Private is DP-SGD?');

interface Line {
  label: string;
  /** What it is of, inside a sentence. */
  of: string;
  sampler: SamplerName;
  run: (noise: number, steps: number) => Phase;
  reading: ReadingName;
  dashed?: boolean;
}

const deterministic: Line = {
  label: 'Deterministic batches',
  of: 'deterministic batches',
  sampler: 'deterministic',
  run: (noise, steps) => epoch('deterministic', noise, steps),
  reading: 'value',
};
const shuffle: Line = {
  label: 'Shuffled batches',
  of: 'shuffled batches',
  sampler: 'shuffle',
  run: (noise, steps) => epoch('shuffle', noise, steps),
  reading: 'value',
};
const poisson: Line = {
  label: 'Poisson batches',
  of: 'Poisson batches',
  sampler: 'poisson',
  run: poissonEpoch,
  reading: 'value',
};
const renyi: Line = {
  ...poisson,
  label: 'Poisson batches, Rényi bound',
  of: 'Poisson batches by Rényi accounting',
  reading: 'rdp',
  dashed: true,
};
const allLines = [deterministic, shuffle, poisson, renyi];

const points = 33;

function drawn(lines: readonly Line[], at: (line: Line, x: number) => NumberAsked): Series[] {
  return lines.map((line) => ({
    label: line.label,
    sampler: line.sampler,
    dashed: line.dashed ?? false,
    count: points,
    at: (x) => at(line, x),
  }));
}

function epsilonPanel(steps: number, delta: number, x: Axis, most: number): FigurePanel {
  return {
    title: `ε at δ = ${showPrinted(delta.toExponential())}, T = ${format(steps, { side: 'given' })}`,
    x,
    y: { label: 'ε', scale: 'linear', from: 0, to: most },
    series: drawn(allLines, ({ run, reading }, noise) =>
      epsilonOf(run(noise, steps), delta, reading),
    ),
  };
}

function deltaPanel(
  noise: number,
  steps: number,
  most: number,
  floor: number,
  lines: readonly Line[] = allLines,
): FigurePanel {
  return {
    title: `δ at ε, σ = ${String(noise)}, T = ${format(steps, { side: 'given' })}`,
    x: { label: 'ε', scale: 'linear', from: 0, to: most },
    y: { label: 'δ', scale: 'log', from: floor, to: 1 },
    series: drawn(lines, ({ run, reading }, epsilon) =>
      deltaOf(run(noise, steps), epsilon, reading),
    ),
  };
}

const noiseAxis = (from: number, to: number): Axis => ({ label: 'σ', scale: 'linear', from, to });

const band =
  'Shuffled batches are a band here: from the proved lower end to the deterministic value above it; the paper draws a lower bound.';
const ranges = 'The paper gives no axis ranges; we chose them.';

/** ε as the text states it for one noise of a figure's axis. */
const epsilonStated =
  (steps: number, delta: number) =>
  (line: Line, noise: number, relation: Relation, printed: string, more: Partial<Claim> = {}) =>
    stated(
      `ε of ${line.of}, σ = ${String(noise)}`,
      relation,
      printed,
      epsilonOf(line.run(noise, steps), delta, line.reading),
      { at: noise, ...more },
    );

/** δ as the text states it for one ε of a figure's axis. */
const deltaStated =
  (noise: number, steps: number) =>
  (line: Line, epsilon: number, relation: Relation, printed: string, more: Partial<Claim> = {}) =>
    stated(
      `δ of ${line.of} at ε = ${String(epsilon)}`,
      relation,
      printed,
      deltaOf(line.run(noise, steps), epsilon, line.reading),
      { at: epsilon, ...more },
    );

const everyOrder = 'every real order is tried, not a list of them.';

const first = epsilonStated(1e5, 1e-6);
const third = deltaStated(0.4, 1e4);
const fourth = epsilonStated(1e4, 1e-6);
const fifth = epsilonStated(1e3, 1e-5);
const sixth = deltaStated(0.8, 1e3);
const seventh = deltaStated(1, 1e3);

const figure1: Exhibit = {
  id: 'hp-fig1',
  paper,
  name: 'Figure 1',
  title: 'ε against the noise, 100,000 steps',
  caption: `ε at δ = 10⁻⁶ of one epoch of 100,000 batches, for each way to draw them. At little noise shuffling amplifies next to nothing. ${band} ${ranges}`,
  panels: [epsilonPanel(1e5, 1e-6, noiseAxis(0.35, 1), 18)],
  claims: [first(poisson, 0.4, '<=', '3'), first(shuffle, 0.4, '>=', '14.45')],
  scenario: { phases: [epoch('shuffle', 0.4, 1e5)], delta: 1e-6 },
};

const figure2: Exhibit = {
  id: 'hp-fig2',
  paper,
  name: 'Figure 2',
  title: 'Poisson and deterministic batches cross',
  caption: `δ vs ε for ten steps at σ = 0.3: Poisson is better at small ε and far worse at large ε, so that neither stands in for the other. ${ranges}`,
  panels: [deltaPanel(0.3, 10, 40, 1e-12, [deterministic, poisson])],
  claims: [],
  scenario: { phases: [poissonEpoch(0.3, 10)], delta: 1e-3 },
};

const figure3: Exhibit = {
  id: 'hp-fig3',
  paper,
  name: 'Figure 3',
  title: 'δ vs ε at σ = 0.4, 10,000 steps',
  caption: `(4, 1.2 × 10⁻⁵) with Poisson batches; δ ≥ 0.226 when shuffled. ${band} ${ranges}`,
  panels: [deltaPanel(0.4, 1e4, 14, 1e-12, allLines)],
  claims: [
    third(poisson, 4, '<=', '1.18e-5', { expected: 'paper-looser' }),
    third(shuffle, 4, '>=', '0.226'),
    third(deterministic, 4, '=', '0.244'),
    third(shuffle, 12, '>=', '7.5e-5', {
      expected: 'paper-rounded',
      reason:
        'Rounded up in print: even the upper end, that of deterministic batches, is below it.',
    }),
  ],
  scenario: { phases: [epoch('shuffle', 0.4, 1e4)], delta: 1e-5 },
};

const figure4: Exhibit = {
  id: 'hp-fig4',
  paper,
  name: 'Figure 4',
  title: 'ε against the noise, 10,000 steps',
  caption: `As Figure 1, for 10,000 steps at δ = 10⁻⁶. ${ranges}`,
  panels: [epsilonPanel(1e4, 1e-6, noiseAxis(0.35, 1), 18)],
  claims: [
    fourth(poisson, 0.5, '<=', '1.96'),
    fourth(renyi, 0.5, '<=', '3.43', { reason: `Ours is lower by 0.01: ${everyOrder}` }),
    fourth(shuffle, 0.5, '>=', '10.994'),
    fourth(deterministic, 0.5, '=', '10.997'),
  ],
  scenario: { phases: [epoch('shuffle', 0.5, 1e4)], delta: 1e-6 },
};

const figure5: Exhibit = {
  id: 'hp-fig5',
  paper,
  name: 'Figure 5',
  title: 'ε against the noise, 1,000 steps',
  caption: `As Figure 1, for 1,000 steps at δ = 10⁻⁵. ${ranges}`,
  panels: [epsilonPanel(1e3, 1e-5, noiseAxis(0.4, 1.2), 14)],
  claims: [
    fifth(poisson, 0.7, '<=', '0.61'),
    fifth(renyi, 0.7, '<=', '1.64', {
      expected: 'ours-looser',
      reason:
        'Rényi accounting at its best order gives 1.652, not 1.64. The claim ε ≤ 1.64 still holds: the exact value is 0.609.',
    }),
    fifth(shuffle, 0.7, '>=', '6.528'),
    fifth(deterministic, 0.7, '=', '6.652'),
  ],
  scenario: { phases: [epoch('shuffle', 0.7, 1e3)], delta: 1e-5 },
};

const figure6: Exhibit = {
  id: 'hp-fig6',
  paper,
  name: 'Figure 6',
  title: 'δ vs ε at σ = 0.8, 1,000 steps',
  caption: `Here the paper’s own accountant becomes unstable where Poisson’s δ is very small; the line drawn here does not. ${ranges}`,
  panels: [deltaPanel(0.8, 1e3, 5, 1e-20)],
  claims: [
    sixth(poisson, 1, '<=', '9.873e-9', {
      expected: 'paper-looser',
      reason: 'Half a per cent above the true value: the paper’s accountant rounds its losses up.',
    }),
    sixth(renyi, 1, '<=', '3.346e-5', {
      expected: 'paper-looser',
      reason: `Ours is lower: ${everyOrder}`,
    }),
    sixth(shuffle, 1, '>=', '0.018'),
    sixth(shuffle, 4, '>=', '1.6e-4', {
      expected: 'paper-rounded',
      ownMethod: 1.5958e-4,
      reason: 'Rounded up in print: the paper’s bound (7) gives 1.596 × 10⁻⁴.',
    }),
  ],
  scenario: { phases: [epoch('shuffle', 0.8, 1e3)], delta: 1e-5 },
};

const readInstead = (line: Line) => ({ what: `read at ε = 0.5: δ of ${line.of}` });
const atHalf = 'Printed for ε = 1, it is the value at ε = 0.5, below';

const figure7: Exhibit = {
  id: 'hp-fig7',
  paper,
  name: 'Figure 7',
  title: 'δ vs ε at σ = 1, 1,000 steps',
  caption: `The three numbers that the text gives for ε = 1 are those of ε = 0.5. The fourth is not in the paper’s plot. ${ranges}`,
  panels: [deltaPanel(1, 1e3, 4.5, 1e-28)],
  claims: [
    seventh(poisson, 1, '<=', '2.06e-10', {
      expected: 'paper-looser',
      reason: `Valid, but 800 times too large. ${atHalf}.`,
    }),
    seventh(poisson, 0.5, '=', '2.06e-10', readInstead(poisson)),
    seventh(renyi, 1, '<=', '8.45e-5', {
      expected: 'paper-looser',
      reason: `Valid, but 600 times what that accounting gives. ${atHalf}.`,
    }),
    seventh(renyi, 0.5, '<=', '8.45e-5', {
      ...readInstead(renyi),
      expected: 'paper-looser',
      reason: `Ours is lower: ${everyOrder}`,
    }),
    seventh(shuffle, 1, '>=', '0.004', {
      expected: 'paper-wrong',
      ownMethod: 9.9874e-4,
      reason: `${atHalf}; the paper’s bound (7) gives 9.99 × 10⁻⁴ here.`,
    }),
    seventh(shuffle, 0.5, '>=', '0.004', readInstead(shuffle)),
    seventh(shuffle, 4, '>=', '4.38e-7', { expected: 'paper-looser' }),
  ],
  scenario: { phases: [epoch('shuffle', 1, 1e3)], delta: 1e-5 },
};

export const howPrivate: readonly Exhibit[] = [
  figure1,
  figure2,
  figure3,
  figure4,
  figure5,
  figure6,
  figure7,
];
