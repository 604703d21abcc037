import { parseNumber } from '../words/number-forms.js';
import { plainPowers } from '../words/superscripts.js';
import { meaningNamed } from './fields.js';
import type { Meaning } from './fields.js';
import type { Said } from './run.js';

const letters: Readonly<Record<string, string>> = {
  sigma: 'σ',
  varepsilon: 'ε',
  epsilon: 'ε',
  delta: 'δ',
};

/** A text without TeX and typography. */
const plainText = (text: string): string =>
  plainPowers(text)
    .replace(
      /\\(sigma|varepsilon|epsilon|delta)(?![a-z])/g,
      (_, name: string) => letters[name] ?? name,
    )
    .replace(/\\times/g, '×')
    .replace(/\\cdot/g, '·')
    .replace(/\\(?:text|mathrm|mathit|emph|textbf|textit)\{([^}]*)\}/g, '$1')
    .replace(/\{,\}/g, ',')
    .replace(/\\[,;:! ]|~/g, ' ')
    .replace(/\\[()[\]]|\$/g, '')
    .replace(/\u2212/g, '-')
    .replace(/\^\{([^}]*)\}/g, '^$1')
    .replace(/ϵ/g, 'ε')
    .replace(/[\s\u00a0\u2009\u202f]+/g, ' ')
    .trim();

const power = String.raw`10(?:\^|\*\*)[-+]?\d+`;
const digits = String.raw`(?:[1-9]\d{0,2}(?:[, ]\d{3})+(?!\d)|\d[\d_]*)(?:\.\d+)?(?:e[-+]?\d+)?|\.\d+`;
/** A number, a power of ten or a ratio; 60k and 1.2M, too. */
const amount = String.raw`(?:${power}|(?:${digits})(?:\s?[×·*x]\s?${power}|\s?/\s?\d[\d,_]*|[kKM]\b)?)`;
/** Not part of a name or of a longer number: ResNet-18, CIFAR10, v1.2. */
const before = String.raw`(?<![\w.^/]|\w-|\d,)`;
const one = `${before}(${amount})(?!\\w)`;

const records =
  '(?:examples?|records?|samples?|images?|sentences?|data ?points?|rows|documents?|sequences|people|patients|users)';
const training = '(?:(?:private|labell?ed|training|train|total) ){0,2}';
const said = String.raw`\s?(?:\([^()]{1,12}\)\s?)?(?:=|:|≈|~|of|is|was|to|at|set to|was set to|equal to|with)?\s?`;

interface Pattern {
  meanings: readonly Meaning[];
  pattern: RegExp;
}

const pattern = (source: string, ...meanings: Meaning[]): Pattern => ({
  meanings,
  pattern: new RegExp(source, 'gi'),
});
/** Letters have a case. */
const cased = (source: string, ...meanings: Meaning[]): Pattern => ({
  meanings,
  pattern: new RegExp(source, 'g'),
});

/** Phrases of papers, the longer ones first: each number is taken once. */
const patterns: readonly Pattern[] = [
  pattern(String.raw`\(ε, ?δ\) ?= ?\( ?${one} ?, ?${one} ?\)`, 'epsilon', 'delta'),
  pattern(String.raw`\( ?${one} ?, ?${one} ?\) ?-? ?(?:DP\b|differential)`, 'epsilon', 'delta'),
  pattern(
    `${one} (?:steps|iterations|batches|updates) (?:per|in each|in an|each|an|every) epoch`,
    'stepsPerEpoch',
  ),
  pattern(`${one} (?:gradient )?accumulation steps`, 'accumulationSteps'),
  pattern(
    `accumulat\\w+ (?:gradients )?(?:over|for|of|across) ${one} (?:steps|batches|micro-?batches)`,
    'accumulationSteps',
  ),
  pattern(
    `${one} ${training}${records} (?:per|in each|in every|in a) (?:mini-?)?batch`,
    'batchSize',
  ),
  pattern(`(?:mini-?)?batch(?:es)? (?:size )?(?:of|with) (?:size )?${one}`, 'batchSize'),
  pattern(`(?:mini-?)?batch[- ]size${said}${one}`, 'batchSize'),
  pattern(`lot size${said}${one}`, 'stepBatch'),
  pattern(`${one} (?:GPUs?|TPUs?|devices|accelerators)\\b`, 'devices'),
  pattern(`${one} (?:(?:full|training) )?(?:epochs?|passes over)`, 'epochs'),
  pattern(`(?:number of )?epochs${said}${one}`, 'epochs'),
  pattern(
    `${one} (?:(?:noisy|gradient|training|optimi[sz]er|optimi[sz]ation|SGD|DP-SGD) )*(?:steps|iterations|updates)`,
    'steps',
  ),
  pattern(`(?:(?:training|gradient) )?(?:steps|iterations|updates)${said}${one}`, 'steps'),
  pattern(
    `(?:data ?set|training set|train set|training data|database) (?:size )?${said}${one}(?: ${training}${records})?`,
    'datasetSize',
  ),
  pattern(`${one} (?:${training}${records}|training\\b)`, 'datasetSize'),
  pattern(`noise[- ]multiplier${said}(?:σ ?=? ?)?${one}`, 'noiseMultiplier'),
  pattern(
    `(?:sub-?)?sampl(?:ing|e)[- ](?:rate|probability|ratio)${said}(?:q ?=? ?)?${one}`,
    'samplingProbability',
  ),
  cased(`(?<![\\w])(?:σ|sigma)${said}${one}`, 'noiseMultiplier'),
  cased(`(?<![\\w])(?:δ|delta|Delta)${said}${one}`, 'delta'),
  cased(`(?<![\\w])(?:ε|epsilon|Epsilon|eps)${said}${one}`, 'epsilon'),
  cased(`(?<![\\w])[nN] ?= ?${one}`, 'datasetSize'),
  cased(`(?<![\\w])[bB] ?= ?${one}`, 'batchSize'),
  cased(`(?<![\\w])q ?= ?${one}`, 'samplingProbability'),
];

const suffixes: Readonly<Record<string, number>> = { k: 1e3, K: 1e3, M: 1e6 };

/** As the form takes it: 60k becomes 60000. */
function formText(text: string): string {
  const factor = suffixes[text.at(-1) ?? ''];
  if (factor === undefined) return text;
  return String(Math.round((parseNumber(text.slice(0, -1)) ?? NaN) * factor * 1e6) / 1e6);
}

const ofSampling = [
  /poisson[- ]?(?:sub)?(?:sampl\w+|batch\w*)?/i,
  /(?:re)?shuffl\w+/i,
  /without replacement/i,
  /balls[- ]and[- ]bins|random allocation/i,
  /fixed order|deterministic(?:ally)? batch\w*/i,
];

const namedNumber = new RegExp(`(?<![\\w.])(?:--)?([A-Za-z_][\\w-]*)(?: ?[=:] ?| )${one}`, 'g');
const otherNumber = new RegExp(`(?:[\\p{L}_][\\p{L}\\w.'’-]*[ =:]*){0,3}${one}`, 'gu');

/** A number that no field takes, with the words before it. */
function asideOf(found: string, number: string): string {
  const words = found.trim().replace(/^(?:(?:and|at|with|the|an?|of|for|to|in|by|on) )+/i, '');
  return /(?:^| )T ?= ?/.test(words)
    ? `${words} (steps of an epoch or of the run? Write “${number} steps” or “${number} steps per epoch”)`
    : words;
}

/** The fields that a sentence states; its other numbers are named with the words before them. */
export function readProse(text: string): { said: Said[]; aside: string[]; sampling: string[] } {
  const plain = plainText(text);
  const taken: (readonly [number, number])[] = [];
  const free = (from: number, to: number) => taken.every(([a, b]) => to <= a || from >= b);
  const found: (Said & { at: number })[] = [];
  const keep = (
    { 0: words, index: at }: RegExpExecArray,
    numbers: readonly string[],
    meanings: readonly Meaning[],
  ) => {
    if (!free(at, at + words.length)) return;
    taken.push([at, at + words.length]);
    meanings.forEach((meaning, index) => {
      found.push({ at, words: words.trim(), meaning, text: formText(numbers[index] ?? '') });
    });
  };
  for (const { meanings, pattern: shape } of patterns) {
    for (const match of plain.matchAll(shape)) keep(match, match.slice(1), meanings);
  }
  // A configuration on one line: names of programs.
  for (const match of plain.matchAll(namedNumber)) {
    const [words, name = '', number = ''] = match;
    const meaning = meaningNamed(name);
    if (meaning && (/[_-]/.test(name) || /[=:]/.test(words))) keep(match, [number], [meaning]);
  }
  const aside = [...plain.matchAll(otherNumber)].flatMap((match) => {
    const [words, number = ''] = match;
    const end = match.index + words.length;
    return free(end - number.length, end) ? [asideOf(words, number)] : [];
  });
  const sampling = ofSampling.flatMap((shape) => shape.exec(plain)?.[0].trim() ?? []);
  return {
    said: found
      .sort((a, b) => a.at - b.at)
      .map(({ words, meaning, text: value }) => ({ words, meaning, text: value })),
    aside,
    sampling,
  };
}
