import { QueryError } from '../errors.js';
import { phaseFields, queryFields, samplers } from '../generated/schema.js';
import type { InputField, Query, Question } from '../generated/schema.js';
import { parseNumber } from '../number-forms.js';
import { isRecord } from '../protocol.js';
import { kebabCase, nearest } from './spelling.js';

const questionField = queryFields.find(({ name }) => name === 'question');
export const questions = (questionField?.choices ?? []) as readonly Question[];

/** What calibration can find: the word after `calibrate`. */
export const unknowns = queryFields.find(({ name }) => name === 'solveFor')?.choices ?? [];

/** What a command line asks for. */
export interface Options {
  json: boolean;
  help: boolean;
  /** Comma-separated values; of a trade-off curve. */
  csv: boolean;
  /** A file that holds the question as JSON, `-` for standard input; flags add to it. */
  file: string | undefined;
  query: Query;
}

const switchesOf = (question: Question) =>
  question === 'tradeoff' ? ['json', 'csv', 'help'] : ['json', 'help'];

/** Fields that only one question reads. */
const readBy: Readonly<Record<string, Question>> = {
  solveFor: 'calibrate',
  capDelta: 'calibrate',
  falsePositiveRates: 'tradeoff',
  priors: 'tradeoff',
};

/** Fields that a question does not read, beside those of others and the one it asks for. */
const unread: Partial<Record<Question, readonly string[]>> = { tradeoff: ['delta', 'accountant'] };

/** The flags a question takes: not the quantity it asks for, nor what the words before them say. */
export function fieldsFor(question: Question): InputField[] {
  const mute = (name: string) =>
    name === 'question' ||
    name === 'solveFor' ||
    name === question ||
    (readBy[name] ?? question) !== question ||
    (unread[question] ?? []).includes(name);
  return [...phaseFields, ...queryFields.filter(({ name }) => !mute(name))];
}

export function issue(code: string, field: string, text: string): QueryError {
  return new QueryError({ code, field, text });
}

export function unknownFlag(
  name: string,
  fields: readonly InputField[],
  others: readonly string[],
): QueryError {
  const names = [...fields.map((field) => kebabCase(field.name)), ...others];
  // Letters of the papers, such as --sigma, are asked for as often as misspelt names.
  const letters: Record<string, string> = { σ: 'sigma', δ: 'delta', ε: 'epsilon' };
  const byLetter = fields.find(
    ({ symbol }) => symbol !== '' && (symbol === name || letters[symbol] === name),
  );
  const meant = byLetter ? kebabCase(byLetter.name) : nearest(name, names);
  const hint = meant ? `; did you mean --${meant}?` : '; --help lists them';
  return issue('unknown-flag', name, `there is no flag --${name}${hint}`);
}

const isList = ({ type }: InputField) => type === 'numbers' || type === 'ranks';

function numberOf(field: InputField, part: string, text = part): number {
  const number = parseNumber(part.trim());
  if (number === undefined) {
    const wanted = isList(field) ? 'numbers set apart by commas' : 'a number';
    throw issue('wrong-type', field.name, `${field.name} must be ${wanted}; got "${text}"`);
  }
  return number;
}

type Value = string | number | boolean | number[];

/** What a field's text means; its domain is the core's to check. */
export function valueOf(field: InputField, text: string): Value {
  if (field.type === 'choice' || (field.type === 'ranks' && text === 'auto')) return text;
  if (field.type === 'flag') {
    if (text === 'true' || text === 'false') return text === 'true';
    throw issue('wrong-type', field.name, `${field.name} must be true or false; got "${text}"`);
  }
  if (isList(field)) return text.split(',').map((part) => numberOf(field, part, text));
  return numberOf(field, text);
}

/** What one word, or a flag and its value, says. */
type Said =
  | { word: string; place: number }
  | { on: string }
  | { file: string }
  | { field: InputField; value: Value };

interface Grammar {
  /** The flags there are, names and kinds from the schema's lists. */
  fields: readonly InputField[];
  /** Those that are offered, where it makes no sense to name all. */
  offered?: readonly InputField[];
  /** Flags without a value. */
  switches: readonly string[];
  /** Whether --query names a file. */
  file: boolean;
}

/**
 * Reads flags: `--name value` or `--name=value`, each once. Domains are the core's to check, so that
 * one place words each complaint.
 */
function* readEach(words: readonly string[], grammar: Grammar): Generator<Said> {
  const { fields, offered = fields, file } = grammar;
  const names = [...grammar.switches, ...(file ? ['query'] : [])];
  const seen = new Set<string>();
  for (let i = 0; i < words.length; ++i) {
    const word = words[i] ?? '';
    if (word === '-h') {
      yield { on: 'help' };
      continue;
    }
    if (!word.startsWith('--')) {
      yield { word, place: i };
      continue;
    }
    const equals = word.indexOf('=');
    const name = equals < 0 ? word.slice(2) : word.slice(2, equals);
    if (grammar.switches.includes(name)) {
      if (equals >= 0) throw issue('unexpected-value', name, `--${name} takes no value`);
      yield { on: name };
      continue;
    }
    const field = fields.find((candidate) => kebabCase(candidate.name) === name);
    if (!field && !(file && name === 'query')) throw unknownFlag(name, offered, names);
    const key = field?.name ?? name;
    if (seen.has(key)) throw issue('repeated-flag', key, `--${name} was given more than once`);
    seen.add(key);
    const next = words[i + 1];
    if (field?.type === 'flag' && equals < 0 && next !== 'true' && next !== 'false') {
      // Said without a value, it is so.
      yield { field, value: true };
      continue;
    }
    const text = equals < 0 ? words[++i] : word.slice(equals + 1);
    if (text === undefined || text === '' || (equals < 0 && text.startsWith('--'))) {
      throw issue('missing-value', key, `--${name} needs a value; got none`);
    }
    yield field ? { field, value: valueOf(field, text) } : { file: text };
  }
}

const notAFlag = (word: string) =>
  issue('unexpected-word', '', `"${word}" is not a flag; flags begin with --`);

/** The flags before they are put together. */
interface Flags extends Omit<Options, 'query'> {
  phase: Record<string, unknown>;
  rest: Record<string, unknown>;
}

function readWords(question: Question, words: readonly string[]): Flags {
  const flags: Flags = {
    ...{ json: false, help: false, csv: false, file: undefined },
    ...{ phase: {}, rest: {} },
  };
  const grammar: Grammar = {
    fields: [...phaseFields, ...queryFields.filter((f) => f.name !== 'question')],
    offered: fieldsFor(question),
    switches: switchesOf(question),
    file: true,
  };
  for (const said of readEach(words, grammar)) {
    if ('on' in said) flags[said.on as 'json' | 'help' | 'csv'] = true;
    else if ('file' in said) flags.file = said.file;
    else if ('field' in said) {
      const isPhase = phaseFields.some(({ name }) => name === said.field.name);
      (isPhase ? flags.phase : flags.rest)[said.field.name] = said.value;
    } else {
      if (question !== 'calibrate' || said.place > 0) throw notAFlag(said.word);
      flags.rest.solveFor = said.word;
    }
  }
  return flags;
}

/** A question that is one record of fields, as flags state it. */
export interface RecordOptions {
  json: boolean;
  help: boolean;
  record: Record<string, unknown>;
}

export function readRecord(fields: readonly InputField[], words: readonly string[]): RecordOptions {
  const options: RecordOptions = { json: false, help: false, record: {} };
  for (const said of readEach(words, { fields, switches: ['json', 'help'], file: false })) {
    if ('word' in said) throw notAFlag(said.word);
    if ('on' in said) options[said.on as 'json' | 'help'] = true;
    else if ('field' in said) options.record[said.field.name] = said.value;
  }
  return options;
}

/** The question that flags state, or add to a question read from a file. */
export function readFlags(question: Question, words: readonly string[]): Options {
  const { phase, rest, ...options } = readWords(question, words);
  const [stray] = Object.keys(phase);
  if (options.file !== undefined && stray !== undefined) {
    const text = `--${kebabCase(stray)} describes a phase, and --query gives the phases; say it there`;
    throw issue('contradiction', stray, text);
  }
  if (options.csv && options.json) {
    const text = '--csv and --json are two ways to print; give one of them';
    throw issue('contradiction', 'csv', text);
  }
  // The core's reader checks names and types again, so the cast claims nothing that is not checked.
  return { ...options, query: { ...rest, question, phases: [phase] } };
}

/** The question in a file's text, with the flags beside it put in. */
export function withFile(text: string, { query }: Options): Query {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : '';
    throw issue('bad-json', 'query', `--query must name a JSON file; ${reason}`);
  }
  if (!isRecord(read)) {
    throw issue('wrong-type', 'query', 'query must be an object such as {"phases": [...]}');
  }
  return { ...read, ...query, phases: read.phases } as Query;
}

function describe(field: InputField): string {
  if (field.name === 'sampler') return `${field.meaning}\n${describeSamplers()}`;
  if (field.type === 'choice') return `${field.meaning} ${field.choices.join(' | ')}`;
  return field.symbol === '' ? field.meaning : `${field.meaning} (${field.symbol})`;
}

function describeSamplers(): string {
  const width = Math.max(...samplers.map(({ name }) => name.length));
  return samplers.map(({ name, sentence }) => `  ${name.padEnd(width)}  ${sentence}`).join('\n');
}

/** A two-column list: names, then meanings whose further lines are indented alike. */
export function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows
    .map(([name, text]) => {
      const lines = text.split('\n');
      return lines.map((line, i) => `  ${(i === 0 ? name : '').padEnd(width)}  ${line}`).join('\n');
    })
    .join('\n');
}

/** A row a field: its flag, and what it means. */
export function fieldRows(fields: readonly InputField[]): [string, string][] {
  const kinds = {
    ...{ number: ' <number>', count: ' <count>', numbers: ' <number,...>' },
    ...{ choice: ' <name>', flag: '', ranks: ' auto|<rank,...>', texts: ' <text,...>' },
  };
  return fields.map((field) => [`--${kebabCase(field.name)}${kinds[field.type]}`, describe(field)]);
}

const switchHelp: [string, string][] = [
  ['--json', 'Print the exact answer as JSON.'],
  ['--help', 'Print this text.'],
];

const csvHelp: [string, string][] = [
  ['--csv', "Print the curve's points as comma-separated values."],
];

export function flagHelp(question: Question): string {
  return columns([
    ...fieldRows(fieldsFor(question)),
    ['--query <file>', 'The question as JSON, "-" for standard input: several phases, releases.'],
    ...(question === 'tradeoff' ? csvHelp : []),
    ...switchHelp,
  ]);
}

export function recordHelp(fields: readonly InputField[]): string {
  return columns([...fieldRows(fields), ...switchHelp]);
}
