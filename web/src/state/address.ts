import { mostPhases, phaseFields, queryFields } from '../../../wasm/generated/schema.js';
import { disjunction } from './disjunction.js';
import { loaders } from './loaders.js';
import { fieldInfo } from '../../../wasm/words/fields.js';
import { kebab } from '../../../wasm/words/kebab.js';
import {
  defaultRelease,
  defaultScenario,
  defaultState,
  defaultPhase,
  defaultView,
  finds,
  phaseNames,
  questionChoices,
  releaseKinds,
  releaseNumbers,
  rowNames,
  schedules,
} from './scenario.js';
import { askedFields, fieldsInUse, furtherFields, applies } from './fields.js';
import type {
  Entry,
  PhaseField,
  QuestionField,
  ReleaseKind,
  ReleaseNumber,
  Scenario,
  State,
  PhaseEntry,
  View,
} from './scenario.js';

/*
 * The state in the address: `#v1,noise-multiplier=0.8,...`. The address bar has only what differs from the
 * defaults; a link that leaves the page spells out everything that the answer depends on. Both are read alike.
 * First come the first phase, the question and the view. Each further entry of the run begins with
 * `and=phase`, or `and=` and how another release is stated; `at` is the first phase's place when
 * releases stand before it. A key with a dot is a panel's own (`mc.samples=1e6`): it is kept as it is,
 * whether or not this page has such a panel.
 * A version's defaults never change: a link opens the same state for ever. New defaults need `v2`,
 * and this reader of `v1` stays.
 */
const version = 'v1';

/** Numbers, then choices, then flags. */
const inOrder = (['numbers', 'choice', 'flag'] as const).flatMap((last) =>
  phaseNames.filter((name) => {
    const { type } = fieldInfo(name);
    return last === (type === 'choice' || type === 'flag' ? type : 'numbers');
  }),
);
const isChoice = (name: QuestionField) => questionChoices.some((choice) => choice === name);
const questionNames = Object.keys(defaultScenario.texts) as QuestionField[];
/** The words that a field takes, where it takes no others. */
const choicesOf = (of: string): readonly string[] => {
  const field = [...phaseFields, ...queryFields].find(({ name }) => name === of);
  return field?.type === 'flag' ? ['true', 'false'] : (field?.choices ?? []);
};

/** Escapes what would end a value or a link pasted into prose; what would not stays readable. */
const escapeValue = (text: string) =>
  encodeURIComponent(text).replaceAll(/%2F|%3A|%3B/g, decodeURIComponent);

/** What the address says of a state: a key, its value, its default, and whether the answer depends on it. */
type LinkPart = readonly [key: string, value: string, usual: string | undefined, asked?: boolean];

function partsOfPhase(phase: PhaseEntry): LinkPart[] {
  const { sampler, loader, schedule, texts } = phase;
  const further = furtherFields.filter((name) => applies(phase, name));
  const inUse: readonly PhaseField[] = [...fieldsInUse(phase), ...further];
  return [
    ['sampler', sampler, defaultPhase.sampler, true],
    ['loader', loader, ''],
    ['by', schedule, defaultPhase.schedule, true],
    ...inOrder.map((name): LinkPart => {
      return [kebab(name), texts[name], defaultPhase.texts[name], inUse.includes(name)];
    }),
  ];
}

function partsOfEntry(entry: Entry): LinkPart[] {
  if (entry.kind === 'phase') return [['and', 'phase', ''], ...partsOfPhase(entry)];
  const { by, texts } = entry;
  const stated: readonly ReleaseNumber[] = releaseKinds[by];
  return [
    ['and', by, ''],
    ...releaseNumbers.map((name): LinkPart => {
      return [kebab(name), texts[name], defaultRelease.texts[name], stated.includes(name)];
    }),
  ];
}

/** The hash for a state; '' for the defaults. */
export const addressOf = (state: State): string => written(state, false);

/** The hash of a link that leaves the page: what it opens does not hang on the defaults. */
export const wholeAddressOf = (state: State): string => written(state, true);

/** All parts that the answer depends on, or only those that differ from the defaults. */
function written({ scenario, view }: State, whole: boolean): string {
  const { entries, texts, find, open } = scenario;
  const firstPhase = entries.findIndex(({ kind }) => kind === 'phase');
  const at = Math.max(0, firstPhase);
  const first = entries[at];
  const asked = askedFields(scenario);
  const partOf = (name: QuestionField): LinkPart => {
    return [kebab(name), texts[name], defaultScenario.texts[name], asked.includes(name)];
  };
  const ofPanels = Object.entries(view.panels).sort(([a], [b]) => (a < b ? -1 : 1));
  const parts: LinkPart[] = [
    ...(first?.kind === 'phase' ? partsOfPhase(first) : []),
    ...questionNames.filter((name) => !isChoice(name)).map(partOf),
    ['solve-for', find, defaultScenario.find, true],
    ...questionNames.filter(isChoice).map(partOf),
    ['at', String(at + 1), '1'],
    ['open', String(open + 1), '1'],
    ['axis', view.axis ?? '', ''],
    ['more', view.more ? 'shown' : '', ''],
    ['hide', view.hidden.join('+'), ''],
    ['panel', view.panel, ''],
    ...ofPanels.map(([key, value]): LinkPart => [key, value, undefined]),
    ...entries.filter((_, index) => index !== at).flatMap(partsOfEntry),
  ];
  // An empty field states nothing, whoever reads it.
  const said = parts.filter(
    ([, value, usual, counts]) => value !== usual || (whole && counts && value !== ''),
  );
  const list = said.map(([key, value]) => `${key}=${escapeValue(value)}`);
  return list.length === 0 ? '' : `#${[version, ...list].join(',')}`;
}

/** How much of a link's run is shown: all of it, all that could be read, or nothing of it. */
export type Kept = 'whole' | 'part' | 'none';

export interface UnreadPart {
  part: string;
  why: string;
}

export const unreadText = ({ part, why }: UnreadPart) => `“${part}”: ${why}.`;

/** In characters, of a part that a note shows. */
const longestPart = 80;

export interface LinkReading {
  state: State;
  notes: readonly UnreadPart[];
  run: Kept;
}

type Draft<Type> = { -readonly [Key in keyof Type]: Type[Key] };

/** Of a link that is being read: a copy for each of its parts would take minutes. */
type ViewDraft = Omit<Draft<View>, 'panels'> & { readonly panels: Record<string, string> };

function unescapeValue(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * The outcome of one part: undefined if its key belongs elsewhere, '' once read, else why it was
 * not.
 */
type Outcome = string | undefined;
const wasRead = '';

const oneOf = (key: string, choices: readonly string[]) => `${key} must be ${disjunction(choices)}`;

const place = 'must be the number of an entry of the run';

/** Fields by their keys: to spell every field for every part of a long link would take seconds. */
const keyed = (names: readonly string[]) =>
  new Map(names.map((name) => [kebab(name), { name, choices: choicesOf(name) }] as const));
const keys = {
  phase: keyed(phaseNames),
  release: keyed(releaseNumbers),
  question: keyed(questionNames),
};

/** Reads one of a record's texts, which are a copy: another one for each part would take seconds. */
function readText(
  of: keyof typeof keys,
  record: { texts: Readonly<Record<string, string>> },
  key: string,
  value: string,
): Outcome {
  const field = keys[of].get(key);
  if (field === undefined) return undefined;
  const { name, choices } = field;
  if (choices.length > 0 && !choices.includes(value)) return oneOf(key, choices);
  Object.assign(record.texts, { [name]: value });
  return wasRead;
}

/** What a phase says beside its texts, by its key in the address. */
const ofPhase = new Map<string, { name: keyof PhaseEntry; choices: readonly string[] }>([
  ['sampler', { name: 'sampler', choices: choicesOf('sampler') }],
  ['loader', { name: 'loader', choices: loaders.map(({ name }) => name) }],
  ['by', { name: 'schedule', choices: schedules }],
]);

function readPhase(phase: Draft<PhaseEntry>, key: string, value: string): Outcome {
  const said = ofPhase.get(key);
  if (!said) return readText('phase', phase, key, value);
  if (!said.choices.includes(value)) return oneOf(key, said.choices);
  Object.assign(phase, { [said.name]: value });
  return wasRead;
}

function readQuestion(scenario: Draft<Scenario>, key: string, value: string): Outcome {
  if (key === 'solve-for') {
    const find = finds.find((name) => name === value);
    if (!find) return oneOf(key, finds);
    scenario.find = find;
  } else if (key === 'open') {
    if (!/^[1-9]\d{0,3}$/.test(value)) return `${key} ${place}`;
    scenario.open = Number(value) - 1;
  } else return readText('question', scenario, key, value);
  return wasRead;
}

const axisKinds = ['linear', 'log'] as const;
/** A panel's prefix, a dot, the panel's own key. */
const panelKey = /^[a-z][a-z0-9-]*\.[a-z][a-z0-9-]*$/;

function readView(view: ViewDraft, key: string, value: string): Outcome {
  if (key === 'directions' || key === 'others' || key === 'more') {
    if (value !== 'shown') return `${key} must be shown`;
    // The first two are drawn in a row that is open; older links had them in all.
    if (key === 'more') view.more = true;
  } else if (key === 'axis') {
    view.axis = axisKinds.find((kind) => kind === value);
    if (!view.axis) return oneOf(key, axisKinds);
  } else if (key === 'hide') {
    const names = value.split('+');
    view.hidden = rowNames.filter((name) => names.includes(name));
    if (view.hidden.length < names.length) return oneOf(`each name in ${key}`, rowNames);
  } else if (key === 'panel') {
    if (!/^[a-z][a-z0-9-]*$/.test(value)) return `${key} must be the name of a tab`;
    // Phases are composed in the form; links from when they had a tab show it.
    if (value !== 'compose') view.panel = value;
  } else if (panelKey.test(key)) {
    view.panels[key] = value;
  } else return undefined;
  return wasRead;
}

const isReleaseKind = (name: string): name is ReleaseKind => Object.hasOwn(releaseKinds, name);

const copyOf = <Part extends { texts: object }>(part: Part): Part => ({
  ...part,
  texts: { ...part.texts },
});

/** Reads the parts of a link one by one, and notes what it cannot read. */
class Parser {
  readonly notes: UnreadPart[] = [];
  run: Kept = 'whole';
  readonly view: ViewDraft = { ...defaultView, panels: {} };
  private readonly scenario: Draft<Scenario> = copyOf(defaultScenario);
  private readonly first: Draft<PhaseEntry> = copyOf(defaultPhase);
  private readonly others: Draft<Entry>[] = [];
  /** The entry that the parts describe; undefined after one whose kind could not be read. */
  private entry: Draft<Entry> | undefined = this.first;
  private at = 0;
  /** Keys that this entry has had. */
  private seen = new Set<string>();

  part(part: string): void {
    const cut = part.indexOf('=');
    const key = cut < 0 ? part : part.slice(0, cut);
    const value = cut < 0 ? '' : unescapeValue(part.slice(cut + 1));
    if (key === 'and') {
      this.seen = new Set();
      const why = this.begin(value);
      if (why !== wasRead) this.leftOut(part, why);
      return;
    }
    // The view stands before any further entry.
    const ofView = this.entry === this.first ? readView(this.view, key, value) : undefined;
    const outcome = ofView ?? this.readRun(key, value) ?? 'not a setting of this page';
    const again = this.seen.has(key);
    this.seen.add(key);
    if (outcome === wasRead && !again) return;
    const why = outcome || 'it appears more than once in the link; the last one counts';
    if (ofView === undefined) this.leftOut(part, why);
    else this.note(part, why);
  }

  private begin(kind: string): string {
    this.entry = undefined;
    if (this.others.length + 1 >= mostPhases) return `a run has at most ${mostPhases} entries`;
    if (kind === 'phase') this.entry = copyOf(defaultPhase);
    else if (isReleaseKind(kind)) this.entry = { ...copyOf(defaultRelease), by: kind };
    else return oneOf('and', ['phase', ...Object.keys(releaseKinds)]);
    this.others.push(this.entry);
    return wasRead;
  }

  private readRun(key: string, value: string): Outcome {
    const { entry } = this;
    if (!entry) return 'it belongs to an entry that could not be read';
    if (entry.kind === 'release') return readText('release', entry, key, value);
    const ofPhase = readPhase(entry, key, value);
    if (ofPhase !== undefined || entry !== this.first) return ofPhase;
    if (key !== 'at') return readQuestion(this.scenario, key, value);
    if (!/^[1-9]\d{0,3}$/.test(value)) return `${key} ${place}`;
    this.at = Number(value) - 1;
    return wasRead;
  }

  private note(part: string, why: string): void {
    const shown = part.length <= longestPart ? part : `${part.slice(0, longestPart)}…`;
    this.notes.push({ part: shown, why });
  }

  private leftOut(part: string, why: string): void {
    this.run = 'part';
    this.note(part, why);
  }

  reading(): LinkReading {
    const { scenario, others, at, first, view, notes } = this;
    const entries = others.toSpliced(at, 0, first);
    const last = entries.length - 1;
    for (const [key, index] of [['at', at] as const, ['open', scenario.open] as const])
      if (index > last)
        this.leftOut(`${key}=${index + 1}`, `${key} ${place}, which has ${last + 1}`);
    const open = Math.min(scenario.open, last);
    return { state: { scenario: { ...scenario, entries, open }, view }, notes, run: this.run };
  }
}

/** Reads a hash. What it cannot read it leaves at the default, and says so. */
export function readAddress(hash: string): LinkReading {
  const text = hash.replace(/^#/, '');
  if (text === '') return { state: defaultState, notes: [], run: 'whole' };
  const [head = '', ...parts] = text.split(',');
  if (head !== version) {
    const why = /^v\d+$/.test(head)
      ? 'the link needs a newer version of the page: reload'
      : `not a link to a run; those start with “#${version},”. Copy the whole link again`;
    return { state: defaultState, notes: [{ part: head, why }], run: 'none' };
  }
  const parser = new Parser();
  // A comma at the end comes from the prose that a link was pasted into.
  for (const part of parts) if (part !== '') parser.part(part);
  return parser.reading();
}
