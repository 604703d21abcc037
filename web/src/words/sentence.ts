import type { Answer, Interval, SamplerName } from '../../../wasm/generated/schema.js';
import { samplerInfo } from '../state/scenario.js';
import { formatGiven, formatInterval, formatNumber, shapeOf } from './format.js';

/** A piece of a sentence; `number` marks what can be asked for its digits and its source. */
export interface Piece {
  text: string;
  /** What must stay on one line with the number: its name and sign. */
  lead?: string | undefined;
  number?: { sampler: SamplerName } | undefined;
}

export interface Doing {
  sampler: SamplerName;
  epochs: number;
  redrawn: boolean;
}

/** What the reader does, in the second person. */
function doing({ sampler, epochs, redrawn }: Doing): string {
  const several = epochs > 1;
  switch (sampler) {
    case 'shuffle':
      if (!several) return 'You shuffle once per epoch.';
      return redrawn ? 'You shuffle afresh each epoch.' : 'You shuffle once and keep the order.';
    case 'balls-and-bins':
      if (several && !redrawn)
        return 'You put each record into a random batch, once for all epochs.';
      return 'You put each record into one random batch of every epoch.';
    case 'deterministic':
      return 'You visit the same batches in a known order.';
    case 'without-replacement':
      return 'You draw every batch afresh, of fixed size.';
    case 'poisson':
      return 'You draw Poisson batches.';
  }
}

/** "ε = 6.53", "[6.53, 6.65]": what stays on one line. */
function figure(sampler: SamplerName, interval: Interval, named: boolean): Piece {
  const shape = shapeOf(interval);
  const bare = shape === 'at-least' || shape === 'at-most';
  const text = formatInterval(interval);
  const leads = {
    point: 'ε = ',
    interval: 'ε in ',
    'at-least': 'ε ',
    'at-most': 'ε ',
    nothing: '',
  };
  if (named) return { lead: leads[shape], text, number: { sampler } };
  return { text: bare ? text.slice(2) : text, number: { sampler } };
}

/** "the truth lies in" [6.53, 6.65] */
function truth(sampler: SamplerName, interval: Interval, subject: string): Piece[] {
  switch (shapeOf(interval)) {
    case 'point':
      return [{ text: `${subject} is ` }, figure(sampler, interval, subject === 'the truth')];
    case 'interval':
      return [{ text: `${subject} lies in ` }, figure(sampler, interval, false)];
    case 'at-least':
      return [{ text: `${subject} is at least ` }, figure(sampler, interval, false)];
    case 'at-most':
      return [{ text: `${subject} is at most ` }, figure(sampler, interval, false)];
    case 'nothing':
      return [{ text: `nothing is proved about ${subject}` }];
  }
}

function capital(pieces: readonly Piece[]): Piece[] {
  return pieces.map((piece, index) =>
    index > 0
      ? piece
      : { ...piece, text: piece.text.charAt(0).toUpperCase() + piece.text.slice(1) },
  );
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
  const at: Piece[] = [{ text: ' at ' }, { lead: 'δ = ', text: formatGiven(delta) }, { text: '.' }];
  if (what.sampler === 'poisson') {
    const pieces = [start, ...capital(truth('poisson', own.epsilon, 'the true ε')), ...at];
    if (!shuffle) return pieces;
    const where = shapeOf(shuffle.epsilon) === 'interval' ? 'lie in ' : 'be ';
    return [
      ...pieces,
      { text: ` Had you shuffled instead, it would ${where}` },
      { text: formatInterval(shuffle.epsilon), number: { sampler: 'shuffle' } },
      { text: '.' },
    ];
  }
  const claim = truth(own.sampler, own.epsilon, 'the truth');
  if (!poisson) return [start, ...capital(claim), ...at];
  if (formatInterval(poisson.epsilon) === formatInterval(own.epsilon)) {
    const same = figure(own.sampler, own.epsilon, true);
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
  const value = `ε\u00a0=\u00a0${formatGiven(reported)}`;
  if (lower !== null && reported < lower) {
    return `The reported ${value} is too small: this run’s ε is proved to be at least ${formatNumber(lower)}.`;
  }
  if (upper !== null && reported >= upper) {
    return `The reported ${value} holds: this run’s ε is proved to be at most ${formatNumber(upper)}.`;
  }
  return `The reported ${value} lies between the two ends: it is neither proved nor refuted.`;
}

/** What is shown, for titles and captions: σ = 0.7, 1,000 steps, q = 0.001. */
export function setting(noiseMultiplier: number, steps: number, q: number): string {
  const plural = steps === 1 ? 'step' : 'steps';
  return `σ = ${formatGiven(noiseMultiplier)}, ${formatGiven(steps)} ${plural}, q = ${formatGiven(q)}`;
}

export const kindMeaning: Readonly<Record<Interval['kind'], string>> = {
  certified: 'Certified: both ends are proved, round-off and truncation included.',
  bound: 'Bound: one end is proved, the other is trivial.',
  confidence: 'Confidence: both ends hold up to a stated error probability.',
  estimate: 'Estimate: no guarantee.',
};

export const labelOf = (name: SamplerName) => samplerInfo(name).label;
