import { takeEngine } from './early.js';
import { LitElement, html, nothing, unsafeCSS } from 'lit';
import { state } from 'lit/decorators.js';
import { version, type Query } from '../../wasm/generated/schema.js';
import { button } from './components/fields.js';
import type { EditDetail, LookDetail } from './components/edit.js';
import './components/forest.js';
import './components/panels.js';
import type { Panels } from './components/panels.js';
import { Opening } from './components/opening.js';
import { remarks } from './components/remarks.js';
import './components/result.js';
import type { Result } from './components/result.js';
import './components/scenario.js';
import { Copying } from './export/clipboard.js';
import { linkTo, ownLinkTo } from './export/link.js';
import { historyOf } from './history.js';
import { freshAnswer, noAnswers } from './live/answers.js';
import { LiveRun, closeSoon } from './live/run.js';
import { panels } from './panels/list.js';
import { panelName, shownPanel, unknownParts, withTexts } from './panels/panel.js';
import type { Given, PanelInfo, PutDetail } from './panels/panel.js';
import { firstNotes } from './state/first-notes.js';
import { addressOf, unreadText, wholeAddressOf } from './state/address.js';
import { problemsOf, readScenario, type ScenarioReading } from './state/question.js';
import { ownRow, type RowName, type Scenario, type State } from './state/scenario.js';
import { besideDocuments } from './single/documents.js';
import { Store, type Pace } from './state/store.js';
import styles from './styles/page.css?inline';
import { commandFor } from '../../wasm/words/command-line.js';
import { commandNeeds } from '../../wasm/words/command-name.js';
import { givenAs } from '../../wasm/words/numbers.js';
import { linkNotice, linkWords } from './words/link.js';
import { guides, methodsPage, methodsStart } from './words/methods.js';
import notes from './words/notes.md?html';

/** The header's links: the first panel of each group. */
const groups = panels.filter(
  ({ group }, index) =>
    group !== undefined && panels.findIndex((other) => other.group === group) === index,
);

/** The whole page: state in the address, answers as they come. */
export class Page extends LitElement {
  static override styles = unsafeCSS(styles);

  @state() highlight: RowName | undefined;
  private readonly copying = new Copying(this);
  private readonly opening = new Opening(this);
  private readonly store = new Store(
    import.meta.env.MODE === 'standalone' ? besideDocuments(historyOf(window)) : historyOf(window),
  );
  private readonly run = new LiveRun({
    read: () => this.read(),
    blame: (trouble) => {
      if (trouble.nearest !== undefined) return undefined;
      return new Map([...this.read().beyond, ...problemsOf(this.store.state.scenario, trouble)]);
    },
    changed: () => this.requestUpdate(),
  });
  private pace: Pace = 'single';

  constructor() {
    super();
    this.store.subscribe(() => {
      this.requestUpdate();
      this.run.ask(this.pace);
    });
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const engine = takeEngine();
    this.run.begin({ engine, release: () => closeSoon(engine) });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.run.end();
  }

  /** The first question goes out before the page is drawn, and is answered meanwhile. */
  protected override async scheduleUpdate(): Promise<void> {
    if (!this.hasUpdated) await new Promise((resolve) => setTimeout(resolve));
    await super.scheduleUpdate();
  }

  override firstUpdated(): void {
    const root = this.shadowRoot;
    if (root) this.opening.watch(root);
  }

  private lastRead: { scenario: Scenario; reading: ScenarioReading } | undefined;

  /** The form as a question; the same object until something else is typed. */
  private read(): ScenarioReading {
    const { scenario } = this.store.state;
    if (this.lastRead?.scenario !== scenario) {
      this.lastRead = { scenario, reading: readScenario(scenario) };
    }
    return this.lastRead.reading;
  }

  /** The run that the panels are about, if there is one: what is solved for is put in. */
  private get shownRun(): Query | undefined {
    const { behind, problems, state } = this.run;
    if (behind) return state.query;
    const reading = this.read();
    if (problems.size > 0 || !('query' in reading)) return undefined;
    return reading.query.question === 'calibrate' ? state.query : reading.query;
  }

  private edit(state: State, key: string, pace: Pace): void {
    this.pace = pace;
    this.store.edit(state, key);
    this.pace = 'single';
  }

  protected override render() {
    const look = this.seen();
    return html`
      ${this.header()} ${this.linkNotice()}
      <main
        class=${look.answers.working || this.run.behind ? 'refining-now' : ''}
        @light=${({ detail }: CustomEvent<RowName | null>) => {
          // An event without a detail has null.
          this.highlight = detail ?? undefined;
        }}
        @edit=${({ detail: { scenario, key, pace } }: CustomEvent<EditDetail>) => {
          this.edit({ ...this.store.state, scenario }, key, pace);
        }}
        @look=${({ detail: { change, step } }: CustomEvent<LookDetail>) => this.look(change, step)}
      >
        <section class="answer" aria-label="Answer" tabindex="-1">${this.result(look)}</section>
        <div class="scenario-column">${this.form(look)}</div>
        <section class="ladder" aria-label="Every sampler">
          ${this.needed(look)} ${this.forest(look)}
          ${look.own && look.fresh.has(look.name) ? remarks(look.own, 'Your ε') : nothing}
          <p class="prose screen">
            <a href=${`${methodsPage}#clones`}>Why shuffling leaks</a>
          </p>
        </section>
        <section class="panels-section" aria-label="More about this run" tabindex="-1">
          ${this.panels(look)}
        </section>
      </main>
      ${this.footer(look)}
    `;
  }

  /** The state that all parts of the page show; `name` is the reader's own row, and `own` its answer. */
  private seen() {
    const { behind, state: answers } = this.run;
    const name = ownRow(this.store.state.scenario);
    const reading = this.read();
    const asked = 'query' in reading ? reading : undefined;
    // The axis belongs to what is drawn: an answer that is still of an earlier delta says so.
    const at = answers.answers.get(name)?.delta.upper ?? asked?.query.delta;
    return {
      answers,
      name,
      own: freshAnswer(answers, name),
      fresh: behind ? noAnswers.fresh : answers.fresh,
      query: asked?.query,
      reported: asked?.reported,
      delta: at === undefined ? '' : givenAs('δ', at),
      comparing: asked?.query.accountant === undefined,
      link: linkTo(wholeAddressOf(this.store.state)),
    };
  }

  private header() {
    return html`<header>
      <button class="skip screen" @click=${() => this.goTo('.answer')}>Skip to the answer</button>
      <h1>Honest Epsilon</h1>
      <p class="tagline soft">The <i>ε</i> of your DP-SGD run, for the batches it actually used.</p>
      <nav class="row screen" aria-label="This site">
        ${groups.map((info) => this.groupLink(info))}
        <a href=${methodsStart}>Methods</a>
      </nav>
    </header>`;
  }

  private result({ name, own, query, reported, link }: Seen) {
    return html`<he-result
      .run=${this.run}
      .shown=${{ ...{ state: this.store.state, name, own, query, reported }, isPublic: link !== undefined }}
      .link=${() => {
        const { whole } = this.renderRoot.querySelector<Panels>('he-panels') ?? {};
        return ownLinkTo(wholeAddressOf(whole ?? this.store.state));
      }}
    ></he-result>`;
  }

  private form({ answers, own }: Seen) {
    const { scenario, view } = this.store.state;
    const any = [...answers.fresh].map((row) => answers.answers.get(row))[0];
    return html`<he-scenario
      role="region"
      aria-labelledby="scenario-title"
      .scenario=${scenario}
      .problems=${this.run.problems}
      .answer=${own ?? any}
      .found=${answers.found}
      ?unmet=${answers.trouble?.nearest !== undefined}
      ?behind=${this.run.behind}
      .engine=${this.run.engine}
      .run=${answers.working || this.run.moving ? undefined : answers.query}
      ?more=${view.more}
      @more=${({ detail }: CustomEvent<boolean>) => this.look({ more: detail })}
      @settle=${() => this.settle()}
    ></he-scenario>`;
  }

  private needed({ query, answers, name }: Seen) {
    const { problems, broken, behind } = this.run;
    if (query?.question !== 'calibrate' || problems.size > 0 || broken !== undefined)
      return nothing;
    void import('./components/needed.js');
    const { asked, found: answer, trouble, working } = answers;
    const known = asked && (answer ?? trouble?.nearest) !== undefined && !behind;
    return html`<he-needed
      .engine=${this.run.engine}
      .query=${query}
      .known=${known ? { query: asked, answer, trouble } : undefined}
      own=${name}
      ?idle=${!working && !this.run.moving}
    ></he-needed>`;
  }

  private forest({ answers, fresh, name, reported, comparing, delta }: Seen) {
    const { view } = this.store.state;
    return html`<he-forest
      .answers=${answers.answers}
      .fresh=${fresh}
      ?working=${this.run.working}
      own=${name}
      .reported=${reported}
      .refused=${answers.refused}
      ?comparing=${comparing}
      .highlight=${this.highlight}
      .delta=${delta}
      .axis=${view.axis}
      .opened=${this.opening.name}
      .methods=${methodsPage}
      @axis=${({ detail }: CustomEvent<State['view']['axis']>) => this.look({ axis: detail })}
    ></he-forest>`;
  }

  private panels({ answers }: Seen) {
    const { engine, broken, problems, moving, working } = this.run;
    const given: Given = {
      ...{ engine, broken, problems, moving, answers },
      ...{ state: this.store.state, query: this.shownRun, highlight: this.highlight },
    };
    return html`<he-panels
      .given=${given}
      ?ready=${!working || this.renderRoot.querySelector<Result>('he-result')?.begun === true}
      @put=${(event: CustomEvent<PutDetail>) => this.put(event)}
      @open-scenario=${({ detail }: CustomEvent<State>) => this.openScenario(detail)}
    ></he-panels>`;
  }

  private footer({ query, link }: Seen) {
    return html`<footer>
      <section class="notes screen">
        <h2>What the numbers mean</h2>
        <div class="columns">
          ${notes.split('<hr>').map((part) => html`<div .innerHTML=${part}></div>`)}
        </div>
      </section>
      ${query === undefined ? nothing : this.command(commandFor(query))}
      <p class="soft small">
        Honest Epsilon ${version}, Apache-2.0 licence. Nothing leaves this page: every number is
        computed in your browser. To report a problem, open an issue in the repository this copy was
        built from.
        <span class="print-link">${link ?? linkWords.none}</span>
      </p>
      ${guides()}
    </footer>`;
  }

  private command(text: string) {
    return html`<section class="command screen">
      <h2>The same question on the command line</h2>
      <p class="command-needs">${commandNeeds}</p>
      <p>
        <code tabindex="0">${text}</code>
        ${button(this.copying.words('command'), () => void this.copying.copy('command', text))}
      </p>
    </section>`;
  }

  /** The parts of the link that could not be read, and whether the run is still the link's. */
  private linkNotice() {
    const { notes, run, state } = this.store;
    const all = [...notes, ...unknownParts(panels, state.view)];
    if (all.length === 0) return nothing;
    return html`<section class="note" role="alert">
      <p class="alarm"><strong>${linkNotice(run, all)}</strong></p>
      <ul class="soft">
        ${firstNotes(all.map(unreadText)).map((note) => html`<li>${note}</li>`)}
      </ul>
    </section>`;
  }

  /**
   * A link from the header to a panel that is not about the reader's run; the run stays in the
   * address.
   */
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

  private goTo(selector: string): void {
    const part = this.renderRoot.querySelector<HTMLElement>(selector);
    part?.scrollIntoView({ block: 'start' });
    part?.focus({ preventScroll: true });
  }

  private look(change: Partial<State['view']>, step = Object.keys(change).join()): void {
    const { state } = this.store;
    this.store.edit({ ...state, view: { ...state.view, ...change } }, step);
  }

  private put({ detail, target }: CustomEvent<PutDetail>): void {
    const info = panels.find(({ key }) => (target as Element).closest(`#panel-${key}`));
    if (!info) return;
    const all = withTexts(info, this.store.state.view.panels, detail.texts);
    // An address without a name may mean another panel once its parts are others.
    const change = { panels: all, panel: panelName(panels, info, all) };
    this.look(change, `${info.key}: ${detail.key}`);
  }

  /** Another scenario, from a panel: the panel stays, and the reader is taken to the answer. */
  private openScenario(state: State): void {
    this.edit(state, 'open', 'single');
    this.goTo('.answer');
  }

  /** The reader has left a field: its problem is shown at once. */
  private settle(): void {
    const reading = this.read();
    if ('problems' in reading) this.run.complain(reading.problems);
  }
}

type Seen = ReturnType<Page['seen']>;
