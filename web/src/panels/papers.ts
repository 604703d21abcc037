import { html, nothing } from 'lit';
import { commandNeeds, commandPath } from '../../../wasm/words/command-name.js';
import type { Interval } from '../../../wasm/generated/schema.js';
import {
  exhibitCsv,
  exhibitOf,
  exhibits,
  reproduce,
  statedWords,
  verdictWords,
} from '../../../wasm/papers/index.js';
import type { Claim, ClaimState, Exhibit, ExhibitState } from '../../../wasm/papers/index.js';
import { button } from '../components/fields.js';
import { savePicture, source } from '../components/exports.js';
import { pointsOf, type PaperPlot, type StatedPoint } from '../components/paper-plot.js';
import { dataTable, pointsTable } from '../components/table.js';
import { save } from '../export/files.js';
import { LiveAsking } from '../live/asking.js';
import { scenarioOf } from '../state/opened.js';
import { format, formatInterval } from '../../../wasm/words/numbers.js';
import { Panel } from './panel.js';
import styles from './papers.css?inline';

export { styles };

export default class Papers extends Panel {
  override readonly defaults = { figure: 'hp-fig5' };
  override readonly choices = { figure: exhibits.map(({ id }) => id) };

  private readonly asking = new LiveAsking<string, ExhibitState>(
    this,
    (engine, id, options, onProgress) =>
      reproduce(engine, this.exhibitOf(id), { ...options, onProgress }),
  );

  private exhibitOf(id: string): Exhibit {
    const named = exhibitOf(id) ?? exhibitOf(this.defaults.figure);
    if (!named) throw new Error(`no figure ${this.defaults.figure}`);
    return named;
  }

  private get shown(): Exhibit {
    return this.exhibitOf(this.text('figure'));
  }

  /** Computes the figure that is shown, and nothing while the tab is another. */
  override willUpdate(): void {
    if (this.active) this.asking.ask(this.shown.id);
    else this.asking.end();
  }

  protected override render() {
    const exhibit = this.shown;
    return html`<div class="papers sides">
      ${this.index(exhibit)}
      <article class="exhibit" aria-labelledby="papers-title">${this.exhibit(exhibit)}</article>
    </div>`;
  }

  private again(): void {
    this.asking.end();
    this.requestUpdate();
  }

  private index(shown: Exhibit) {
    const papers = [...new Set(exhibits.map(({ paper }) => paper))];
    return html`<nav class="papers-index screen" aria-label="Figures and tables">
      ${papers.map(
        (paper) =>
          html`<section>
            <h3><a href=${paper.url} target="_blank" rel="noreferrer">${paper.title}</a></h3>
            <ul class="row">
              ${exhibits
                .filter((exhibit) => exhibit.paper === paper)
                .map((exhibit) => this.entry(exhibit, exhibit === shown))}
            </ul>
          </section>`,
      )}
    </nav>`;
  }

  private entry({ id, name, title }: Exhibit, current: boolean) {
    return html`<li>${button(name, () => this.put({ figure: id }), { title, current })}</li>`;
  }

  private exhibit(exhibit: Exhibit) {
    const { answer, refusal } = this.asking.state;
    const state = answer?.exhibit === exhibit ? answer : undefined;
    const { paper, name, title, caption } = exhibit;
    return html`
      <p class="soft small">${paper.authors}: ${name}</p>
      <h2 id="papers-title">${title}</h2>
      <p class="panel-note">${caption}</p>
      ${this.tools(exhibit, state)}
      ${
        refusal === undefined
          ? nothing
          : html`<p class="panel-note" role="alert">
              The engine stopped: ${refusal.text} ${button('Try again', () => this.again())}
            </p>`
      }
      ${this.broken === undefined ? nothing : html`<p class="panel-note">Figures need WebAssembly, which is blocked here.</p>`}
      ${this.plots(exhibit, state)} ${this.claims(exhibit, state)}
      ${state ? asTable(state) : nothing}
    `;
  }

  private tools(exhibit: Exhibit, state: ExhibitState | undefined) {
    const { scenario } = exhibit;
    return html`<p class="row screen">
      ${
        scenario
          ? button('Open this run above', () =>
              this.openScenario({ ...this.state, scenario: scenarioOf(scenario) }),
            )
          : nothing
      }
      ${button('CSV', () => state && saveCsv(state, this.link), { disabled: !state })}
      ${exhibit.panels.length === 0 ? nothing : button('SVG', () => this.saveSvg(exhibit), { disabled: !state })}
      <code class="soft" tabindex="0" title=${commandNeeds}
        >${commandPath} reproduce ${exhibit.id}</code
      >
      <span class="refining" aria-live="polite">${this.progress(state)}</span>
    </p>`;
  }

  private progress(state: ExhibitState | undefined): string {
    if (!this.asking.state.working || state?.done) return '';
    return state ? 'refining' : 'computing';
  }

  private plots(exhibit: Exhibit, state: ExhibitState | undefined) {
    if (exhibit.panels.length === 0) return nothing;
    return html`<div class="papers-plots" data-count=${exhibit.panels.length}>
      ${exhibit.panels.map(
        (panel, index) =>
          html`<he-paper-plot
            .panel=${panel}
            .lines=${state?.panels[index] ?? panel.series.map((series) => ({ series, line: [], milliseconds: 0, done: false }))}
            .stated=${index === 0 ? statedPoints(exhibit) : []}
            name=${`papers-${exhibit.id}-${index}`}
          ></he-paper-plot>`,
      )}
    </div>`;
  }

  /** Each number of the paper's beside ours. */
  private claims({ claims }: Exhibit, state: ExhibitState | undefined) {
    if (claims.length === 0) return nothing;
    return html`<h3>What the paper states</h3>
      ${dataTable({
        ...{ label: 'What the paper states', classes: 'papers-claims' },
        head: ['Number', 'Paper', 'Here', html`<span class="sr">Verdict</span>`],
        body: claims.map((claim, at) => {
          // A reason that several share stands below the last of them.
          const again = claims.slice(at + 1).some(({ reason }) => reason === claim.reason);
          return claimRow(claim, state?.claims[at], again ? undefined : claim.reason);
        }),
      })}`;
  }

  private saveSvg({ id, title, caption }: Exhibit): void {
    this.querySelectorAll<PaperPlot>('he-paper-plot').forEach((plot, index) => {
      void savePicture('SVG', `${id}-${index + 1}`, plot, () => ({
        drawing: plot.querySelector('svg.paper-drawing'),
        title,
        run: plot.panel?.title ?? '',
        finding: caption,
        description: source(this.link),
      }));
    });
  }
}

/** Four digits, but all of a number that is exact. */
const shortly = (value: Interval) =>
  value.lower !== null && value.lower === value.upper && value.kind === 'certified'
    ? format(value.lower, { side: 'given' })
    : formatInterval(value);

const ours = (state: ClaimState | undefined) =>
  state?.value ? html`<span class="number">${shortly(state.value)}</span>` : '…';

const said = (state: ClaimState | undefined) =>
  state?.verdict ? verdictWords(state.verdict, state.claim) : '';

function claimRow(claim: Claim, found: ClaimState | undefined, reason: string | undefined) {
  return html`<tr class=${reason ? 'has-why' : ''}>
      <td>${claim.what}</td>
      <td class="figure">${statedWords(claim)}</td>
      <td class="figure">${ours(found)}</td>
      <td class="papers-verdict ${found?.verdict ?? ''}">${said(found)}</td>
    </tr>
    ${
      reason
        ? html`<tr>
            <td colspan="4"><p class="prose papers-reason">${reason}</p></td>
          </tr>`
        : nothing
    }`;
}

/** Printed numbers as diamonds beside their lines. */
function statedPoints({ claims }: Exhibit): StatedPoint[] {
  return claims.flatMap((claim) =>
    claim.x === undefined
      ? []
      : [
          {
            x: claim.x,
            y: Number(claim.printed),
            text: `${claim.what}: paper ${statedWords(claim)}`,
          },
        ],
  );
}

function asTable({ exhibit, panels }: ExhibitState) {
  if (panels.length === 0) return nothing;
  return pointsTable({
    summary: 'The points of these lines as a table',
    label: 'Points of the lines',
    head: { line: 'Line', x: 'x', y: 'y' },
    rows: panels.flatMap((lines, index) => {
      const plot = panels.length > 1 ? `${exhibit.panels[index]?.title ?? ''}: ` : '';
      return pointsOf(lines).map(({ label, point: { x, y } }) => ({
        line: plot + label,
        x: format(x, { side: 'given' }),
        y,
      }));
    }),
  });
}

function saveCsv(state: ExhibitState, link: string | undefined): void {
  const { id, paper, name, title } = state.exhibit;
  const text = exhibitCsv([`${paper.title}, ${name}: ${title}`, source(link)], state);
  save(`${id}.csv`, new Blob([text], { type: 'text/csv' }));
}

customElements.define('he-papers', Papers);
