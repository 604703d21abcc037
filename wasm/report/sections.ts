import { claim, format, formatInterval, formatSafely, givenAs, given } from '../words/numbers.js';
import { withLabels } from '../words/fields.js';
import { auditVerdict } from '../words/audit.js';
import {
  batchWords,
  kindMeanings,
  kindOf,
  markOf,
  markWords,
  nearness,
  ownProofs,
  ownProofsMark,
  reportedVerdict,
  withKind,
} from '../words/claims.js';
import { otherNeighbours } from '../words/neighbours.js';
import { present } from '../words/present.js';
import { targetName } from '../words/target.js';
import { searchWords } from '../words/tuning.js';
import { gaussianWords } from '../words/readings.js';
import type { AssumptionCode, Grounds, Interval } from '../generated/schema.js';
import { accountingError, errorSentence } from './error.js';
import { recordsOf, type Facts, type AccountedPhase } from './gather.js';
import { list, rows, sentence, type Block, type Section } from './block.js';
import { theoremOf } from './samplers.js';
import { recomputing } from './snippets.js';
import { dash, mechanismWords, plural, tidy } from './words.js';
import { isSo, samplerLabel } from '../words/samplers.js';
import { deviationWords, multiplierOf } from '../words/noise.js';
import { calledFor, isOfClients, unitOf } from '../words/record.js';
import { correlationWords } from '../words/trainer.js';

type Assumed = Pick<Grounds, 'assumptions' | 'assumptionCodes'>;
const assumed = ({ assumptions, assumptionCodes }: Assumed, about: AssumptionCode): string[] =>
  assumptions.filter((_, at) => assumptionCodes[at] === about);

/** The quantity that was asked for, and the one that was given. */
function asked({ asked: name, answer }: Facts) {
  const [symbol, other] = name === 'epsilon' ? (['ε', 'δ'] as const) : (['δ', 'ε'] as const);
  const at = name === 'epsilon' ? answer.delta : answer.epsilon;
  return { symbol, value: answer[name], where: givenAs(other, at.upper ?? 0) };
}

const samplersOf = ({ phases }: Facts) => [
  ...new Set(phases.flatMap(({ phase }) => phase.sampler ?? [])),
];

export function summaryOf(facts: Facts): string {
  const { symbol, value, where } = asked(facts);
  const names = samplersOf(facts).map((sampler) => batchWords[sampler]);
  const others = facts.releases.length;
  const subjects = present(
    names.length > 0 && `training with ${names.join(' and ')}`,
    others > 0 && plural(others, 'other release'),
  );
  const search = searchWords(facts.answer);
  const other = otherNeighbours(facts.answer);
  const at = other === undefined ? where : `${where}, ${other}`;
  const near = nearness(value);
  const promise = `${claim(symbol, value)}${markOf(facts.answer)}`;
  const said = withKind(`${promise} at ${at}${near && `, ${near}`}`, value);
  const published = search === undefined ? '' : `, publishing ${search}`;
  return `${capital(subjects.join(' and '))}${published}: ${said}.`;
}

// --- A, B: what is protected

function setting({ answer, releases, phases }: Facts): Block[] {
  const search = searchWords(answer);
  const steps = phases.reduce((sum, { derived }) => sum + derived.steps, 0);
  const covered = present(
    phases.length > 0 && plural(steps, 'training step'),
    releases.length > 0 && `${plural(releases.length, 'other release')} stated in section D`,
  ).join(' and ');
  return [
    rows({
      Model: 'Central: the trainer sees the raw data and adds the noise.',
      Released: `Every noisy sum of clipped gradients, hence every intermediate model, and the final model${search === undefined ? '' : ` of ${search}`}.`,
      Covered: `The ${covered}${search === undefined ? '' : ' of every run tried'}.`,
      'Not covered': `Any other access to the same data: ${answer.tuning ? 'scoring the runs on it, ' : 'choosing hyperparameters or checkpoints, '}normalisation statistics, evaluation, earlier or later runs.`,
    }),
  ];
}

function unit({ answer, phases }: Facts): Block[] {
  const [first] = phases;
  const records = first?.phase.recordsPerUser ?? 1;
  const unit = unitOf(answer);
  const other = answer.warnings.find(({ code }) => code === 'other-neighbours');
  const sizes = {
    'zero-out': `The number of ${unit}s is public: neighbouring datasets have the same size.`,
    'add-remove': `The number of ${unit}s is not protected: rates and steps reveal it.`,
    substitution: `The number of ${unit}s is public: neighbouring datasets have the same size.`,
    mixed: 'The phases hold for different kinds of neighbours.',
  };
  const single = answer.privacyUnit
    ? 'One client (user) with all its examples.'
    : 'One training record.';
  return [
    rows({
      Unit: records > 1 ? `A person with at most ${given(records)} ${unit}s.` : single,
      Neighbours: assumed(answer, 'neighbours'),
      'Not as requested': other && withLabels(other.text),
      'Dataset size': first && sizes[answer.adjacency],
    }),
  ];
}

// --- C, D: what was done

/** A column for each phase; a row only where some phase has something to say. */
function table(
  phases: readonly AccountedPhase[],
  lines: readonly (readonly [string, (s: AccountedPhase) => string])[],
): Block {
  const body = lines
    .map(([name, cell]) => [name, ...phases.map(cell)])
    .filter(([, ...cells]) => cells.some((cell) => cell !== dash));
  if (phases.length === 1) return { kind: 'rows', rows: body as [string, string][] };
  return { kind: 'table', head: ['', ...phases.map((_, index) => `Phase ${index + 1}`)], body };
}

function mechanism({ phases, clippingNorm }: Facts): Block[] {
  const deviation = ({ phase }: AccountedPhase) => {
    const sigma = multiplierOf(phase);
    if (sigma === undefined || phase.mechanism === 'randomized-response') return dash;
    const all = [sigma, ...(phase.noiseEnd === undefined ? [] : [phase.noiseEnd])]
      .map((each) => given(tidy(each * (clippingNorm ?? 1))))
      .join(' to ');
    return clippingNorm === undefined ? `${all} times the clipping norm` : all;
  };
  const noise = table(phases, [
    ['Noise', ({ phase }) => mechanismWords[phase.mechanism ?? 'gaussian']],
    ['Noise multiplier σ', ({ phase }) => given(multiplierOf(phase))],
    ['Noise multiplier σ, last epoch', ({ phase }) => given(phase.noiseEnd)],
    ['Noise as stated', ({ phase }) => deviationWords(phase) ?? dash],
    ['Correlation', ({ phase }) => correlationWords(phase) ?? dash],
    ['Clipping norm C', () => given(clippingNorm)],
    ['Count noise (adaptive clipping)', ({ phase }) => given(phase.countNoise)],
    ['Noise standard deviation σ·C', deviation],
  ]);
  return phases.length === 0
    ? [sentence('Only the guarantees of the other releases are known, not their mechanisms.')]
    : [
        noise,
        sentence(
          `${phases.some(({ phase }) => isOfClients(phase)) ? 'Each client’s update' : 'Each record’s gradient'} is clipped to norm C; noise is added once to the sum of a step. The sum is divided by a constant such as the expected batch size, never by the actual batch size.`,
        ),
      ];
}

const rateWords = ({ derived: { samplingProbability: q } }: AccountedPhase): string =>
  q === undefined ? dash : given(q);

const drawnWords = ({ phase }: AccountedPhase): string => {
  if (!isSo(phase.sampler, 'canKeepDraw')) return dash;
  return phase.reshuffle === 'once' ? 'once' : 'every epoch';
};

function implemented(facts: Facts): Block[] {
  const { phases, releases, answer } = facts;
  const called = (name: string, label: string) =>
    calledFor(
      { name, label },
      phases.some(({ phase }) => isOfClients(phase)),
    ).label;
  const lines: readonly (readonly [string, (s: AccountedPhase) => string])[] = [
    ['Part of the data', ({ phase }) => given(phase.partOfData)],
    ['Sampler', ({ phase }) => samplerLabel(phase.sampler ?? '', 'phases composed')],
    [called('datasetSize', 'Dataset size n'), ({ phase }) => given(phase.datasetSize)],
    [called('batchSize', 'Batch size of one device'), ({ phase }) => given(phase.batchSize)],
    ['Accumulation steps', ({ phase }) => given(phase.accumulationSteps)],
    ['Devices', ({ phase }) => given(phase.devices)],
    ['Batch size of a step', ({ derived }) => given(derived.batchSize)],
    ['Sampling probability q', rateWords],
    ['Steps per epoch T', ({ derived }) => given(derived.stepsPerEpoch)],
    ['Epochs', ({ derived }) => given(derived.epochs)],
    [called('steps', 'Steps'), ({ derived }) => given(derived.steps)],
    ['Local epochs of a client', ({ phase }) => given(phase.localEpochs)],
    ['Last short batch', shortBatch],
    ['Reshuffle', drawnWords],
    ['Sampled with replacement', ({ phase }) => (phase.replacement === true ? 'yes' : dash)],
    ['Participations per epoch', ({ phase }) => given(phase.participations)],
    ['Maximum batch size', ({ phase }) => given(phase.maxBatchSize)],
    ['Bands (groups used in turn)', ({ phase }) => given(phase.bands)],
    ['Workers that sample from the whole dataset', ({ phase }) => given(phase.samplingWorkers)],
  ];
  const sizes = answer.batchSizes;
  const others = releases.map(({ epsilon, delta, mu, rho, boundedRange, partOfData: part }) => {
    const of =
      part === undefined
        ? 'another release'
        : `another release, of part ${given(part)} of the data`;
    if (mu !== undefined) return `${of}: μ-GDP with ${givenAs('μ', mu)}`;
    if (rho !== undefined) return `${of}: ρ-zCDP with ${givenAs('ρ', rho)}`;
    if (boundedRange !== undefined)
      return `${of}: bounded range with ${givenAs('η', boundedRange)}`;
    return `${of}: (ε, δ) = (${given(epsilon ?? 0)}, ${given(delta ?? 0)})`;
  });
  return present(
    phases.length > 0 && table(phases, lines),
    others.length > 0 && list(others),
    sizes &&
      sentence(
        `Batch sizes vary: ${formatSafely(sizes.mean, 'up')} ${unitOf(answer)}s on average, at most ${given(sizes.p99)} in 99 of 100 batches, and at most ${given(sizes.largest)} throughout 999 of 1000 runs.`,
      ),
  );
}

/** What becomes of the records that fill no batch, where batches are consecutive records. */
function shortBatch({ phase, derived }: AccountedPhase): string {
  const { datasetSize: n, sampler } = phase;
  const { batchSize: size, stepsPerEpoch } = derived;
  const cuts = isSo(sampler, 'cutsTheData');
  if (!cuts || n === undefined || size === undefined || stepsPerEpoch === undefined) return dash;
  if (n % size === 0) return dash;
  return stepsPerEpoch * size < n ? 'dropped' : 'kept';
}

// --- E: what was accounted

function accounted(facts: Facts): Block[] {
  const { answer, poisson, isPoisson, asked: name, reported } = facts;
  const { symbol, value } = asked(facts);
  const blocks: Block[] = [
    sentence('Section F accounts for the batches exactly as section D describes them.'),
  ];
  if (poisson) {
    const error = accountingError(value, poisson[name], isPoisson);
    if (!isPoisson)
      blocks.push(
        rows({
          'As implemented': `${claim(symbol, value)}${markOf(answer)}`,
          'If sampled as Poisson batches at the same rate': claim(symbol, poisson[name]),
        }),
      );
    if (error) blocks.push(sentence(errorSentence(error, symbol, value, poisson[name])));
  }
  if (reported !== undefined && name === 'epsilon') {
    const judged = {
      reported,
      answer,
      poisson: isPoisson ? undefined : poisson,
      releases: facts.releases.length,
    };
    blocks.push(sentence(reportedVerdict(judged)));
  }
  return blocks;
}

// --- F: the guarantee

/** A row of the table: what it is, its value, and what that is worth. */
const line = (name: string, value: Interval, mark = '') => [
  name,
  `${formatInterval(value)}${mark}`,
  kindOf(value) ?? '',
];

function guarantee(facts: Facts): Block[] {
  const { answer, epsilons, tradeoff, asked: name } = facts;
  const { symbol, value, where } = asked(facts);
  const { remove, add } = answer.directions;
  const mark = markOf(answer);
  const at = `${symbol} at ${where}`;
  const stated = name === 'epsilon' ? answer.delta.upper : undefined;
  const { target, audit } = facts;
  const attack = tradeoff?.symmetric;
  const attackMark = tradeoff ? markOf(tradeoff) : '';
  const lines = present(
    line(at, value, mark),
    line(`${at}, remove`, remove, mark),
    line(`${at}, add`, add, mark),
    answer.published && line(`${at}, by published theorems alone`, answer.published),
    ...epsilons
      .filter(({ delta }) => delta !== stated)
      .map((one) => line(`ε at ${deltaWords(one.delta, facts)}`, one.epsilon, markOf(one))),
    target && line(targetName(target), target.value, markOf(target)),
    answer.tuning && line(`${at}, of a single run`, answer.tuning.oneRun, mark),
    audit && line(`ε at ${givenAs('δ', audit.delta)}, by the audit`, audit.epsilon),
    answer.rdp && line(`${at}, by Rényi divergences`, answer.rdp),
    answer.gdp && line(`${at}, by the central limit theorem`, answer.gdp),
    ...(attack?.attackRates ?? []).map(({ falsePositiveRate, truePositiveRate }) =>
      line(
        `true positive rate of the best attack at a false positive rate of ${given(falsePositiveRate)}`,
        truePositiveRate,
        attackMark,
      ),
    ),
    attack && line('advantage of the best attack', attack.advantage, attackMark),
    attack && line('tightest μ-GDP guarantee', attack.gaussian.mu, attackMark),
  );
  const search = searchWords(answer);
  return present<Block>(
    { kind: 'table', head: ['Quantity', 'Value', 'Kind'], body: lines },
    lines.some(([, shown = '']) => shown.endsWith(ownProofsMark)) &&
      sentence(`${ownProofsMark} ${capital(markWords(answer, symbol))} [${ownProofs}].`),
    // The numbers are those of a whole search.
    search !== undefined &&
      sentence(`The table holds for publishing ${search}, unless a row says otherwise.`),
    ...auditBlocks(facts),
    ...besideDelta(facts),
    attack &&
      sentence(
        `${gaussianWords(attack.gaussian)} The attacker knows every ${unitOf(answer)} except one.`,
      ),
  );
}

function auditBlocks({ audit, answer }: Facts): Block[] {
  const verdict = audit && auditVerdict(audit);
  if (!audit || verdict === undefined) return [];
  const coins = assumed(audit, 'canaries').join(' ');
  const search = answer.tuning ? ' One run was audited, not the whole search.' : '';
  const [first = '', second = ''] = audit.citations;
  return [sentence(`${verdict}${search} ${coins} [${first}] [${second}]`)];
}

/** 1/n is read more easily than its digits. */
const deltaWords = (delta: number, { phases }: Facts) =>
  delta * (recordsOf(phases) ?? 0) === 1 ? 'δ = 1/n' : givenAs('δ', delta);

function besideDelta({ answer, phases, asked: name }: Facts): Block[] {
  const n = recordsOf(phases);
  const delta = answer.delta.upper;
  if (n === undefined || delta === null) return [];
  const times = formatSafely(tidy(delta * n), 'up');
  const stands = delta * n > 1 ? 'above' : delta * n < 1 ? 'below' : 'at';
  const subject = name === 'epsilon' ? 'δ' : 'At its upper end δ';
  return [
    sentence(`${subject} is ${stands} 1/n = ${format(1 / n, { side: 'up' })} (δ·n = ${times}).`),
  ];
}

// --- G, H: how it is known

function status(facts: Facts): Block[] {
  const { answer, epsilons, tradeoff } = facts;
  const intervals = [
    ...[answer.epsilon, answer.delta, answer.directions.remove, answer.directions.add],
    ...epsilons.map(({ epsilon }) => epsilon),
    ...[answer.rdp, answer.gdp].flatMap((interval) => interval ?? []),
    ...(tradeoff ? [tradeoff.symmetric.advantage, tradeoff.symmetric.gaussian.mu] : []),
  ];
  const kinds = [...new Set(intervals.map(kindOf))].filter((kind) => kind !== undefined);
  const conversions = present(
    answer.rdp && 'Rényi divergences are converted to ε at the best order [CKS20, Prop 12]',
    answer.gdp && 'the central limit theorem gives an estimate [DRS22] [BDLS20]',
    tradeoff && 'trade-off curves follow from δ at many ε by duality [DRS22]',
  );
  const proofs = samplersOf(facts).map((sampler) => theoremOf(sampler, answer, facts.phases));
  const named = [...proofs, ...conversions].join(' ');
  const notes = answer.warnings.map(({ text }) => withLabels(text));
  const further = answer.citations.filter((key) => !named.includes(key));
  return present(
    rows(Object.fromEntries(kinds.map((kind) => [capital(kind), `${kindMeanings[kind]}.`]))),
    list([...proofs, ...conversions].map((words) => `${capital(words)}.`)),
    further.length > 0 && sentence(`See also: ${further.map((key) => `[${key}]`).join(' ')}.`),
    sentence('Assumes:'),
    list(answer.assumptions.map((words) => withLabels(words))),
    notes.length > 0 && sentence('Notes:'),
    notes.length > 0 && list(notes),
  );
}

const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

function numerics(facts: Facts): Block[] {
  const { answer, query, version, wasmSha256, date, link } = facts;
  const grid = answer.work.gridPoints;
  return [
    rows({
      Program: `Honest Epsilon ${version}`,
      Accountant: query.accountant ?? 'best',
      Proofs: query.proofs === 'published' ? 'published theorems only' : 'all',
      Method: answer.method,
      Grid: grid > 0 && `${given(grid)} points in the largest transform`,
      'Requested relative width': given(query.width ?? 1e-4),
      'Truncation and rounding': 'errors included: lower ends are rounded down, upper ends up',
      'SHA-256 of engine.wasm': wasmSha256,
      Date: date,
      Link: link,
    }),
  ];
}

/** All of them, lettered from A. */
export const sectionsOf = (facts: Facts): Section[] =>
  (
    [
      ['Setting', setting(facts)],
      ['Unit of privacy', unit(facts)],
      ['Mechanism', mechanism(facts)],
      ['Sampling as implemented', implemented(facts)],
      ['Sampling as accounted', accounted(facts)],
      ['Guarantee', guarantee(facts)],
      ['Status of the numbers', status(facts)],
      ['Numerics', numerics(facts)],
      ['Reproduction', recomputing(facts)],
      ['Not assessed', notAssessed],
      ['Adversary', adversary(facts)],
    ] as const
  ).map(([title, blocks], at) => ({ letter: String.fromCharCode(65 + at), title, blocks }));

/** What the numbers say nothing about. */
const notAssessed = [
  list([
    'Whether the code does what is stated here: clipping, noise, sampling, random numbers.',
    'Floating-point noise, which does not have exactly the stated distribution.',
    'Side channels, such as the time a step takes or the size of its batch.',
    'Access control, logs, and anything else that leaves the training machine.',
  ]),
];

/** Against whom they hold. */
const adversary = ({ answer }: Facts): Block[] => [
  sentence(
    `The adversary sees every intermediate model, knows every ${unitOf(answer)} but one, and chooses the worst gradients. Someone who sees only the final model may learn less; we do not claim this.`,
  ),
];
