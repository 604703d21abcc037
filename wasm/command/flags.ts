import { QueryError } from '../errors.js';
import { phaseFields, queryFields, samplers } from '../generated/schema.js';
import type { InputField, Query, Question } from '../generated/schema.js';
import { askedBack, readNumber, type NumberKind } from '../words/number-forms.js';
import { isRecord } from '../protocol.js';
import { auditFields } from '../words/audit.js';
import { targetFields } from '../words/target.js';
import { tuningFields } from '../words/tuning.js';
import { kebab } from '../words/kebab.js';
import { clientNames, withClients } from '../words/record.js';
import { meantName, nearest } from '../words/spelling.js';
import { readJson } from './json.js';
import { columns } from './layout.js';

const questionField = queryFields.find(({ name }) => name === 'question');
export const questions = (questionField?.choices ?? []) as readonly Question[];

/** The values that calibration finds: the word after `calibrate`. */
export const unknowns = queryFields.find(({ name }) => name === 'solveFor')?.choices ?? [];

/** A command line as a question. */
export interface Options {
  /** A file that holds the question as JSON, `-` for standard input; flags add to it. */
  file: string | undefined;
  /** Likewise a run that came before. */
  after: string | undefined;
  query: Query;
}

const switchesOf = (question: Question) => (question === 'tradeoff' ? ['csv'] : []);

const ofOne = (question: Question, names: readonly string[]) =>
  names.map((name) => [name, question] as const);

/** Fields that only one question reads. */
const readBy: ReadonlyMap<string, Question> = new Map([
  ...ofOne('calibrate', ['solveFor', 'capDelta', ...targetFields]),
  ...ofOne('tradeoff', ['falsePositiveRates', 'priors']),
  ...ofOne('audit', auditFields),
]);

/** Fields that a question does not read, beside those of others and the one it asks for. */
const unread: Partial<Record<Question, readonly string[]>> = {
  tradeoff: ['delta', 'accountant', ...tuningFields],
  audit: ['epsilon', 'accountant', ...tuningFields],
};

/**
 * The flags of a question: without the quantity asked for, and without fields that the words before
 * them state.
 */
function fieldsFor(question: Question): InputField[] {
  const mute = (name: string) =>
    name === 'question' ||
    name === 'solveFor' ||
    name === question ||
    (readBy.get(name) ?? question) !== question ||
    (unread[question] ?? []).includes(name);
  return [...phaseFields, ...queryFields.filter(({ name }) => !mute(name))];
}

export const issue = (code: string, field: string, text: string): QueryError =>
  new QueryError({ code, field, text });

function unknownFlag(
  name: string,
  fields: readonly InputField[],
  others: readonly string[],
): QueryError {
  const meant = meantName(name, fields, others);
  const hint = meant ? `; did you mean --${meant}?` : '; --help lists them';
  return issue('unknown-flag', name, `there is no flag --${name}${hint}`);
}

/** The refusal of a name that is on no list, with the one that was perhaps meant. */
export function noSuch(
  what: string,
  name: string,
  known: readonly string[],
  { code, field, otherwise }: { code: string; field: string; otherwise: string },
): QueryError {
  const meant = nearest(name.toLowerCase(), known);
  const hint = meant ? `did you mean ${meant}?` : otherwise;
  return issue(code, field, `there is no ${what} "${name}"; ${hint}`);
}

/** The same of a flag's value that is none of its choices. */
export function noChoice(field: string, text: string, choices: readonly string[]): QueryError {
  const meant = nearest(text, choices);
  const hint = meant ? ` (did you mean ${meant}?)` : '';
  const wanted = `--${field} must be one of ${choices.join(', ')}; got "${text}"${hint}`;
  return issue('unknown-choice', field, wanted);
}

const isList = ({ type }: InputField) => type === 'numbers' || type === 'ranks';

/** A number of the field or flag `name`; undefined where the text is none. */
export function flagNumber(
  name: string,
  text: string,
  kind: NumberKind = 'number',
): number | undefined {
  const read = readNumber(text, kind);
  if (typeof read !== 'object') return read;
  throw issue('ambiguous-number', name, `${name} "${text}" ${askedBack(read)}`);
}

function numberOf(field: InputField, part: string, text = part): number {
  const kind = field.type === 'count' || field.type === 'ranks' ? 'count' : 'number';
  const number = flagNumber(field.name, part.trim(), kind);
  if (number === undefined) {
    const wanted = isList(field) ? 'comma-separated numbers' : 'a number';
    throw issue('wrong-type', field.name, `${field.name} must be ${wanted}; got "${text}"`);
  }
  return number;
}

type Value = string | number | boolean | number[];

/** A field's value from its text; the core checks its domain. */
function valueOf(field: InputField, text: string): Value {
  if (field.type === 'choice' || (field.type === 'ranks' && text === 'auto')) return text;
  if (field.type === 'flag') {
    if (text === 'true' || text === 'false') return text === 'true';
    throw issue('wrong-type', field.name, `${field.name} must be true or false; got "${text}"`);
  }
  if (isList(field)) return text.split(',').map((part) => numberOf(field, part, text));
  return numberOf(field, text);
}

interface Grammar {
  fields: readonly InputField[];
  /** Those that help texts offer, where not all make sense. */
  offered?: readonly InputField[];
  /** Flags without a value, beside --json and --help. */
  switches?: readonly string[];
  /** Flags whose value the command reads itself. */
  own?: readonly string[];
  /** The most words beside the flags; none when left out. */
  words?: number;
}

export interface FlagsSaid {
  fields: Record<string, unknown>;
  on: ReadonlySet<string>;
  own: Readonly<Record<string, string>>;
  words: readonly string[];
}

export const numberFlag = (name: string, text: string, kind: NumberKind = 'number'): number => {
  const number = flagNumber(name, text, kind);
  if (number !== undefined) return number;
  throw issue('wrong-type', name, `${name} must be a number; got "${text}"`);
};

/** A whole number within its ends. */
export function wholeFlag(name: string, text: string, least: number, most: number): number {
  const number = flagNumber(name, text, 'count');
  if (number !== undefined && Number.isInteger(number) && number >= least && number <= most)
    return number;
  const wanted = `${name} must be a whole number from ${least} to ${most}`;
  throw issue('out-of-domain', name, `${wanted}; got ${text}`);
}

/**
 * Reads flags: `--name value` or `--name=value`, each once, in any order with other words. Domains are
 * the core's to check, so that one place words each complaint. `--matrix sqrt:16` is the square root
 * matrix with 16 bands.
 */
export function readWords(words: readonly string[], grammar: Grammar): FlagsSaid {
  const { fields, offered = fields, own = [], words: most = 0 } = grammar;
  const switches = ['json', 'help', ...(grammar.switches ?? [])];
  const said = {
    fields: {} as Record<string, unknown>,
    on: new Set<string>(),
    own: {},
    words: [] as string[],
  };
  const put = (to: Record<string, unknown>, key: string, flag: string, value: unknown) => {
    if (Object.hasOwn(to, key)) {
      throw issue('repeated-flag', key, `--${flag} was given more than once`);
    }
    to[key] = value;
  };
  let clients = false;
  for (let i = 0; i < words.length; ++i) {
    const word = words[i] ?? '';
    if (!word.startsWith('--')) {
      said.words.push(word);
      if (word.length > 1 && word.startsWith('-')) throw notAFlag(word);
      if (said.words.length > most) throw most === 0 ? notAFlag(word) : oneOnly(said.words);
      continue;
    }
    const [name = '', given] = word.slice(2).split(/=(.*)/s);
    if (switches.includes(name)) {
      if (given !== undefined) throw issue('unexpected-value', name, `--${name} takes no value`);
      said.on.add(name);
      continue;
    }
    const [called] = clientNames.find(([, client]) => kebab(client) === name) ?? [];
    const field = own.includes(name)
      ? undefined
      : fields.find((candidate) => candidate.name === called || kebab(candidate.name) === name);
    if (field && called !== undefined) clients = true;
    if (!field && !own.includes(name)) throw unknownFlag(name, offered, [...switches, ...own]);
    const next = words[i + 1];
    if (field?.type === 'flag' && given === undefined && next !== 'true' && next !== 'false') {
      // Without a value a flag is true.
      put(said.fields, field.name, name, true);
      continue;
    }
    const text = given ?? words[++i];
    if (text === undefined || text === '' || (given === undefined && text.startsWith('--'))) {
      throw issue('missing-value', field?.name ?? name, `--${name} needs a value`);
    }
    const root = field?.name === 'matrix' ? /^sqrt(?::(.*))?$/.exec(text) : null;
    const bands = fields.find((candidate) => candidate.name === 'bands');
    if (root?.[1] !== undefined && bands) put(said.fields, 'bands', name, valueOf(bands, root[1]));
    if (field) put(said.fields, field.name, name, root ? 'square-root' : valueOf(field, text));
    else put(said.own, name, name, text);
  }
  if (said.on.has('csv') && said.on.has('json')) {
    throw issue('contradiction', 'csv', 'use --csv or --json, not both');
  }
  if (clients)
    said.fields = withClients(
      said.fields,
      fields.some(({ name }) => name === 'privacyUnit'),
    );
  return said;
}

const notAFlag = (word: string) =>
  issue('unexpected-word', '', `"${word}" is not a flag; flags begin with two hyphens: --`);

const oneOnly = (words: readonly string[]) =>
  issue(
    'unexpected-word',
    '',
    `one at a time; got ${words.map((word) => `"${word}"`).join(' and ')}`,
  );

const phaseNames: readonly string[] = phaseFields.map(({ name }) => name);

/**
 * The question that flags state, or add to a question read from a file. A word that is no flag names
 * what calibration finds, and elsewhere, where words are taken, that file.
 */
export function readFlags(
  question: Question,
  words: readonly string[],
  further: Omit<Grammar, 'fields' | 'offered'> = {},
): Options & FlagsSaid {
  const said = readWords(words, {
    fields: [...phaseFields, ...queryFields.filter(({ name }) => name !== 'question')],
    offered: fieldsFor(question),
    switches: [...switchesOf(question), ...(further.switches ?? [])],
    own: ['query', 'after', ...(further.own ?? [])],
    words: further.words ?? (question === 'calibrate' ? 1 : 0),
  });
  const entries = Object.entries(said.fields);
  const phase = Object.fromEntries(entries.filter(([name]) => phaseNames.includes(name)));
  const rest = Object.fromEntries(entries.filter(([name]) => !phaseNames.includes(name)));
  const [word] = said.words;
  const named = question === 'calibrate' ? undefined : word;
  const { query = named } = said.own;
  if (question === 'calibrate' && word !== undefined) rest.solveFor = word;
  if (named !== undefined && query !== named) throw oneOnly([named, `--query ${query ?? ''}`]);
  const [stray] = Object.keys(phase);
  if (query !== undefined && stray !== undefined) {
    const text = `--${kebab(stray)} describes a phase, and --query gives the phases; say it there`;
    throw issue('contradiction', stray, text);
  }
  // The core's reader checks names and types again, so the cast is safe. An audit may stand by
  // itself, without a run.
  const phases = question === 'audit' && Object.keys(phase).length === 0 ? [] : [phase];
  const { after } = said.own;
  return { ...said, file: query, after, query: { ...rest, question, phases } };
}

/** What a file with a query holds; `field` is the flag that names it. */
function fileRecord(text: string, name: string, field: string): Record<string, unknown> {
  const wanted = `${field}: ${name} must hold an object such as {"phases": [...]}`;
  if (text.trim() === '') throw issue('bad-json', field, `${wanted}; it is empty`);
  const json = readJson(text);
  if ('wrong' in json) throw issue('bad-json', field, `${wanted} as JSON; ${json.wrong}`);
  const read = json.value;
  if (isRecord(read)) return read;
  const got = Array.isArray(read) ? 'a list' : JSON.stringify(read);
  throw issue('wrong-type', field, `${wanted}; got ${got}`);
}

export function withFile(text: string, name: string, { query }: Options): Query {
  const read = fileRecord(text, name, 'query');
  return { ...read, ...query, phases: read.phases } as Query;
}

/** The query behind the run of a file: its phases and releases come first. */
export function afterFile(text: string, name: string, query: Query): Query {
  const { phases } = fileRecord(text, name, 'after');
  if (Array.isArray(phases))
    return { ...query, phases: [...(phases as Query['phases']), ...query.phases] };
  throw issue('wrong-type', 'after', `after: ${name} must have "phases", a list`);
}

function describe(field: InputField): string {
  if (field.name === 'sampler') return `${field.meaning}\n${describeSamplers()}`;
  // The first choice is the default, but where the meaning says another.
  const [, client] = clientNames.find(([of]) => of === field.name) ?? [];
  if (client !== undefined)
    return `${field.meaning} ${field.symbol === '' ? '' : `(${field.symbol}) `}Of clients: --${kebab(client)}.`;
  const usual = field.meaning.includes('(default') ? '' : ` (default: ${field.choices[0] ?? ''})`;
  if (field.type === 'choice') return `${field.meaning}\n${field.choices.join(' | ')}${usual}`;
  return field.symbol === '' ? field.meaning : `${field.meaning} (${field.symbol})`;
}

function describeSamplers(): string {
  const width = Math.max(...samplers.map(({ name }) => name.length));
  return samplers.map(({ name, sentence }) => `  ${name.padEnd(width)}  ${sentence}`).join('\n');
}

/** Flags, and what each means. */
type FlagHelp = Readonly<Record<string, string>>;

export function fieldRows(fields: readonly InputField[]): FlagHelp {
  const kinds = {
    ...{ number: ' <number>', count: ' <count>', numbers: ' <number,...>' },
    ...{ choice: ' <name>', flag: '', ranks: ' auto|<rank,...>', texts: ' <text,...>' },
  };
  return Object.fromEntries(
    fields.map((field) => [`--${kebab(field.name)}${kinds[field.type]}`, describe(field)]),
  );
}

/** The names of such flags. */
export const namesOf = (rows: FlagHelp): string[] =>
  Object.keys(rows).map((flag) => flag.replaceAll(/^--| .*/g, ''));

/** Flags in two columns, with those that every command has. */
export const flagColumns = (
  rows: FlagHelp,
  json = 'Print the exact answer as JSON, with the codes of warnings.',
): string => columns(Object.entries({ ...rows, '--json': json, '--help': 'Print this text.' }));

/** Flags of one question alone. */
const ownHelp: Partial<Record<Question, FlagHelp>> = {
  audit: {
    '--scores <file>':
      'Lines of a score and 1 (member) or 0, instead of the four counts: half of them choose a threshold, the other half is counted.',
  },
  tradeoff: { '--csv': "Print the curve's points as comma-separated values." },
};

export const flagHelp = (question: Question): string =>
  flagColumns({
    ...fieldRows(fieldsFor(question)),
    '--query <file>': 'The query as JSON ("-" for standard input): several phases, other releases.',
    '--after <file>':
      'The same for a run that came before, on the same budget: "calibrate steps --after" says what is left of it.',
    ...ownHelp[question],
  });
