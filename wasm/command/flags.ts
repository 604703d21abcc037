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
  /** A file that holds the question as JSON, `-` for standard input; flags add to it. */
  file: string | undefined;
  query: Query;
}

const switches = ['json', 'help', 'query'];

/** Fields that only calibration reads. */
const calibrationOnly = ['solveFor', 'capDelta'];

/** The flags a question takes: not the quantity it asks for, nor what the words before them say. */
export function fieldsFor(question: Question): InputField[] {
  const mute = (name: string) =>
    name === 'question' ||
    name === 'solveFor' ||
    name === question ||
    (calibrationOnly.includes(name) && question !== 'calibrate');
  return [...phaseFields, ...queryFields.filter(({ name }) => !mute(name))];
}

export function issue(code: string, field: string, text: string): QueryError {
  return new QueryError({ code, field, text });
}

export function unknownFlag(
  name: string,
  fields: readonly InputField[],
  others: readonly string[] = switches,
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

function numberOf(field: InputField, text: string): number {
  const number = parseNumber(text);
  if (number !== undefined) return number;
  throw issue('wrong-type', field.name, `${field.name} must be a number; got "${text}"`);
}

/** What a field's text means; its domain is the core's to check. */
export function valueOf(field: InputField, text: string): string | number | boolean | number[] {
  if (field.type === 'choice' || (field.type === 'ranks' && text === 'auto')) return text;
  if (field.type === 'numbers' || field.type === 'ranks') {
    return text.split(',').map((part) => numberOf(field, part));
  }
  if (field.type === 'flag') {
    if (text === 'true' || text === 'false') return text === 'true';
    throw issue('wrong-type', field.name, `${field.name} must be true or false; got "${text}"`);
  }
  return numberOf(field, text);
}

/** The flags before they are put together. */
interface Flags extends Omit<Options, 'query'> {
  phase: Record<string, unknown>;
  rest: Record<string, unknown>;
}

/**
 * Reads a question's flags: `--name value` or `--name=value`, names and kinds from the schema's
 * lists. Domains are the core's to check, so that one place words each complaint.
 */
function readWords(question: Question, words: readonly string[]): Flags {
  const flags: Flags = { json: false, help: false, file: undefined, phase: {}, rest: {} };
  const all: InputField[] = [...phaseFields, ...queryFields.filter((f) => f.name !== 'question')];
  for (let i = 0; i < words.length; ++i) {
    const word = words[i] ?? '';
    if (word === '-h') {
      flags.help = true;
      continue;
    }
    if (!word.startsWith('--')) {
      if (question === 'calibrate' && i === 0) {
        flags.rest.solveFor = word;
        continue;
      }
      throw issue('unexpected-word', '', `"${word}" is not a flag; flags begin with --`);
    }
    const equals = word.indexOf('=');
    const name = equals < 0 ? word.slice(2) : word.slice(2, equals);
    if (name === 'json' || name === 'help') {
      if (equals >= 0) throw issue('unexpected-value', name, `--${name} takes no value`);
      flags[name] = true;
      continue;
    }
    const field = all.find((candidate) => kebabCase(candidate.name) === name);
    if (!field && name !== 'query') throw unknownFlag(name, fieldsFor(question));
    const next = words[i + 1];
    if (field?.type === 'flag' && equals < 0 && next !== 'true' && next !== 'false') {
      // Said without a value, it is so.
      words = [...words.slice(0, i + 1), 'true', ...words.slice(i + 1)];
    }
    const text = equals < 0 ? words[++i] : word.slice(equals + 1);
    if (text === undefined || text === '' || (equals < 0 && text.startsWith('--'))) {
      throw issue('missing-value', field?.name ?? name, `--${name} needs a value; got none`);
    }
    const repeated = (key: string) =>
      issue('repeated-flag', key, `--${name} was given more than once`);
    if (!field) {
      if (flags.file !== undefined) throw repeated(name);
      flags.file = text;
      continue;
    }
    const isPhase = phaseFields.some((candidate) => candidate.name === field.name);
    const target = isPhase ? flags.phase : flags.rest;
    if (field.name in target) throw repeated(field.name);
    target[field.name] = valueOf(field, text);
  }
  return flags;
}

/** The question that flags state, or add to a question read from a file. */
export function readFlags(question: Question, words: readonly string[]): Options {
  const { phase, rest, ...options } = readWords(question, words);
  const [stray] = Object.keys(phase);
  if (options.file !== undefined && stray !== undefined) {
    const text = `--${kebabCase(stray)} describes a phase, and --query gives the phases; say it there`;
    throw issue('contradiction', stray, text);
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

export function flagHelp(question: Question): string {
  return columns([
    ...fieldRows(fieldsFor(question)),
    ['--query <file>', 'The question as JSON, "-" for standard input: several phases, releases.'],
    ['--json', 'Print the exact answer as JSON.'],
    ['--help', 'Print this text.'],
  ]);
}
