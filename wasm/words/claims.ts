/** What may be claimed of a run, in words that page, element, report and command share. */

import type { Answer, Interval, Phase, SamplerName } from '../generated/schema.js';
import { neighboursOf } from './neighbours.js';
import { endsOf, exactDigits, format, givenAs, given } from './numbers.js';
import { isOfClients } from './record.js';
import { isSo, samplerOf } from './samplers.js';

export interface Drawing {
  sampler: SamplerName;
  /** Passes over the data; 1 where they are not counted. */
  epochs: number;
  /** Whether every epoch draws anew. */
  redrawn: boolean;
  /** How often an epoch uses each record. */
  participations: number;
  /** Whether a batch may hold a record several times. */
  replacement: boolean;
  /** Whether a record is a client. */
  clients: boolean;
}

export const drawingOf = (phase: Phase, epochs: number | undefined): Drawing => ({
  sampler: samplerOf(phase),
  epochs: epochs ?? phase.epochs ?? 1,
  redrawn: phase.reshuffle !== 'once',
  participations: phase.participations ?? 1,
  replacement: phase.replacement ?? false,
  clients: isOfClients(phase),
});

/** THE table of batches by how they are drawn. */
export const batchWords: Readonly<Record<SamplerName, string>> = {
  deterministic: 'deterministic batches',
  shuffle: 'shuffled batches',
  'balls-and-bins': 'balls-and-bins batches',
  poisson: 'Poisson batches',
  'without-replacement': 'fixed-size batches',
};

/** The same with more about the run: "reshuffled batches", "Poisson batches of clients". */
export const batchesOf = (drawing: Drawing): string =>
  `${drawnBatches(drawing)}${drawing.clients ? ' of clients' : ''}`;

function drawnBatches(drawing: Drawing): string {
  const { sampler, epochs, redrawn, participations } = drawing;
  if (drawing.replacement) return `${batchWords[sampler]} sampled with replacement`;
  if (isSo(sampler, 'canRepeat') && participations > 1)
    return `${batchWords[sampler]} with ${given(participations)} participations per epoch`;
  if (!isSo(sampler, 'permutes') || epochs <= 1) return batchWords[sampler];
  return redrawn ? 'reshuffled batches' : 'batches shuffled once and reused in every epoch';
}

const perEpoch = ({ participations, epochs, redrawn }: Drawing): string => {
  const count = participations > 1 ? `${given(participations)} random batches` : 'one random batch';
  if (epochs <= 1) return `each record in ${count}`;
  return redrawn
    ? `each record in ${count} per epoch`
    : `each record in ${count}, the same in every epoch`;
};

const drawingTexts: Readonly<Record<SamplerName, (drawing: Drawing) => string>> = {
  shuffle: ({ epochs, redrawn }) => {
    if (epochs <= 1) return 'shuffled batches';
    return redrawn
      ? 'batches reshuffled every epoch'
      : 'batches shuffled once and reused in the same order every epoch';
  },
  'balls-and-bins': (drawing) => `balls-and-bins batches, ${perEpoch(drawing)}`,
  deterministic: ({ epochs }) =>
    `deterministic batches${epochs > 1 ? ', the same in every epoch' : ''}`,
  poisson: () => 'Poisson batches, each record joining each batch independently',
  'without-replacement': ({ replacement }) =>
    `fixed-size batches, a new one at every step${replacement ? ', sampled with replacement' : ''}`,
};

/** How batches were drawn, for readers who do not know the name. */
export const drawingWords = (drawing: Drawing): string => {
  const words = drawingTexts[drawing.sampler](drawing);
  return drawing.clients ? words.replace('record', 'client') : words;
};

/**
 * The ends that hold for the run itself. Other releases are known by their guarantees alone, and may
 * be more private than these: then nothing is proved from below.
 */
export const provedOf = (interval: Interval, releases: number): Interval =>
  releases > 0 && interval.kind !== 'estimate' ? { ...interval, lower: null } : interval;

export const kindMeanings = {
  proved: 'both ends are proved, with discretisation, truncation and rounding errors included',
  'upper bound': 'the upper end is proved; nothing is claimed about the lower one',
  'lower bound': 'the lower end is proved; nothing is claimed about the upper one',
  confidence: 'both ends hold except with a stated probability',
  estimate: 'no guarantee of any kind',
} as const;

/** What is proved of the ends that say something; undefined where neither does. */
export function kindOf(interval: Interval): keyof typeof kindMeanings | undefined {
  const { kind } = interval;
  const { shape } = endsOf(interval);
  if (shape === 'nothing') return undefined;
  if (kind === 'confidence' || kind === 'estimate') return kind;
  if (kind === 'certified' || shape === 'interval' || shape === 'zero') return 'proved';
  return shape === 'at-least' ? 'lower bound' : 'upper bound';
}

/** The same behind a claim. */
export function withKind(text: string, interval: Interval, gap = ' '): string {
  const kind = kindOf(interval);
  return kind === undefined ? text : `${text}${gap}(${kind})`;
}

/** How near a proved claim is to the truth: "at least 5.313"; '' where that is not known. */
export function nearness(interval: Interval): string {
  const { shape, lower } = endsOf(interval);
  if (shape !== 'interval') return '';
  return (exactDigits(interval) ?? 0) >= 4 ? 'exact to four digits' : `at least ${lower}`;
}

/** The paper of this project's own theorems. */
export const ownProofs = 'HE26';

/** What stands behind a number that rests on them, and what it means. */
export const ownProofsMark = '†';
export const notReviewed = 'not yet peer-reviewed';

/** Whatever has an upper end: an answer, an audit, a trade-off, a curve. */
interface Proved {
  published?: Interval | undefined;
  ownProofs?: boolean;
  target?: Answer['target'];
}

/** Whether an upper end rests on a theorem of this project's own. */
export const restsOnOwnProofs = ({ published, ownProofs: own, target }: Proved): boolean =>
  published !== undefined || own === true || target?.ownProofs === true;

/** What is written behind a number: the mark where it rests on them, nothing elsewhere. */
export const markOf = (proved: Proved): string => (restsOnOwnProofs(proved) ? ownProofsMark : '');

/** What the mark means, and what holds without: "by a theorem of ours, not yet ...". */
export function markWords({ published }: Proved, symbol = 'ε'): string {
  const alone = published === undefined ? '' : `; ${publishedWords(published, symbol)}`;
  return `by a theorem of ours, ${notReviewed}${alone}`;
}

/** The same as a sentence behind the mark: "† By a theorem of ours, ...". */
export const markNote = (proved: Proved, symbol?: string): string =>
  `${ownProofsMark} B${markWords(proved, symbol).slice(1)}.`;

/** "published theorems alone give ε ≤ 15.79" */
export function publishedWords({ upper }: Interval, symbol: string): string {
  const holds = upper !== null && !(symbol === 'δ' && upper >= 1);
  return `published theorems alone give ${holds ? `${symbol} ≤ ${format(upper, { side: 'up' })}` : `no ${symbol}`}`;
}

/** How a reported epsilon compares with what is proved. */
type Standing = 'holds' | 'too-small' | 'open';

export function standingOf(value: number, { lower, upper, kind }: Interval): Standing {
  if (kind !== 'certified' && kind !== 'bound') return 'open';
  if (lower !== null && value < lower) return 'too-small';
  return upper !== null && value >= upper ? 'holds' : 'open';
}

/** The number that another accounting would promise, and its sign; undefined where it has none. */
export function figureOf(answer: Answer | undefined): { lead: string; text: string } | undefined {
  if (!answer || answer.epsilon.upper === null) return undefined;
  const { shape, upper } = endsOf(answer.epsilon);
  return { lead: shape === 'about' ? 'ε ≈ ' : 'ε ≤ ', text: upper };
}

/** Whether a number, to the digits that it was printed with, lies between the two. */
function isPrinted(reported: number, lower: number | null, upper: number | null): boolean {
  if (lower === null || upper === null) return false;
  const [mantissa = '', exponent = '0'] = reported.toExponential().split('e');
  const half = 0.5 * 10 ** (Number(exponent) - (mantissa.split('.')[1]?.length ?? 0));
  return lower <= reported + half && upper >= reported - half;
}

/**
 * The epsilon of Poisson accounting, exactly and by Rényi divergences, as libraries compute it.
 */
function besidePoisson({ reported, answer, poisson }: Reported, holds: boolean): string {
  const figure = figureOf(poisson);
  if (!poisson || !figure) return '';
  const whom = poisson.adjacency === answer.adjacency ? '' : `, ${neighboursOf(poisson)}`;
  const { lower, upper } = poisson.epsilon;
  const renyi = poisson.rdp?.upper ?? null;
  const its = (how: string) =>
    ` Poisson accounting${how} gives this number${whom}${holds ? '' : '; it does not apply to this run'}.`;
  if (isPrinted(reported, lower, upper)) return its('');
  if (isPrinted(reported, renyi, renyi)) return its(' by Rényi divergences');
  // A report that holds needs no other number.
  if (holds) return '';
  const looser =
    renyi === null || renyi === upper
      ? ''
      : ` (${format(renyi, { side: 'up' })} by Rényi accounting)`;
  return ` Poisson accounting of this run gives ${figure.lead}${figure.text}${looser}${whom}.`;
}

export interface Reported {
  reported: number;
  answer: Answer;
  /** Nothing where the batches are Poisson batches. */
  poisson: Answer | undefined;
  releases: number;
}

export const reportedStanding = ({ reported, answer, releases }: Reported): Standing =>
  standingOf(reported, provedOf(answer.epsilon, releases));

/** Twice what is proved, and more, is worth saying. */
const loose = 2;

const holdingWords = ({ reported, answer }: Reported): string =>
  reported > loose * (answer.epsilon.upper ?? Infinity)
    ? 'That is a valid but loose bound'
    : 'That holds';

/** How it compares with what is proved, and what Poisson accounting gives; no praise, no blame. */
export function judgement(all: Reported): string {
  const { lower, upper, kind } = all.answer.epsilon;
  const standing = reportedStanding(all);
  const beside = besidePoisson(all, standing === 'holds');
  switch (standing) {
    case 'too-small':
      return `That is too small: ε is proved to be at least ${format(lower, { side: 'down' })}.${beside}`;
    case 'holds':
      return `${holdingWords(all)}: ε is proved to be at most ${format(upper, { side: 'up' })}${markOf(all.answer)}.${beside}`;
    case 'open':
      return kind === 'estimate' || kind === 'confidence'
        ? `An estimate can neither confirm nor refute it.${beside}`
        : `It may or may not hold: it lies between the proved ends.${beside}`;
  }
}

/** "ε = 1.2 was reported for this run. That is too small: ..." */
export const reportedVerdict = (all: Reported): string =>
  `${givenAs('ε', all.reported)} was reported. ${judgement(all)}`;
