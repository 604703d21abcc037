import { html, nothing, type PropertyValues } from 'lit';
import { property, state } from 'lit/decorators.js';
import { panels } from '../panels/list.js';
import { panelName, prefixOf, shownPanel, textsOf } from '../panels/panel.js';
import type { Given, Panel, PanelInfo } from '../panels/panel.js';
import { firstNotes } from '../state/first-notes.js';
import type { State } from '../state/scenario.js';
import { look } from './edit.js';
import { button } from './fields.js';
import { Plain, adopt } from './plain.js';

/** The tabs below the answer; a panel is loaded when it is first shown, and stays. */
export class Panels extends Plain {
  @property({ attribute: false }) given!: Given;
  /** Whether the answer above is complete: the first panel is loaded only then. */
  @property({ type: Boolean }) ready = false;
  @state() opened: ReadonlyMap<string, Panel> = new Map();
  /** Panels whose file was asked for, and whether it failed to arrive. */
  @state() asked: ReadonlyMap<string, 'waits' | 'failed'> = new Map();
  /** Whose tab was brought into sight. */
  private inSight: PanelInfo | undefined;

  /** A panel once loaded stays, whatever the answer does. */
  private get begun(): boolean {
    return this.ready || this.opened.size > 0;
  }

  private get state(): State {
    return this.given.state;
  }

  private get shown(): PanelInfo | undefined {
    return shownPanel(panels, this.state.view);
  }

  /** What a link to what is shown holds. */
  get whole(): State {
    return (this.shown && this.opened.get(this.shown.key)?.whole) ?? this.state;
  }

  private get tabs(): readonly PanelInfo[] {
    return panels.filter(({ group }) => group === this.shown?.group);
  }

  override willUpdate(): void {
    const { shown } = this;
    if (!shown || !this.begun) return;
    if (!this.asked.has(shown.key)) void this.open(shown);
    for (const [key, panel] of this.opened) {
      panel.active = key === shown.key;
      if (panel.active) this.renew(panel, shown);
    }
  }

  override updated(changed: PropertyValues<this>): void {
    if (!changed.has('given') || this.inSight === this.shown) return;
    this.inSight = this.shown;
    // Just before the page is laid out anyway: the layout that is asked for is then the only one.
    requestAnimationFrame(() => this.reveal());
  }

  private async open(info: PanelInfo): Promise<void> {
    const { key } = info;
    this.asked = new Map(this.asked).set(key, 'waits');
    try {
      const { default: Element, styles } = await info.load();
      adopt(this, styles);
      const panel = new Element();
      panel.addressPrefix = prefixOf(info);
      this.opened = new Map(this.opened).set(key, panel);
    } catch {
      this.asked = new Map(this.asked).set(key, 'failed');
    }
  }

  private renew(panel: Panel, info: PanelInfo): void {
    const texts = textsOf(info, this.state.view.panels);
    if (JSON.stringify(texts) !== JSON.stringify(panel.texts)) panel.texts = texts;
    Object.assign(panel, this.given);
  }

  protected override render() {
    const { shown } = this;
    const [first] = panels;
    return html`
      ${
        shown?.group === undefined || !first
          ? nothing
          : html`<p class="row elsewhere screen">
              ${this.tabs.length > 1 ? html`<b>${shown.group}</b>` : nothing}
              ${button('Back to this run', () => this.select(first, `panel ${first.key}`))}
            </p>`
      }
      <div
        class="tabs screen"
        role="tablist"
        aria-label=${shown?.group ?? 'More about this run'}
        @keydown=${(event: KeyboardEvent) => this.key(event)}
      >
        ${this.tabs.map((info) => this.tab(info, info === shown))}
      </div>
      ${panels.map(
        (info) =>
          html`<div
            id=${`panel-${info.key}`}
            class="panel"
            role="tabpanel"
            aria-label=${info.title}
            ?hidden=${info !== shown}
          >
            ${this.linkNote(info)}
            ${this.opened.get(info.key) ?? (info === shown ? this.waiting(info) : nothing)}
          </div>`,
      )}
    `;
  }

  private tab(info: PanelInfo, selected: boolean) {
    const { key, title } = info;
    return html`<button
      id=${`tab-${key}`}
      class="tab"
      role="tab"
      aria-selected=${selected ? 'true' : 'false'}
      aria-controls=${`panel-${key}`}
      tabindex=${selected ? 0 : -1}
      @click=${() => this.select(info, `panel ${info.key}`)}
    >
      ${title}
    </button>`;
  }

  /** The parts of the link that the panel could not read. */
  private linkNote({ key }: PanelInfo) {
    const unread = this.opened.get(key)?.unread ?? [];
    if (unread.length === 0) return nothing;
    return html`<div class="panel-note" role="alert">
      <p>A part of this link could not be read; what is shown here is not what it describes.</p>
      <ul>
        ${firstNotes(unread).map((note) => html`<li>${note}</li>`)}
      </ul>
    </div>`;
  }

  private waiting(info: PanelInfo) {
    if (!this.begun) return nothing;
    if (this.asked.get(info.key) !== 'failed')
      return html`<p class="panel-note" role="status">Loading …</p>`;
    return html`<p class="panel-note" role="alert">
      This part of the page failed to load. If trying again does not help, there may be a newer
      version: reload the page.
      ${button('Try again', () => {
        this.asked = new Map([...this.asked].filter(([key]) => key !== info.key));
      })}
    </p>`;
  }

  /** `step` names the history entry: arrow keys on the way to a tab share one. */
  private select(info: PanelInfo, step: string): void {
    look(this, { panel: panelName(panels, info, this.state.view.panels) }, step);
  }

  private key(event: KeyboardEvent): void {
    const { tabs } = this;
    const at = tabs.findIndex((info) => info === this.shown);
    const places: Readonly<Record<string, number>> = {
      ArrowLeft: (at + tabs.length - 1) % tabs.length,
      ArrowRight: (at + 1) % tabs.length,
      Home: 0,
      End: tabs.length - 1,
    };
    const to = tabs[places[event.key] ?? -1];
    if (!to) return;
    event.preventDefault();
    this.select(to, 'panel');
    void this.updateComplete.then(() => this.querySelector<HTMLElement>(`#tab-${to.key}`)?.focus());
  }

  /** On a phone the row of tabs scrolls: the one shown is in sight. */
  private reveal(): void {
    const row = this.querySelector<HTMLElement>('.tabs');
    const tab = row?.querySelector<HTMLElement>('[aria-selected="true"]');
    if (!row || !tab || row.scrollWidth <= row.clientWidth) return;
    row.scrollLeft = tab.offsetLeft - (row.clientWidth - tab.offsetWidth) / 2;
  }
}

customElements.define('he-panels', Panels);
