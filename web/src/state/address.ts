import { phaseFields, queryFields, samplers } from '../../../wasm/generated/schema.js';
import { kebab } from './kebab.js';
import {
  defaultRelease,
  defaultScenario,
  defaultState,
  defaultStretch,
  defaultView,
  finds,
  phaseChoices,
  phaseFlags,
  phaseNumbers,
  releaseKinds,
  releaseNumbers,
  schedules,
} from './scenario.js';
import type {
  Entry,
  OtherRelease,
  QuestionNumber,
  ReleaseKind,
  RowName,
  Scenario,
  State,
  Stretch,
  View,
} from './scenario.js';

/*
 * The state in the address: `#v1,noise-multiplier=0.8,...`, only what differs from the defaults.
 * First come the first phase, the question and the view. Each further entry of the run begins with
 * `and=phase`, or `and=` and how another release is stated; `at` is the first phase's place when
 * releases stand before it. A key with a dot is a panel's own (`mc.samples=1e6`): it is kept as it is,
 * whether or not this page has such a panel.
 * A version's defaults never change: a link opens the same state for ever. New defaults need `v2`,
 * and this reader of `v1` stays.
 */
const version = 'v1';

const questionNumbers = Object.keys(defaultScenario.texts) as QuestionNumber[];
const rowNames: readonly RowName[] = ['composition', ...samplers.map(({ name }) => name)];
const choicesOf = (of: string): readonly string[] =>
  [...phaseFields, ...queryFields].find(({ name }) => name === of)?.choices ?? [];

/** Escapes what would end a value or a link pasted into prose; `/` stays readable. */
const escapeValue = (text: string) => encodeURIComponent(text).replaceAll('%2F', '/');

/** What of a state differs from the usual one, as the address writes it. */
class Parts {
  readonly list: string[] = [];

  put(key: string, value: string, usual: string): void {
    if (value !== usual) this.list.push(`${key}=${escapeValue(value)}`);
  }

  putStretch({ sampler, schedule, choices, flags, texts }: Stretch): void {
    this.put('sampler', sampler, defaultStretch.sampler);
    this.put('by', schedule, defaultStretch.schedule);
    for (const name of phaseNumbers) this.put(kebab(name), texts[name], defaultStretch.texts[name]);
    for (const name of phaseChoices)
      this.put(kebab(name), choices[name], defaultStretch.choices[name]);
    for (const name of phaseFlags)
      this.put(kebab(name), String(flags[name]), String(defaultStretch.flags[name]));
  }

  putEntry(entry: Entry): void {
    this.put('and', entry.kind === 'phase' ? 'phase' : entry.by, '');
    if (entry.kind === 'phase') this.putStretch(entry);
    else
      for (const name of releaseNumbers)
        this.put(kebab(name), entry.texts[name], defaultRelease.texts[name]);
  }
}

/** The hash for a state; '' for the defaults. */
export function addressOf({ scenario, view }: State): string {
  const parts = new Parts();
  const at = Math.max(
    0,
    scenario.entries.findIndex(({ kind }) => kind === 'phase'),
  );
  const first = scenario.entries[at];
  if (first?.kind === 'phase') parts.putStretch(first);
  for (const name of questionNumbers) {
    parts.put(kebab(name), scenario.texts[name], defaultScenario.texts[name]);
  }
  parts.put('solve-for', scenario.find, defaultScenario.find);
  parts.put('accountant', scenario.accountant, defaultScenario.accountant);
  parts.put('at', String(at + 1), '1');
  parts.put('open', String(scenario.open + 1), '1');
  parts.put('directions', view.directions ? 'shown' : '', '');
  parts.put('others', view.others ? 'shown' : '', '');
  parts.put('more', view.more ? 'shown' : '', '');
  parts.put('hide', view.hidden.join('+'), '');
  parts.put('panel', view.panel, '');
  for (const [key, value] of Object.entries(view.panels).sort(([a], [b]) => (a < b ? -1 : 1))) {
    parts.list.push(`${key}=${escapeValue(value).replaceAll('%3A', ':').replaceAll('%3B', ';')}`);
  }
  scenario.entries.forEach((entry, index) => {
    if (index !== at) parts.putEntry(entry);
  });
  return parts.list.length === 0 ? '' : `#${[version, ...parts.list].join(',')}`;
}

export interface Reading {
  state: State;
  /** What of the address was not understood, as sentences. */
  notes: string[];
}

type Draft<Type> = { -readonly [Key in keyof Type]: Type[Key] };

function unescapeValue(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Puts one part into a phase; whether it was one of a phase's. */
function readStretch(phase: Draft<Stretch>, key: string, value: string): boolean {
  const number = phaseNumbers.find((name) => kebab(name) === key);
  const choice = phaseChoices.find((name) => kebab(name) === key);
  const flag = phaseFlags.find((name) => kebab(name) === key);
  const sampler = samplers.find(({ name }) => name === value)?.name;
  const schedule = schedules.find((name) => name === value);
  if (number) phase.texts = { ...phase.texts, [number]: value };
  else if (choice && choicesOf(choice).includes(value))
    phase.choices = { ...phase.choices, [choice]: value };
  else if (flag && (value === 'true' || value === 'false'))
    phase.flags = { ...phase.flags, [flag]: value === 'true' };
  else if (key === 'sampler' && sampler) phase.sampler = sampler;
  else if (key === 'by' && schedule) phase.schedule = schedule;
  else return false;
  return true;
}

function readRelease(release: Draft<OtherRelease>, key: string, value: string): boolean {
  const number = releaseNumbers.find((name) => kebab(name) === key);
  if (number) release.texts = { ...release.texts, [number]: value };
  return number !== undefined;
}

function readQuestion(scenario: Draft<Scenario>, key: string, value: string): boolean {
  const number = questionNumbers.find((name) => kebab(name) === key);
  const find = finds.find((name) => name === value);
  if (number) scenario.texts = { ...scenario.texts, [number]: value };
  else if (key === 'solve-for' && find) scenario.find = find;
  else if (key === 'accountant' && choicesOf(key).includes(value)) scenario.accountant = value;
  else if (key === 'open' && /^\d{1,4}$/.test(value)) scenario.open = Number(value) - 1;
  else return false;
  return true;
}

/** A panel's prefix, a dot, the panel's own key. */
const panelKey = /^[a-z][a-z0-9-]*\.[a-z][a-z0-9-]*$/;

function readView(view: Draft<View>, key: string, value: string): boolean {
  if ((key === 'directions' || key === 'others' || key === 'more') && value === 'shown') {
    view[key] = true;
  } else if (key === 'hide') {
    const names = value.split('+');
    view.hidden = rowNames.filter((name) => names.includes(name));
  } else if (key === 'panel' && /^[a-z][a-z0-9-]*$/.test(value)) {
    view.panel = value;
  } else if (panelKey.test(key)) {
    view.panels = { ...view.panels, [key]: value };
  } else return false;
  return true;
}

const isReleaseKind = (name: string): name is ReleaseKind => Object.hasOwn(releaseKinds, name);

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
  const first: Draft<Stretch> = { ...defaultStretch };
  const others: Draft<Entry>[] = [];
  const scenario: Draft<Scenario> = { ...defaultScenario };
  const view: Draft<View> = { ...defaultView };
  let at = 0;
  for (const part of parts) {
    const cut = part.indexOf('=');
    const key = cut < 0 ? part : part.slice(0, cut);
    const value = cut < 0 ? '' : unescapeValue(part.slice(cut + 1));
    const last = others.at(-1);
    let known = true;
    if (key === 'and' && value === 'phase') others.push({ ...defaultStretch });
    else if (key === 'and' && isReleaseKind(value)) others.push({ ...defaultRelease, by: value });
    else if (last?.kind === 'phase') known = readStretch(last, key, value);
    else if (last) known = readRelease(last, key, value);
    else if (key === 'at' && /^\d{1,4}$/.test(value)) at = Number(value) - 1;
    else {
      known =
        readStretch(first, key, value) ||
        readQuestion(scenario, key, value) ||
        readView(view, key, value);
    }
    if (!known) notes.push(`This part of the link was not understood and is left out: “${part}”.`);
  }
  scenario.entries = others.toSpliced(at, 0, first);
  scenario.open = Math.min(Math.max(0, scenario.open), scenario.entries.length - 1);
  return { state: { scenario, view }, notes };
}
