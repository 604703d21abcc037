import { html, nothing } from 'lit';
import { wordsOf } from '../../../wasm/errors.js';
import type { PropertyValues } from 'lit';
import { live } from 'lit/directives/live.js';
import type { Engine } from '../../../wasm/client.js';
import type { Answer, Query } from '../../../wasm/generated/schema.js';
import { samplers, version } from '../../../wasm/generated/schema.js';
import '../components/bounds.js';
import '../components/card.js';
import type { Card } from '../components/card.js';
import '../components/curve.js';
import type { SetDetail } from '../components/curve.js';
import '../components/forest.js';
import { Plain } from '../components/plain.js';
import { spell } from '../components/spell.js';
import { documentLink } from '../export/link.js';
import { LiveAnswers, noAnswers } from '../live/answers.js';
import { LiveCurves, floorFor, noCurves } from '../live/curves.js';
import { inFormWords, rowsOf } from '../state/question.js';
import type { RowName } from '../state/scenario.js';
import pageStyles from '../styles/page.css?inline';
import elementStyles from '../styles/element.css?inline';
import { formatGiven } from '../../../wasm/words/numbers.js';
import { meaningOf } from '../words/fields.js';
import {
  deltaSentence,
  doingOf,
  foundSentence,
  headline,
  setting,
  thereSentence,
} from '../words/sentence.js';
import type { Piece } from '../words/sentence.js';
import type { GivenField, Part, Reading } from './attributes.js';
import { runOnPage } from './page-link.js';
import { lease } from './shared-engine.js';
import type { Lease } from './shared-engine.js';

/** A letter may follow at once: wait this long before asking. */
const typingPause = 90;
/** A half-typed number is no mistake yet. */
const problemPause = 600;

const noReading: Reading = {
  query: undefined,
  problems: new Map(),
  given: [],
  sampler: undefined,
  shown: [],
};

/** What one element shows. It lives in the element's shadow root, and reads nothing but `reading`. */
export class ElementView extends Plain {
  static override properties = {
    reading: { attribute: false },
    problems: { state: true },
    broken: { state: true },
    highlight: { state: true },
    leftOut: { state: true },
    directions: { state: true },
    others: { state: true },
  };

  declare reading: Reading;
  declare problems: ReadonlyMap<string, string>;
  /** Why there is no engine. */
  declare broken: string | undefined;
  declare highlight: RowName | undefined;
  declare leftOut: readonly RowName[];
  declare directions: boolean;
  declare others: boolean;

  private lease: Lease | undefined;
  private engine: Engine | undefined;
  private rows: LiveAnswers | undefined;
  private curves: LiveCurves | undefined;
  /** Of a question that asks for delta; the rows are epsilons. */
  private deltaAnswer: Answer | undefined;
  private running: AbortController | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private typing = false;
  private told: Answer | undefined;

  constructor() {
    super();
    this.reading = noReading;
    this.problems = new Map();
    this.leftOut = [];
    this.directions = false;
    this.others = false;
  }

  /** The answer to the question, once it belongs to what was asked last. */
  get answer(): Answer | undefined {
    if (this.deltaAnswer) return this.deltaAnswer;
    const state = this.rows?.state;
    if (!state?.query || state.working) return undefined;
    return state.found ?? this.own;
  }

  get everyAnswer(): readonly Answer[] {
    const state = this.rows?.state;
    if (!state) return [];
    return [...state.fresh].flatMap((name) => state.answers.get(name) ?? []);
  }

  private get own(): Answer | undefined {
    const state = this.rows?.state;
    const name = this.ownName;
    return name && state?.fresh.has(name) ? state.answers.get(name) : undefined;
  }

  /** Whose row is the element's own; undefined while no sampler is known. */
  private get ownName(): RowName | undefined {
    const query = this.rows?.state.query ?? this.reading.query;
    return query ? rowsOf(query)[0]?.name : this.reading.sampler;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const held = lease();
    this.lease = held;
    held.engine.then(
      (engine) => {
        if (this.lease === held) this.begin(engine);
      },
      (error: unknown) => {
        if (this.lease !== held) return;
        this.broken = wordsOf(error);
        this.tell('trouble', { field: undefined, text: this.broken });
      },
    );
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.timer);
    this.running?.abort();
    this.rows?.clear();
    this.curves?.clear();
    this.lease?.release();
    this.lease = this.engine = this.rows = this.curves = undefined;
    this.deltaAnswer = this.told = undefined;
  }

  override firstUpdated(): void {
    const root = this.getRootNode();
    if (root instanceof ShadowRoot) this.querySelector<Card>('he-card')?.watch(root);
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('reading')) this.ask();
  }

  private begin(engine: Engine): void {
    this.engine = engine;
    this.broken = undefined;
    this.rows = new LiveAnswers(engine, () => {
      this.rowsChanged();
    });
    this.curves = new LiveCurves(engine, () => {
      this.requestUpdate();
    });
    this.ask();
  }

  private tell(name: 'change' | 'trouble', detail: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  private complain(problems: ReadonlyMap<string, string>, pause: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.rows?.clear();
      this.curves?.clear();
      this.problems = problems;
      const [[field, text] = ['', '']] = problems;
      this.tell('trouble', { field: field === '' ? undefined : field, text });
    }, pause);
  }

  /** Puts the reading's question to the engine, or says what is wrong with it. */
  private ask(): void {
    clearTimeout(this.timer);
    this.running?.abort();
    this.deltaAnswer = this.told = undefined;
    if (!this.rows) return;
    const { query, problems } = this.reading;
    const pause = this.typing ? typingPause : 0;
    this.rows.outdate();
    if (!query) {
      this.curves?.outdate();
      this.complain(problems, this.typing ? problemPause : 0);
      return;
    }
    this.timer = setTimeout(() => {
      if (query.question === 'delta') void this.askDelta(query);
      else void this.rows?.ask(query, query.delta);
    }, pause);
  }

  private async askDelta(query: Query): Promise<void> {
    const running = new AbortController();
    this.running = running;
    try {
      const answer = await this.engine?.delta(query, { signal: running.signal });
      if (running.signal.aborted || !answer) return;
      this.deltaAnswer = answer;
      this.settle(answer);
    } catch (error) {
      if (running.signal.aborted) return;
      const field = error instanceof Error && 'field' in error ? String(error.field) : '';
      const text = wordsOf(error);
      this.complain(new Map([[field, inFormWords(field, text)]]), 0);
    }
  }

  private rowsChanged(): void {
    this.requestUpdate();
    const state = this.rows?.state;
    if (!state) return;
    if (state.trouble) {
      const { field = '', text } = state.trouble;
      this.complain(new Map([[field, inFormWords(field, text)]]), this.typing ? problemPause : 0);
      return;
    }
    const { answer } = this;
    if (!answer || !state.query || answer === this.told) return;
    this.settle(answer);
    if (this.reading.shown.includes('curve')) {
      void this.curves?.draw(state.query, floorFor(state.query));
    }
  }

  private settle(answer: Answer): void {
    this.told = answer;
    this.problems = new Map();
    this.requestUpdate();
    this.tell('change', answer);
  }

  protected override render() {
    const { shown } = this.reading;
    const asksDelta = this.reading.query?.question === 'delta';
    // Rows are a comparison with the run's own: there is none of delta, nor of a run that is unknown.
    const compared = !asksDelta && this.ownName !== undefined;
    const part = (name: Part, content: () => unknown) =>
      shown.includes(name) && (compared || name === 'sentence' || name === 'form')
        ? html`<div class=${`part part-${name}`}>${content()}</div>`
        : nothing;
    return html`<div
        class="parts"
        @light=${({ detail }: CustomEvent<RowName | null>) => {
          this.highlight = detail ?? undefined;
        }}
      >
        ${part('sentence', () => this.sentence())} ${part('form', () => this.form())}
        ${part('plot', () => this.forest())} ${part('table', () => this.table())}
        ${part('curve', () => this.curve())}
      </div>
      ${this.foot()}
      <he-card .answers=${this.byName()}></he-card>`;
  }

  /** Where the page's address is known, the name leads to the same run there. */
  private foot() {
    const { page, query } = this.reading;
    const there = runOnPage(page, query);
    const name = 'Honest Epsilon';
    return html`<p class="foot">
      ${there === undefined ? name : html`<a href=${there} target="_blank" rel="noopener">${name}</a>`}
      ${version}
    </p>`;
  }

  private byName(): ReadonlyMap<string, Answer> {
    const { deltaAnswer } = this;
    if (deltaAnswer) return new Map([[deltaAnswer.sampler, deltaAnswer]]);
    return this.rows?.state.answers ?? new Map<string, Answer>();
  }

  /** The sentence, or in its place what keeps it from being said. */
  private sentence() {
    if (this.broken !== undefined) {
      return html`<p class="sentence muted">No answer here.</p>
        <p class="aside" role="alert">${this.broken}</p>`;
    }
    if (this.problems.size > 0) {
      const own = new Set(this.reading.given.filter((field) => !field.locked).map(nameOf));
      const hides = !this.reading.shown.includes('form');
      const about = [...this.problems].filter(([field]) => hides || !own.has(field));
      return html`<p class="sentence muted">No answer yet.</p>
        ${about.map(([, text]) => html`<p class="aside" role="alert">${text}</p>`)}`;
    }
    const pieces = this.pieces();
    return pieces
      ? html`<p class="sentence" aria-live="polite">${spell(pieces)}</p>
          ${this.aside()}`
      : html`<p class="sentence muted" aria-live="polite">Computing …</p>`;
  }

  private pieces(): readonly Piece[] | undefined {
    const { deltaAnswer, own, ownName } = this;
    if (deltaAnswer) return deltaSentence(deltaAnswer);
    const state = this.rows?.state;
    const delta = state?.query?.delta;
    if (!state?.query || state.working) return undefined;
    if (ownName && state.found?.solution && state.asked) {
      return foundSentence(state.found.solution, state.asked, ownName, undefined, state.found);
    }
    if (!own || !ownName || delta === undefined) return undefined;
    const fresh = (name: RowName) => (state.fresh.has(name) ? state.answers.get(name) : undefined);
    const doing = doingOf(state.query, ownName, own);
    return headline(doing, own, fresh('poisson'), fresh('shuffle'), delta);
  }

  private aside() {
    const found = this.rows?.state.found;
    return found?.solution
      ? html`<p class="aside">${thereSentence(found, found.solution)}</p>`
      : nothing;
  }

  /** The attributes that are there: what the reader may change, and what is fixed, in words. */
  private form() {
    const { given } = this.reading;
    if (given.length === 0) return nothing;
    const fixed = given.filter(({ locked }) => locked);
    return html`${given.filter(({ locked }) => !locked).map((field) => this.field(field))}
    ${
      fixed.length > 0
        ? html`<p class="fixed">
            ${fixed.map(({ field, text }) => html`<span>${field.label} <b>${field.type === 'choice' ? choiceLabel(field.name, text) : text}</b></span>`)}
          </p>`
        : nothing
    }`;
  }

  private field(given: GivenField) {
    const { field } = given;
    const problem = this.problems.get(field.name);
    const id = `field-${field.name}`;
    return html`<div class=${`field${problem === undefined ? '' : ' wrong'}`}>
      <label for=${id} title=${meaningOf(field)}
        >${field.label}${field.symbol ? html` <i>${field.symbol}</i>` : nothing}</label
      >
      ${field.type === 'choice' ? this.choice(given, id, problem) : this.number(given, id, problem)}
      ${problem === undefined ? nothing : html`<p class="problem" id=${`problem-${field.name}`}>${problem}</p>`}
    </div>`;
  }

  private choice({ attribute, field, text }: GivenField, id: string, problem: string | undefined) {
    // What is not among the choices stands beside them: a list cannot show what it does not hold.
    const now = text.trim();
    const listed = field.choices.includes(now) ? field.choices : [now, ...field.choices];
    return html`<select
      id=${id}
      aria-invalid=${problem !== undefined}
      aria-describedby=${problem === undefined ? nothing : `problem-${field.name}`}
      @change=${({ target }: Event) => {
        this.changeField(attribute, (target as HTMLSelectElement).value, false);
      }}
    >
      ${listed.map((choice) => html`<option value=${choice} .selected=${choice === now}>${choiceLabel(field.name, choice)}</option>`)}
    </select>`;
  }

  private number(given: GivenField, id: string, problem: string | undefined) {
    return html`<input
      id=${id}
      inputmode="decimal"
      autocomplete="off"
      spellcheck="false"
      .value=${live(given.text)}
      aria-invalid=${problem !== undefined}
      aria-describedby=${problem === undefined ? nothing : `problem-${given.field.name}`}
      @input=${({ target }: Event) => {
        this.changeField(given.attribute, (target as HTMLInputElement).value, true);
      }}
    />`;
  }

  private changeField(attribute: string, text: string, typing: boolean): void {
    this.typing = typing;
    this.dispatchEvent(new CustomEvent('field', { detail: { attribute, text } }));
  }

  private get comparing(): boolean {
    return this.reading.query?.accountant === undefined;
  }

  private rowStates() {
    const { answers, fresh, refused, working } = this.rows?.state ?? noAnswers;
    const waiting = this.rows === undefined || working;
    const able = this.broken === undefined && this.problems.size === 0;
    return { answers, fresh, refused, working: able && waiting };
  }

  private forest() {
    const { answers, fresh, refused, working } = this.rowStates();
    const delta = this.rows?.state.query?.delta;
    return html`<he-forest
      .answers=${answers}
      .fresh=${fresh}
      ?working=${working}
      own=${this.ownName ?? nothing}
      .refused=${refused}
      ?comparing=${this.comparing}
      ?directions=${this.directions}
      ?others=${this.others}
      .highlight=${this.highlight}
      .delta=${delta === undefined ? '' : formatGiven(delta)}
    ></he-forest>`;
  }

  private table() {
    const { answers, fresh, refused, working } = this.rowStates();
    return html`<he-bounds
      .answers=${answers}
      .fresh=${fresh}
      ?working=${working}
      own=${this.ownName ?? nothing}
      .refused=${refused}
      ?comparing=${this.comparing}
      ?directions=${this.directions}
      ?others=${this.others}
      @directions=${({ detail }: CustomEvent<boolean>) => {
        this.directions = detail;
      }}
      @others=${({ detail }: CustomEvent<boolean>) => {
        this.others = detail;
      }}
    ></he-bounds>`;
  }

  private curve() {
    const query = this.rows?.state.query;
    const { own } = this;
    const heading = query && own ? setting(query, own.derived) : '';
    const here = { x: own?.epsilon.upper ?? undefined, y: query?.delta };
    return html`<he-curve
      .curves=${this.curves?.state ?? noCurves}
      own=${this.ownName ?? nothing}
      .leftOut=${this.leftOut}
      .highlight=${this.highlight}
      heading=${heading}
      .link=${documentLink()}
      .here=${here}
      .reader=${(name: string, x: number) => this.curves?.read(name, x)}
      @set=${({ detail }: CustomEvent<SetDetail>) => {
        this.changeField('delta', detail.value.toExponential(), true);
      }}
      @hide=${({ detail }: CustomEvent<readonly RowName[]>) => {
        this.leftOut = detail;
      }}
    ></he-curve>`;
  }
}

function choiceLabel(field: string, choice: string): string {
  const named = field === 'sampler' ? samplers.find(({ name }) => name === choice) : undefined;
  return named?.label ?? choice.replaceAll('-', ' ');
}

const nameOf = ({ field }: GivenField) => field.name;

if (!customElements.get('he-element')) customElements.define('he-element', ElementView);

/** The page's styles count in rem; on another's page the element has a measure of its own. */
const inOwnMeasure = (css: string) =>
  css.replace(/@[^{]*\{|(-?\d*\.?\d+)rem\b/g, (all, count: string | undefined) =>
    count === undefined ? all : `calc(${count} * var(--honest-epsilon-rem, 1rem))`,
  );

/** A view in place of what the shadow root held, with the page's styles and the element's own. */
export function createView(root: ShadowRoot): ElementView {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(inOwnMeasure(`${pageStyles}\n${elementStyles}`));
  root.adoptedStyleSheets = [sheet];
  const view = new ElementView();
  root.replaceChildren(view);
  return view;
}
