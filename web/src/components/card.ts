import { html, nothing } from 'lit';
import type { Answer } from '../../../wasm/generated/schema.js';
import { version } from '../../../wasm/generated/schema.js';
import { markNote, markOf, restsOnOwnProofs } from '../../../wasm/words/claims.js';
import { neighboursOf } from '../../../wasm/words/neighbours.js';
import { linkOf, references, whereOf } from '../../../wasm/words/references.js';
import { Copying } from '../export/clipboard.js';
import { format, formatGap, formatInterval, givenAs } from '../../../wasm/words/numbers.js';
import { relativeWidth } from '../live/answers.js';
import { inFormWords } from '../state/question.js';
import { explained } from '../words/methods.js';
import { kindMeaning, rowLabel } from '../words/sentence.js';
import type { RowName } from '../state/scenario.js';
import { Plain } from './plain.js';

/** How long the pointer may rest outside before the card goes. */
const leaveDelay = 220;
const restDelay = 280;

/** "How do you know?": one number's ends, kind, method, grid and sources. */
export class Card extends Plain {
  static override properties = {
    answers: { attribute: false },
    narrows: { type: Boolean },
    methods: { attribute: false },
    narrowing: { state: true },
    shown: { state: true },
  };

  declare answers: ReadonlyMap<string, Answer>;
  /** Whether intervals can be narrowed here. */
  declare narrows: boolean;
  /** Address of the methods page, where there is one. */
  declare methods: string | undefined;
  /** The answer that is being narrowed, and whether a narrower one may still come. */
  declare narrowing: { answer: Answer; open: boolean } | undefined;
  declare shown: string | undefined;
  private readonly copying = new Copying(this);
  private timer: ReturnType<typeof setTimeout> | undefined;
  private pinned = false;
  private anchor: HTMLElement | undefined;

  constructor() {
    super();
    this.answers = new Map();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.popover = 'auto';
    this.role = 'dialog';
    this.ariaLabel = 'Where this number comes from';
    this.addEventListener('toggle', (event) => {
      if (event.newState !== 'closed') return;
      // Focus returns to the number, unless the reader has focused something else.
      const root = this.getRootNode();
      const focused = root instanceof ShadowRoot ? root.activeElement : null;
      if (this.pinned && (focused === null || this.contains(focused)))
        this.anchor?.focus({ preventScroll: true });
      this.pinned = false;
      this.shown = undefined;
    });
    this.addEventListener('pointerenter', () => {
      clearTimeout(this.timer);
    });
    this.addEventListener('pointerleave', () => {
      this.leave();
    });
  }

  /** Listens to all numbers under `root`. */
  watch(root: ShadowRoot): void {
    const numberOf = (event: Event) =>
      (event.target as Element | null)?.closest<HTMLElement>('.number[data-sampler]') ?? undefined;
    root.addEventListener('pointerover', (event) => {
      const number = numberOf(event);
      if (!number || this.pinned || (event as PointerEvent).pointerType !== 'mouse') return;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => {
        void this.show(number, false);
      }, restDelay);
    });
    root.addEventListener('pointerout', (event) => {
      if (numberOf(event)) this.leave();
    });
    root.addEventListener('click', (event) => {
      const number = numberOf(event);
      if (!number) return;
      clearTimeout(this.timer);
      void this.show(number, true);
    });
  }

  private leave(): void {
    clearTimeout(this.timer);
    if (this.pinned) return;
    this.timer = setTimeout(() => {
      if (!this.pinned) this.hidePopover();
    }, leaveDelay);
  }

  private async show(number: HTMLElement, pinned: boolean): Promise<void> {
    const { sampler } = number.dataset;
    if (sampler === undefined || !number.isConnected) return;
    this.shown = sampler;
    this.anchor = number;
    await this.updateComplete;
    if (!this.matches(':popover-open')) this.showPopover();
    this.pinned = pinned;
    this.place();
    if (pinned) this.querySelector('h3')?.focus({ preventScroll: true });
  }

  /** Beside the number, inside the window. */
  private place(): void {
    if (!this.anchor) return;
    const at = this.anchor.getBoundingClientRect();
    const own = this.getBoundingClientRect();
    const margin = 8;
    const left = Math.min(at.left, document.documentElement.clientWidth - own.width - margin);
    const below = at.bottom + 6;
    const above = at.top - own.height - 6;
    const put = (x: number, y: number) => {
      this.style.setProperty('left', `${Math.max(margin, x)}px`);
      this.style.setProperty('top', `${Math.max(margin, y)}px`);
    };
    if (below + own.height <= window.innerHeight - margin) put(left, below);
    else if (above >= margin) put(left, above);
    else {
      // Neither fits: to the left of the number, as near its height as the window allows.
      const lowest = window.innerHeight - margin - own.height;
      put(at.left - own.width - 12, Math.min(at.top - 24, lowest));
    }
  }

  protected override render() {
    const answer = this.shown === undefined ? undefined : this.answers.get(this.shown);
    if (!answer) return nothing;
    const { epsilon, delta, assumptions, citations, work } = answer;
    const name = this.shown as RowName;
    const grid =
      work.gridPoints > 0 ? `${format(work.gridPoints, { side: 'given' })} grid points, ` : '';
    return html`
      <button
        class="plain close"
        @click=${() => {
          this.hidePopover();
        }}
      >
        Close
      </button>
      <h3 tabindex="-1">
        ${rowLabel(name)}: ε at ${givenAs('δ', delta.upper ?? 0)}, ${neighboursOf(answer)}
      </h3>
      <dl>
        ${[...numbersOf(answer)].map(
          ([name, digits]) =>
            html`<dt>${name}</dt>
              <dd>${digits}</dd>`,
        )}
      </dl>
      <p>${kindMeaning(epsilon)}${restsOnOwnProofs(answer) ? ` ${markNote(answer)}` : nothing}</p>
      <p>
        <b>Method.</b> ${explained(answer, this.methods)} (${grid}${work.milliseconds.toFixed(0)}
        ms, version ${version}).
      </p>
      ${assumptions.length > 0 ? html`<p><b>Assumes.</b> ${assumptions.map((text) => inFormWords('', text)).join(' ')}</p>` : nothing}
      <ul class="sources">
        ${citations.map((key) => this.source(key))}
      </ul>
      ${this.narrower(answer, name)}
      <button
        class="plain"
        @click=${() => void this.copying.copy(name, JSON.stringify(answer, null, 2))}
      >
        ${this.copying.words(name, 'Copy as JSON')}
      </button>
    `;
  }

  private source(key: string) {
    const reference = references[key];
    if (!reference) return html`<li>${key}</li>`;
    const { authors, title } = reference;
    const { address, name } = linkOf(reference, this.methods);
    return html`<li>
      ${authors}, <cite>${title}</cite>, ${whereOf(reference)},
      ${address === undefined ? name : html`<a href=${address} rel="noreferrer">${name}</a>`}
    </li>`;
  }

  /** A button that narrows the interval, or the reason why there is none. */
  private narrower(answer: Answer, name: RowName) {
    const { epsilon, warnings } = answer;
    const width = relativeWidth(epsilon);
    if (epsilon.kind !== 'certified' || width === undefined || width === 0) return nothing;
    const stops = ['wide-interval', 'shuffle-gap', 'theory-gap', 'cap-too-small'];
    const why = warnings.find(({ code }) => stops.includes(code));
    if (why) return html`<p>${inFormWords('', why.text)}</p>`;
    if (!this.narrows) return nothing;
    if (this.narrowing?.answer === answer) {
      const text = this.narrowing.open
        ? 'Computing a narrower interval …'
        : 'No narrower interval was found.';
      return html`<p role="status">${text}</p>`;
    }
    return html`<button
      class="plain"
      @click=${() => {
        this.narrowing = { answer, open: true };
        const detail: NarrowDetail = {
          name,
          ended: () => {
            if (this.narrowing?.answer === answer) this.narrowing = { answer, open: false };
          },
        };
        this.dispatchEvent(new CustomEvent('narrow', { detail }));
      }}
    >
      Tighten 10×
    </button>`;
  }
}

export interface NarrowDetail {
  name: RowName;
  /** Called when no narrower answer will come. */
  ended: () => void;
}

/** What the card lists: each number's name, and the number. */
function* numbersOf(answer: Answer): Generator<readonly [name: string, text: string]> {
  const { epsilon, directions, published, rdp, gdp } = answer;
  if (epsilon.kind === 'estimate') yield ['estimate', formatInterval(epsilon)];
  else {
    yield ['at most', `${format(epsilon.upper, { side: 'up' })}${markOf(answer)}`];
    if (published)
      yield ['at most, by published theorems alone', format(published.upper, { side: 'up' })];
    yield ['at least', format(epsilon.lower, { side: 'down' })];
    const gap = formatGap(epsilon);
    yield ['gap', gap.endsWith('digits') ? `exact to ${gap}` : gap];
  }
  yield ['remove', formatInterval(directions.remove)];
  yield ['add', formatInterval(directions.add)];
  if (rdp) yield ['Rényi', formatInterval(rdp)];
  if (gdp) yield ['GDP', `${formatInterval(gdp)}, no guarantee`];
}

customElements.define('he-card', Card);
