/**
 * The element <honest-epsilon>. Its attributes are the question's fields and how to show the answer;
 * everything that draws or computes is loaded when the first one is connected. Importing this file
 * needs no browser.
 */

import type { Answer, Query } from '../../../wasm/generated/schema.js';
import { wordsOf } from '../../../wasm/errors.js';
import { isForeign, knownAttributes, readAttributes, readElementQuery } from './attributes.js';
import type { ElementReading } from './attributes.js';
import type { ElementView } from './view.js';

/** Where there is no document, as on a server that renders pages, the class is there all the same. */
const Base =
  typeof HTMLElement === 'undefined' ? (Object as unknown as typeof HTMLElement) : HTMLElement;

/** What `trouble` carries: the field at fault, if one is, and what would do. */
export interface TroubleDetail {
  field: string | undefined;
  text: string;
}

/**
 * Fires `change` (a CustomEvent, its detail the Answer) for each new answer, and `trouble` (detail:
 * TroubleDetail) when there can be none.
 */
export class HonestEpsilon extends Base {
  /** What is read. Changes come by a MutationObserver, which sees misspelt names, too. */
  static readonly observedAttributes = knownAttributes;

  // Truly private: frameworks set an attribute as a property when the element has one of its name.
  #view: ElementView | undefined;
  #loading = false;
  #asked: Query | undefined;
  #stale = false;

  /** The answer that is shown; undefined while there is none. */
  get answer(): Answer | undefined {
    return this.#view?.answer;
  }

  /** Every sampler's answer to the same question, where the view needs them. */
  get answers(): readonly Answer[] {
    return this.#view?.everyAnswer ?? [];
  }

  /** The question. Set it for what attributes cannot say: several phases, other releases. */
  get query(): Query | undefined {
    return this.#asked ?? this.#read().query;
  }
  set query(query: Query | undefined) {
    // Frameworks unset a property with null.
    this.#asked = query ?? undefined;
    this.#refresh();
  }

  connectedCallback(): void {
    if (!this.shadowRoot) {
      // What stands between the tags is shown until the answer can be.
      this.attachShadow({ mode: 'open' }).append(document.createElement('slot'));
      new MutationObserver((changes) => {
        if (changes.some(({ attributeName }) => !isForeign(attributeName ?? ''))) this.#refresh();
      }).observe(this, { attributes: true });
    }
    // A property that was set before this class was known hides the class's own.
    if (Object.hasOwn(this, 'query')) {
      const { query } = this;
      delete (this as { query?: Query }).query;
      this.query = query;
    }
    if (!this.#view && !this.#loading) void this.#load();
  }

  async #load(): Promise<void> {
    this.#loading = true;
    try {
      const { createView } = await import('./view.js');
      if (this.shadowRoot) this.#show(createView(this.shadowRoot));
    } catch (error) {
      const text = wordsOf(error);
      this.#tell('trouble', { field: undefined, text });
    }
    this.#loading = false;
  }

  #show(view: ElementView): void {
    this.#view = view;
    view.addEventListener('field', (event) => {
      const { attribute, text } = (event as CustomEvent<{ attribute: string; text: string }>)
        .detail;
      this.setAttribute(attribute, text);
    });
    for (const name of ['change', 'trouble']) {
      view.addEventListener(name, (event) => {
        // A select's own `change` is not the element's.
        if (event instanceof CustomEvent) this.#tell(name, event.detail);
      });
    }
    view.reading = this.#read();
  }

  #tell(name: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
  }

  /** Several attributes that change at once are one question. */
  #refresh(): void {
    if (this.#stale || !this.#view) return;
    this.#stale = true;
    queueMicrotask(() => {
      this.#stale = false;
      if (this.#view) this.#view.reading = this.#read();
    });
  }

  #read(): ElementReading {
    const names = this.getAttributeNames();
    const attributes = new Map(names.map((name) => [name, this.getAttribute(name) ?? '']));
    const reading = readAttributes(attributes);
    if (this.#asked === undefined) return reading;
    return readElementQuery(this.#asked, reading);
  }
}

/** Defines the element, once, where elements can be defined. */
export function defineHonestEpsilon(): void {
  if (typeof customElements === 'undefined' || customElements.get('honest-epsilon')) return;
  customElements.define('honest-epsilon', HonestEpsilon);
}

defineHonestEpsilon();

declare global {
  interface HTMLElementTagNameMap {
    'honest-epsilon': HonestEpsilon;
  }
}
