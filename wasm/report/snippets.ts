import { commandNeeds, commandPath } from '../words/command-name.js';
import { claim, givenAs } from '../words/numbers.js';
import { multiplierOf } from '../words/noise.js';
import { isPlain } from '../words/trainer.js';
import type { Facts, AccountedPhase } from './gather.js';
import { sentence, type Block } from './block.js';

/** A double as Python reads it back. */
const python = (value: number): string => String(value);

const code = (language: 'json' | 'python' | 'sh', title: string, source: string): Block => ({
  ...{ kind: 'code', language, title, code: source },
});

/**
 * Whether other Poisson accountants cover this: its noise, its neighbours, and nothing cut or
 * grouped.
 */
function knownElsewhere(
  { phases, releases, asked }: Facts,
  mechanisms: readonly string[],
): boolean {
  return (
    asked === 'epsilon' &&
    releases.length === 0 &&
    phases.every(
      ({ phase }) =>
        mechanisms.includes(phase.mechanism ?? 'gaussian') &&
        phase.adjacency !== 'substitution' &&
        (phase.recordsPerUser ?? 1) === 1 &&
        phase.maxBatchSize === undefined &&
        isPlain(phase) &&
        !phase.swapped,
    )
  );
}

const numbersOf = ({ phase, derived }: AccountedPhase) => ({
  sigma: python(multiplierOf(phase) ?? 1),
  q: python(derived.samplingProbability ?? 1),
  steps: python(derived.steps),
});

/** By privacy loss distributions, an upper bound: the library of Google's differential-privacy. */
export function dpAccountingSource({ phases, answer }: Facts): string {
  const composed = phases.map((accounted) => {
    const { sigma, q, steps } = numbersOf(accounted);
    const kind = accounted.phase.mechanism === 'laplace' ? 'LaplaceDpEvent' : 'GaussianDpEvent';
    return `noise = dp_accounting.${kind}(${sigma})
accountant.compose(
    dp_accounting.PoissonSampledDpEvent(${q}, noise), ${steps}
)`;
  });
  return `# pip install dp-accounting
import dp_accounting

accountant = dp_accounting.pld.PLDAccountant(
    dp_accounting.NeighboringRelation.ADD_OR_REMOVE_ONE
)
${composed.join('\n')}
print(accountant.get_epsilon(${python(answer.delta.upper ?? 0)}))
`;
}

/** By Opacus: its accountant reads a history of (noise multiplier, rate, steps). */
export function opacusSource({ phases, answer }: Facts): string {
  const history = phases.map((accounted) => {
    const { sigma, q, steps } = numbersOf(accounted);
    return `    (${sigma}, ${q}, ${steps}),`;
  });
  return `# pip install opacus
from opacus.accountants import PRVAccountant

accountant = PRVAccountant()
accountant.history = [  # noise multiplier, sampling rate, steps
${history.join('\n')}
]
print(accountant.get_epsilon(delta=${python(answer.delta.upper ?? 0)}))
`;
}

/** The question as any of this program's faces reads it. */
export const questionOf = ({ query, asked }: Facts): string =>
  JSON.stringify({ question: asked, ...query });

export function recomputing(facts: Facts): Block[] {
  const { asked, poisson } = facts;
  const question = questionOf(facts);
  const blocks: Block[] = [
    code('json', 'The query', question),
    ...(facts.link === undefined
      ? []
      : [sentence(`In a browser, with nothing to install: ${facts.link}`)]),
    code(
      'sh',
      'On a command line',
      `# ${commandNeeds}\n${commandPath} \\\n    ${asked} --query query.json   # the query above, in a file`,
    ),
  ];
  // For a search they know another bound, if any.
  if (poisson && !poisson.tuning && knownElsewhere(facts, ['gaussian', 'laplace'])) {
    const value = claim('ε', poisson.epsilon);
    const at = givenAs('δ', poisson.delta.upper ?? 0);
    const its = facts.isPoisson ? 'the ε of this run' : 'not the ε of this run';
    const words = `Other libraries account for Poisson batches only. This code reproduces that number, ${value} at ${at}; it is ${its}.`;
    blocks.push(sentence(words));
    blocks.push(code('python', 'Poisson batches, by dp_accounting', dpAccountingSource(facts)));
    if (knownElsewhere(facts, ['gaussian']))
      blocks.push(code('python', 'Poisson batches, by Opacus', opacusSource(facts)));
  }
  return blocks;
}
