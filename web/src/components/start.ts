import { html, nothing } from 'lit';
import { property, state } from 'lit/decorators.js';
import { presets } from '../state/presets.js';
import { withAsked, type Scenario } from '../state/scenario.js';
import { edit } from './edit.js';
import type { FillDetail } from './paste.js';
import { button } from './fields.js';
import { Plain, adopt } from './plain.js';

/** What the reader starts from: a published run, a pasted text, or a target. */
class Start extends Plain {
  @property({ attribute: false }) scenario!: Scenario;
  /** The box for pasting: once open, it stays with its text. */
  @state() pasting: 'open' | 'closed' | undefined;
  /** What was pasted outside of the box. */
  private text: string | undefined;

  constructor() {
    super();
    this.addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && this.pasting === 'open') this.close();
    });
  }

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener('paste', this.pasted);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener('paste', this.pasted);
  }

  /** A text pasted anywhere but into a field opens the box that reads it. */
  private readonly pasted = (event: ClipboardEvent): void => {
    const [target] = event.composedPath();
    const text = event.clipboardData?.getData('text/plain') ?? '';
    const typing = target instanceof Element && target.matches('input, textarea, select');
    if (typing || text.trim() === '') return;
    event.preventDefault();
    this.text = text;
    this.pasting &&= 'closed';
    void this.paste();
  };

  protected override render() {
    return html`<label class="row soft small presets screen">
        <span>Example</span>
        <select
          @change=${(event: Event) => {
            const select = event.target as HTMLSelectElement;
            const preset = presets[Number(select.value)];
            select.value = '';
            if (preset) edit(this, preset.scenario, `preset ${preset.name}`);
          }}
        >
          <option value="" selected>choose …</option>
          ${presets.map(
            ({ name, about }, index) =>
              html`<option value=${index} title=${about}>${name}</option>`,
          )}
        </select>
      </label>
      <p class="soft small ways screen">
        Fill in from
        ${button('a config or a paper’s text', () => void this.paste(), {
          expanded: this.pasting === 'open',
        })}
        or
        ${button('a target ε', () => {
          edit(this, withAsked({ ...this.scenario, find: 'noise' }, 'target', 'epsilon'), 'plan');
          void this.focusOn('#field-epsilon');
        })}.
      </p>
      ${this.box()}`;
  }

  private box() {
    if (!this.pasting) return nothing;
    return html`<he-paste
      class="screen"
      ?hidden=${this.pasting === 'closed'}
      .pasted=${this.text}
      .scenario=${this.scenario}
      @close=${() => this.close()}
      @fill=${({ detail }: CustomEvent<FillDetail>) => {
        this.pasting = 'closed';
        edit(this, detail.scenario, 'paste');
        void this.focusOn(`#field-${detail.missing ?? 'loader'}`);
      }}
    ></he-paste>`;
  }

  private close(): void {
    this.pasting = 'closed';
    void this.focusOn('.ways button');
  }

  /** Opens the box, or closes it; its reader is fetched when it is first wanted. */
  private async paste(): Promise<void> {
    const { styles } = await import('./paste.js');
    if (this.pasting === undefined) adopt(this, styles);
    this.pasting = this.pasting === 'open' ? 'closed' : 'open';
    if (this.pasting === 'open') await this.focusOn('#paste-text');
  }
}

customElements.define('he-start', Start);
