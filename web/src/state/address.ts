import { phaseFields, samplers } from '../../../wasm/generated/schema.js';
import { defaultScenario, defaultState, defaultView, schedules } from './scenario.js';
import type { NumberField, Scenario, State, View } from './scenario.js';

/*
 * The state in the address: `#v1,noise-multiplier=0.8,...`, only what differs from the defaults.
 * A version's defaults never change: a link opens the same state for ever. New defaults need `v2`,
 * and this reader of `v1` stays.
 */
const version = 'v1';

const kebab = (camel: string) => camel.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const numberFields = Object.keys(defaultScenario.texts) as NumberField[];
const reshuffles = phaseFields.find(({ name }) => name === 'reshuffle')?.choices ?? [];

/** Escapes what would end a value or a link pasted into prose; `/` stays readable. */
const escapeValue = (text: string) => encodeURIComponent(text).replaceAll('%2F', '/');

/** The hash for a state; '' for the defaults. */
export function addressOf({ scenario, view }: State): string {
  const parts: string[] = [];
  const put = (key: string, value: string, usual: string) => {
    if (value !== usual) parts.push(`${key}=${escapeValue(value)}`);
  };
  put('sampler', scenario.sampler, defaultScenario.sampler);
  put('by', scenario.schedule, defaultScenario.schedule);
  for (const field of numberFields) {
    put(kebab(field), scenario.texts[field], defaultScenario.texts[field]);
  }
  put('reshuffle', scenario.reshuffle, defaultScenario.reshuffle);
  put('reported', scenario.reported, defaultScenario.reported);
  put('directions', view.directions ? 'shown' : '', '');
  put('hide', view.hidden.join('+'), '');
  return parts.length === 0 ? '' : `#${[version, ...parts].join(',')}`;
}

export interface Reading {
  state: State;
  /** What of the address was not understood, as sentences. */
  notes: string[];
}

function unescapeValue(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Reads a hash. What it does not understand it leaves at the default, and says so. */
export function readAddress(hash: string): Reading {
  const [head, ...parts] = hash.replace(/^#/, '').split(',');
  if (!head) return { state: defaultState, notes: [] };
  if (head !== version) {
    return {
      state: defaultState,
      notes: [`This link is of a kind that this page does not know (“${head}”).`],
    };
  }
  const notes: string[] = [];
  const texts = { ...defaultScenario.texts };
  const scenario: { -readonly [Key in keyof Scenario]: Scenario[Key] } = {
    ...defaultScenario,
    texts,
  };
  const view: { -readonly [Key in keyof View]: View[Key] } = { ...defaultView };
  for (const part of parts) {
    const cut = part.indexOf('=');
    const key = cut < 0 ? part : part.slice(0, cut);
    const value = cut < 0 ? '' : unescapeValue(part.slice(cut + 1));
    const field = numberFields.find((name) => kebab(name) === key);
    const sampler = samplers.find(({ name }) => name === value)?.name;
    const schedule = schedules.find((name) => name === value);
    if (field) texts[field] = value;
    else if (key === 'sampler' && sampler) scenario.sampler = sampler;
    else if (key === 'by' && schedule) scenario.schedule = schedule;
    else if (key === 'reshuffle' && reshuffles.includes(value)) scenario.reshuffle = value;
    else if (key === 'reported') scenario.reported = value;
    else if (key === 'directions' && value === 'shown') view.directions = true;
    else if (key === 'hide') {
      const names = value.split('+');
      view.hidden = samplers.map(({ name }) => name).filter((name) => names.includes(name));
    } else notes.push(`This part of the link was not understood and is left out: “${part}”.`);
  }
  return { state: { scenario, view }, notes };
}
