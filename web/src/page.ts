import { takeEngine } from './early.js';
import { wordsOf } from '../../wasm/errors.js';
import { LitElement, html, nothing, unsafeCSS } from 'lit';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import type { Engine } from '../../wasm/client.js';
import type { Answer, Query } from '../../wasm/generated/schema.js';
import { version } from '../../wasm/generated/schema.js';
import { clonesFigure } from './charts/clones-figure.js';
import './components/bounds.js';
import './components/card.js';
import type { Card, NarrowDetail } from './components/card.js';
import './components/forest.js';
import './components/needed.js';
import './components/panels.js';
import type { SelectDetail } from './components/panels.js';
import './components/scenario.js';
import type { EditDetail } from './components/scenario.js';
import { spell } from './components/spell.js';
import { parseNumber } from './engine.js';
import { copyRefused, copyText } from './export/clipboard.js';
import { linkTo } from './export/link.js';
import { historyOf } from './history.js';
import { LiveAnswers, noAnswers } from './live/answers.js';
import type { AnswersState } from './live/answers.js';
import { panels } from './panels/list.js';
import { panelName, shownPanel, unknownParts, withTexts } from './panels/panel.js';
import type { PanelInfo, PutDetail, StateDetail } from './panels/panel.js';
import { addressOf, readAddress } from './state/address.js';
import { beyondDomains, inFormWords, isPhase, problemsOf, readScenario } from './state/question.js';
import type { Problems, Reading } from './state/question.js';
import { ownRow, withAsked, withText } from './state/scenario.js';
import type { PhaseNumber, RowName, Scenario, State } from './state/scenario.js';
import { Store } from './state/store.js';
import type { Pace } from './state/store.js';
import styles from './styles/page.css?inline';
import { commandFor } from '../../wasm/words/command-line.js';
import { commandNeeds, commandPath } from '../../wasm/words/command-name.js';
import { reportedVerdict } from '../../wasm/words/claims.js';
import { formatGiven } from '../../wasm/words/numbers.js';
import { clonesProof, clonesSummary } from './words/clones.js';
import { linkNotice } from './words/link.js';
import { methodsPage } from './words/methods.js';
import { notes } from './words/notes.js';
import {
  doingOf,
  foundSentence,
  foundText,
  headline,
  thereSentence,
  unmetSentence,
} from './words/sentence.js';
import type { Piece } from './words/sentence.js';

/** A letter may follow at once: wait this long before asking. */
const typingPause = 90;
/** A half-typed number is no mistake yet. */
const problemPause = 600;
/** A slider rests when it has not moved for this long. */
const restPause = 200;

/** What the header leads to: the first panel of each group. */
const groups = panels.filter(
  ({ group }, index) =>
    group !== undefined && panels.findIndex((other) => other.group === group) === index,
);

/** The whole page: state in the address, answers as they come. */
export class Page extends LitElement {
  static override styles = unsafeCSS(styles);

  static override properties = {
    highlight: { state: true },
    problems: { state: true },
    broken: { state: true },
    copied: { state: true },
    moving: { state: true },
    behind: { state: true },
  };

  declare highlight: RowName | undefined;
  declare problems: Problems;
  /** Why there is no engine. */
  declare broken: string | undefined;
  /** What was handed to the clipboard just now, and whether it got there. */
  declare copied: { what: 'link' | 'command'; done: boolean } | undefined;
  /** Whether a slider is moving: what is under way is let finish, or nothing would be seen meanwhile. */
  declare moving: boolean;
  /** Whether the answers under way are those of an earlier place of the slider. */
  declare behind: boolean;

  private readonly store = new Store(historyOf(window));
  private engine: Engine | undefined;
  private answers: LiveAnswers | undefined;
  private askTimer: ReturnType<typeof setTimeout> | undefined;
  private problemTimer: ReturnType<typeof setTimeout> | undefined;
  private restTimer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.problems = new Map();
    this.moving = false;
    this.behind = false;
    this.store.subscribe(() => {
      this.requestUpdate();
      // Looking at other things asks nothing new.
      if (this.store.state.scenario !== this.asked)
        this.ask(this.pace === 'typed' ? typingPause : 0);
    });
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.start();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.askTimer);
    clearTimeout(this.problemTimer);
    clearTimeout(this.restTimer);
    this.engine?.close();
  }

  override firstUpdated(): void {
    const root = this.shadowRoot;
    if (root) root.querySelector<Card>('he-card')?.watch(root);
  }

  private async start(): Promise<void> {
    try {
      this.engine = await takeEngine();
    } catch (error) {
      this.broken = wordsOf(error);
      return;
    }
    if (!this.isConnected) {
      this.engine.close();
      return;
    }
    this.answers = new LiveAnswers(this.engine, () => {
      this.answersChanged();
    });
    this.ask(0);
  }

  /** Puts the scenario to the engine, or says what is wrong with it. */
  private ask(pause: number): void {
    clearTimeout(this.askTimer);
    clearTimeout(this.problemTimer);
    if (!this.answers) return;
    const { working, asked } = this.answers.state;
    this.behind = this.moving && working && asked !== undefined;
    if (this.behind) return;
    this.asked = this.store.state.scenario;
    const reading = this.read();
    if ('query' in reading && this.answers.holds(reading.query)) {
      this.askBeside();
      return;
    }
    this.answers.outdate();
    this.asidesKey = undefined;
    if ('problems' in reading) {
      this.problemTimer = setTimeout(
        () => {
          this.complain(reading.problems);
        },
        pause > 0 ? problemPause : 0,
      );
      return;
    }
    this.askTimer = setTimeout(() => {
      void this.answers?.ask(reading.query, reading.delta);
    }, pause);
  }

  private complain(problems: Problems): void {
    this.problems = problems;
    this.answers?.clear();
  }

  private answersChanged(): void {
    this.requestUpdate();
    const state = this.answers?.state;
    if (!state) return;
    if (this.behind) {
      // What has come is shown before it is outdated.
      if (!state.working) this.askTimer = setTimeout(() => this.ask(0));
      return;
    }
    if (state.trouble && !state.trouble.unmet) {
      const { scenario } = this.store.state;
      const problems = new Map([
        ...beyondDomains(scenario, parseNumber),
        ...problemsOf(scenario, state.trouble),
      ]);
      clearTimeout(this.problemTimer);
      this.problemTimer = setTimeout(() => {
        this.complain(problems);
      }, problemPause);
      return;
    }
    const { query, working, fresh, trouble } = state;
    if ((fresh.size > 0 || trouble) && this.problems.size > 0) this.problems = new Map();
    if (query && !working && fresh.size > 0) this.askBeside();
  }

  private pace: Pace = 'single';
  private asked: Scenario | undefined;
  private asidesKey: unknown;

  /** Once the rows are answered and no slider moves, and once for each entry that is opened. */
  private askBeside(): void {
    const state = this.answers?.state;
    const { open, entries } = this.store.state.scenario;
    if (!state?.query || state.working || this.moving) return;
    const key = JSON.stringify([open, entries.length, state.query]);
    if (key === this.asidesKey) return;
    this.asidesKey = key;
    void this.answers?.askAsides(open);
    void this.answers?.askNeeded();
  }

  private lastRead: { scenario: Scenario; reading: Reading } | undefined;

  /** What was typed, as a question; the same object as long as nothing else is typed. */
  private read(): Reading {
    const { scenario } = this.store.state;
    if (this.lastRead?.scenario !== scenario) {
      this.lastRead = { scenario, reading: readScenario(scenario, parseNumber) };
    }
    return this.lastRead.reading;
  }

  /** The run that the panels are about, if there is one: what is solved for is put in. */
  private runOf(answers: AnswersState): Query | undefined {
    if (this.behind) return answers.query;
    const reading = this.read();
    if (this.problems.size > 0 || !('query' in reading)) return undefined;
    return reading.query.question === 'calibrate' ? answers.query : reading.query;
  }

  private edit(state: State, key: string, pace: Pace): void {
    clearTimeout(this.restTimer);
    this.moving = pace === 'slid';
    if (this.moving) this.restTimer = setTimeout(() => this.rest(), restPause);
    this.pace = pace;
    this.store.edit(state, key);
    this.pace = 'single';
    this.askBeside();
  }

  /** The slider rests: nothing of an earlier place is finished any more. */
  private rest(): void {
    this.moving = false;
    if (this.behind) this.ask(0);
    else this.askBeside();
  }

  protected override render() {
    const { scenario, view } = this.store.state;
    const answers = this.answers?.state ?? noAnswers;
    const working = this.broken === undefined && (this.answers === undefined || answers.working);
    const ownName = ownRow(scenario);
    const own = answers.fresh.has(ownName) ? answers.answers.get(ownName) : undefined;
    const fresh = this.behind ? noAnswers.fresh : answers.fresh;
    const reading = this.read();
    const query = 'query' in reading ? reading.query : undefined;
    const reported = 'query' in reading ? reading.reported : undefined;
    const any = [...answers.fresh].map((name) => answers.answers.get(name))[0];
    // The axis belongs to what is drawn: an answer that is still of an earlier delta says so.
    const at = answers.answers.get(ownName)?.delta.upper ?? query?.delta;
    const delta = at === undefined ? '' : formatGiven(at);
    const comparing = query?.accountant === undefined;
    const hash = addressOf(this.store.state);
    const link = linkTo(hash);
    return html`
      <header>
        <h1>Honest Epsilon</h1>
        <p class="tagline">The <i>ε</i> of your DP-SGD run, for the batches you really drew.</p>
        <nav aria-label="This site">
          ${groups.map((info) => this.groupLink(info))}
          ${methodsPage === undefined ? nothing : html`<a href=${methodsPage}>Methods</a>`}
        </nav>
        ${
          link === undefined
            ? nothing
            : html`<button class="plain" @click=${() => void this.copy('link', link)}>
                ${this.copied?.what === 'link' ? (this.copied.done ? 'Link copied' : copyRefused) : 'Copy link'}
              </button>`
        }
      </header>
      ${this.linkNotice()}
      <main
        @light=${({ detail }: CustomEvent<RowName | null>) => {
          // An event has null in the place of no detail.
          this.highlight = detail ?? undefined;
        }}
      >
        <div class="scenario-column">
          <he-scenario
            role="region"
            aria-labelledby="scenario-title"
            .scenario=${scenario}
            .problems=${this.problems}
            .answer=${own ?? any}
            .need=${answers.needed.get(ownName)}
            ?behind=${this.behind}
            .asides=${answers.asides}
            ?more=${view.more}
            @more=${({ detail }: CustomEvent<boolean>) => {
              this.look({ more: detail });
            }}
            @edit=${({ detail }: CustomEvent<EditDetail>) => {
              this.edit(
                { ...this.store.state, scenario: detail.scenario },
                detail.key,
                detail.pace,
              );
            }}
            @settle=${() => {
              this.settle();
            }}
          ></he-scenario>
        </div>
        <section
          class=${`answer${answers.working || this.behind ? ' refining-now' : ''}`}
          aria-label="Answer"
          tabindex="-1"
        >
          ${this.sentence(own, ownName, reported)}
          ${
            query?.question !== 'calibrate' || this.problems.size > 0 || this.broken !== undefined
              ? nothing
              : html`<he-needed
                  .asked=${query}
                  .needed=${answers.needed}
                  own=${ownName}
                  ?behind=${this.behind}
                ></he-needed>`
          }
          <he-forest
            .answers=${answers.answers}
            .fresh=${fresh}
            ?working=${working}
            own=${ownName}
            .reported=${reported}
            .refused=${answers.refused}
            ?directions=${view.directions}
            ?others=${view.others}
            ?comparing=${comparing}
            .highlight=${this.highlight}
            .delta=${delta}
            .axis=${view.axis}
            @axis=${({ detail }: CustomEvent<State['view']['axis']>) => {
              this.look({ axis: detail });
            }}
          ></he-forest>
          ${answers.answers.get('shuffle')?.citations.includes('HE26') ? whyClones : nothing}
        </section>
        <section class="bounds-section" aria-label="Bounds and methods">
          <he-bounds
            .answers=${answers.answers}
            .fresh=${fresh}
            ?working=${working}
            own=${ownName}
            .refused=${answers.refused}
            ?directions=${view.directions}
            ?others=${view.others}
            ?comparing=${comparing}
            .highlight=${this.highlight}
            @directions=${({ detail }: CustomEvent<boolean>) => {
              this.look({ directions: detail });
            }}
            @others=${({ detail }: CustomEvent<boolean>) => {
              this.look({ others: detail });
            }}
          ></he-bounds>
        </section>
        <section class="panels-section" aria-label="More about this run" tabindex="-1">
          <he-panels
            .engine=${this.engine}
            .broken=${this.broken}
            .state=${this.store.state}
            .query=${this.runOf(answers)}
            .answers=${answers}
            .highlight=${this.highlight}
            .moving=${this.moving}
            ?ready=${!working || this.said !== ''}
            @select-panel=${({ detail }: CustomEvent<SelectDetail>) => {
              this.look({ panel: detail.key }, detail.step);
            }}
            @put=${(event: CustomEvent<PutDetail>) => {
              this.put(event);
            }}
            @edit=${({ detail }: CustomEvent<StateDetail>) => {
              this.edit(detail.state, detail.key, detail.pace);
            }}
            @open-scenario=${({ detail }: CustomEvent<State | string>) => {
              this.openScenario(detail);
            }}
          ></he-panels>
        </section>
      </main>
      <footer>
        ${notes()}
        ${
          query
            ? html`<section class="command">
                <h2>The same question on the command line</h2>
                <p class="command-needs">${commandNeeds} This page needs none.</p>
                <p>
                  <code tabindex="0">${commandFor(query)}</code>
                  <button
                    class="plain"
                    @click=${() => void this.copy('command', commandFor(query))}
                  >
                    ${this.copied?.what === 'command' ? (this.copied.done ? 'Copied' : copyRefused) : 'Copy'}
                  </button>
                </p>
              </section>`
            : nothing
        }
        <p class="colophon">
          Honest Epsilon ${version}. Nothing leaves this page: every number is computed in your
          browser.
          <span class="print-link">${link ?? nothing}</span>
        </p>
      </footer>
      <he-card
        .answers=${answers.answers}
        narrows
        .methods=${methodsPage}
        @narrow=${({ detail }: CustomEvent<NarrowDetail>) => {
          void this.answers?.narrow(detail.name).then(detail.ended);
        }}
      ></he-card>
    `;
  }

  /** What of the link could not be read, and whether the run is the link's all the same. */
  private linkNotice() {
    const { notes, run, state } = this.store;
    const all = [...notes, ...unknownParts(panels, state.view)];
    if (all.length === 0) return nothing;
    return html`<section class="note" role="alert">
      <p><strong>${linkNotice(run, all)}</strong></p>
      <ul>
        ${all.map((note) => html`<li>${note}</li>`)}
      </ul>
    </section>`;
  }

  /** The sentence, or in its place what keeps it from being said; then a line about it. */
  private sentence(own: Answer | undefined, name: RowName, reported: number | undefined) {
    if (this.broken !== undefined) return this.brokenNotice(this.broken);
    const saying = this.say(own, name, reported);
    const { sentence, tone, aside, alert } = this.behind ? this.sayBefore() : saying;
    // On a phone the claim stays in sight while the form below it is typed into.
    const claim =
      this.problems.size > 0
        ? 'Correct the field marked in red.'
        : this.said.split(/[;.] | is proved for | for /)[0];
    return html`<p class=${`in-sight ${tone}`} aria-hidden="true">${claim}</p>
      <div class="say">
        <p class=${`sentence ${tone}`} aria-live="polite">${sentence}</p>
        <p class="aside" role=${alert ? 'alert' : nothing}>${aside}</p>
      </div>`;
  }

  private say(own: Answer | undefined, name: RowName, reported: number | undefined): Saying {
    const state = this.answers?.state;
    if (this.problems.size > 0) {
      const run = this.problems.get('run');
      return {
        sentence: 'No answer yet.',
        tone: 'muted',
        aside: run ?? 'Correct the field marked in red.',
        alert: run !== undefined,
      };
    }
    if (state?.found) return this.sayFound(state.found, name);
    if (state?.trouble?.unmet && state.asked) {
      this.said = unmetSentence(state.asked, name);
      const why = inFormWords('solveFor', state.trouble.text);
      return { sentence: this.said, tone: '', aside: why, alert: false };
    }
    const fresh = (other: RowName) =>
      state?.fresh.has(other) ? state.answers.get(other) : undefined;
    const delta = state?.query?.delta;
    if (!own || !state?.query || delta === undefined || (state.working && !fresh('poisson'))) {
      return this.sayBefore();
    }
    const { phases } = state.query;
    const stretches = phases.filter(isPhase);
    const pieces = headline(
      doingOf(state.query, name, own),
      own,
      fresh('poisson'),
      fresh('shuffle'),
      delta,
    );
    const refining = state.working ? 'refining' : '';
    return {
      sentence: this.spell(pieces),
      tone: '',
      aside:
        reported === undefined
          ? refining
          : reportedVerdict({
              ...{ reported, answer: own },
              poisson: name === 'poisson' ? undefined : fresh('poisson'),
              releases: phases.length - stretches.length,
            }),
      alert: false,
    };
  }

  private sayBefore(): Saying {
    return this.said
      ? { sentence: this.said, tone: 'stale', aside: 'refining', alert: false }
      : {
          sentence: this.engine ? 'Computing …' : 'Loading the accountant …',
          tone: 'muted',
          aside: '',
          alert: false,
        };
  }

  /** The value found, large; what it comes to; and the way to take it. */
  private sayFound(found: Answer, name: RowName): Saying {
    const { scenario } = this.store.state;
    const asked = this.answers?.state.asked;
    const { solution } = found;
    if (!solution || !asked) return this.sayBefore();
    const phase = scenario.entries.length > 1 ? scenario.open + 1 : undefined;
    const limits = found.warnings.filter(({ code }) => code === 'any-value-meets');
    return {
      sentence: this.spell(foundSentence(solution, asked, name, phase, found)),
      tone: '',
      aside: html`${thereSentence(found, solution)}
        ${limits.map(({ text }) => inFormWords(solution.field, text))}
        <button
          class="plain"
          @click=${() => {
            this.take(solution);
          }}
        >
          Use this value
        </button>`,
      alert: false,
    };
  }

  private spell(pieces: readonly Piece[]) {
    this.said = pieces.map(({ lead, text }) => `${lead ?? ''}${text}`).join('');
    return spell(pieces);
  }

  /** Puts what was found into the run, and asks for epsilon again. */
  private take(solution: NonNullable<Answer['solution']>): void {
    const { state } = this.store;
    const text = foundText(solution);
    const scenario =
      solution.field === 'delta'
        ? withAsked(state.scenario, 'delta', text)
        : withText(state.scenario, solution.field as PhaseNumber, text);
    this.edit({ ...state, scenario: { ...scenario, find: 'epsilon' } }, 'use', 'single');
  }

  /** The sentence as last said, for while the next one is found. */
  private said = '';

  private brokenNotice(reason: string) {
    return html`<div class="say">
      <p class="sentence muted">This page cannot compute here.</p>
      <p class="aside" role="alert">
        ${
          !runsWebAssembly()
            ? html`The accountant is a WebAssembly program, and this browser did not run it.
              Hardened modes, some extensions and site policies block WebAssembly; allowing it for
              this site is enough.`
            : reason
        }
        The same numbers come from the command <code>${commandPath}</code>, where ${commandNeeds}
      </p>
    </div>`;
  }

  /** From the header to what is not about the reader's run, which stays in the address. */
  private groupLink(info: PanelInfo) {
    const { state } = this.store;
    const panel = panelName(panels, info, state.view.panels);
    const here = shownPanel(panels, state.view)?.group === info.group;
    return html`<a
      href=${addressOf({ ...state, view: { ...state.view, panel } })}
      aria-current=${here ? 'true' : nothing}
      @click=${(event: MouseEvent) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        if (!here) this.look({ panel }, `panel ${info.key}`);
        void this.updateComplete.then(() => this.goTo('.panels-section'));
      }}
      >${info.group}</a
    >`;
  }

  /** Takes the reader to a part of the page, by eye and by keyboard. */
  private goTo(selector: string): void {
    const part = this.renderRoot.querySelector<HTMLElement>(selector);
    part?.scrollIntoView({ block: 'start' });
    part?.focus({ preventScroll: true });
  }

  private look(change: Partial<State['view']>, step = Object.keys(change).join()): void {
    const { state } = this.store;
    this.store.edit({ ...state, view: { ...state.view, ...change } }, step);
  }

  /** A panel's own keys have changed. */
  private put({ detail, target }: CustomEvent<PutDetail>): void {
    const info = panels.find(({ key }) => (target as Element).closest(`#panel-${key}`));
    if (!info) return;
    const all = withTexts(info, this.store.state.view.panels, detail.texts);
    // An address without a name may mean another panel once its parts are others.
    const change = { panels: all, panel: panelName(panels, info, all) };
    this.look(change, `${info.key}: ${detail.key}`);
  }

  /** Another scenario, from a panel: the panel stays, and the reader is taken to the answer. */
  private openScenario(target: State | string): void {
    const { panel } = this.store.state.view;
    const opened = typeof target === 'string' ? readAddress(target).state : target;
    const view = { ...opened.view, panel: opened.view.panel || panel };
    this.edit({ ...opened, view }, 'open', 'single');
    this.goTo('.answer');
  }

  /** The reader has left a field: what is wrong is said at once. */
  private settle(): void {
    const reading = readScenario(this.store.state.scenario, parseNumber);
    if ('problems' in reading) this.complain(reading.problems);
  }

  private async copy(what: 'link' | 'command', text: string): Promise<void> {
    this.copied = { what, done: await copyText(text) };
    setTimeout(() => {
      this.copied = undefined;
    }, 2000);
  }
}

/** Why a shuffle leaks, folded: the methods page's own figure, and the way to its proof. */
const whyClones = html`<details class="why-clones">
  <summary>${clonesSummary}</summary>
  ${unsafeHTML(clonesFigure)}
  ${methodsPage === undefined ? nothing : html`<p><a href=${`${methodsPage}#clones`}>${clonesProof}</a></p>`}
</details>`;

/** Whether the browser takes the smallest module there is: if so, the trouble is with ours. */
function runsWebAssembly(): boolean {
  try {
    return new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0)) instanceof Object;
  } catch {
    return false;
  }
}

interface Saying {
  sentence: unknown;
  tone: string;
  aside: unknown;
  alert: boolean;
}

customElements.define('he-page', Page);
