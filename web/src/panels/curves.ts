import { html } from 'lit';
import type { PropertyValues } from 'lit';
import '../components/curve.js';
import { LiveCurves } from '../live/curves.js';
import { ownRow, withAsked } from '../state/scenario.js';
import type { RowName } from '../state/scenario.js';
import { setting } from '../words/sentence.js';
import { Panel } from './panel.js';

/** Delta over epsilon for every row of the answer. */
export default class Curves extends Panel {
  private curves: LiveCurves | undefined;
  private heading = '';

  override willUpdate(changed: PropertyValues<this>): void {
    if (this.engine && !this.curves) {
      this.curves = new LiveCurves(this.engine, () => {
        this.requestUpdate();
      });
    }
    if (changed.has('answers') || changed.has('query') || changed.has('engine')) this.follow();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.curves?.clear();
  }

  /** Curves wait until the rows are answered; those of another run are dimmed, then go. */
  private follow(): void {
    const { working, fresh, answers } = this.answers;
    const query = this.answers.query ?? this.query;
    const derived = [...fresh].map((name) => answers.get(name)?.derived)[0];
    if (query && derived) this.heading = setting(query, derived);
    if (!working && fresh.size === 0) this.curves?.clear();
    else if (query && !working) {
      const decades = Math.ceil(-Math.log10(query.delta ?? 1e-5)) + 4;
      void this.curves?.draw(query, 10 ** -Math.max(9, Math.min(300, decades)));
    } else if (!query || !this.curves?.fits(query)) this.curves?.outdate();
  }

  protected override render() {
    const { scenario, view } = this.state;
    const name = ownRow(scenario);
    const { fresh, answers, query } = this.answers;
    const own = fresh.has(name) ? answers.get(name) : undefined;
    const delta = (query ?? this.query)?.delta;
    return html`<he-curve
      .curves=${this.curves?.state ?? { curves: new Map(), run: undefined, floor: 1e-9, working: false }}
      own=${name}
      .leftOut=${view.hidden}
      .highlight=${this.highlight}
      heading=${this.heading}
      .point=${delta === undefined ? undefined : { epsilon: own?.epsilon.upper ?? undefined, delta }}
      .reader=${(sampler: RowName, epsilon: number) => this.curves?.read(sampler, epsilon)}
      @delta=${({ detail }: CustomEvent<number>) => {
        const { state } = this;
        const changed = withAsked(state.scenario, 'delta', detail.toExponential());
        this.edit({ ...state, scenario: changed }, 'delta', true);
      }}
      @hide=${({ detail }: CustomEvent<readonly RowName[]>) => {
        this.edit({ ...this.state, view: { ...view, hidden: detail } }, 'hidden');
      }}
    ></he-curve>`;
  }
}

customElements.define('he-curves', Curves);
