import { phaseFields, queryFields } from '../../../wasm/generated/schema.js';
import type { InputField, Phase, Query } from '../../../wasm/generated/schema.js';
import { kebab } from '../state/kebab.js';

/** A field of the question, and how an attribute spells it. */
export interface QueryAttribute {
  attribute: string;
  field: InputField;
  /** Of the one phase that attributes can describe, not of the question as a whole. */
  ofPhase: boolean;
}

/** Every attribute that is part of the question, as the core lists its fields. */
export const queryAttributes: readonly QueryAttribute[] = [
  ...phaseFields.map((field: InputField) => ({ field, ofPhase: true })),
  ...queryFields.map((field: InputField) => ({ field, ofPhase: false })),
].map((entry) => ({ ...entry, attribute: kebab(entry.field.name) }));

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
export const ownAttributes = ['view', 'hide', 'lock', 'theme'] as const;

/** A field that the reader sees. */
export interface GivenField {
  attribute: string;
  field: InputField;
  text: string;
  locked: boolean;
}

export interface Reading {
  /** The question, unless an attribute cannot be read. */
  query: Query | undefined;
  /** What is wrong, by the field's name. */
  problems: ReadonlyMap<string, string>;
  /** The attributes that are there, in the order of the list. */
  given: readonly GivenField[];
  shown: readonly Part[];
}

type Get = (attribute: string) => string | null;
type Parse = (text: string) => number | undefined;

const words = (text: string | null) => (text ?? '').split(/[\s,]+/).filter((word) => word !== '');

/** A flag is on by being there, as in HTML; all else is left for the engine to refuse in its words. */
function valueOf({ type }: InputField, text: string, parse: Parse): unknown {
  if (type === 'choice') return text;
  if (type === 'flag') return text !== 'false';
  if (type !== 'numbers') return parse(text);
  const numbers = text.split(/[\s,]+/).map(parse);
  return numbers.includes(undefined) ? undefined : numbers;
}

/** What is asked, when it was not said, follows from what was given. */
export function withQuestion(query: Query): Query {
  const { solveFor, delta, epsilon } = query;
  const byDelta = delta === undefined && epsilon !== undefined;
  const usual = solveFor !== undefined ? 'calibrate' : byDelta ? 'delta' : 'compare';
  return { ...query, question: query.question ?? usual };
}

/** The one phase with its sampler spelt out, as the rest of the page wants it. */
function withSampler(phase: Phase): Phase {
  const [usual] = phaseFields.find(({ name }) => name === 'sampler')?.choices ?? [];
  return { ...phase, sampler: (phase.sampler ?? usual) as Phase['sampler'] };
}

/** What to show: a view's parts without the hidden ones. */
function partsOf(view: string | null, hide: string | null): readonly Part[] {
  const known = Object.entries(views).find(([name]) => name === view);
  const hidden = words(hide);
  return (known?.[1] ?? views.answer).filter((part) => !hidden.includes(part));
}

/**
 * Reads the element's attributes. Only what is no number is refused here: whether the numbers make
 * sense is the engine's to say.
 */
export function readAttributes(get: Get, parse: Parse): Reading {
  const problems = new Map<string, string>();
  const phase: Record<string, unknown> = {};
  const rest: Record<string, unknown> = {};
  const lock = get('lock');
  const locks = words(lock);
  const given: GivenField[] = [];
  for (const { attribute, field, ofPhase } of queryAttributes) {
    const text = get(attribute);
    if (text === null) continue;
    const locked = lock !== null && (locks.length === 0 || locks.includes(attribute));
    given.push({ attribute, field, text, locked });
    const value = valueOf(field, text.trim(), parse);
    if (value === undefined) {
      const why =
        text.trim() === ''
          ? 'is missing; give a number.'
          : `must be a number, such as 0.8, 1e-5 or 1/60000; got “${text}”.`;
      problems.set(field.name, `${field.label} ${why}`);
    } else (ofPhase ? phase : rest)[field.name] = value;
  }
  const view = get('view');
  if (view !== null && !Object.hasOwn(views, view)) {
    problems.set('view', `view must be one of ${Object.keys(views).join(', ')}; got “${view}”.`);
  }
  const query =
    problems.size > 0 ? undefined : withQuestion({ ...rest, phases: [withSampler(phase)] });
  return { query, problems, given, shown: partsOf(view, get('hide')) };
}

/** What a field may hold. */
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
    const from = (ofPhase ? only : said) as Record<string, Written | undefined>;
    const value = from[field.name];
    return value === undefined ? [] : [[attribute, written(value)] as const];
  });
}
