import { html, nothing, type TemplateResult } from 'lit';
import type { CallOptions, Engine } from '../../../wasm/client.js';
import type { Explanation, InputField } from '../../../wasm/generated/schema.js';
import { cellText } from '../../../wasm/words/explored.js';
import type { Explored, ExploredBand, ExploredTable } from '../../../wasm/words/explored.js';
import { readingRows } from '../../../wasm/words/readings.js';
import { linkOf, references } from '../../../wasm/words/references.js';
import { remarks } from '../components/remarks.js';
import { withChosen } from '../components/fields.js';
import { styles as plotStyles } from '../components/tradeoff-plot.js';
import { dataRow, dataTable } from '../components/table.js';
import { LiveAsking } from '../live/asking.js';
import type { Trouble } from '../live/trouble.js';
import { typedValue, type TypedValue } from '../state/typed.js';
import { kebab } from '../../../wasm/words/kebab.js';
import { explained, methodsPage } from '../words/methods.js';
import own from './explorable.css?inline';
import { Panel } from './panel.js';

/** What every panel of this kind needs. */
export const styles = `${own}\n${plotStyles}`;

type TypedQuery = Record<string, TypedValue | undefined>;
type TypedReading = { query: TypedQuery } | { refusal: Trouble };

/** A refusal in the form's words: the core calls fields by their names. */
function inWords({ field = '', text }: Trouble, fields: readonly InputField[]): string {
  const label = fields.find(({ name }) => name === field)?.label;
  const words = label && text.startsWith(field) ? label + text.slice(field.length) : text;
  return /[.)]$/.test(words) ? words : `${words}.`;
}

/** The own keys of what every answer has: readings and a plot. */
const usualKeys = { 'false-positive-rates': '', priors: '', axis: '' };
const usualHints = { falsePositiveRates: '0.001, 0.01', priors: '0.5' };

/** A question of one record, and what is said of its answer. */
interface Exploration<A extends Explanation> {
  key: string;
  about: string;
  fields: readonly InputField[];
  defaults: Readonly<Record<string, string>>;
  hints?: Readonly<Record<string, string>>;
  /** The meaning of a choice, shown under its field. */
  meanings?: Readonly<Record<string, string>>;
  ask(engine: Engine, query: TypedQuery, options: CallOptions): Promise<A>;
  sentence(answer: A): string;
  /** Its curves and tables. */
  says: Explored<A>;
  /** A remark below the tables that are its own. */
  remark?(answer: A): TemplateResult | undefined;
}

/** The panel of a question: its form and its answer. */
export function explorable<A extends Explanation>(what: Exploration<A>): new () => Panel {
  const Own = class extends Explorable<A> {
    constructor() {
      super(what);
    }
  };
  customElements.define(`he-${what.key}`, Own);
  return Own;
}

class Explorable<A extends Explanation> extends Panel {
  override readonly defaults: Panel['defaults'];
  protected override readonly asksItself = true;
  override readonly choices: Panel['choices'] = { axis: ['log'] };

  private readonly asking = new LiveAsking<TypedQuery, A>(this, (engine, query, options) =>
    this.what.ask(engine, query, options),
  );
  private readonly what: Exploration<A>;

  constructor(what: Exploration<A>) {
    super();
    this.what = what;
    this.defaults = { ...what.defaults, ...usualKeys };
  }

  protected override willUpdate(): void {
    if (!this.active) return;
    const reading = this.read();
    if ('query' in reading) this.asking.ask(reading.query);
    else this.asking.clear();
  }

  private read(): TypedReading {
    const query: TypedQuery = {};
    for (const field of this.what.fields) {
      const read = typedValue(field, this.text(kebab(field.name)));
      if ('problem' in read) return { refusal: { field: field.name, text: read.problem } };
      query[field.name] = read.value;
    }
    return { query };
  }

  protected override render() {
    const reading = this.read();
    const { state } = this.asking;
    const refusal = 'refusal' in reading ? reading.refusal : state.refusal;
    const answer = 'query' in reading ? state.answer : undefined;
    const working = answer !== undefined && state.working;
    return html`<div class="explorable sides">
      <section aria-label="What is asked">
        <p class="panel-note">${this.what.about}</p>
        <div class="fields">${this.what.fields.map((field) => this.field(field, refusal))}</div>
      </section>
      <section
        class=${`explorable-result${working ? ' working stale' : ''}`}
        aria-label="What is proved"
      >
        <p class="explorable-sentence" aria-live="polite">${this.said(answer, refusal)}</p>
        <p class="refining" aria-live="polite">${working ? 'refining' : ''}</p>
        ${answer ? this.shown(answer) : nothing}
      </section>
    </div>`;
  }

  private said(answer: A | undefined, refusal: Trouble | undefined): string {
    if (this.broken !== undefined) return 'This needs WebAssembly, which is blocked here.';
    if (answer) return this.what.sentence(answer);
    if (!refusal) return 'computing …';
    const named = this.what.fields.find(({ name }) => name === refusal.field);
    return named ? `Correct “${named.label}”.` : inWords(refusal, this.what.fields);
  }

  private shown(answer: A) {
    const { says } = this.what;
    const bands = says.bands(answer);
    const remark = this.what.remark?.(answer);
    return html`<div class="explorable-tables">
        ${says.tables(answer).map(grid)} ${says.further ? nothing : remark}
      </div>
      <he-tradeoff-plot
        name=${`${this.what.key}-tradeoff`}
        heading=${this.heading}
        .link=${this.link}
        .bands=${bands}
        .log=${this.text('axis') === 'log'}
        @scale=${({ detail }: CustomEvent<boolean>) => this.put({ axis: detail ? 'log' : '' })}
      ></he-tradeoff-plot>
      <div class="explorable-tables">
        ${readings(bands)} ${says.further?.(answer).map(grid)} ${says.further ? remark : nothing}
      </div>
      ${told(answer)}`;
  }

  /** The curves' title, from what was typed. */
  private get heading(): string {
    return this.what.fields
      .map((field) => ({ ...field, text: this.text(kebab(field.name)).trim() }))
      .filter(({ type, text }) => text !== '' && type !== 'numbers')
      .map(
        ({ symbol, label, text }) =>
          `${symbol || label.charAt(0).toLowerCase() + label.slice(1)} = ${text}`,
      )
      .join(', ');
  }

  private field(field: InputField, refusal: Trouble | undefined) {
    const { name, choices } = field;
    const key = kebab(name);
    const value = this.text(key);
    // A choice that does not exist came by a link; the core says what is wrong with it.
    const info = { ...field, choices: choices.length > 0 ? withChosen(choices, value) : choices };
    return this.ownField(key, info, {
      hint: { ...usualHints, ...this.what.hints }[name] ?? '',
      choiceName: (choice) => choice,
      note: this.what.meanings?.[value],
      problem: refusal?.field === name ? inWords(refusal, this.what.fields) : undefined,
    });
  }
}

function grid({ caption, heads, rows }: ExploredTable): TemplateResult | typeof nothing {
  if (rows.length === 0) return nothing;
  return dataTable({
    ...{ label: caption, caption },
    head: heads.map((head) => head || html`<span class="sr">What</span>`),
    body: rows.map(([name, ...cells]) =>
      dataRow(
        cellText(name, '–'),
        cells.map((cell) => cellText(cell, '–')),
        {
          classes: typeof name === 'string' ? 'long' : undefined,
        },
      ),
    ),
  });
}

/** What the best attack achieves on each curve, as the command lists it. */
function readings(bands: readonly ExploredBand[]) {
  return grid({
    caption: 'What the best attack achieves',
    heads: ['', ...bands.map(({ label }) => label)],
    rows: readingRows(bands),
  });
}

function told(answer: Explanation) {
  const sources = answer.citations.flatMap((key) => references[key] ?? []);
  return html`${remarks(answer, 'This')}
    <p class="prose assumptions">
      <b>Method.</b> ${explained(answer, methodsPage)}.
      ${sources.map((paper) => {
        const { address } = linkOf(paper, methodsPage);
        const title =
          address === undefined
            ? paper.title
            : html`<a href=${address} rel="noreferrer">${paper.title}</a>`;
        return html`${title}, ${paper.year}. `;
      })}
    </p>`;
}
