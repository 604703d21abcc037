import type {
  Answer,
  BatchSizes,
  Derived,
  Interval,
  Query,
  Solution,
} from '../../../wasm/generated/schema.js';
import {
  batchWords,
  batchesOf,
  figureOf,
  kindMeanings,
  kindOf,
  markNote,
  markOf,
  nearness,
  provedOf,
  restsOnOwnProofs,
} from '../../../wasm/words/claims.js';
import type { Drawing } from '../../../wasm/words/claims.js';
import { otherNeighbours } from '../../../wasm/words/neighbours.js';
import { multiplierOf } from '../../../wasm/words/noise.js';
import { isOfClients } from '../../../wasm/words/record.js';
import { targetPhraseOf } from '../../../wasm/words/target.js';
import { searchWords } from '../../../wasm/words/tuning.js';
import { soughtField } from '../state/fields.js';
import type { RowName } from '../state/scenario.js';
import {
  claim,
  endsOf,
  exactDigits,
  format,
  formatSafely,
  givenAs,
} from '../../../wasm/words/numbers.js';
import {
  drawnSampler,
  isPhase,
  isSo,
  reportedSampler,
  samplerLabel,
} from '../../../wasm/words/samplers.js';
import { fieldInfo, formatFound } from '../../../wasm/words/fields.js';
import { parseNumber } from '../../../wasm/words/number-forms.js';

/** A piece of a sentence; `number` marks what can be asked for its digits and its source, `beside` what is not the claim. */
export interface Piece {
  text: string;
  /** What must stay on one line with the number: its name and sign. */
  lead?: string | undefined;
  number?: { sampler: RowName; beside?: boolean } | undefined;
  /** Whether the claim is whole without this piece and those after it. */
  more?: true;
  /** What a mark means: in smaller type. */
  note?: true;
}

/** What the run is, as far as its headline tells. */
export interface Doing extends Omit<Drawing, 'sampler'> {
  sampler: RowName;
  /** How many, and how many releases beside them. */
  phases: number;
  releases: number;
}

export function doingOf(query: Query, sampler: RowName, own: Answer): Doing {
  const phases = query.phases.filter(isPhase);
  const [first] = phases;
  return {
    sampler,
    epochs: own.derived.epochs ?? 1,
    redrawn: first?.reshuffle !== 'once',
    participations: first?.participations ?? 1,
    replacement: first?.replacement === true && isSo(first.sampler, 'canReplace'),
    clients: first !== undefined && isOfClients(first),
    phases: phases.length,
    releases: query.phases.length - phases.length,
  };
}

/** The sentence without its numbers' ways of being asked. */
export const sentenceText = (pieces: readonly Piece[]): string =>
  pieces.map(({ lead = '', text }) => lead + text).join('');

/** The claim without what it rests on. */
export const briefly = (pieces: readonly Piece[]): string => {
  const end = pieces.findIndex(({ more }) => more);
  return sentenceText(end < 0 ? pieces : pieces.slice(0, end));
};

const counted = (count: number, one: string, many: string) =>
  count === 1 ? one : `${format(count, { side: 'given' })} ${many}`;

/** "reshuffled batches", "these 2 phases and another release" */
function subject(what: Doing): string {
  const { phases, releases } = what;
  const others =
    releases > 0 ? ` and ${counted(releases, 'another release', 'other releases')}` : '';
  if (phases === 0) return counted(releases, 'this release', 'releases together');
  if (phases > 1) return `these ${format(phases, { side: 'given' })} phases${others}`;
  const { sampler } = what;
  return `${sampler === 'composition' ? 'this phase' : batchesOf({ ...what, sampler })}${others}`;
}

/** "δ = 10⁻⁵": where a claim holds. */
function condition(name: string, value: number): Piece {
  const whole = givenAs(name, value);
  const at = name.length + 3;
  return { lead: whole.slice(0, at), text: whole.slice(at) };
}

/** ", for add/remove neighbours", where others were asked for. */
function whom(answer: Answer): string {
  const other = otherNeighbours(answer);
  return other === undefined ? '' : `, ${other}`;
}

/** The lower end with other releases, which may leak less than they state. */
function atWorst({ releases }: Doing, { epsilon }: Answer): string {
  const { shape, lower } = endsOf(epsilon);
  if (releases === 0 || shape !== 'interval') return '';
  const leak = releases === 1 ? 'the release leaks' : 'the releases leak';
  return `; ε is at least ${lower} if ${leak} as much as stated`;
}

/** The claim: what is proved, for which batches, and how far it may be from the truth. */
function claimed(what: Doing, own: Answer, delta: number): Piece[] {
  const { sampler } = what;
  const value = provedOf(own.epsilon, what.releases);
  const at: Piece[] = [{ text: ' at ' }, condition('δ', delta)];
  const claim = (lead: string, text: string, rest: string, least = ''): Piece[] => [
    ...[{ lead, text, number: { sampler } }, ...at],
    { text: `${rest}${whom(own)}${least}.`, more: true },
  ];
  const search = searchWords(own);
  const batches =
    search === undefined ? subject(what) : `publishing ${search} with ${subject(what)}`;
  const sure =
    value.kind === 'confidence' ? 'holds except with the stated probability' : 'is proved';
  const proved = ` ${sure} for ${batches}`;
  const { shape, lower, upper: most } = endsOf(value);
  const upper = `${most}${markOf(own)}`;
  switch (shape) {
    case 'zero':
      return own.derived.steps === 0
        ? claim('ε = ', upper, ': a run of no steps reveals nothing')
        : claim('ε = ', upper, proved);
    case 'interval': {
      if ((exactDigits(value) ?? 0) >= 4)
        return claim('ε ≤ ', upper, `${proved}, exact to four digits`);
      const attained =
        search === undefined ? 'the true value is' : 'for the worst selection rule it is';
      return claim('ε ≤ ', upper, proved, `; ${attained} at least ${lower}`);
    }
    case 'at-most':
      return claim('ε ≤ ', upper, `${proved}${atWorst(what, own)}`);
    case 'at-least':
      return claim('ε ≥ ', lower, `${proved}; no upper end is`);
    case 'about':
      return claim('ε ≈ ', upper, ` is estimated, not proved, for ${batches}`);
    case 'nothing':
      return [
        { text: 'Nothing is proved about ε' },
        { text: ` for ${batches}`, more: true },
        ...[...at, { text: `${whom(own)}.`, more: true as const }],
      ];
  }
}

/** "ε ≤ 7.432, at least 5.313" */
function nearlyClaimed(name: string, value: Interval, mark = ''): string {
  const near = nearness(value);
  return `${claim(name, value)}${mark}${near && `, ${near}`}`;
}

/** What the mark behind a number means, as a sentence of its own; nothing where there is none. */
const marked = (answer: Answer, symbol?: string): Piece[] =>
  restsOnOwnProofs(answer)
    ? [{ text: ` ${markNote(answer, symbol)}`, more: true, note: true }]
    : [];

/** What one of the runs costs by itself. */
function beside({ tuning }: Answer): Piece[] {
  if (!tuning || endsOf(tuning.oneRun).shape === 'nothing') return [];
  return [{ text: ` A single run has ${nearlyClaimed('ε', tuning.oneRun)}.` }];
}

/** The headline: the claim first, then what other accounting would give, which is not about this run. */
export function headline(
  what: Doing,
  own: Answer,
  poisson: Answer | undefined,
  shuffle: Answer | undefined,
  delta: number,
): Piece[] {
  const claim = [...claimed(what, own, delta), ...beside(own)];
  const whole = [...claim, ...marked(own)];
  if (what.sampler === reportedSampler) {
    const shuffled = figureOf(shuffle);
    if (!shuffle || !shuffled || what.releases > 0) return whole;
    const { shape, lower } = endsOf(shuffle.epsilon);
    const least = shape === 'interval' ? `, at least ${lower}` : '';
    return [
      ...whole,
      { text: ' Shuffled batches would have ' },
      {
        lead: shuffled.lead,
        text: `${shuffled.text}${markOf(shuffle)}`,
        number: { sampler: drawnSampler, beside: true },
      },
      { text: `${least}${whom(shuffle)}.` },
      ...marked(shuffle),
    ];
  }
  const other = figureOf(poisson);
  if (!poisson || !other) return whole;
  const number: Piece = { ...other, number: { sampler: reportedSampler, beside: true } };
  const [gives, but] =
    other.text === endsOf(own.epsilon).upper
      ? ['gives the same:', '']
      : ['would give', ', which does not apply to this run'];
  return [
    ...claim,
    { text: ` Poisson accounting ${gives} ` },
    number,
    { text: `${whom(poisson)}${but}.` },
    ...marked(own),
  ];
}

type FoundValue = Pick<Solution, 'field' | 'value'>;

/** What was found, in digits that still meet the target and read back as typed. */
export const foundText = (solution: FoundValue): string =>
  String(parseNumber(formatFound(solution)));

/** "To meet ε = 2 at δ = 10⁻⁵" */
export function targetPhrase(asked: Query): string {
  const { solveFor, epsilon = 0, delta = 0, capDelta } = asked;
  const other = targetPhraseOf(asked);
  if (other !== undefined) return `To meet ${other}`;
  const at = givenAs('ε', epsilon);
  if (solveFor === 'delta') return `At ${at}`;
  if (capDelta !== undefined) return `To add at most ${givenAs('δ', capDelta)} at ${at}`;
  return `To meet ${at} at ${givenAs('δ', delta)}`;
}

/** Whether a field counts something: 10 epochs, not epochs 10. */
const isCounted = (field: string): boolean => field === 'epochs' || field === 'steps';

/** "noise multiplier", "number of epochs" */
function soughtNoun(field: string): string {
  const noun = fieldInfo(field).label.toLowerCase();
  return isCounted(field) ? `number of ${noun}` : noun;
}

/** "epochs", and "epoch" for one */
function countedNoun({ field, value }: FoundValue): string {
  const noun = fieldInfo(field).label.toLowerCase();
  return value === 1 ? noun.slice(0, -1) : noun;
}

/** "noise multiplier 0.7", "1 epoch" */
export const valueWords = (solution: FoundValue): string => {
  const { field, value } = solution;
  return isCounted(field)
    ? `${format(value, { side: 'given' })} ${countedNoun(solution)}`
    : `${soughtNoun(field)} ${format(value, { side: 'given' })}`;
};

/** "No number of epochs meets ε = 3 at δ = 10⁻⁵ for shuffled batches." */
export function unmetSentence(asked: Query, sampler: RowName): Piece[] {
  const field = soughtField(asked.solveFor ?? 'epsilon') ?? 'epsilon';
  const { epsilon = 0, delta } = asked;
  const at = delta === undefined ? '' : ` at ${givenAs('δ', delta)}`;
  const target = targetPhraseOf(asked) ?? `${givenAs('ε', epsilon)}${at}`;
  return [
    { text: `No ${soughtNoun(field)} meets ${target}` },
    { text: ` for ${batchesNamed(sampler)}.`, more: true },
  ];
}

/** Why nothing meets the target, after the sentence that says that nothing does. */
export const unmetReason = (text: string): string =>
  text
    .replace(/^Nothing meets the target: e/, 'E')
    .replace(/\bepsilon\b/, 'ε')
    .replace(/\bdelta (\S+)/, (_, delta: string) => givenAs('δ', Number(delta)))
    .replace(/ \(([^()]*)\)$/, '; $1.');

const batchesNamed = (name: RowName): string =>
  name === 'composition' ? 'these phases together' : batchWords[name];

/** "Noise multiplier 1.27 meets ε = 2 at δ = 10⁻⁵ for Poisson batches." */
export function foundSentence(
  solution: FoundValue,
  asked: Query,
  sampler: RowName,
  phase: number | undefined,
  found?: Answer,
): Piece[] {
  const { field, value } = solution;
  const mark = found ? markOf(found) : '';
  const number: Piece = { text: `${formatFound(solution)}${mark}`, number: { sampler } };
  const epsilon: Piece = condition('ε', asked.epsilon ?? 0);
  const end: Piece[] = [
    { text: ` for ${batchesNamed(sampler)}${found ? whom(found) : ''}.`, more: true },
    ...(found ? marked(found, field === 'delta' ? 'δ' : 'ε') : []),
  ];
  if (field === 'delta') {
    return [{ text: 'At ' }, epsilon, { text: ', ' }, { ...number, lead: 'δ ≤ ' }, ...end];
  }
  const where = phase === undefined ? '' : ` in phase ${phase}`;
  const split =
    field === 'batchSize' &&
    asked.phases.some(
      (entry) => isPhase(entry) && (entry.accumulationSteps ?? 1) * (entry.devices ?? 1) > 1,
    );
  const name = `${fieldInfo(field).label}${split ? ' of one device' : ''}`;
  const many = isCounted(field);
  const head: Piece[] = many
    ? [number, { text: ` ${countedNoun(solution)}${where}` }]
    : [{ text: `${name} ` }, number, { text: where }];
  if (asked.capDelta !== undefined) {
    const added: Piece = condition('δ', asked.capDelta);
    return [...head, { text: ' adds at most ' }, added, { text: ' at ' }, epsilon, ...end];
  }
  const meets = many && value !== 1 ? ' meet ' : ' meets ';
  const other = targetPhraseOf(asked);
  if (other !== undefined) return [...head, { text: `${meets}${other}` }, ...end];
  const delta: Piece = condition('δ', asked.delta ?? 0);
  return [...head, { text: meets }, epsilon, { text: ' at ' }, delta, ...end];
}

/** "At ε = 4, δ ≤ 1.3×10⁻⁶ for Poisson batches; at least 1.2×10⁻⁶." */
export function deltaSentence(answer: Answer): Piece[] {
  const { sampler, epsilon, delta } = answer;
  const at: Piece[] = [{ text: 'At ' }, condition('ε', epsilon.upper ?? 0), { text: ', ' }];
  const batches = ` for ${batchesNamed(sampler)}${whom(answer)}`;
  if (endsOf(delta).shape === 'nothing')
    return [...at, { text: `nothing is proved about δ${batches}.` }];
  const near = nearness(delta);
  const [lead, text] = [claim('δ', delta).slice(0, 4), claim('δ', delta).slice(4)];
  return [
    ...at,
    { lead, text: `${text}${markOf(answer)}`, number: { sampler } },
    { text: `${batches}${near && `; ${near}`}.` },
    ...marked(answer, 'δ'),
  ];
}

/** Epsilon, or delta, at the value found: "At this noise multiplier, ε ≤ 2.000, at least 1.995." */
export function thereSentence(found: Answer, { field }: FoundValue): string {
  const there = field === 'delta' ? 'There' : `At this ${soughtNoun(field)}`;
  const byDelta = found.epsilon.lower === found.epsilon.upper;
  const [name, value] = byDelta ? ['δ', found.delta] : ['ε', found.epsilon];
  return `${there}, ${nearlyClaimed(name, value, markOf(found))}.`;
}

/** How large batches get where that is random. */
export function sizesSentence(
  { mean, p99, largest, capProbability }: BatchSizes,
  unit = 'record',
): string {
  const spread = `Batches hold ${formatSafely(mean, 'nearest')} ${unit}s on average; 99 % hold at most ${format(p99, { side: 'given' })}; in 99.9 % of runs none exceeds ${format(largest, { side: 'given' })}.`;
  if (capProbability <= 0) return spread;
  return `${spread} Some batch of the run is cut with probability at most ${format(capProbability, { side: 'up' })}.`;
}

/** What is shown, for titles and captions, part by part: σ = 0.7, 1,000 steps, q = 0.001. */
export function settingParts(
  { phases }: Query,
  { steps, samplingProbability: q }: Derived,
): Partial<Record<'entries' | 'noise' | 'steps' | 'rate', string>> {
  const [only] = phases;
  const plural = `${format(steps, { side: 'given' })} ${steps === 1 ? 'step' : 'steps'}`;
  if (phases.length !== 1 || !only || !isPhase(only) || q === undefined)
    return { entries: `${phases.length} phases and releases`, steps: plural };
  const { noiseEnd } = only;
  const last = noiseEnd === undefined ? '' : ` to ${format(noiseEnd, { side: 'given' })}`;
  const noise = `${givenAs('σ', multiplierOf(only) ?? 0)}${last}`;
  return { noise, steps: plural, rate: givenAs('q', q) };
}

export const setting = (query: Query, derived: Derived): string =>
  Object.values(settingParts(query, derived)).join(', ');

/** "Proved: both ends are proved, ..." */
export function kindMeaning(interval: Interval): string {
  const kind = kindOf(interval);
  if (kind === undefined) return 'Nothing is proved.';
  return `${kind.charAt(0).toUpperCase()}${kind.slice(1)}: ${kindMeanings[kind]}.`;
}

export const rowLabel = (name: RowName) => samplerLabel(name, 'Your phases');
