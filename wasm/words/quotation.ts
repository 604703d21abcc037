/**
 * The quotation: what a paper may write about a run. It states the upper end, rounded up, as the
 * guarantee and the lower end, rounded down, as what is refuted; it never says more than is proved.
 * Papers stand in it by their keys, [HP24]; the report's markups set them.
 */

import {
  batchWords,
  drawingOf,
  drawingWords,
  judgement,
  notReviewed,
  figureOf,
  ownProofs,
  provedOf,
  publishedWords,
  reportedStanding,
  standingOf,
} from './claims.js';
import type { Adjacency, Answer, Derived, Phase, Release } from '../generated/schema.js';
import { parseNumber } from './number-forms.js';
import { deviationWords, multiplierOf } from './noise.js';
import { isOfClients } from './record.js';
import { neighboursOf, neighboursNamed, otherNeighbours } from './neighbours.js';
import { format, formatSafely, givenAs, type Side, given } from './numbers.js';
import { isSo, samplerInfo, samplerOf } from './samplers.js';
import { present } from './present.js';
import { isPlain, trainerWords } from './trainer.js';
import { searchSentence, searchSubject } from './tuning.js';

interface QuotedPhase {
  phase: Phase;
  derived?: Derived | undefined;
}

/** The facts behind a quotation: a report's, or those that the page has at once. */
export interface Quoted {
  version: string;
  asked: 'epsilon' | 'delta';
  answer: Answer;
  /** The same run with Poisson batches; the answer itself where all are. */
  poisson: Answer | undefined;
  isPoisson: boolean;
  phases: readonly QuotedPhase[];
  releases: readonly Release[];
  reported: number | undefined;
}

/** Made when it is called: languages take longer to load than all else that a command loads. */
const andWords = (words: readonly string[]): string =>
  new Intl.ListFormat('en', { style: 'long', type: 'conjunction' }).format(words);

const isCut = (value: number): boolean => given(value).startsWith('≈');

// --- What was done

/** "σ = 1.1"; more noise keeps the guarantee, so that a long number is rounded up. */
function noiseWords(phase: Phase): string {
  const { mechanism = 'gaussian' } = phase;
  const noise = multiplierOf(phase) ?? 0;
  const value = formatSafely(noise, 'up');
  if (mechanism === 'laplace') return `Laplace noise of scale ${value} clipping norms`;
  return mechanism === 'randomized-response'
    ? `randomised response with 1/ε = ${value}`
    : [`σ ${isCut(noise) ? '≈' : '='} ${value}`, deviationWords(phase)]
        .filter(Boolean)
        .join(' from ');
}

const counted = (count: number, one: string): string =>
  `${given(count)} ${count === 1 ? one : `${one}s`}`;

function batchSizeWords({
  batchSize = 0,
  devices = 1,
  accumulationSteps = 1,
  sampler,
  privacyUnit,
}: Phase): string {
  const parts = present(
    devices > 1 && counted(devices, 'device'),
    accumulationSteps > 1 && counted(accumulationSteps, 'accumulation step'),
  );
  const whole = given(batchSize * devices * accumulationSteps);
  const size = isOfClients({ privacyUnit }) ? `${whole} clients per round` : `b = ${whole}`;
  const varies = isSo(sampler, 'sizesVary') ? ' expected' : '';
  if (parts.length === 0) return `${size}${varies}`;
  return `${size}${varies} over ${andWords(parts)}`;
}

/** n, b, epochs, σ: all that it takes to ask again. */
function settingWords({ phase, derived }: QuotedPhase): string {
  const { datasetSize, batchSize, epochs, stepsPerEpoch, maxBatchSize } = phase;
  const { samplingProbability, steps } = phase;
  // The schedule's own default, where nothing else is said.
  const passes =
    epochs ??
    (steps === undefined && samplingProbability === undefined ? (derived?.epochs ?? 1) : undefined);
  const byStep = phase.sampler !== undefined && !isSo(phase.sampler, 'usesEpochs');
  const walked = steps ?? (byStep ? derived?.steps : undefined);
  const clients = isOfClients(phase);
  const { localEpochs, partOfData } = phase;
  const parts = present(
    datasetSize !== undefined &&
      (clients ? counted(datasetSize, 'client') : `n = ${given(datasetSize)}`),
    batchSize !== undefined && batchSizeWords(phase),
    samplingProbability !== undefined && givenAs('q', samplingProbability),
    stepsPerEpoch !== undefined && `${counted(stepsPerEpoch, 'step')} per epoch`,
    passes !== undefined && counted(passes, 'epoch'),
    walked !== undefined && counted(walked, clients ? 'round' : 'step'),
    localEpochs !== undefined && counted(localEpochs, 'local epoch'),
    noiseWords(phase),
    maxBatchSize !== undefined &&
      `batches cut to ${counted(maxBatchSize, clients ? 'client' : 'record')}`,
    ...trainerWords(phase),
    partOfData !== undefined && `on part ${given(partOfData)} of the data`,
    phase.dropLast === true && 'short batches left out',
    phase.swapped === true && 'the neighbouring datasets swapped',
  );
  return parts.join(', ');
}

const phaseWords = (accounted: QuotedPhase): string =>
  `${drawingWords(drawingOf(accounted.phase, accounted.derived?.epochs))} (${settingWords(accounted)})`;

function releaseWords({ partOfData: part, ...release }: Release): string {
  const words = guaranteeWords(release);
  return part === undefined ? words : `${words} on part ${given(part)} of the data`;
}

function guaranteeWords({ epsilon, delta, mu, rho, boundedRange }: Release): string {
  if (mu !== undefined) return `${formatSafely(mu, 'up')}-GDP`;
  if (rho !== undefined) return `${formatSafely(rho, 'up')}-zCDP`;
  if (boundedRange !== undefined) return `of bounded range ${formatSafely(boundedRange, 'up')}`;
  return `(${formatSafely(epsilon ?? 0, 'up')}, ${formatSafely(delta ?? 0, 'up')})-differentially private`;
}

function doneSentence({ phases, releases }: Quoted): string {
  const others = releases.map(releaseWords);
  const stated =
    others.length === 0
      ? ''
      : others.length === 1
        ? `${phases.length > 0 ? 'another' : 'a'} release, stated to be ${others[0] ?? ''}`
        : `${given(others.length)} ${phases.length > 0 ? 'other ' : ''}releases, stated to be ${andWords(others)}`;
  const [only, ...more] = phases;
  if (!only) return `We made ${stated}.`;
  const noise = phases.every(({ phase }) => phase.mechanism === 'randomized-response')
    ? 'We answered'
    : phases.some(({ phase }) => isOfClients(phase))
      ? 'We trained with DP-FedAvg, each client being a record,'
      : 'We trained with DP-SGD';
  const trained =
    more.length === 0
      ? `${noise} on ${phaseWords(only)}`
      : `${noise} in ${given(phases.length)} phases: ${phases.map(({ phase }) => phaseWords({ phase })).join('; ')}`;
  return stated === '' ? `${trained}.` : `${trained}. The budget also covers ${stated}.`;
}

// --- What is proved

/** "for zero-out neighbours that differ in all of one person's records (at most 3)" */
function whomWords({ answer, phases }: Quoted): string {
  const records = Math.max(1, ...phases.map(({ phase }) => phase.recordsPerUser ?? 1));
  const group =
    records > 1
      ? answer.privacyUnit === 'client'
        ? ` and all others of the same person (at most ${given(records)})`
        : ` that differ in all records of one person (at most ${given(records)})`
      : '';
  return `${neighboursOf(answer)}${group}`;
}

/** The asked quantity, the other one, and how a pair of them is written. */
function pairOf({ asked, answer }: Quoted) {
  const byEpsilon = asked === 'epsilon';
  const [symbol, other] = byEpsilon ? (['ε', 'δ'] as const) : (['δ', 'ε'] as const);
  const at = (byEpsilon ? answer.delta.upper : answer.epsilon.upper) ?? 0;
  return {
    symbol,
    value: byEpsilon ? answer.epsilon : answer.delta,
    /** Beyond this the quantity says nothing. */
    most: byEpsilon ? Infinity : 1,
    at: (side: Side) =>
      side === 'given' ? givenAs(other, at) : `${other} = ${formatSafely(at, side)}`,
    written: (value: string, side: Side) =>
      byEpsilon ? `(${value}, ${formatSafely(at, side)})` : `(${formatSafely(at, side)}, ${value})`,
  };
}

const subjectOf = ({ phases, releases }: Quoted): { what: string; is: string } => {
  if (releases.length > 0) {
    const many = phases.length > 0 || releases.length > 1;
    const what =
      phases.length > 0 ? 'training and releases together' : many ? 'releases together' : 'release';
    return { what: phases.length > 0 ? what : `the ${what}`, is: many ? 'are' : 'is' };
  }
  return { what: 'training', is: 'is' };
};

function guarantees(quoted: Quoted): boolean {
  const { value, most } = pairOf(quoted);
  return value.kind !== 'estimate' && value.upper !== null && value.upper < most;
}

/** "under zero-out neighbours ..." for "for zero-out neighbours ..." */
const underWords = (whom: string): string => whom.replace(/^for /, 'under ');

/** The guarantee, and what is refuted. */
function claimSentence(quoted: Quoted): string {
  const { answer, releases } = quoted;
  if (answer.adjacency === 'mixed') {
    return 'No guarantee can be stated for the whole: its phases hold for different neighbouring datasets.';
  }
  const { symbol, value, most, at, written } = pairOf(quoted);
  const { lower, upper, kind } = provedOf(value, releases.length);
  const { what, is } = subjectOf(quoted);
  const whom = whomWords(quoted);
  const hasUpper = upper !== null && upper < most;
  if (kind === 'estimate') {
    return hasUpper
      ? `We estimate ${symbol} ≈ ${format(upper, { side: 'nearest' })} at ${at('given')} ${whom}; this is an estimate, not a guarantee.`
      : `No estimate of ${symbol} at ${at('given')} was found.`;
  }
  const refuted =
    lower !== null && lower > 0
      ? `It is not ${written(symbol, 'down')}-differentially private for any ${symbol} < ${format(lower, { side: 'down' })}`
      : undefined;
  const level = kind === 'confidence' ? 'up to the stated error probability, ' : '';
  const start = searchSubject(answer) ?? stepwise(quoted, what);
  if (!hasUpper) {
    const none = `No ${most === Infinity ? 'finite ε' : 'δ below 1'} is proved for ${what} at ${at('up')} ${whom}`;
    return `${none}.${refuted === undefined ? '' : ` ${refuted}.`}`;
  }
  const number = format(upper, { side: 'up' });
  const holds = `${level}${start} ${is} ${written(number, 'up')}-differentially private ${underWords(whom)}`;
  const first = holds.charAt(0).toUpperCase() + holds.slice(1);
  const provided =
    releases.length > 0 ? ', provided that the stated guarantees hold for the same neighbours' : '';
  return `${first}${provided}.${refuted === undefined || roundedUp(quoted) ? '' : ` ${refuted}.`}`;
}

/** Training is private even when every iterate is seen. */
const stepwise = ({ phases }: Quoted, what: string): string =>
  phases.length > 0 ? `even if every intermediate model is released, ${what}` : what;

/** Where the noise is printed larger than it was, less is refuted than was computed. */
const roundedUp = ({ phases }: Quoted): boolean =>
  phases.some(({ phase }) => isCut(multiplierOf(phase) ?? 1));

function otherSentence({ answer, phases }: Quoted): string | undefined {
  if (otherNeighbours(answer) === undefined || answer.adjacency === 'mixed') return undefined;
  const asked = new Set<Adjacency>(phases.map(({ phase }) => phase.adjacency ?? 'zero-out'));
  const wanted = [...asked]
    .filter((adjacency) => adjacency !== answer.adjacency)
    .map(neighboursNamed);
  return `This holds ${neighboursOf(answer)}, not for the ${andWords(wanted)} we asked about.`;
}

/** States that a theorem of this project's own has not been peer-reviewed, and what holds without. */
function ownProofsSentence(quoted: Quoted): string | undefined {
  const { published } = quoted.answer;
  if (!published || !guarantees(quoted)) return undefined;
  const alone = publishedWords(published, pairOf(quoted).symbol);
  return `The upper bound uses a theorem that is ${notReviewed} [${ownProofs}]; ${alone}.`;
}

/**
 * The number that Poisson accounting would have reported, where it is about the same neighbours.
 */
function poissonSentence(quoted: Quoted): string | undefined {
  const { asked, answer, poisson, isPoisson, phases, releases } = quoted;
  const figure = figureOf(poisson);
  if (asked !== 'epsilon' || isPoisson || releases.length > 0 || !poisson || !figure)
    return undefined;
  if (roundedUp(quoted) || phases.some(({ phase }) => isUnlikePoisson(phase))) return undefined;
  if (
    answer.adjacency === 'mixed' ||
    answer.epsilon.kind === 'estimate' ||
    poisson.epsilon.kind === 'estimate'
  )
    return undefined;
  const start = `Poisson accounting would have reported ${figure.lead}${figure.text}`;
  const [only, ...more] = phases;
  const sampler = only && more.length === 0 ? samplerOf(only.phase) : undefined;
  // The sampler's first paper shows that its batches are not Poisson batches.
  const source = `[${sampler ? samplerInfo(sampler).citations[0] : 'HP24'}]`;
  if (poisson.adjacency !== answer.adjacency) return `${start}, ${neighboursOf(poisson)}.`;
  const batches = sampler ? batchWords[sampler] : 'these batches';
  const stands = standingOf(parseNumber(figure.text) ?? Infinity, answer.epsilon);
  if (stands === 'too-small') return `${start}, which does not hold for ${batches} ${source}.`;
  if (stands === 'open') return `${start}, which is not proved for ${batches} ${source}.`;
  return undefined;
}

const isUnlikePoisson = (phase: Phase): boolean =>
  phase.maxBatchSize !== undefined || (phase.participations ?? 1) > 1 || !isPlain(phase);

/** Who proved it, and what computed it. */
function sourceSentence(quoted: Quoted): string {
  const { answer, version } = quoted;
  const { kind } = pairOf(quoted).value;
  const papers = answer.citations.filter((key) => key !== ownProofs).map((key) => `[${key}]`);
  const proved =
    kind === 'certified' && guarantees(quoted) ? 'Bounds computed with' : 'Computed with';
  return `${proved} ${toolName} ${version}${papers.length > 0 ? `, using ${papers.join(' ')}` : ''}.`;
}

/** The program, as a bibliography names it. */
export const toolName = 'Honest Epsilon';

/** What was done, and what is proved of it. */
const statement = (quoted: Quoted): string[] =>
  present(
    doneSentence(quoted),
    searchSentence(quoted.answer),
    claimSentence(quoted),
    otherSentence(quoted),
    ownProofsSentence(quoted),
  );

export const quotationOf = (quoted: Quoted): string[] =>
  present(...statement(quoted), poissonSentence(quoted), sourceSentence(quoted));

/** What corrects a reported epsilon that is too small; nothing where it is not refuted. */
export function erratumOf(quoted: Quoted): string[] {
  const { reported, answer, isPoisson, releases, asked } = quoted;
  if (reported === undefined || asked !== 'epsilon') return [];
  const poisson = isPoisson ? undefined : quoted.poisson;
  const judged = { reported, answer, poisson, releases: releases.length };
  if (reportedStanding(judged) !== 'too-small' || answer.adjacency === 'mixed') return [];
  return [
    `Erratum: we reported ${givenAs('ε', reported)} at ${pairOf(quoted).at('given')}.`,
    judgement(judged),
    ...statement(quoted),
    sourceSentence(quoted),
  ];
}
