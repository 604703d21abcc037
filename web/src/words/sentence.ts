import type {
  Answer,
  BatchSizes,
  Derived,
  Interval,
  Query,
  Solution,
} from '../../../wasm/generated/schema.js';
import { otherNeighbours } from '../../../wasm/neighbours.js';
import { fieldInfo, inFormWords, isPhase } from '../state/question.js';
import { samplerInfo } from '../state/scenario.js';
import type { RowName } from '../state/scenario.js';
import {
  formatGiven,
  formatInterval,
  formatNumber,
  formatSafe,
  givenAs,
  shapeOf,
} from '../../../wasm/number-words.js';

/** A piece of a sentence; `number` marks what can be asked for its digits and its source. */
export interface Piece {
  text: string;
  /** What must stay on one line with the number: its name and sign. */
  lead?: string | undefined;
  number?: { sampler: RowName } | undefined;
}

export interface Doing {
  sampler: RowName;
  epochs: number;
  redrawn: boolean;
  /** How often an epoch uses each record. */
  participations: number;
  /** Stretches of training, and other releases beside them. */
  phases: number;
  releases: number;
}

const counted = (count: number, one: string, many: string) =>
  count === 1 ? one : `${formatGiven(count)} ${many}`;

/** What the reader does, in the second person. */
function doing(what: Doing): string {
  const { phases, releases } = what;
  const beside =
    releases > 0 ? `, beside ${counted(releases, 'another release', 'other releases')}` : '';
  const base = phases > 1 ? `You train in ${formatGiven(phases)} phases.` : alone(what);
  return `${base.slice(0, -1)}${beside}.`;
}

function alone({ sampler, epochs, redrawn, participations }: Doing): string {
  const several = epochs > 1;
  switch (sampler) {
    case 'shuffle':
      if (!several) return 'You shuffle once per epoch.';
      return redrawn ? 'You shuffle afresh each epoch.' : 'You shuffle once and keep the order.';
    case 'balls-and-bins':
      if (participations > 1) {
        const times = formatGiven(participations);
        return `You put each record into ${times} random batches ${redrawn ? 'of every epoch' : 'of an epoch'}.`;
      }
      if (several && !redrawn)
        return 'You put each record into a random batch, once for all epochs.';
      return 'You put each record into one random batch of every epoch.';
    case 'deterministic':
      return 'You visit the same batches in a known order.';
    case 'without-replacement':
      return 'You draw every batch afresh, of fixed size.';
    case 'poisson':
      return 'You draw Poisson batches.';
    case 'composition':
      return 'You train.';
  }
}

/** "δ = 10⁻⁵": where a claim holds. */
function condition(name: string, value: number): Piece {
  const whole = givenAs(name, value);
  const at = whole.lastIndexOf(' ') + 1;
  return { lead: whole.slice(0, at), text: whole.slice(at) };
}

/** "ε = 6.53", "[6.52, 6.66]": what stays on one line. */
function figure(sampler: RowName, interval: Interval, named: boolean): Piece {
  const shape = shapeOf(interval);
  const bare = shape === 'at-least' || shape === 'at-most' || shape === 'about';
  const text = formatInterval(interval);
  const leads = {
    point: 'ε = ',
    interval: 'ε in ',
    'at-least': 'ε ',
    'at-most': 'ε ',
    about: 'ε ',
    nothing: '',
  };
  if (named) return { lead: leads[shape], text, number: { sampler } };
  return { text: bare ? text.slice(2) : text, number: { sampler } };
}

/** "the truth lies in" [6.52, 6.66] */
function truth(sampler: RowName, interval: Interval, subject: string): Piece[] {
  switch (shapeOf(interval)) {
    case 'point':
      return [{ text: `${subject} is ` }, figure(sampler, interval, subject === 'the truth')];
    case 'interval':
      return [{ text: `${subject} lies in ` }, figure(sampler, interval, false)];
    case 'at-least':
      return [{ text: `${subject} is at least ` }, figure(sampler, interval, false)];
    case 'at-most':
      return [{ text: `${subject} is at most ` }, figure(sampler, interval, false)];
    case 'about':
      return [{ text: `${subject} is estimated at ` }, figure(sampler, interval, false)];
    case 'nothing':
      return [{ text: `nothing is known about ${subject}` }];
  }
}

function capital(pieces: readonly Piece[]): Piece[] {
  return pieces.map((piece, index) =>
    index > 0
      ? piece
      : { ...piece, text: piece.text.charAt(0).toUpperCase() + piece.text.slice(1) },
  );
}

/** ", for add/remove neighbours", where others were asked for. */
function whom(answer: Answer): string {
  const other = otherNeighbours(answer);
  return other === undefined ? '' : `, ${other}`;
}

/** The sentence that a reviewer needs: what was done, what Poisson would say, what is true. */
export function verdict(
  what: Doing,
  own: Answer,
  poisson: Answer | undefined,
  shuffle: Answer | undefined,
  delta: number,
): Piece[] {
  const start: Piece = { text: `${doing(what)} ` };
  const at: Piece[] = [{ text: ' at ' }, condition('δ', delta), { text: `${whom(own)}.` }];
  if (what.sampler === 'poisson') {
    const pieces = [start, ...capital(truth('poisson', own.epsilon, 'the true ε')), ...at];
    if (!shuffle) return pieces;
    const shape = shapeOf(shuffle.epsilon);
    if (shape === 'nothing') return pieces;
    const where = shape === 'interval' ? 'lie in ' : 'be ';
    return [
      ...pieces,
      { text: ` Had you shuffled instead, it would ${where}` },
      { text: formatInterval(shuffle.epsilon), number: { sampler: 'shuffle' } },
      { text: `${whom(shuffle)}.` },
    ];
  }
  const claim = truth(what.sampler, own.epsilon, 'the truth');
  if (!poisson || shapeOf(poisson.epsilon) === 'nothing') return [start, ...capital(claim), ...at];
  if (formatInterval(poisson.epsilon) === formatInterval(own.epsilon)) {
    const same = figure(what.sampler, own.epsilon, true);
    return [start, { text: 'Poisson accounting says the same: ' }, same, ...at];
  }
  return [
    start,
    { text: 'Poisson accounting would say ' },
    figure('poisson', poisson.epsilon, true),
    { text: '; ' },
    ...claim,
    ...at,
  ];
}

/** How a reported epsilon stands to what is proved; no praise, no blame. */
export function reportedSentence(reported: number, own: Answer): string {
  const { lower, upper } = own.epsilon;
  const value = givenAs('ε', reported).replaceAll(' ', '\u00a0');
  if (lower !== null && reported < lower) {
    return `The reported ${value} is too small: this run’s ε is proved to be at least ${formatNumber(lower, 'down')}.`;
  }
  if (upper !== null && reported >= upper) {
    return `The reported ${value} holds: this run’s ε is proved to be at most ${formatNumber(upper, 'up')}.`;
  }
  return `The reported ${value} lies between the two ends: it is neither proved nor refuted.`;
}

/** Less of these is safer, so that their digits are cut downwards. */
const downwards = ['samplingProbability'];

const foundDigits = ({ field, value }: Solution) =>
  formatSafe(value, downwards.includes(field) ? 'down' : 'up');

/** What was found, in digits that still meet the target and read back as typed. */
export const foundText = (solution: Solution): string => foundDigits(solution).typed;

/** The same as it is shown. */
export const foundShown = (solution: Solution): string => foundDigits(solution).shown;

/** "To meet ε = 2 at δ = 10⁻⁵" */
export function targetPhrase({ solveFor, epsilon = 0, delta = 0, capDelta }: Query): string {
  const at = givenAs('ε', epsilon);
  if (solveFor === 'delta') return `At ${at}`;
  if (capDelta !== undefined) return `To add at most ${givenAs('δ', capDelta)} at ${at}`;
  return `To meet ${at} at ${givenAs('δ', delta)}`;
}

/** Why nothing meets the target: what the engine says after what was asked. */
export function nothingFound(refusal: string): string {
  const [, why] = refusal.split('; got none: ');
  return inFormWords('solveFor', why === undefined ? refusal : `None: ${why}`);
}

const batches: Readonly<Record<RowName, string>> = {
  deterministic: 'deterministic batches',
  shuffle: 'shuffled batches',
  'balls-and-bins': 'balls-and-bins batches',
  poisson: 'Poisson batches',
  'without-replacement': 'batches drawn without replacement',
  composition: 'these phases together',
};

/** "Noise multiplier 1.27 meets ε = 2 at δ = 10⁻⁵ for Poisson batches." */
export function foundSentence(
  solution: Solution,
  asked: Query,
  sampler: RowName,
  phase: number | undefined,
  found?: Answer,
): Piece[] {
  const { field, value } = solution;
  const number: Piece = { text: foundShown(solution), number: { sampler } };
  const epsilon: Piece = condition('ε', asked.epsilon ?? 0);
  const end: Piece[] = [{ text: ` for ${batches[sampler]}${found ? whom(found) : ''}.` }];
  if (field === 'delta') {
    return [{ ...number, lead: 'δ = ' }, { text: ' is met at ' }, epsilon, ...end];
  }
  const where = phase === undefined ? '' : ` in phase ${phase}`;
  const split =
    field === 'batchSize' &&
    asked.phases.some(
      (entry) => isPhase(entry) && (entry.accumulationSteps ?? 1) * (entry.devices ?? 1) > 1,
    );
  const name = `${fieldInfo(field).label}${split ? ' of one device' : ''}`;
  const many = field === 'epochs' || field === 'steps';
  const noun = value === 1 ? name.toLowerCase().slice(0, -1) : name.toLowerCase();
  const head: Piece[] = many
    ? [number, { text: ` ${noun}${where}` }]
    : [{ text: `${name} ` }, number, { text: where }];
  if (asked.capDelta !== undefined) {
    const added: Piece = condition('δ', asked.capDelta);
    return [...head, { text: ' adds at most ' }, added, { text: ' at ' }, epsilon, ...end];
  }
  const delta: Piece = condition('δ', asked.delta ?? 0);
  const meets = many && value !== 1 ? ' meet ' : ' meets ';
  return [...head, { text: meets }, epsilon, { text: ' at ' }, delta, ...end];
}

/** "At ε = 4, δ lies in [1.2×10⁻⁶, 1.3×10⁻⁶] for Poisson batches." */
export function deltaSentence(answer: Answer): Piece[] {
  const { sampler, epsilon, delta } = answer;
  const shape = shapeOf(delta);
  const text = formatInterval(delta);
  const at: Piece[] = [{ text: 'At ' }, condition('ε', epsilon.upper ?? 0), { text: ', ' }];
  const end: Piece = { text: ` for ${batches[sampler]}${whom(answer)}.` };
  if (shape === 'nothing') return [...at, { text: 'nothing is known about δ' }, end];
  const lead = shape === 'point' ? 'δ = ' : shape === 'interval' ? 'δ in ' : 'δ ';
  return [...at, { lead, text, number: { sampler } }, end];
}

/** Epsilon, or delta, at the value found. */
export function thereSentence(found: Answer): string {
  const byDelta = found.epsilon.lower === found.epsilon.upper;
  const [name, value] = byDelta ? ['δ', found.delta] : ['ε', found.epsilon];
  const text = formatInterval(value, 4);
  switch (shapeOf(value, 4)) {
    case 'interval':
      return `There ${name} lies in ${text}.`;
    case 'nothing':
      return `There nothing is proved about ${name}.`;
    case 'point':
      return `There ${name} = ${text}.`;
    default:
      return `There ${name} ${text}.`;
  }
}

/** What keeping one draw, or drawing afresh, would change. */
export function otherDrawSentence(kept: boolean, other: Answer): string {
  const start = kept ? 'A fresh draw each epoch' : 'One draw kept for all epochs';
  const shape = shapeOf(other.epsilon);
  if (shape === 'nothing') return `${start}: nothing is proved about ε.`;
  const text = formatInterval(other.epsilon);
  const words = {
    point: `be ${text}`,
    interval: `lie in ${text}`,
    'at-least': `be at least ${text.slice(2)}`,
    'at-most': `be at most ${text.slice(2)}`,
    about: `be about ${text.slice(2)}`,
  };
  return `${start}: ε would ${words[shape]}.`;
}

/** How large batches get where that is random. */
export function sizesSentence({ mean, p99, largest, capProbability }: BatchSizes): string {
  const spread = `Batches hold ${formatGiven(mean)} records on average; at most one in a hundred holds more than ${formatGiven(p99)}, and in 999 of 1,000 runs none more than ${formatGiven(largest)}.`;
  if (capProbability <= 0) return spread;
  return `${spread} Some batch of the run is cut with probability at most ${formatNumber(capProbability, 'up')}.`;
}

/** What is shown, for titles and captions: σ = 0.7, 1,000 steps, q = 0.001. */
export function setting({ phases }: Query, { steps, samplingProbability: q }: Derived): string {
  const [only] = phases;
  const plural = `${formatGiven(steps)} ${steps === 1 ? 'step' : 'steps'}`;
  if (phases.length !== 1 || !only || !('noiseMultiplier' in only) || q === undefined) {
    return `${phases.length} phases and releases, ${plural}`;
  }
  return `σ = ${formatGiven(only.noiseMultiplier ?? 0)}, ${plural}, q = ${formatGiven(q)}`;
}

export const kindMeaning: Readonly<Record<Interval['kind'], string>> = {
  certified: 'Certified: both ends are proved, round-off and truncation included.',
  bound: 'Bound: one end is proved; nothing is said about the other.',
  confidence: 'Confidence: both ends hold up to a stated error probability.',
  estimate: 'Estimate: no guarantee.',
};

/** The name of a row of the answer. */
export const labelOf = (name: RowName) =>
  name === 'composition' ? 'Your phases' : samplerInfo(name).label;
