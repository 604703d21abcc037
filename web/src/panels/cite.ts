import { html, nothing } from 'lit';
import { state } from 'lit/decorators.js';
import { bibtexOf, quotationFormats, quotationNames } from '../../../wasm/report/quotations.js';
import type { QuotationName } from '../../../wasm/report/quotations.js';
import { erratumOf, quotationOf, type Quoted } from '../../../wasm/words/quotation.js';
import { citedIn } from '../../../wasm/words/references.js';
import { originOf, quotedFrom, reportedIn } from '../components/citation.js';
import { button, radios } from '../components/fields.js';
import type { ReportTexts } from '../components/report.js';
import { Copying } from '../export/clipboard.js';
import { citeWords, reportViews } from '../words/cite.js';
import { toCorrect } from '../words/to-correct.js';
import { Panel } from './panel.js';
import styles from './cite.css?inline';

export { styles };

/** No line ends inside "σ = 1.1", nor inside a pair. */
const unbroken = (text: string) =>
  text
    .replaceAll(/ ([=<≈]) /g, '\u00a0$1\u00a0')
    .replaceAll(/(\([^ ()]+,) (?=[^ ()]+\)-)/g, '$1\u00a0');

/** A text as it is read, or as it is pasted. */
const setOut = (text: string, plain: boolean, label: string) =>
  plain
    ? html`<blockquote class="quotation">${unbroken(text)}</blockquote>`
    : html`<pre class="quotation-source" tabindex="0" aria-label=${label}>${text}</pre>`;

/** What to write about the run: the quotation, an erratum where one is due, and the full report. */
export default class Cite extends Panel {
  /** Whether the report is there: it is fetched when a reader comes near it, or asks for this tab. */
  @state() report: 'away' | 'coming' | 'there' | 'failed' = 'away';

  override readonly defaults = { quotation: 'text', view: 'read', 'clipping-norm': '' };
  override readonly choices = { quotation: quotationNames, view: reportViews };

  private readonly copying = new Copying(this);
  /** The last quotation, shown while the next answer is computed. */
  private lastQuoted: Quoted | undefined;
  private readonly near = new IntersectionObserver(
    (entries) => entries.some(({ isIntersecting }) => isIntersecting) && void this.fetchReport(),
    { rootMargin: '200px' },
  );

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.near.disconnect();
  }

  protected override firstUpdated(): void {
    const place = this.querySelector('.full-report');
    if (place) this.near.observe(place);
  }

  override willUpdate(): void {
    if (!this.query) this.lastQuoted = undefined;
    const { panel, panels } = this.state.view;
    const asked = panel !== '' || Object.keys(panels).length > 0;
    if (this.active && asked && this.report === 'away') void this.fetchReport();
  }

  private async fetchReport(): Promise<void> {
    if (this.report === 'coming' || this.report === 'there') return;
    this.report = 'coming';
    try {
      await import('../components/report.js');
      this.report = 'there';
      this.near.disconnect();
    } catch {
      this.report = 'failed';
    }
  }

  private get markup(): QuotationName {
    return quotationNames.find((name) => name === this.text('quotation')) ?? 'text';
  }

  protected override render() {
    return html`
      <h2 class="cite-title">${citeWords.title}</h2>
      <p class="soft screen">${citeWords.about}</p>
      ${this.quotation()}
      <section class="full-report" aria-labelledby="report-title">
        <h3 class="report-title" id="report-title">${citeWords.report}</h3>
        <p class="soft screen">${citeWords.reportAbout}</p>
        ${this.full()}
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
    return html`<div class=${`cite${now ? '' : ' stale'}`} aria-busy=${now ? 'false' : 'true'}>
      <div class="row middle apart report-tools screen">
        ${radios({
          ...{ legend: citeWords.markup, name: 'report-quotation' },
          values: quotationNames,
          chosen: markup,
          label: (name) => quotationFormats[name].label,
          pick: (quotation) => this.put({ quotation }),
        })}
        ${button(
          this.copying.words('quotation', citeWords.copy),
          () => void this.copying.copy('quotation', text),
          { classes: 'action cite-copy', disabled: !now },
        )}
      </div>
      ${setOut(text, plain, `The quotation as ${label}`)}
      ${bibtex === '' ? nothing : this.further('BibTeX', bibtex, false)}
      ${erratum.length === 0 ? nothing : this.further(citeWords.erratum, (markup === 'model-card' ? quotationFormats.markdown : quotationFormats[markup]).render(erratum, origin), plain)}
      ${origin.link === undefined ? html`<p class="soft screen">${citeWords.noLink}</p>` : nothing}
    </div>`;
  }

  /** What else is taken along, with a button of its own. */
  private further(title: string, text: string, plain: boolean) {
    const whole = text.trimEnd();
    return html`<h3 class="row cite-further">
        ${title}
        ${button(this.copying.words(title), () => void this.copying.copy(title, whole), { label: `Copy: ${title}` })}
      </h3>
      ${setOut(whole, plain, title)}`;
  }

  private full() {
    const { report, texts } = this;
    if (this.broken !== undefined) return nothing;
    if (report === 'failed')
      return html`<p class="panel-note" role="alert">
        ${citeWords.failed} ${button('Try again', () => void this.fetchReport())}
      </p>`;
    if (report !== 'there') return html`<p class="panel-note">${citeWords.writing}</p>`;
    return html`<he-report
      .engine=${this.engine}
      .query=${this.query}
      .run=${this.state}
      .texts=${{ ...this.defaults, ...texts }}
      ?idle=${this.active && !this.moving && !this.answers.working}
      @report=${({ detail }: CustomEvent<Partial<ReportTexts>>) => this.put(detail)}
    ></he-report>`;
  }
}

customElements.define('he-cite', Cite);
