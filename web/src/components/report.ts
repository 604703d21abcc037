import { html, nothing } from 'lit';
import { property } from 'lit/decorators.js';
import type { Engine } from '../../../wasm/client.js';
import type { Query } from '../../../wasm/generated/schema.js';
import { fieldInfo } from '../../../wasm/words/fields.js';
import { buildReport, formats, gather } from '../../../wasm/report/index.js';
import type { Facts, ReportModel } from '../../../wasm/report/index.js';
import { Copying } from '../export/clipboard.js';
import { save } from '../export/files.js';
import { LiveAsking } from '../live/asking.js';
import type { State } from '../state/scenario.js';
import { outOfDomain } from '../state/question.js';
import { typedValue } from '../state/typed.js';
import { citeWords, reportViews, type ReportView } from '../words/cite.js';
import { originOf, reportedIn } from './citation.js';
import { button, formField, radios } from './fields.js';
import { Plain } from './plain.js';
import { reportArticle } from './report-article.js';

const viewLabel = (view: ReportView) => (view === 'read' ? citeWords.preview : formats[view].label);

/** What the address keeps of the report. */
export interface ReportTexts {
  view: string;
  'clipping-norm': string;
}

/** The clipping norm beside the run; nothing where there is none, or the sentence that refuses it. */
function readNorm(text: string): number | string | undefined {
  const info = fieldInfo('clippingNorm');
  const read = typedValue(info, text);
  if ('problem' in read) return read.problem;
  return typeof read.value === 'number' ? (outOfDomain(info, read.value) ?? read.value) : undefined;
}

/** The full report, set in type or in a format that it is taken along in; fetched when it comes near. */
class Report extends Plain {
  @property({ attribute: false }) engine: Engine | undefined;
  @property({ attribute: false }) query: Query | undefined;
  @property({ attribute: false }) run!: State;
  @property({ attribute: false }) texts!: ReportTexts;
  /** Whether the answer above has come: these questions must not delay it. */
  @property({ type: Boolean }) idle = false;

  private readonly asking = new LiveAsking<Query, Facts>(this, (engine, query, options) =>
    gather(engine, query, originOf(this.run), options),
  );
  private readonly copying = new Copying(this);

  override willUpdate(): void {
    if (!this.query) this.asking.clear();
    else if (this.idle) this.asking.ask(this.query);
  }

  private get view(): ReportView {
    return reportViews.find((view) => view === this.texts.view) ?? 'read';
  }

  private get model(): ReportModel | undefined {
    const { answer } = this.asking.state;
    if (!answer) return undefined;
    const { run } = this;
    const norm = readNorm(this.texts['clipping-norm']);
    const clippingNorm = typeof norm === 'number' ? norm : undefined;
    return buildReport({ ...answer, ...originOf(run), reported: reportedIn(run), clippingNorm });
  }

  private put(changes: Partial<ReportTexts>): void {
    this.tell('report', changes);
  }

  protected override render() {
    const { model } = this;
    return html`${this.tools(model)} ${this.report(model)}`;
  }

  private report(model: ReportModel | undefined) {
    if (!this.query) return nothing;
    const { working, refusal } = this.asking.state;
    if (refusal) return html`<p class="panel-note" role="alert">${refusal.text}</p>`;
    if (!model) return html`<p class="panel-note" role="status">${citeWords.writing}</p>`;
    return html`<div class=${working ? 'stale' : ''} aria-busy=${working ? 'true' : 'false'}>
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
    const norm = this.texts['clipping-norm'];
    const read = readNorm(norm);
    const disabled = model === undefined;
    return html`<div class="row middle report-tools screen">
      ${radios({
        ...{ legend: citeWords.format, name: 'report-view' },
        values: reportViews,
        chosen: this.view,
        label: viewLabel,
        pick: (view) => this.put({ view }),
      })}
      <p class="row report-actions">
        ${this.copyButton('report', () => this.source(model), disabled)}
        ${button('Download', () => model && this.download(model), { disabled })}
        ${button('Print', () => this.print(), { disabled })}
      </p>
      ${formField({
        ...{ key: 'clipping-norm', id: 'report-clipping-norm' },
        info: { label: 'Clipping norm', symbol: 'C', type: 'number' },
        ...{ value: norm, hint: 'optional' },
        problem: typeof read === 'string' ? read : undefined,
        set: (text) => this.put({ 'clipping-norm': text }),
      })}
    </div>`;
  }

  /** The report as it is copied: in the format shown, or as text where it is set in type. */
  private source(model: ReportModel | undefined): string {
    return model ? formats[this.view === 'read' ? 'text' : this.view].render(model) : '';
  }

  private copyButton(what: string, text: () => string, disabled = false) {
    return button(this.copying.words(what), () => void this.copying.copy(what, text()), {
      ...{ label: `Copy: ${what}`, disabled },
    });
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

customElements.define('he-report', Report);
