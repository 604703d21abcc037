import { html, nothing, type PropertyValues } from 'lit';
import { property, state } from 'lit/decorators.js';
import { version, type Answer } from '../../../wasm/generated/schema.js';
import '../components/curve.js';
import { formField, withChosen } from '../components/fields.js';
import '../components/forest.js';
import { Opening } from '../components/opening.js';
import { Plain } from '../components/plain.js';
import { remarks } from '../components/remarks.js';
import { spell } from '../components/spell.js';
import { documentLink } from '../export/link.js';
import { freshAnswer } from '../live/answers.js';
import { LiveCurves, floorFor, noCurves } from '../live/curves.js';
import { LiveRun, type Typed } from '../live/run.js';
import { inFormWords } from '../state/question.js';
import { rowsOf } from '../state/rows.js';
import type { RowName } from '../state/scenario.js';
import pageStyles from '../styles/page.css?inline';
import elementStyles from '../styles/element.css?inline';
import { choiceLabel } from '../../../wasm/words/fields.js';
import { rowsOfOthers } from '../../../wasm/words/neighbours.js';
import { givenAs } from '../../../wasm/words/numbers.js';
import { drawnSampler, reportedSampler } from '../../../wasm/words/samplers.js';
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
import type { GivenField, Part, ElementReading } from './attributes.js';
import { runOnPage } from './page-link.js';
import { lease } from './shared-engine.js';

const noReading: ElementReading = {
  query: undefined,
  problems: new Map(),
  given: [],
  sampler: undefined,
  shown: [],
};

/** What one element shows. It lives in the element's shadow root, and reads nothing but `reading`. */
export class ElementView extends Plain {
  @property({ attribute: false }) reading: ElementReading = noReading;
  @state() highlight: RowName | undefined;
  @state() leftOut: readonly RowName[] = [];

  private readonly opening = new Opening(this);
  private readonly run = new LiveRun({
    read: () => this.typed,
    blame: ({ field = '', text }) => new Map([[field, inFormWords(field, text)]]),
    begun: (engine) => {
      this.curves = new LiveCurves(engine, () => this.requestUpdate());
    },
    changed: () => this.requestUpdate(),
    answered: () => this.settle(),
    refused: (problems) => {
      this.curves?.clear();
      const [[field, text] = ['', '']] = problems;
      this.tell('trouble', { field: field === '' ? undefined : field, text });
    },
  });
  private typed: Typed = { problems: noReading.problems };
  private curves: LiveCurves | undefined;
  private typing = false;
  private told: Answer | undefined;

  /** The answer to the question, once it belongs to what was asked last. */
  get answer(): Answer | undefined {
    const { delta, state } = this.run;
    if (delta) return delta;
    return !state.query || state.working ? undefined : (state.found ?? this.own);
  }

  get everyAnswer(): readonly Answer[] {
    const { fresh, answers } = this.run.state;
    return [...fresh].flatMap((name) => answers.get(name) ?? []);
  }

  private get own(): Answer | undefined {
    return freshAnswer(this.run.state, this.ownName);
  }

  /** Whose row is the element's own; undefined while no sampler is known. */
  private get ownName(): RowName | undefined {
    const { query, sampler } = this.reading;
    return query ? rowsOf(query)[0]?.name : sampler;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.run.begin(lease());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.curves?.clear();
    this.run.end();
    this.curves = this.told = undefined;
  }

  override firstUpdated(): void {
    const root = this.getRootNode();
    if (root instanceof ShadowRoot) this.opening.watch(root);
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('reading')) return;
    const { query, problems } = this.reading;
    this.typed = query ? { query, delta: query.delta } : { problems };
    this.told = undefined;
    if (!query) this.curves?.outdate();
    this.run.ask(this.typing ? 'typed' : 'single');
  }

  private settle(): void {
    const { answer } = this;
    if (!answer || answer === this.told) return;
    this.told = answer;
    this.tell('change', answer);
    this.draw();
  }

  private draw(): void {
    const { query } = this.run.state;
    const { leftOut } = this;
    if (query && this.reading.shown.includes('curve'))
      void this.curves?.draw(query, floorFor(query), { leftOut });
  }

  protected override render() {
    const { shown } = this.reading;
    const asksDelta = this.reading.query?.question === 'delta';
    // Rows compare epsilon with the run's own: there are none for delta, nor for an unknown run.
    const compared = !asksDelta && this.ownName !== undefined;
    const { broken, problems } = this.run;
    const wrong = broken !== undefined || problems.size > 0;
    // What is wrong is said where the sentence is hidden, too.
    const part = (name: Part, content: () => unknown) =>
      (shown.includes(name) || (wrong && name === 'sentence')) &&
      (compared || name === 'sentence' || name === 'form')
        ? html`<div class=${`part part-${name}`}>${content()}</div>`
        : nothing;
    return html`<div
        class="parts"
        @light=${({ detail }: CustomEvent<RowName | null>) => {
          this.highlight = detail ?? undefined;
        }}
      >
        ${part('sentence', () => this.sentence())} ${part('form', () => this.form())}
        ${part(shown.includes('plot') ? 'plot' : 'table', () => this.forest())}
        ${part('curve', () => this.curve())} ${this.details(compared)}
      </div>
      ${this.foot()}`;
  }

  /** Where the page's address is known, the name leads to the same run there. */
  private foot() {
    const { page, query } = this.reading;
    const there = runOnPage(page, query);
    const name = 'Honest Epsilon';
    return html`<p class="fine foot">
      ${there === undefined ? name : html`<a href=${there} target="_blank" rel="noopener">${name}</a>`}
      ${version}
    </p>`;
  }

  /** Where no rows are shown that could open. */
  private details(compared: boolean) {
    const { shown } = this.reading;
    const { name } = this.opening;
    const answer = name && this.byName().get(name);
    const rows = compared && (shown.includes('plot') || shown.includes('table'));
    if (!answer || rows) return nothing;
    return html`<he-details .answer=${answer} .name=${name}></he-details>`;
  }

  private byName(): ReadonlyMap<string, Answer> {
    const { delta, state } = this.run;
    return delta ? new Map([[delta.sampler, delta]]) : state.answers;
  }

  /** The sentence, or in its place what keeps it from being said. */
  private sentence() {
    const { broken, problems } = this.run;
    if (broken !== undefined) {
      return html`<p class="sentence muted">No answer here.</p>
        <p class="aside" role="alert">${broken}</p>`;
    }
    if (problems.size > 0) {
      const open = this.reading.given.filter(({ locked }) => !locked);
      const own = new Set(open.map(({ field }) => field.name));
      const hides = !this.reading.shown.includes('form');
      const about = [...problems].filter(([field]) => hides || !own.has(field));
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
    const { own, ownName } = this;
    const { state, delta: answer } = this.run;
    if (answer) return deltaSentence(answer);
    const delta = state.query?.delta;
    if (!state.query || state.working) return undefined;
    if (ownName && state.found?.solution && state.asked) {
      return foundSentence(state.found.solution, state.asked, ownName, undefined, state.found);
    }
    if (!own || !ownName || delta === undefined) return undefined;
    const doing = doingOf(state.query, ownName, own);
    return headline(
      doing,
      own,
      freshAnswer(state, reportedSampler),
      freshAnswer(state, drawnSampler),
      delta,
    );
  }

  private aside() {
    const { found } = this.run.state;
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
        ? html`<p class="row soft small fixed">
            ${fixed.map(({ field, text }) => html`<span>${field.label} <b>${field.type === 'choice' ? choiceLabel(field.name, text) : text}</b></span>`)}
          </p>`
        : nothing
    }`;
  }

  private field({ attribute, field, text }: GivenField) {
    const value = text.trim();
    return formField({
      key: field.name,
      info: { ...field, meaning: meaningOf(field), choices: withChosen(field.choices, value) },
      // A flag is on by being there, as in HTML.
      value: field.type === 'flag' && value === '' ? 'true' : text,
      problem: this.run.problems.get(field.name),
      set: (next, pace) => this.changeField(attribute, next, pace !== 'single'),
    });
  }

  private changeField(attribute: string, text: string, typing: boolean): void {
    this.typing = typing;
    this.tell('field', { attribute, text });
  }

  private forest() {
    const { answers, fresh, refused, query } = this.run.state;
    const delta = query?.delta;
    return html`<he-forest
        .answers=${answers}
        .fresh=${fresh}
        ?working=${this.run.working && this.run.problems.size === 0}
        own=${this.ownName ?? nothing}
        .refused=${refused}
        ?comparing=${this.reading.query?.accountant === undefined}
        .highlight=${this.highlight}
        .delta=${delta === undefined ? '' : givenAs('δ', delta)}
        .opened=${this.opening.name}
      ></he-forest>
      ${this.own ? remarks(this.own, 'This ε') : nothing}`;
  }

  private curve() {
    const { query } = this.run.state;
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
      .neighbours=${rowsOfOthers(this.byName())}
      .engine=${this.run.engine}
      @hide=${({ detail }: CustomEvent<readonly RowName[]>) => {
        this.leftOut = detail;
        if (this.answer) this.draw();
      }}
    ></he-curve>`;
  }
}

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
