/**
 * honest-epsilon epsilon | delta | compare | calibrate | tradeoff | audit: the questions of a
 * query.
 */

import type { Comparison } from '../client.js';
import type { Answer, AuditAnswer, Query, Question, TradeOffAnswer } from '../generated/schema.js';
import { auditText } from './audit.js';
import type { Command } from './command.js';
import { flagHelp, questions, readFlags, unknowns } from './flags.js';
import { readQuery, readText, withWaiting } from './io.js';
import { paragraph } from './layout.js';
import { ran } from './ran.js';
import { withScores } from './scores.js';
import { answerText, comparisonText, type AskedQuantity } from './text.js';
import { format } from '../words/numbers.js';
import { attackCsv, tradeoffText } from './tradeoff.js';

const summaries: Record<Question, string> = {
  epsilon: 'Epsilon of a run at a given delta.',
  delta: 'Delta of a run at a given epsilon.',
  compare: 'The same for every way to sample batches.',
  calibrate: 'Find the noise, epochs, batch size, ... that meets a target.',
  tradeoff: 'Error rates of the best attack on a run.',
  audit: 'What a canary audit proves, and if it contradicts the run.',
};

const example =
  '--sampler poisson --noise-multiplier 0.8 --sampling-probability 0.001 --steps 10000';

const examples: Record<Question, string> = {
  epsilon: `${ran} epsilon ${example} --delta 1e-6`,
  delta: `${ran} delta ${example} --epsilon 4`,
  compare: `${ran} compare --dataset-size 50_000 --batch-size 500 --epochs 10 --noise-multiplier 1 --delta 1e-5`,
  calibrate: `${ran} calibrate noise --dataset-size 50_000 --batch-size 500 --epochs 10 --sampler poisson --epsilon 2 --delta 1e-5`,
  tradeoff: `${ran} tradeoff ${example} --false-positive-rates 1e-4,1e-3,1e-2`,
  audit: `${ran} audit --canaries 1000 --guesses 100 --correct 95 ${example} --delta 1e-5`,
};

function helpBlocks(question: Question): string[] {
  const found = paragraph(`<what> is one of ${unknowns.join(', ')}.`);
  return [
    ...(question === 'calibrate' ? [found] : []),
    flagHelp(question),
    `Numbers may be written 1e-5, 60_000 or 1/60000.
${paragraph(`Give the schedule as dataset size, batch size and epochs; as steps per epoch and
epochs; or as sampling probability and steps. A run of several phases, or with other releases, is a
file for --query, which replaces the flags of a run:`)}
  {"phases":[
    {"sampler":"poisson","noiseMultiplier":1,"samplingProbability":0.01,
     "steps":1000},
    {"sampler":"shuffle","noiseMultiplier":2,"stepsPerEpoch":100,"epochs":5},
    {"mu":0.5},{"rho":0.1},{"epsilon":0.3,"delta":1e-7}]}`,
  ];
}

function render(
  outcome: Answer | AuditAnswer | Comparison | TradeOffAnswer,
  asked: AskedQuantity,
): string {
  if ('confidence' in outcome) return auditText(outcome);
  if ('answers' in outcome) return comparisonText(outcome, asked);
  return 'symmetric' in outcome ? tradeoffText(outcome) : answerText(outcome, asked);
}

function askedBy(question: Question, query: Query): AskedQuantity {
  if (question === 'epsilon' || question === 'delta') return question;
  return query.delta === undefined ? 'delta' : 'epsilon';
}

async function ask(question: Question, words: readonly string[]): Promise<string> {
  const options = readFlags(question, words, { own: question === 'audit' ? ['scores'] : [] });
  const asked = await readQuery(options);
  const { scores } = options.own;
  const { query, threshold } =
    scores === undefined
      ? { query: asked, threshold: undefined }
      : withScores(asked, await readText(scores, 'scores'), scores);
  const outcome = await withWaiting((engine) => engine.answer(query));
  if (options.on.has('json')) return `${JSON.stringify(outcome)}\n`;
  if (options.on.has('csv') && 'symmetric' in outcome) return attackCsv(outcome, query);
  const chosen =
    threshold === undefined
      ? ''
      : `\nThe threshold, ${format(threshold, { side: 'nearest' })}, was chosen on half of the scores, and the other half is counted.\n`;
  return `${render(outcome, askedBy(question, query))}${chosen}`;
}

export const questionCommands = questions.map((question): [string, Command] => [
  question,
  {
    summary: summaries[question],
    usage: [`${question}${question === 'calibrate' ? ' <what>' : ''} [flags]`],
    example: examples[question],
    help: () => helpBlocks(question),
    run: (words) => ask(question, words),
  },
]);
