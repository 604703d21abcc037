import { html, nothing } from 'lit';
import { wordsOf } from '../../../wasm/errors.js';
import type { PropertyValues } from 'lit';
import type { Query } from '../../../wasm/generated/schema.js';
import { linkOf, references } from '../../../wasm/references.js';
import {
  buildReport,
  citationForm,
  formatNames,
  formats,
  gather,
} from '../../../wasm/report/index.js';
import type { Block, Facts, FormatName, ReportModel } from '../../../wasm/report/index.js';
import { parseNumber } from '../engine.js';
import { copyRefused, copyText } from '../export/clipboard.js';
import { save } from '../export/files.js';
import { methodsPage } from '../words/methods.js';
import { Panel } from './panel.js';
import styles from './report.css?inline';

export { styles };

/** The report set in type, or in one of the formats that it can be taken along in. */
type View = 'read' | FormatName;
const views: readonly View[] = ['read', ...formatNames];
const viewLabel = (view: View) => (view === 'read' ? 'To read' : formats[view].label);

/** What a copy button says for a while. */
interface Copied {
  what: string;
  done: boolean;
}

/** The disclosure report of the run, in every format that people paste it into. */
export default class Report extends Panel {
  static override properties = {
    ...Panel.properties,
    facts: { state: true },
    writing: { state: true },
    trouble: { state: true },
    copied: { state: true },
  };

  /** Of the question in `asked`, or of an earlier one while `writing`. */
  declare facts: Facts | undefined;
  declare writing: boolean;
  declare trouble: string | undefined;
  declare copied: Copied | undefined;

  override readonly defaults = { view: 'read', 'clipping-norm': '' };
  override readonly choices = { view: views };

  private asked: Query | undefined;
  private running: AbortController | undefined;
  private copyTimer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.writing = false;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stop();
    clearTimeout(this.copyTimer);
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
    } else if (
      this.active &&
      (changed.has('query') ||
        changed.has('active') ||
        changed.has('engine') ||
        changed.has('answers'))
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
      const date = new Date().toISOString().slice(0, 10);
      const facts = await gather(engine, query, { date }, { signal: running.signal });
      if (this.running === running) this.facts = facts;
    } catch (error) {
      if (this.running !== running) return;
      this.facts = undefined;
      this.trouble = wordsOf(error);
    } finally {
      if (this.running === running) this.writing = false;
    }
  }

  private get view(): View {
    return views.find((view) => view === this.text('view')) ?? 'read';
  }

  /** What is typed beside the run: a clipping norm; nothing while it is no positive number. */
  private get clippingNorm(): number | undefined {
    const norm = parseNumber(this.text('clipping-norm'));
    return norm !== undefined && norm > 0 && norm < Infinity ? norm : undefined;
  }

  private get model(): ReportModel | undefined {
    if (!this.facts) return undefined;
    const { texts, find } = this.state.scenario;
    const reported = find === 'epsilon' ? parseNumber(texts.reported) : undefined;
    const { clippingNorm } = this;
    const { link } = this;
    const methods = methodsPage && link && new URL(methodsPage, link).href;
    return buildReport({ ...this.facts, reported, clippingNorm, link, methods });
  }

  protected override render() {
    const { model } = this;
    return html`
      <h2 class="report-title">Disclosure report</h2>
      <p class="report-about">What a reader needs to judge this ε, and to find it again.</p>
      ${this.tools(model)}
      ${
        this.broken !== undefined
          ? html`<p class="panel-note">A report needs the accountant, which did not start.</p>`
          : !this.query
            ? html`<p class="panel-note">
                There is no report yet: a number of the run needs another look.
              </p>`
            : this.trouble !== undefined
              ? html`<p class="panel-note" role="alert">${this.trouble}</p>`
              : model
                ? html`<div
                    class=${this.writing ? 'report-stale' : ''}
                    aria-busy=${this.writing ? 'true' : 'false'}
                  >
                    ${this.body(model)}
                  </div>`
                : html`<p class="panel-note" role="status">Writing the report …</p>`
      }
    `;
  }

  private tools(model: ReportModel | undefined) {
    const norm = this.text('clipping-norm');
    const wrong = norm.trim() !== '' && this.clippingNorm === undefined;
    return html`<div class="report-tools">
      <fieldset class="report-views">
        <legend class="sr">Format</legend>
        ${views.map(
          (view) =>
            html`<label>
              <input
                type="radio"
                name="report-view"
                value=${view}
                .checked=${view === this.view}
                @change=${() => {
                  this.put({ view });
                }}
              /><span>${viewLabel(view)}</span></label
            >`,
        )}
      </fieldset>
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
        <button
          class="plain"
          ?disabled=${model === undefined}
          @click=${() => {
            this.print();
          }}
        >
          Print
        </button>
      </p>
      <div class=${wrong ? 'field wrong' : 'field'}>
        <label for="report-clipping-norm">Clipping norm <i>C</i></label>
        <input
          id="report-clipping-norm"
          type="text"
          autocomplete="off"
          spellcheck="false"
          placeholder="optional"
          .value=${norm}
          aria-invalid=${wrong ? 'true' : 'false'}
          aria-describedby=${wrong ? 'report-problem' : nothing}
          @input=${(event: Event) => {
            this.put({ 'clipping-norm': (event.target as HTMLInputElement).value });
          }}
        />
        ${wrong ? html`<p class="problem" id="report-problem" role="alert">Clipping norm must be a number above 0; got “${norm}”.</p>` : nothing}
      </div>
    </div>`;
  }

  /** The report as it is shown; set in type, it is taken along as text. */
  private source(model: ReportModel | undefined): string {
    return model ? formats[this.view === 'read' ? 'text' : this.view].render(model) : '';
  }

  private body(model: ReportModel) {
    if (this.view !== 'read')
      return html`<pre
        class="report-source"
        tabindex="0"
        aria-label=${`The report as ${viewLabel(this.view)}`}
      >
${this.source(model)}</pre>`;
    return html`<article class="report">
      <p class="report-summary">${cited(model.summary)}</p>
      ${model.sections.map(
        ({ letter, title, blocks }) =>
          html`<section aria-labelledby=${`report-${letter}`}>
            <h3 id=${`report-${letter}`}><span>${letter}</span> ${title}</h3>
            ${blocks.map((block) => this.block(block, `${title} ${letter}`))}
          </section>`,
      )}
    </article>`;
  }

  private block(block: Block, name: string) {
    switch (block.kind) {
      case 'text':
        return html`<p>${cited(block.text)}</p>`;
      case 'list':
        return html`<ul>
          ${block.items.map((item) => html`<li>${cited(item)}</li>`)}
        </ul>`;
      case 'rows':
        return html`<dl>
          ${block.rows.map(
            ([term, value]) =>
              html`<dt>${term}</dt>
                <dd>${cited(value)}</dd>`,
          )}
        </dl>`;
      case 'table':
        return html`<div class="scroll" tabindex="0" role="region" aria-label=${name}>
          <table>
            <thead>
              <tr>
                ${block.head.map((cell) => (cell === '' ? html`<td></td>` : html`<th scope="col">${cell}</th>`))}
              </tr>
            </thead>
            <tbody>
              ${block.body.map(
                ([first, ...cells]) =>
                  html`<tr>
                    <th scope="row">${first}</th>
                    ${cells.map((cell) => html`<td>${cited(cell)}</td>`)}
                  </tr>`,
              )}
            </tbody>
          </table>
        </div>`;
      case 'code':
        return html`<p class="report-code-title">
            ${block.title} ${this.copyButton(block.title, () => block.code, false)}
          </p>
          <pre tabindex="0" aria-label=${block.title}>${block.code.trimEnd()}</pre>`;
    }
  }

  private copyButton(what: string, text: () => string, disabled: boolean) {
    const copied = this.copied?.what === what ? this.copied : undefined;
    return html`<button
      class="plain"
      ?disabled=${disabled}
      aria-label=${what === 'report' ? nothing : `Copy: ${what}`}
      @click=${() => void this.copy(what, text())}
    >
      ${copied === undefined ? 'Copy' : copied.done ? 'Copied' : copyRefused}
    </button>`;
  }

  private async copy(what: string, text: string): Promise<void> {
    this.copied = { what, done: await copyText(text) };
    clearTimeout(this.copyTimer);
    this.copyTimer = setTimeout(() => {
      this.copied = undefined;
    }, 2000);
  }

  private download(model: ReportModel): void {
    const { extension, type } = formats[this.view === 'read' ? 'text' : this.view];
    save(`privacy-report.${extension}`, new Blob([this.source(model)], { type }));
  }

  /** The report alone goes to paper, not the page around it. */
  private print(): void {
    const root = this.getRootNode();
    if (!(root instanceof ShadowRoot)) return;
    const { host } = root;
    const done = () => {
      host.removeAttribute('data-print');
    };
    addEventListener('afterprint', done, { once: true });
    host.setAttribute('data-print', 'report');
    window.print();
  }
}

/** Text with its papers as links. */
function cited(text: string) {
  const parts: unknown[] = [];
  let last = 0;
  for (const match of text.matchAll(citationForm)) {
    const [whole, key = ''] = match;
    const reference = references[key];
    if (!reference) continue;
    const { address } = linkOf(reference, methodsPage);
    const link = html`<a href=${address ?? nothing} rel="noreferrer" title=${reference.title}
      >${whole}</a
    >`;
    parts.push(text.slice(last, match.index), address === undefined ? whole : link);
    last = match.index + whole.length;
  }
  return [...parts, text.slice(last)];
}

customElements.define('he-report', Report);
