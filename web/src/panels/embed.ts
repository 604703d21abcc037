import { html, nothing } from 'lit';
import { button } from '../components/fields.js';
import { attributesOf, views } from '../element/attributes.js';
import { Copying } from '../export/clipboard.js';
import { linkTo } from '../export/link.js';
import { snippetsOf, type Snippet } from '../words/snippets.js';
import { Panel } from './panel.js';
import styles from './embed.css?inline';

export { styles };

const ways = snippetsOf([], '').map(({ key }) => key);

/** In the page as one file there are no other files beside it. */
const single = import.meta.env.MODE === 'standalone';

/** The run in another's page, and the whole page as a file. */
export default class Embed extends Panel {
  private readonly copying = new Copying(this);

  override readonly defaults = { into: 'page', view: 'compare', lock: '' };
  override readonly choices = { into: ways, view: Object.keys(views), lock: ['all'] };

  protected override render() {
    return html`<div class="embed">
      <section aria-labelledby="embed-page">
        <h2 id="embed-page">In your own page</h2>
        ${this.body()}
      </section>
      <section aria-labelledby="embed-offline">
        <h2 id="embed-offline">Without a network</h2>
        ${this.offline()}
      </section>
    </div>`;
  }

  private body() {
    if (!this.query) {
      return html`<p class="panel-note">
        There is nothing to embed until the run above has an answer.
      </p>`;
    }
    const attributes = attributesOf(this.query);
    if (!attributes) {
      return html`<p class="panel-note">
          Attributes describe a run of a single phase. For this one, set the element’s property
          <code>query</code> from a script, to the question below.
        </p>
        ${this.code({ does: 'The question:', code: JSON.stringify(this.query, null, 2) })}`;
    }
    const view = this.text('view');
    const lock = this.text('lock') === '' ? [] : [['lock', ''] as const];
    const page = linkTo('');
    const home = page === undefined ? [] : [['page', page] as const];
    const frame = single || page === undefined ? 'embed.html' : new URL('embed.html', page).href;
    const all = snippetsOf([...attributes, ['view', view], ...lock, ...home], frame);
    const chosen = all.find(({ key }) => key === this.text('into')) ?? all[0];
    const titles = new Map(all.map(({ key, title }) => [key, title]));
    return html`<div class="fields screen">
        ${this.ownField(
          'into',
          { label: 'Platform', type: 'choice', choices: ways },
          { choiceName: (key) => titles.get(key) ?? key },
        )}
        ${this.ownField('view', { label: 'View', type: 'choice', choices: Object.keys(views) })}
        ${this.ownField(
          'lock',
          { label: 'Lock inputs', type: 'flag' },
          {
            value: String(this.text('lock') !== ''),
            set: (on) => this.put({ lock: on === 'true' ? 'all' : '' }),
          },
        )}
      </div>
      ${chosen ? this.steps(chosen) : nothing}`;
  }

  private steps({ key, steps }: Snippet) {
    return html`<ol>
        ${steps.map((step) => html`<li>${step.code === '' ? step.does : this.code(step)}</li>`)}
      </ol>
      ${
        key === 'frame'
          ? nothing
          : html`<p class="panel-note">
              Serve the files from your own site: browsers block workers from other origins. A
              Content-Security-Policy needs
              <code
                >script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; worker-src 'self'</code
              >.
            </p>`
      }`;
  }

  private code({ does, code }: { does: string; code: string }) {
    return html`<div class="row apart">
        <span>${does}</span>
        ${button(this.copying.words(code), () => void this.copying.copy(code, code))}
      </div>
      <pre tabindex="0"><code>${code}</code></pre>`;
  }

  private offline() {
    if (single) {
      return html`<p class="panel-note">
        This is the page as a single file: it needs no server and makes no network requests.
      </p>`;
    }
    // It is not kept with the page: a file of its own is as large as all the rest.
    const file = navigator.onLine
      ? html`<a href="./standalone.html" download="honest-epsilon.html">a single file</a>`
      : html`a single file (to be had here once there is a network)`;
    return html`<p class="panel-note">
      After your first visit this page works offline. The whole page is also one file, ${file},
      which opens with a double-click and makes no network requests.
    </p>`;
  }
}

customElements.define('he-embed', Embed);
