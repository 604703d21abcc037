import { QueryError } from '../errors.js';
import { phaseFields, queryFields, samplers } from '../generated/schema.js';
import type { InputField, Query, Question } from '../generated/schema.js';
import { parseNumber } from '../number-forms.js';
import { kebabCase, nearest } from './spelling.js';

export const questions = ['epsilon', 'delta', 'compare'] as const satisfies readonly Question[];

/** What a command line asks for. */
export interface Options {
  json: boolean;
  help: boolean;
  query: Query;
}

const switches = ['json', 'help'];

/** The flags a question takes: not the quantity it asks for, nor the question itself. */
export function fieldsFor(question: Question): InputField[] {
  return [
    ...phaseFields,
    ...queryFields.filter(({ name }) => name !== 'question' && name !== question),
  ];
}

function issue(code: string, field: string, text: string): QueryError {
  return new QueryError({ code, field, text });
}

function unknownFlag(name: string, fields: readonly InputField[]): QueryError {
  const names = [...fields.map((field) => kebabCase(field.name)), ...switches];
  // Letters of the papers, such as --sigma, are asked for as often as misspelt names.
  const letters: Record<string, string> = { σ: 'sigma', δ: 'delta', ε: 'epsilon' };
  const byLetter = fields.find(
    ({ symbol }) => symbol !== '' && (symbol === name || letters[symbol] === name),
  );
  const meant = byLetter ? kebabCase(byLetter.name) : nearest(name, names);
  const hint = meant ? `; did you mean --${meant}?` : '; --help lists them';
  return issue('unknown-flag', name, `there is no flag --${name}${hint}`);
}

function valueOf(field: InputField, text: string): string | number | boolean {
  if (field.type === 'choice') return text;
  if (field.type === 'flag') {
    if (text === 'true' || text === 'false') return text === 'true';
    throw issue('wrong-type', field.name, `${field.name} must be true or false; got "${text}"`);
  }
  const number = parseNumber(text);
  if (number === undefined) {
    throw issue('wrong-type', field.name, `${field.name} must be a number; got "${text}"`);
  }
  return number;
}

/**
 * Reads a question's flags: `--name value` or `--name=value`, names and kinds from the schema's
 * lists. Domains are the core's to check, so that one place words each complaint.
 */
export function readFlags(question: Question, words: readonly string[]): Options {
  const phase: Record<string, unknown> = {};
  const rest: Record<string, unknown> = {};
  const options = { json: false, help: false };
  const all: InputField[] = [...phaseFields, ...queryFields.filter((f) => f.name !== 'question')];
  for (let i = 0; i < words.length; ++i) {
    const word = words[i] ?? '';
    if (word === '-h') {
      options.help = true;
      continue;
    }
    if (!word.startsWith('--')) {
      throw issue('unexpected-word', '', `"${word}" is not a flag; flags begin with --`);
    }
    const equals = word.indexOf('=');
    const name = equals < 0 ? word.slice(2) : word.slice(2, equals);
    if (name === 'json' || name === 'help') {
      if (equals >= 0) throw issue('unexpected-value', name, `--${name} takes no value`);
      options[name] = true;
      continue;
    }
    const field = all.find((candidate) => kebabCase(candidate.name) === name);
    if (!field) throw unknownFlag(name, fieldsFor(question));
    const text = equals < 0 ? words[++i] : word.slice(equals + 1);
    if (text === undefined || text === '' || (equals < 0 && text.startsWith('--'))) {
      throw issue('missing-value', field.name, `--${name} needs a value; got none`);
    }
    const target = phaseFields.some((candidate) => candidate.name === field.name) ? phase : rest;
    if (field.name in target) {
      throw issue('repeated-flag', field.name, `--${name} was given more than once`);
    }
    target[field.name] = valueOf(field, text);
  }
  // The core's reader checks names and types again, so the cast claims nothing that is not checked.
  return { ...options, query: { ...rest, question, phases: [phase] } };
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

export function flagHelp(question: Question): string {
  const kinds = { number: ' <number>', count: ' <count>', choice: ' <name>', flag: '' };
  const rows = fieldsFor(question).map(
    (field) => [`--${kebabCase(field.name)}${kinds[field.type]}`, describe(field)] as const,
  );
  return columns([
    ...rows,
    ['--json', 'Print the exact answer as JSON.'],
    ['--help', 'Print this text.'],
  ]);
}
