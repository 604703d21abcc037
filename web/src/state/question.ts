import { phaseFields, queryFields } from '../../../wasm/generated/schema.js';
import type { Phase, Query } from '../../../wasm/generated/schema.js';
import { fieldsInUse, samplerInfo } from './scenario.js';
import type { NumberField, Scenario } from './scenario.js';

/** A form's field as the schema describes it. */
export function fieldInfo(name: NumberField | 'reshuffle' | 'sampler' | 'epsilon') {
  const info = [...phaseFields, ...queryFields].find((field) => field.name === name);
  if (!info) throw new Error(`no field ${name}`);
  return info;
}

export type Problems = ReadonlyMap<string, string>;

/** A question to the engine, or what keeps the scenario from being one, by field. */
export type Reading = { query: Query; reported: number | undefined } | { problems: Problems };

/** An engine's or the page's complaint names the field by its wire name; a form shows its label. */
export function inFormWords(field: string, text: string): string {
  const info = [...phaseFields, ...queryFields].find(({ name }) => name === field);
  let words = info && text.startsWith(field) ? info.label + text.slice(field.length) : text;
  for (const { name, label } of [...phaseFields, ...queryFields]) {
    if (/[A-Z]/.test(name)) words = words.replaceAll(name, label.toLowerCase());
  }
  return words.endsWith('.') ? words : `${words}.`;
}

function asNumber(
  text: string,
  label: string,
  parse: (text: string) => number | undefined,
): number | string {
  if (text.trim() === '') return `${label} is missing; give a number.`;
  return parse(text) ?? `${label} must be a number, such as 0.8, 1e-5 or 1/60000; got “${text}”.`;
}

/** Whether one draw kept for all epochs would differ from a fresh one each epoch. */
export function asksReshuffle(
  scenario: Scenario,
  parse: (text: string) => number | undefined,
): boolean {
  if (!samplerInfo(scenario.sampler).canKeepDraw) return false;
  const { texts, schedule } = scenario;
  if (schedule === 'counts') return (parse(texts.epochs) ?? 0) > 1;
  return (parse(texts.steps) ?? 0) * (parse(texts.samplingProbability) ?? 0) > 1;
}

/**
 * Turns what was typed into a question for every sampler. Only what is not a number is refused here:
 * whether the numbers make sense is the engine's to say, in one place for page, package and command.
 */
export function readScenario(
  scenario: Scenario,
  parse: (text: string) => number | undefined,
): Reading {
  const problems = new Map<string, string>();
  const numbers: Partial<Record<NumberField, number>> = {};
  for (const name of fieldsInUse(scenario)) {
    const read = asNumber(scenario.texts[name], fieldInfo(name).label, parse);
    if (typeof read === 'string') problems.set(name, read);
    else numbers[name] = read;
  }
  let reported: number | undefined;
  if (scenario.reported.trim() !== '') {
    const read = asNumber(scenario.reported, 'Reported ε', parse);
    if (typeof read === 'string') problems.set('reported', read);
    else if (!(read >= 0) || read === Infinity) {
      problems.set('reported', `Reported ε must be a finite number of at least 0; got ${read}.`);
    } else reported = read;
  }
  if (problems.size > 0) return { problems };
  const { delta, ...rest } = numbers;
  const phase: Phase = { sampler: scenario.sampler, ...rest };
  // A fresh draw each epoch is the default and goes without saying.
  if (scenario.reshuffle === 'once' && asksReshuffle(scenario, parse)) phase.reshuffle = 'once';
  return { query: { question: 'compare', phases: [phase], delta }, reported };
}

/** The command that asks the same question. */
export function commandFor(query: Query): string {
  const flags: string[] = [];
  const kebab = (camel: string) => camel.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const put = (name: string, value: string | number | undefined) => {
    if (value !== undefined) flags.push(`--${kebab(name)} ${value}`);
  };
  const [phase] = query.phases;
  for (const { name } of phaseFields) {
    if (name !== 'sampler') put(name, phase?.[name]);
  }
  put('delta', query.delta);
  return `honest-epsilon compare ${flags.join(' ')}`;
}
