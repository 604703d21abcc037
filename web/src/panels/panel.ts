import { html } from 'lit';
import { property } from 'lit/decorators.js';
import type { Engine } from '../../../wasm/client.js';
import type { Query } from '../../../wasm/generated/schema.js';
import { formField, type FormField } from '../components/fields.js';
import { Plain } from '../components/plain.js';
import { noAnswers, type AnswersState } from '../live/answers.js';
import { linkTo } from '../export/link.js';
import { wholeAddressOf, type UnreadPart } from '../state/address.js';
import { disjunction } from '../state/disjunction.js';
import { defaultState, type RowName, type State } from '../state/scenario.js';
import type { Problems } from '../state/question.js';
import { toCorrect } from '../words/to-correct.js';

/**
 * A panel below the answer: a tab that lives in the address.
 *
 * Adding one is one file here and one line in `list.ts`. The file's default export is a class that
 * extends Panel and is defined as a custom element; it may also export `styles`, a style sheet's text
 * (`import styles from './x.css?inline'`). The file is a chunk of its own, loaded when its tab is first
 * opened.
 *
 * What a panel is given, as Lit properties that are renewed while its tab is the one shown:
 * - `engine`: the accountant; undefined until it is ready, and for good where `broken` says why. At
 *   most two calls under way at a time, each with a signal that is aborted when it is of no more use:
 *   the pool is shared with the answer above.
 * - `state`: everything in the address, the scenario as it was typed included.
 * - `query`: the run as a question, comparable by identity: a new object means another question. When
 *   the reader solves for something, what was found is put in. Undefined while the form has no valid
 *   run: say so in a sentence, keep no number on the screen that looks like an answer.
 * - `problems`: what keeps the form from having one, by field (`toCorrect` names the fields).
 * - `answers`: the rows of the answer above, with which of them are fresh.
 * - `texts`: the panel's own part of the address, only what differs from `defaults`. A key that is not
 *   among these, or says none of its `choices`, is named above the panel.
 * - `highlight`: the row that the pointer is on, here or elsewhere on the page.
 * - `moving`: whether a slider of the form is moving, so that the next run may follow at once.
 * - `active`: whether the tab is shown. An element stays in the document when its tab is left, so that
 *   long work may go on; it is removed with the page (`disconnectedCallback` ends what runs).
 *
 * What a panel may do, by the methods below, each one step of the browser's history: `put` keys of its
 * own, `openScenario`, or `look` (`edit.ts`) at something else.
 *
 * It renders into the page's own shadow tree (see Plain), so ids must begin with the panel's key, and
 * the page's classes apply: `plain` and `action` (buttons), `soft`, `small`, `fine`, `prose`, `stale` (texts), `row`,
 * `sides`, `fields`, `key` (layouts), `figure` and `scroll` (tables), `s-<sampler>` (colours), `screen` (not on paper) ...
 */
export abstract class Panel extends Plain {
  @property({ attribute: false }) engine: Engine | undefined;
  @property({ attribute: false }) broken: string | undefined;
  @property({ attribute: false }) state: State = defaultState;
  @property({ attribute: false }) query: Query | undefined;
  @property({ attribute: false }) problems: Problems = new Map();
  @property({ attribute: false }) answers: AnswersState = noAnswers;
  @property({ attribute: false }) texts: Readonly<Record<string, string>> = {};
  @property({ attribute: false }) highlight: RowName | undefined;
  @property({ attribute: false }) moving = false;
  @property({ attribute: false }) active = false;

  /** The value of each own key that the address leaves out. Keys are lower case with hyphens. */
  readonly defaults: Readonly<Record<string, string>> = {};

  /** Whether the own keys make a question, so that a link that leaves the page spells out their defaults. */
  protected readonly asksItself: boolean = false;

  /** Begins the own keys in the address. */
  addressPrefix = '';

  /** The values of own keys that choose among words. */
  readonly choices: Readonly<Record<string, readonly string[]>> = {};

  protected text(key: string): string {
    return this.texts[key] ?? this.defaults[key] ?? '';
  }

  /** What the page shows, the own keys spelt out where they make a question of their own. */
  get whole(): State {
    const { view, scenario } = this.state;
    if (!this.asksItself) return this.state;
    const panels = Object.fromEntries(
      [...Object.entries(this.defaults), ...Object.entries(this.texts)]
        .filter(([, text]) => text !== '')
        .map(([key, text]) => [`${this.addressPrefix}.${key}`, text]),
    );
    return { scenario, view: { ...view, panels: { ...view.panels, ...panels } } };
  }

  protected get link(): string | undefined {
    return linkTo(wholeAddressOf(this.whole));
  }

  /** The own keys that the panel cannot read, as sentences. */
  get unread(): string[] {
    return Object.entries(this.texts).flatMap(([key, text]) => {
      if (!Object.hasOwn(this.defaults, key)) return [`“${key}” is not a setting of this tab.`];
      const choices = this.choices[key];
      if (choices === undefined || text === this.defaults[key] || choices.includes(text)) return [];
      return [`“${key}=${text}”: ${key} must be ${disjunction(choices)}.`];
    });
  }

  /** Changes own keys in the address. A burst of changes of the same keys is one step back. */
  protected put(changes: Readonly<Record<string, string>>): void {
    const all = Object.entries({ ...this.texts, ...changes });
    const texts = Object.fromEntries(all.filter(([key, text]) => text !== this.defaults[key]));
    const detail: PutDetail = { texts, key: Object.keys(changes).join() };
    this.tell('put', detail);
  }

  /** A form's field that holds one of the own keys. */
  protected ownField(key: string, info: FormField['info'], more: Partial<FormField> = {}) {
    return formField({
      ...{ key, id: `${this.localName.slice(3)}-${key}`, info, value: this.text(key) },
      set: (text) => this.put({ [key]: text }),
      ...more,
    });
  }

  /** Why nothing is drawn, where nothing can be: no engine, or no run. */
  protected undrawn(drawings: string, drawing: string) {
    if (this.broken !== undefined)
      return html`<p class="panel-note">${drawings} need WebAssembly, which is blocked here.</p>`;
    if (this.query || this.answers.working) return undefined;
    return html`<p class="panel-note" role="status">
      There is no ${drawing} to draw. ${toCorrect(this.problems.keys())}
    </p>`;
  }

  /** Opens another scenario, and goes to its answer. */
  protected openScenario(state: State): void {
    this.tell('open-scenario', state);
  }
}

/** What the page gives to the panel that is shown. */
export type Given = Pick<
  Panel,
  'engine' | 'broken' | 'state' | 'query' | 'problems' | 'answers' | 'highlight' | 'moving'
>;

/** All of a panel's own keys that differ from its defaults, and which of them changed. */
export interface PutDetail {
  texts: Readonly<Record<string, string>>;
  key: string;
}

interface PanelModule {
  default: new () => Panel;
  styles?: string;
}

export interface PanelInfo {
  /** Names the tab in the address: `panel=monte-carlo`. */
  key: string;
  title: string;
  /**
   * The group of a panel that is not about the reader's run: its tab stands among those of the
   * group.
   */
  group?: string;
  /**
   * Begins the panel's own keys in the address, when the key is too long for that: `mc.samples=1e6`, or
   * was another once. A link that names the panel by it opens the panel, too.
   */
  prefix?: string;
  /** Whether older links mean this panel where they name none: then its keys in the address say so. */
  wasFirst?: boolean;
  load: () => Promise<PanelModule>;
}

export const prefixOf = ({ key, prefix }: PanelInfo) => prefix ?? key;

/** The panel that an address without a name means. */
const usualPanel = (
  panels: readonly PanelInfo[],
  texts: Readonly<Record<string, string>>,
): PanelInfo | undefined =>
  panels.find(
    (info) =>
      info.wasFirst && Object.keys(texts).some((key) => key.startsWith(`${prefixOf(info)}.`)),
  ) ?? panels[0];

const isNamed = (info: PanelInfo, name: string) => info.key === name || prefixOf(info) === name;

export const shownPanel = (
  panels: readonly PanelInfo[],
  { panel, panels: texts }: State['view'],
): PanelInfo | undefined =>
  panels.find((info) => isNamed(info, panel)) ?? usualPanel(panels, texts);

/** How the address names a panel: not at all where it means it anyway. */
export const panelName = (
  panels: readonly PanelInfo[],
  { key }: PanelInfo,
  texts: Readonly<Record<string, string>>,
): string => (key === usualPanel(panels, texts)?.key ? '' : key);

/** One panel's part of the address, without the prefix. */
export function textsOf(
  panel: PanelInfo,
  all: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const start = `${prefixOf(panel)}.`;
  return Object.fromEntries(
    Object.entries(all).flatMap(([key, text]) =>
      key.startsWith(start) ? [[key.slice(start.length), text]] : [],
    ),
  );
}

/** The panels' part of the address, with one panel's part replaced. */
export function withTexts(
  panel: PanelInfo,
  all: Readonly<Record<string, string>>,
  texts: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const start = `${prefixOf(panel)}.`;
  const others = Object.entries(all).filter(([key]) => !key.startsWith(start));
  const own = Object.entries(texts).map(([key, text]) => [start + key, text] as const);
  return Object.fromEntries([...others, ...own]);
}

/** The parts of an address that belong to no panel of this page, as sentences. */
export function unknownParts(
  panels: readonly PanelInfo[],
  { panel, panels: texts }: State['view'],
): UnreadPart[] {
  const parts = Object.keys(texts).filter(
    (key) => !panels.some((info) => key.startsWith(`${prefixOf(info)}.`)),
  );
  const wanted =
    panel === '' || panels.some((info) => isNamed(info, panel)) ? [] : [`panel=${panel}`];
  return [...wanted, ...parts].map((part) => ({ part, why: 'the page has no such tab' }));
}
