import { LitElement, html, nothing, unsafeCSS } from 'lit';
import type { Engine } from '../../wasm/client.js';
import type { Answer, Phase, SamplerName } from '../../wasm/generated/schema.js';
import { samplers, version } from '../../wasm/generated/schema.js';
import './components/bounds.js';
import './components/card.js';
import type { Card } from './components/card.js';
import './components/curve.js';
import './components/forest.js';
import './components/scenario.js';
import type { EditDetail } from './components/scenario.js';
import { createEngine, parseNumber } from './engine.js';
import { LiveAnswers } from './live/answers.js';
import { LiveCurves } from './live/curves.js';
import { asksReshuffle, commandFor, inFormWords, readScenario } from './state/question.js';
import type { Problems } from './state/question.js';
import { fieldsInUse, withText } from './state/scenario.js';
import type { Scenario, State } from './state/scenario.js';
import { Store } from './state/store.js';
import type { History } from './state/store.js';
import styles from './styles/page.css?inline';
import { formatGiven } from './words/format.js';
import { notes } from './words/notes.js';
import { reportedSentence, setting, verdict } from './words/sentence.js';

/** A letter may follow at once: wait this long before asking. */
const typingPause = 90;
/** A half-typed number is no mistake yet. */
const problemPause = 600;

const browserHistory: History = {
  hash: () => location.hash,
  push: (hash) => {
    history.pushState(null, '', hash || location.pathname + location.search);
  },
  replace: (hash) => {
    history.replaceState(null, '', hash || location.pathname + location.search);
  },
  listen: (onChange) => {
    addEventListener('popstate', onChange);
    addEventListener('hashchange', onChange);
  },
  now: () => performance.now(),
};

/** The whole page: state in the address, answers as they come. */
export class Page extends LitElement {
  static override styles = unsafeCSS(styles);

  static override properties = {
    highlight: { state: true },
    problems: { state: true },
    broken: { state: true },
    copied: { state: true },
  };

  declare highlight: SamplerName | undefined;
  declare problems: Problems;
  /** Why there is no engine. */
  declare broken: string | undefined;
  declare copied: '' | 'link' | 'command' | 'blocked';

  private readonly store = new Store(browserHistory);
  private engine: Engine | undefined;
  private answers: LiveAnswers | undefined;
  private curves: LiveCurves | undefined;
  private askTimer: ReturnType<typeof setTimeout> | undefined;
  private problemTimer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.problems = new Map();
    this.copied = '';
    this.store.subscribe(() => {
      this.requestUpdate();
      // Looking at other things asks nothing new.
      if (this.store.state.scenario !== this.asked) this.ask(this.typing ? typingPause : 0);
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
    this.engine?.close();
  }

  override firstUpdated(): void {
    const root = this.shadowRoot;
    if (root) root.querySelector<Card>('he-card')?.watch(root);
  }

  private async start(): Promise<void> {
    try {
      this.engine = await createEngine();
    } catch (error) {
      this.broken = error instanceof Error ? error.message : String(error);
      return;
    }
    if (!this.isConnected) {
      this.engine.close();
      return;
    }
    this.answers = new LiveAnswers(this.engine, () => {
      this.answersChanged();
    });
    this.curves = new LiveCurves(this.engine, () => {
      this.requestUpdate();
    });
    this.ask(0);
  }

  /** Puts the scenario to the engine, or says what is wrong with it. */
  private ask(pause: number): void {
    clearTimeout(this.askTimer);
    clearTimeout(this.problemTimer);
    if (!this.answers || !this.curves) return;
    this.asked = this.store.state.scenario;
    const reading = readScenario(this.asked, parseNumber);
    if ('query' in reading && this.answers.holds(reading.query)) return;
    this.answers.outdate();
    if ('problems' in reading) {
      this.curves.outdate();
      this.problemTimer = setTimeout(
        () => {
          this.complain(reading.problems);
        },
        pause > 0 ? problemPause : 0,
      );
      return;
    }
    this.askTimer = setTimeout(() => {
      void this.answers?.ask(reading.query);
    }, pause);
  }

  private complain(problems: Problems): void {
    this.problems = problems;
    this.answers?.clear();
    this.curves?.clear();
  }

  private answersChanged(): void {
    this.requestUpdate();
    const state = this.answers?.state;
    if (!state) return;
    if (state.trouble) {
      const { field, text } = state.trouble;
      const known =
        field !== undefined &&
        fieldsInUse(this.store.state.scenario).some((name) => name === field);
      const problems = new Map([[known ? field : 'run', inFormWords(field ?? '', text)]]);
      clearTimeout(this.problemTimer);
      this.problemTimer = setTimeout(() => {
        this.complain(problems);
      }, problemPause);
      return;
    }
    const [phase] = state.query?.phases ?? [];
    if (state.fresh.size > 0 && this.problems.size > 0) this.problems = new Map();
    if (phase && !state.working && state.fresh.size > 0)
      this.drawCurves(phase, state.query?.delta ?? 1e-5);
    else if (state.working && state.query && !this.curves?.fits(phase)) this.curves?.outdate();
  }

  private typing = false;
  private asked: Scenario | undefined;

  private drawCurves(phase: Phase, delta: number): void {
    const decades = Math.max(9, Math.min(300, Math.ceil(-Math.log10(delta)) + 4));
    // The reader's own curve first.
    const names = samplers.map(({ name }) => name);
    const own = this.store.state.scenario.sampler;
    void this.curves?.draw(phase, [own, ...names.filter((name) => name !== own)], 10 ** -decades);
  }

  private edit(state: State, key: string, typing: boolean): void {
    this.typing = typing;
    this.store.edit(state, key);
    this.typing = false;
  }

  protected override render() {
    const { scenario, view } = this.store.state;
    const answers = this.answers?.state;
    const curves = this.curves?.state;
    const own = answers?.fresh.has(scenario.sampler)
      ? answers.answers.get(scenario.sampler)
      : undefined;
    const reading = readScenario(scenario, parseNumber);
    const query = 'query' in reading ? reading.query : undefined;
    const reported = 'query' in reading ? reading.reported : undefined;
    const any = answers
      ? [...answers.fresh].map((name) => answers.answers.get(name))[0]
      : undefined;
    const delta = query?.delta === undefined ? '' : formatGiven(query.delta);
    return html`
      <header>
        <h1>Honest Epsilon</h1>
        <p class="tagline">The <i>ε</i> of your DP-SGD run, for the batches you really drew.</p>
        <button class="plain" @click=${() => void this.copy('link', location.href)}>
          ${this.copied === 'link' ? 'Link copied' : this.copied === 'blocked' ? 'The browser forbids copying' : 'Copy link'}
        </button>
      </header>
      ${this.store.notes.map((note) => html`<p class="note">${note}</p>`)}
      <main
        @light=${(event: CustomEvent<SamplerName | undefined>) => {
          this.highlight = event.detail;
        }}
      >
        <he-scenario
          role="region"
          aria-labelledby="scenario-title"
          .scenario=${scenario}
          .problems=${this.problems}
          .derived=${own?.derived ?? any?.derived}
          ?showReshuffle=${asksReshuffle(scenario, parseNumber)}
          @edit=${({ detail }: CustomEvent<EditDetail>) => {
            this.edit(
              { ...this.store.state, scenario: detail.scenario },
              detail.key,
              detail.typing,
            );
          }}
          @settle=${() => {
            this.settle();
          }}
        ></he-scenario>
        <section class=${`answer${answers?.working ? ' refining-now' : ''}`} aria-label="Answer">
          ${this.sentence(own, reported)}
          <he-forest
            .answers=${answers?.answers ?? new Map()}
            .fresh=${answers?.fresh ?? new Set()}
            ?working=${this.broken === undefined && (answers?.working ?? true)}
            own=${scenario.sampler}
            .reported=${reported}
            ?directions=${view.directions}
            .highlight=${this.highlight}
            .delta=${delta}
          ></he-forest>
        </section>
        <section class="bounds-section" aria-label="Bounds and methods">
          <he-bounds
            .answers=${answers?.answers ?? new Map()}
            .fresh=${answers?.fresh ?? new Set()}
            ?working=${this.broken === undefined && (answers?.working ?? true)}
            own=${scenario.sampler}
            ?directions=${view.directions}
            @directions=${({ detail }: CustomEvent<boolean>) => {
              this.look({ directions: detail });
            }}
          ></he-bounds>
        </section>
        <section class="curve-section" aria-labelledby="curve-title">
          <he-curve
            .curves=${curves ?? { curves: new Map(), phase: undefined, floor: 1e-9, working: false }}
            own=${scenario.sampler}
            .leftOut=${view.hidden}
            .highlight=${this.highlight}
            heading=${this.heading()}
            .point=${pointOf(own, query?.delta)}
            .reader=${(sampler: SamplerName, epsilon: number) => this.curves?.read(sampler, epsilon)}
            @delta=${({ detail }: CustomEvent<number>) => {
              const { state } = this.store;
              const scenario = withText(state.scenario, 'delta', detail.toExponential());
              this.edit({ ...state, scenario }, 'delta', true);
            }}
            @hide=${({ detail }: CustomEvent<readonly SamplerName[]>) => {
              this.look({ hidden: detail });
            }}
          ></he-curve>
        </section>
      </main>
      <footer>
        ${notes()}
        ${
          query
            ? html`<section class="command">
                <h2>The same question on the command line</h2>
                <p>
                  <code tabindex="0">${commandFor(query)}</code>
                  <button
                    class="plain"
                    @click=${() => void this.copy('command', commandFor(query))}
                  >
                    ${this.copied === 'command' ? 'Copied' : 'Copy'}
                  </button>
                </p>
              </section>`
            : nothing
        }
        <p class="colophon">
          Honest Epsilon ${version}. Nothing leaves this page: every number is computed in your
          browser.
          <span class="print-link">${location.href}</span>
        </p>
      </footer>
      <he-card .answers=${answers?.answers ?? new Map()}></he-card>
    `;
  }

  private heading(): string {
    const state = this.answers?.state;
    const phase = state?.query?.phases[0];
    const derived = state
      ? [...state.fresh].map((name) => state.answers.get(name)?.derived)[0]
      : undefined;
    if (!derived || phase?.noiseMultiplier === undefined) return this.lastHeading;
    this.lastHeading = setting(phase.noiseMultiplier, derived.steps, derived.samplingProbability);
    return this.lastHeading;
  }

  private lastHeading = '';

  /** The sentence, or in its place what keeps it from being said; then a line about it. */
  private sentence(own: Answer | undefined, reported: number | undefined) {
    if (this.broken !== undefined) return this.brokenNotice(this.broken);
    const { sentence, tone, aside, alert } = this.say(own, reported);
    return html`<div class="say">
      <p class=${`sentence ${tone}`} aria-live="polite">${sentence}</p>
      <p class="aside" role=${alert ? 'alert' : nothing}>${aside}</p>
    </div>`;
  }

  private say(own: Answer | undefined, reported: number | undefined) {
    const { scenario } = this.store.state;
    const state = this.answers?.state;
    if (this.problems.size > 0) {
      const run = this.problems.get('run');
      return {
        sentence: 'No answer yet.',
        tone: 'muted',
        aside: run ?? 'A number of the run needs another look: see the note under it.',
        alert: run !== undefined,
      };
    }
    const fresh = (name: SamplerName) =>
      state?.fresh.has(name) ? state.answers.get(name) : undefined;
    const delta = state?.query?.delta;
    if (!own || delta === undefined || (state?.working && !fresh('poisson'))) {
      const before = this.said;
      return before
        ? { sentence: before, tone: 'stale', aside: 'refining', alert: false }
        : { sentence: 'Computing …', tone: 'muted', aside: '', alert: false };
    }
    const pieces = verdict(
      {
        sampler: scenario.sampler,
        epochs: own.derived.epochs,
        redrawn: scenario.reshuffle !== 'once',
      },
      own,
      fresh('poisson'),
      fresh('shuffle'),
      delta,
    );
    this.said = pieces.map(({ lead, text }) => `${lead ?? ''}${text}`).join('');
    return {
      sentence: pieces.map(({ lead, text, number }) => {
        const body = number
          ? html`<button class="number" data-sampler=${number.sampler}>${text}</button>`
          : text;
        return lead === undefined ? body : html`<span class="together">${lead}${body}</span>`;
      }),
      tone: '',
      aside:
        reported === undefined
          ? state?.working
            ? 'refining'
            : ''
          : reportedSentence(reported, own),
      alert: false,
    };
  }

  /** The sentence as last said, for while the next one is found. */
  private said = '';

  private brokenNotice(reason: string) {
    const blocked = typeof WebAssembly === 'undefined' || /WebAssembly|CompileError/.test(reason);
    return html`<div class="say">
      <p class="sentence muted">This page cannot compute here.</p>
      <p class="aside" role="alert">
        ${
          blocked
            ? html`The accountant is a WebAssembly program, and this browser did not run it.
              Hardened modes, some extensions and site policies block WebAssembly; allowing it for
              this site is enough.`
            : 'The accountant could not be started; loading the page again may help.'
        }
        The browser said: “${reason}”. The same numbers come from the command
        <code>npx honest-epsilon</code>.
      </p>
    </div>`;
  }

  private look(change: Partial<State['view']>): void {
    const { state } = this.store;
    this.store.edit({ ...state, view: { ...state.view, ...change } }, Object.keys(change).join());
  }

  /** The reader has left a field: what is wrong is said at once. */
  private settle(): void {
    const reading = readScenario(this.store.state.scenario, parseNumber);
    if ('problems' in reading) this.complain(reading.problems);
  }

  private async copy(what: 'link' | 'command', text: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      this.copied = what;
    } catch {
      this.copied = 'blocked';
    }
    setTimeout(() => {
      this.copied = '';
    }, 2000);
  }
}

/** The reader's own answer as a point of its curve; while there is none, delta alone. */
function pointOf(own: Answer | undefined, delta: number | undefined) {
  return delta === undefined ? undefined : { epsilon: own?.epsilon.upper ?? undefined, delta };
}

customElements.define('he-page', Page);
