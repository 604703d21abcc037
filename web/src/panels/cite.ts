import { html, nothing, type PropertyValues } from 'lit';
import { state } from 'lit/decorators.js';
import { wordsOf } from '../../../wasm/errors.js';
import type { Query } from '../../../wasm/generated/schema.js';
import {
  bibtexOf,
  buildReport,
  citedIn,
  erratumOf,
  formatNames,
  formats,
  gather,
  quotationFormats,
  quotationNames,
  quotationOf,
} from '../../../wasm/report/index.js';
import type {
  Facts,
  FormatName,
  QuotationName,
  Quoted,
  ReportModel,
} from '../../../wasm/report/index.js';
import { textInput } from '../components/fields.js';
import { radios } from '../components/radios.js';
import { reportArticle } from '../components/report-article.js';
import { Copying } from '../export/clipboard.js';
import { save } from '../export/files.js';
import { originOf, quotedFrom, reportedIn } from '../components/citation.js';
import { numberIn, typedNumber } from '../state/typed.js';
import { citeWords } from '../words/cite.js';
import { toCorrect } from '../words/to-correct.js';
import { Panel } from './panel.js';
import styles from './cite.css?inline';

export { styles };

/** The report set in type, or in one of the formats that it can be taken along in. */
type ReportView = 'read' | FormatName;
const views: readonly ReportView[] = ['read', ...formatNames];
const viewLabel = (view: ReportView) => (view === 'read' ? citeWords.preview : formats[view].label);

/** No line ends inside "σ = 1.1", nor inside a pair. */
const unbroken = (text: string) =>
  text
    .replaceAll(/ ([=<≈]) /g, '\u00a0$1\u00a0')
    .replaceAll(/(\([^ ()]+,) (?=[^ ()]+\)-)/g, '$1\u00a0');

function refusedNorm(text: string): string {
  const read = typedNumber(text, 'Clipping norm', 'number');
  return typeof read === 'string' ? read : `Clipping norm must be above 0; got “${text}”.`;
}

/** What to write about the run: the quotation, an erratum where one is due, and the full report. */
export default class Cite extends Panel {
  /** Of the question in `asked`, or of an earlier one while `writing`. */
  @state() facts: Facts | undefined;
  @state() writing = false;
  @state() trouble: string | undefined;

  override readonly defaults = { quotation: 'text', view: 'read', 'clipping-norm': '' };
  override readonly choices = { quotation: quotationNames, view: views };

  private asked: Query | undefined;
  private running: AbortController | undefined;
  private readonly copying = new Copying(this);
  /** The last quotation, shown while the next answer is computed. */
  private lastQuoted: Quoted | undefined;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stop();
  }

  private stop(): void {
    this.running?.abort();
    this.running = undefined;
    this.asked = undefined;
    this.writing = false;
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (!this.query) {
      this.stop();
      this.facts = undefined;
      this.lastQuoted = undefined;
    } else if (
      this.active &&
      !this.moving &&
      (['query', 'active', 'engine', 'answers', 'moving'] as const).some((name) =>
        changed.has(name),
      )
    ) {
      // The answer above comes first.
      if (this.query !== this.asked && !this.answers.working) void this.write(this.query);
    }
  }

  private async write(query: Query): Promise<void> {
    const { engine } = this;
    if (!engine) return;
    this.stop();
    this.asked = query;
    const running = new AbortController();
    this.running = running;
    this.writing = true;
    this.trouble = undefined;
    try {
      const facts = await gather(engine, query, originOf(this.state), { signal: running.signal });
      if (this.running === running) this.facts = facts;
    } catch (error) {
      if (this.running !== running) return;
      this.facts = undefined;
      this.trouble = wordsOf(error);
    } finally {
      if (this.running === running) this.writing = false;
    }
  }

  private get view(): ReportView {
    return views.find((view) => view === this.text('view')) ?? 'read';
  }

  private get markup(): QuotationName {
    return quotationNames.find((name) => name === this.text('quotation')) ?? 'text';
  }

  /** The clipping norm beside the run; undefined unless it is a positive number. */
  private get clippingNorm(): number | undefined {
    const norm = numberIn({ type: 'number' }, this.text('clipping-norm'));
    return norm !== undefined && norm > 0 && norm < Infinity ? norm : undefined;
  }

  private get model(): ReportModel | undefined {
    if (!this.facts) return undefined;
    const { state, clippingNorm } = this;
    const reported = reportedIn(state);
    return buildReport({ ...this.facts, ...originOf(state), reported, clippingNorm });
  }

  protected override render() {
    return html`
      <h2 class="cite-title">${citeWords.title}</h2>
      <p class="report-about">${citeWords.about}</p>
      ${this.quotation()}
      <section class="full-report" aria-labelledby="report-title">
        <h3 class="report-title" id="report-title">${citeWords.report}</h3>
        <p class="report-about">${citeWords.reportAbout}</p>
        ${this.tools(this.model)} ${this.report(this.model)}
      </section>
    `;
  }

  private quotation() {
    if (this.broken !== undefined) return html`<p class="panel-note">${citeWords.broken}</p>`;
    if (!this.query)
      return html`<p class="panel-note">${citeWords.wrong} ${toCorrect(this.problems.keys())}</p>`;
    const now = quotedFrom(this.query, this.answers, reportedIn(this.state));
    const quoted = now ?? this.lastQuoted;
    this.lastQuoted = quoted;
    if (!quoted) return html`<p class="panel-note" role="status">${citeWords.waiting}</p>`;
    const { markup } = this;
    const origin = originOf(this.state);
    const { label, render } = quotationFormats[markup];
    const sentences = quotationOf(quoted);
    const erratum = erratumOf(quoted);
    const text = render(sentences, origin).trimEnd();
    const bibtex = markup === 'latex' ? bibtexOf(citedIn([...sentences, ...erratum]), origin) : '';
    const plain = markup === 'text';
    return html`<div
      class=${`cite${now ? '' : ' report-stale'}`}
      aria-busy=${now ? 'false' : 'true'}
    >
      <div class="report-tools">
        ${this.views('quotation', citeWords.markup, quotationNames, markup, (name) => quotationFormats[name].label)}
        <button
          class="cite-copy"
          ?disabled=${!now}
          @click=${() => void this.copying.copy('quotation', text)}
        >
          ${this.copying.words('quotation', citeWords.copy)}
        </button>
      </div>
      ${
        plain
          ? html`<blockquote class="quotation">${unbroken(text)}</blockquote>`
          : html`<pre
              class="quotation-source"
              tabindex="0"
              aria-label=${`The quotation as ${label}`}
            >
${text}</pre>`
      }
      ${bibtex === '' ? nothing : this.further('BibTeX', bibtex, false)}
      ${erratum.length === 0 ? nothing : this.further(citeWords.erratum, (markup === 'model-card' ? quotationFormats.markdown : quotationFormats[markup]).render(erratum, origin), plain)}
      ${origin.link === undefined ? html`<p class="report-about">${citeWords.noLink}</p>` : nothing}
    </div>`;
  }

  /** What else is taken along, with a button of its own. */
  private further(title: string, text: string, plain: boolean) {
    const whole = text.trimEnd();
    return html`<h3 class="cite-further">${title} ${this.copyButton(title, () => whole)}</h3>
      ${
        plain
          ? html`<blockquote class="quotation">${unbroken(whole)}</blockquote>`
          : html`<pre class="quotation-source" tabindex="0" aria-label=${title}>${whole}</pre>`
      }`;
  }

  private views<Name extends string>(
    key: string,
    legend: string,
    values: readonly Name[],
    chosen: Name,
    label: (name: Name) => string,
  ) {
    return html`<fieldset class="report-views">
      <legend class="sr">${legend}</legend>
      ${radios({
        name: `report-${key}`,
        values,
        chosen,
        label,
        pick: (name) => this.put({ [key]: name }),
      })}
    </fieldset>`;
  }

  private report(model: ReportModel | undefined) {
    if (this.broken !== undefined || !this.query) return nothing;
    if (this.trouble !== undefined)
      return html`<p class="panel-note" role="alert">${this.trouble}</p>`;
    if (!model) return html`<p class="panel-note" role="status">${citeWords.writing}</p>`;
    return html`<div
      class=${this.writing ? 'report-stale' : ''}
      aria-busy=${this.writing ? 'true' : 'false'}
    >
      ${
        this.view === 'read'
          ? reportArticle(model, (what, text) => this.copyButton(what, text))
          : html`<pre
              class="report-source"
              tabindex="0"
              aria-label=${`The report as ${viewLabel(this.view)}`}
            >
${this.source(model)}</pre>`
      }
    </div>`;
  }

  private tools(model: ReportModel | undefined) {
    const norm = this.text('clipping-norm');
    const wrong = norm.trim() !== '' && this.clippingNorm === undefined;
    return html`<div class="report-tools">
      ${this.views('view', citeWords.format, views, this.view, viewLabel)}
      <p class="report-actions">
        ${this.copyButton('report', () => this.source(model), model === undefined)}
        <button
          class="plain"
          ?disabled=${model === undefined}
          @click=${() => {
            if (model) this.download(model);
          }}
        >
          Download
        </button>
        <button class="plain" ?disabled=${model === undefined} @click=${() => this.print()}>
          Print
        </button>
      </p>
      ${textInput({
        ...{ id: 'report-clipping-norm', label: 'Clipping norm', symbol: 'C' },
        ...{ text: norm, hint: 'optional' },
        problem: wrong ? refusedNorm(norm) : undefined,
        onText: (text) => this.put({ 'clipping-norm': text }),
      })}
    </div>`;
  }

  /** The report as it is copied: in the format shown, or as text where it is set in type. */
  private source(model: ReportModel | undefined): string {
    return model ? formats[this.view === 'read' ? 'text' : this.view].render(model) : '';
  }

  private copyButton(what: string, text: () => string, disabled = false) {
    return html`<button
      class="plain"
      ?disabled=${disabled}
      aria-label=${`Copy: ${what}`}
      @click=${() => void this.copying.copy(what, text())}
    >
      ${this.copying.words(what)}
    </button>`;
  }

  private download(model: ReportModel): void {
    const { extension, type } = formats[this.view === 'read' ? 'text' : this.view];
    save(`privacy-report.${extension}`, new Blob([this.source(model)], { type }));
  }

  /** The quotation and the report alone go to paper, unfolded, not the page around them. */
  private print(): void {
    const root = this.getRootNode();
    if (!(root instanceof ShadowRoot)) return;
    const { host } = root;
    const rest = this.querySelector<HTMLDetailsElement>('.report-rest');
    const folded = rest?.open === false;
    const done = () => {
      host.removeAttribute('data-print');
      if (rest && folded) rest.open = false;
    };
    addEventListener('afterprint', done, { once: true });
    host.setAttribute('data-print', 'report');
    if (rest) rest.open = true;
    window.print();
  }
}

customElements.define('he-cite', Cite);
