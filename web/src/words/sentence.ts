import type { Answer, Interval, SamplerName } from '../../../wasm/generated/schema.js';
import { samplerInfo } from '../state/scenario.js';
import { formatGiven, formatInterval, shapeOf } from './format.js';

/** A piece of a sentence; `number` marks what can be asked for its digits and its source. */
export interface Piece {
  text: string;
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

function truth(
  interval: Interval,
  lead: 'the truth' | 'the true ε',
  name: string,
): [string, string] {
  const value = formatInterval(interval);
  switch (shapeOf(interval)) {
    case 'point':
      return [`${lead} is ${name}`, value];
    case 'interval':
      return [`${lead} lies in `, value];
    case 'at-least':
      return [`${lead} is at least `, value.replace('≥ ', '')];
    case 'at-most':
      return [`${lead} is at most `, value.replace('≤ ', '')];
    case 'nothing':
      return [`nothing is proved about ${lead}`, ''];
  }
}

/** The sentence that a reviewer needs: what was done, what Poisson would say, what is true. */
export function verdict(
  what: Doing,
  own: Answer | undefined,
  poisson: Answer | undefined,
  shuffle: Answer | undefined,
  delta: number,
): Piece[] {
  const pieces: Piece[] = [{ text: `${doing(what)} ` }];
  const at = ` at δ = ${formatGiven(delta)}.`;
  if (!own) return pieces;
  const mark = { sampler: own.sampler };
  if (what.sampler === 'poisson') {
    const [lead, value] = truth(own.epsilon, 'the true ε', '');
    pieces.push({ text: `${lead.charAt(0).toUpperCase()}${lead.slice(1)}` });
    pieces.push({ text: value, number: mark }, { text: at });
    if (shuffle) {
      const [, other] = truth(shuffle.epsilon, 'the true ε', '');
      const where = shapeOf(shuffle.epsilon) === 'interval' ? 'lie in ' : 'be ';
      pieces.push(
        { text: ` Had you shuffled instead, it would ${where}` },
        { text: other, number: { sampler: 'shuffle' } },
        { text: '.' },
      );
    }
    return pieces;
  }
  const [lead, value] = truth(own.epsilon, 'the truth', 'ε = ');
  if (poisson) {
    const said = formatInterval(poisson.epsilon);
    if (said === value) {
      pieces.push(
        { text: 'Poisson accounting says the same: ε = ' },
        { text: value, number: mark },
        { text: at },
      );
      return pieces;
    }
    const says = shapeOf(poisson.epsilon) === 'point' ? 'ε = ' : 'ε in ';
    pieces.push(
      { text: `Poisson accounting would say ${says}` },
      { text: said, number: { sampler: 'poisson' } },
      { text: `; ${lead}` },
    );
  } else pieces.push({ text: `${lead.charAt(0).toUpperCase()}${lead.slice(1)}` });
  pieces.push({ text: value, number: mark }, { text: at });
  return pieces;
}

/** How a reported epsilon stands to what is proved; no praise, no blame. */
export function reportedSentence(reported: number, own: Answer): string {
  const { lower, upper } = own.epsilon;
  const value = `ε = ${formatGiven(reported)}`;
  if (lower !== null && reported < lower) {
    return `The reported ${value} is too small: this run’s ε is proved to be at least ${formatInterval(
      { ...own.epsilon, upper: null },
    ).replace('≥ ', '')}.`;
  }
  if (upper !== null && reported >= upper) {
    return `The reported ${value} is proved: this run’s ε is at most ${formatInterval({
      ...own.epsilon,
      lower: 0,
    }).replace('≤ ', '')}.`;
  }
  return `The reported ${value} lies between what is proved and what is refuted: neither can be said of it.`;
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
