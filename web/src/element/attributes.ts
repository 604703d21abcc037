import { phaseFields, queryFields } from '../../../wasm/generated/schema.js';
import type { InputField, Query, Question, SamplerName } from '../../../wasm/generated/schema.js';
import { disjunction } from '../state/disjunction.js';
import { kebab } from '../../../wasm/words/kebab.js';
import { calledFor, clientNames, withClients } from '../../../wasm/words/record.js';
import { samplerOf } from '../../../wasm/words/samplers.js';
import { meantName, nearest } from '../../../wasm/words/spelling.js';
import { numberIn, numberKind, typedNumber } from '../state/typed.js';

interface QueryAttribute {
  attribute: string;
  field: InputField;
  /** Of the one phase that attributes can describe, not of the question as a whole. */
  ofPhase: boolean;
}

/** The questions that the element answers; trade-offs and audits are for the page and the command. */
const answered: readonly Question[] = ['compare', 'epsilon', 'delta', 'calibrate'];

/** Every attribute that is part of the question, as the core lists its fields. */
export const queryAttributes: readonly QueryAttribute[] = [
  ...phaseFields.map((field: InputField) => ({ field, ofPhase: true })),
  ...queryFields.map((field: InputField) => ({
    field: field.name === 'question' ? { ...field, choices: answered } : field,
    ofPhase: false,
  })),
].flatMap((entry) => {
  const { name } = entry.field;
  const own = { ...entry, attribute: kebab(name) };
  const [, client] = entry.ofPhase ? (clientNames.find(([of]) => of === name) ?? []) : [];
  return client === undefined
    ? [own]
    : [own, { ...entry, field: calledFor(entry.field, true), attribute: kebab(client) }];
});
const ofClients = clientNames.map(([, name]) => kebab(name));

/** What can be shown, from top to bottom. */
export const parts = ['sentence', 'form', 'plot', 'table', 'curve'] as const;
export type Part = (typeof parts)[number];

/** The choices of `view`, the default first, and what each shows. */
export const views = {
  answer: ['sentence', 'form'],
  compare: ['sentence', 'form', 'plot'],
  table: ['sentence', 'form', 'table'],
  curve: ['sentence', 'form', 'curve'],
  all: parts,
} as const satisfies Record<string, readonly Part[]>;

/** Attributes beside the question's. */
const ownAttributes = ['view', 'hide', 'lock', 'theme', 'page'] as const;

/** What the element reads. */
export const knownAttributes: readonly string[] = [
  ...queryAttributes.map(({ attribute }) => attribute),
  ...ownAttributes,
];

/** HTML's own attributes, which any element may have. */
const globalAttributes = new Set(
  `accesskey autocapitalize autocorrect autofocus class contenteditable dir draggable enterkeyhint
  exportparts hidden id inert inputmode is itemid itemprop itemref itemscope itemtype lang nonce part
  popover role slot spellcheck style tabindex title translate writingsuggestions xmlns`.split(
    /\s+/,
  ),
);
/** Attributes with a meaning elsewhere: to HTML, to scripts, or to a framework that marks elements. */
export const isForeign = (name: string): boolean =>
  globalAttributes.has(name) || /^(data-|aria-|on|ng-|v-|x-|hx-)|[^a-z-]/.test(name);

export interface GivenField {
  attribute: string;
  field: InputField;
  text: string;
  locked: boolean;
}

export interface ElementReading {
  /** The question, unless an attribute cannot be read. */
  query: Query | undefined;
  problems: ReadonlyMap<string, string>;
  /** The attributes that are there, in the order of the list. */
  given: readonly GivenField[];
  /** Whose answer is the element's own; undefined where the attribute names no sampler. */
  sampler: SamplerName | undefined;
  shown: readonly Part[];
  /** Where the page is, without a hash: the element links to its run there. */
  page?: string | undefined;
}

type AttributeTexts = ReadonlyMap<string, string>;

const words = (text: string | undefined) =>
  (text ?? '').split(/[\s,]+/).filter((word) => word !== '');

/** The words that the element's own attributes take; `hide` and `lock` take several. */
const ownChoices: Partial<Record<(typeof ownAttributes)[number], readonly string[]>> = {
  hide: parts,
  lock: queryAttributes.map(({ attribute }) => attribute),
  theme: ['auto', 'light', 'dark'],
};

/** What a flag says; it is on by being there, as in HTML. */
const flags: ReadonlyMap<string, boolean> = new Map([
  ['', true],
  ['true', true],
  ['false', false],
]);

/** Undefined for what cannot be read; whether a number makes sense is left for the engine to say. */
function valueOf(field: InputField, text: string): unknown {
  const { type, choices } = field;
  if (type === 'choice') return choices.includes(text) ? text : undefined;
  if (type === 'flag') return flags.get(text);
  if (type !== 'numbers') return numberIn(field, text);
  const numbers = text.split(/[\s,]+/).map((part) => numberIn(field, part));
  return numbers.includes(undefined) ? undefined : numbers;
}

/** What is asked, when it was not said, follows from what was given. */
export function withQuestion(query: Query): Query {
  const { solveFor, delta, epsilon } = query;
  const byDelta = delta === undefined && epsilon !== undefined;
  const usual = solveFor !== undefined ? 'calibrate' : byDelta ? 'delta' : 'compare';
  return { ...query, question: query.question ?? usual };
}

const samplerChoices = phaseFields.find(({ name }) => name === 'sampler')?.choices ?? [];

/** Why an attribute cannot be read: the field, what was given and where, and what would do. */
function refusal(attribute: string, field: InputField, text: string): string {
  const { label, type, choices } = field;
  const got = `got “${text}” in the attribute ${attribute}.`;
  if (type === 'choice') {
    const meant = nearest(text, choices);
    const hint = meant === undefined ? '' : ` Did you mean “${meant}”?`;
    return `${label} must be ${disjunction(choices)}; ${got}${hint}`;
  }
  if (type === 'flag') return `${label} must be true, false or left empty; ${got}`;
  return String(typedNumber(text, label, numberKind(field)));
}

/** What is wrong with an attribute that does not exist, and which one was probably meant. */
function unknownAttribute(name: string): string {
  const fields = queryAttributes.map(({ field }) => field);
  const meant = meantName(name, fields, ownAttributes);
  const remedy =
    meant === undefined ? 'a name of your own begins with data-.' : `did you mean ${meant}?`;
  return `There is no attribute ${name}; ${remedy}`;
}

/** A web address without its hash; undefined for anything else. */
const webAddress = (text: string): string | undefined =>
  /^https?:/i.test(text) && URL.canParse(text)
    ? new URL(text).href.replace(/#.*$/s, '')
    : undefined;

/** What to show: a view's parts without the hidden ones. */
function partsOf(view: string | undefined, hide: string | undefined): readonly Part[] {
  const known = Object.entries(views).find(([name]) => name === view);
  const hidden = words(hide);
  return (known?.[1] ?? views.answer).filter((part) => !hidden.includes(part));
}

/**
 * Reads the element's attributes. Only what is no number is refused here: whether the numbers make
 * sense is the engine's to say.
 */
export function readAttributes(attributes: AttributeTexts): ElementReading {
  const problems = new Map<string, string>();
  const phase: Record<string, unknown> = {};
  const rest: Record<string, unknown> = {};
  const lock = attributes.get('lock');
  const locks = words(lock);
  const given: GivenField[] = [];
  for (const { attribute, field, ofPhase } of queryAttributes) {
    const text = attributes.get(attribute);
    if (text === undefined) continue;
    const locked = lock !== undefined && (locks.length === 0 || locks.includes(attribute));
    given.push({ attribute, field, text, locked });
    const value = valueOf(field, text.trim());
    if (value === undefined) problems.set(field.name, refusal(attribute, field, text));
    else if (Object.hasOwn(ofPhase ? phase : rest, field.name))
      problems.set(field.name, `${field.label} was given twice: leave out one of the attributes.`);
    else (ofPhase ? phase : rest)[field.name] = value;
  }
  const named = given.some(({ attribute }) => ofClients.includes(attribute));
  const view = attributes.get('view');
  if (view !== undefined && !Object.hasOwn(views, view)) {
    problems.set('view', `view must be one of ${Object.keys(views).join(', ')}; got “${view}”.`);
  }
  for (const [name, choices] of Object.entries(ownChoices)) {
    const unknown = words(attributes.get(name)).find((word) => !choices.includes(word));
    if (unknown !== undefined)
      problems.set(name, `${name} takes ${disjunction(choices)}; got “${unknown}”.`);
  }
  const where = attributes.get('page');
  const page = where === undefined ? undefined : webAddress(where);
  if (where !== undefined && page === undefined) {
    const got = `got “${where}”.`;
    problems.set('page', `page must be a web address such as https://example.org/; ${got}`);
  }
  for (const name of attributes.keys()) {
    if (!isForeign(name) && !knownAttributes.includes(name))
      problems.set(name, unknownAttribute(name));
  }
  const sampler = samplerOf(phase);
  const query =
    problems.size > 0
      ? undefined
      : withQuestion({ ...rest, phases: [{ ...withClients(phase, named), sampler }] });
  const own = problems.has('sampler') ? undefined : sampler;
  return {
    query,
    problems,
    given,
    sampler: own,
    shown: partsOf(view, attributes.get('hide')),
    page,
  };
}

/** The reading of a question that was set as a property; scripts may set anything. */
export function readElementQuery(
  asked: Query,
  { shown, page }: Pick<ElementReading, 'shown' | 'page'>,
): ElementReading {
  const none = { query: undefined, given: [], sampler: undefined, shown, page };
  const refused = (field: string, text: string): ElementReading => ({
    ...none,
    problems: new Map([[field, text]]),
  });
  const got = (value: unknown) => `got ${JSON.stringify(value)} in query.`;
  const { phases, question } = asked as { phases?: unknown; question?: unknown };
  if (!Array.isArray(phases) || phases.length === 0)
    return refused('phases', 'query must have phases, a list of at least one phase or release.');
  if (question !== undefined && !answered.some((name) => name === question))
    return refused('question', `question must be ${disjunction(answered)}; ${got(question)}`);
  for (const phase of phases as unknown[]) {
    const { sampler } = Object(phase) as { sampler?: unknown };
    if (sampler === undefined || samplerChoices.some((name) => name === sampler)) continue;
    return refused('sampler', `sampler must be ${disjunction(samplerChoices)}; ${got(sampler)}`);
  }
  return { ...none, query: withQuestion(asked), problems: new Map() };
}

type Written = string | number | boolean | readonly number[];

function written(value: Written): string {
  if (Array.isArray(value)) return value.map(written).join(' ');
  // 1e-7 and 1e-5, not 0.00001.
  return typeof value === 'number' && value > 0 && value < 1e-3
    ? value.toExponential()
    : String(value);
}

/** The attributes that ask this question, if attributes can: they describe a single phase. */
export function attributesOf(query: Query): readonly (readonly [string, string])[] | undefined {
  const [only] = query.phases;
  if (query.phases.length !== 1 || !only || !('sampler' in only)) return undefined;
  const { question, ...rest } = query;
  const said: Record<string, unknown> =
    question === withQuestion({ ...rest, phases: [] }).question ? rest : { ...rest, question };
  return queryAttributes.flatMap(({ attribute, field, ofPhase }) => {
    if (ofPhase && ofClients.includes(attribute)) return [];
    const from = (ofPhase ? only : said) as Record<string, Written | undefined>;
    const value = from[field.name];
    return value === undefined ? [] : [[attribute, written(value)] as const];
  });
}
