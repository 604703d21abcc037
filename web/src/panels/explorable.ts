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
export const usualKeys = { 'false-positive-rates': '', priors: '', axis: '' };
export const usualHints = { falsePositiveRates: '0.001, 0.01', priors: '0.5' };

/** A question of one record: its form and its answer. */
export abstract class Explorable<A extends Explanation> extends Panel {
  protected abstract readonly key: string;
  protected abstract readonly fields: readonly InputField[];
  protected abstract readonly about: string;
  protected readonly hints: Readonly<Record<string, string>> = usualHints;
  /** The meaning of a choice, shown under its field. */
  protected readonly meanings: Readonly<Record<string, string>> = {};

  protected override readonly asksItself = true;
  override readonly choices: Panel['choices'] = { axis: ['log'] };

  private readonly asking = new LiveAsking<TypedQuery, A>(this, (engine, query, options) =>
    this.ask(engine, query, options),
  );

  protected abstract ask(engine: Engine, query: TypedQuery, options: CallOptions): Promise<A>;
  protected abstract sentence(answer: A): string;
  /** Its curves and tables. */
  protected abstract readonly says: Explored<A>;
  /** A remark below the tables that are its own. */
  protected remark?(answer: A): TemplateResult | undefined;

  protected override willUpdate(): void {
    if (!this.active) return;
    const reading = this.read();
    if ('query' in reading) this.asking.ask(reading.query);
    else this.asking.clear();
  }

  private read(): TypedReading {
    const query: TypedQuery = {};
    for (const field of this.fields) {
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
        <p class="panel-note">${this.about}</p>
        <div class="fields">${this.fields.map((field) => this.field(field, refusal))}</div>
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
    if (answer) return this.sentence(answer);
    if (!refusal) return 'computing …';
    const named = this.fields.find(({ name }) => name === refusal.field);
    return named ? `Correct “${named.label}”.` : inWords(refusal, this.fields);
  }

  private shown(answer: A) {
    const { says } = this;
    const bands = says.bands(answer);
    const remark = this.remark?.(answer);
    return html`<div class="explorable-tables">
        ${says.tables(answer).map(grid)} ${says.further ? nothing : remark}
      </div>
      <he-tradeoff-plot
        name=${`${this.key}-tradeoff`}
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
    return this.fields
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
      hint: this.hints[name] ?? '',
      choiceName: (choice) => choice,
      note: this.meanings[value],
      problem: refusal?.field === name ? inWords(refusal, this.fields) : undefined,
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
