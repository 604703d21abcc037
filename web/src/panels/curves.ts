import { html, type PropertyValues } from 'lit';
import { curveKind, curveKinds, placeOf, type CurveKind } from '../../../wasm/curve-kinds.js';
import type { Query } from '../../../wasm/generated/schema.js';
import '../components/curve.js';
import type { Here } from '../components/curve.js';
import { look } from '../components/edit.js';
import { radios } from '../components/fields.js';
import { freshAnswer } from '../live/answers.js';
import { LiveCurves, floorFor, noCurves } from '../live/curves.js';
import type { CurvesState, Wish } from '../live/curves.js';
import { ownRow } from '../state/scenario.js';
import type { RowName } from '../state/scenario.js';
import { rowsOfOthers } from '../../../wasm/words/neighbours.js';
import { parseNumber } from '../../../wasm/words/number-forms.js';
import { format } from '../../../wasm/words/numbers.js';
import { headingOf } from '../words/curves.js';
import { doingOf, headline, sentenceText, settingParts } from '../words/sentence.js';
import type { AxisKind } from '../charts/scale.js';
import { ladderTitle } from '../words/ladder.js';
import { Panel } from './panel.js';

const choices: Readonly<Record<CurveKind, string>> = {
  'delta-epsilon': 'δ vs ε',
  'epsilon-noise': 'ε vs noise',
  'epsilon-epochs': 'ε vs epochs',
  'noise-sampling': 'noise vs batch size',
};

/** Curves of every row of the answer. */
export default class Curves extends Panel {
  override readonly defaults = { kind: 'delta-epsilon', axis: '' };
  override readonly choices = { kind: curveKinds.map(({ name }) => name), axis: ['linear', 'log'] };

  private curves: LiveCurves | undefined;
  private heading = '';

  override willUpdate(changed: PropertyValues<this>): void {
    if (this.engine && !this.curves) {
      this.curves = new LiveCurves(this.engine, () => this.requestUpdate());
    }
    const about = ['answers', 'query', 'engine', 'texts', 'moving'] as const;
    const { hidden } = this.state.view;
    const ticked = changed.has('state') && changed.get('state')?.view.hidden !== hidden;
    if (ticked || about.some((name) => changed.has(name))) this.follow();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.curves?.clear();
  }

  private get kind(): CurveKind {
    return curveKind(this.text('kind'))?.name ?? 'delta-epsilon';
  }

  /** Where the link says anything else, the values decide. */
  private get axis(): AxisKind {
    return (['linear', 'log'] as const).find((kind) => kind === this.text('axis'));
  }

  /** What is proved of the run, in the headline's words. */
  private get finding(): string {
    const { query } = this.answers;
    const name = ownRow(this.state.scenario);
    const own = freshAnswer(this.answers, name);
    if (!own || query?.delta === undefined) return '';
    return sentenceText(
      headline(doingOf(query, name, own), own, undefined, undefined, query.delta),
    );
  }

  /** The run as the curves need it: with the value solved for, and a target for the noise. */
  private runOf(query: Query): Query {
    const { asked } = this.answers;
    return asked?.epsilon === undefined
      ? this.withTarget(query)
      : { ...query, epsilon: asked.epsilon };
  }

  /** Without a target, the noise is found that keeps the run's own epsilon. */
  private withTarget(query: Query): Query {
    const upper = freshAnswer(this.answers, ownRow(this.state.scenario))?.epsilon.upper;
    if (upper === undefined || upper === null || !(upper > 0)) return query;
    return { ...query, epsilon: parseNumber(format(upper, { side: 'up' })) };
  }

  private get wish(): Wish {
    const { entries, open } = this.state.scenario;
    const phase = entries.length > 1 ? open : undefined;
    return { kind: this.kind, phase, leftOut: this.state.view.hidden };
  }

  /**
   * Curves wait until the rows are answered; those of another run are dimmed, then go. While a slider
   * moves, those under way come as far as to be seen.
   */
  private follow(): void {
    const { working, fresh, answers } = this.answers;
    const query = this.answers.query ?? this.query;
    const derived = [...fresh].map((name) => answers.get(name)?.derived)[0];
    if (query && derived)
      this.heading = headingOf(this.kind, this.runOf(query), settingParts(query, derived));
    const fits = query && this.curves?.fits(this.runOf(query), this.wish);
    if (!working && fresh.size === 0) this.curves?.clear();
    else if (this.moving && !fits && this.curves?.coarsening) this.curves.fade();
    else if (query && !working) {
      void this.curves?.draw(this.runOf(query), floorFor(query), this.wish);
    } else if (!fits) this.curves?.outdate();
  }

  protected override render() {
    return html`
      ${radios({
        ...{ legend: 'What is drawn', classes: 'small screen', name: 'curves-kind' },
        values: curveKinds.map(({ name }) => name),
        chosen: this.kind,
        label: (kind) => choices[kind],
        title: (kind) => curveKind(kind)?.meaning ?? '',
        pick: (kind) => this.put({ kind, axis: '' }),
      })}
      ${this.undrawn('Curves', 'run')} ${this.drawing(this.curves?.state ?? noCurves)}
    `;
  }

  private drawing(curves: CurvesState) {
    const { scenario, view } = this.state;
    return html`<he-curve
      .curves=${curves}
      own=${ownRow(scenario)}
      .leftOut=${view.hidden}
      .highlight=${this.highlight}
      heading=${this.heading}
      .link=${this.link}
      .axis=${this.axis}
      finding=${this.finding}
      ladder=${ladderTitle(this.answers.answers, ownRow(scenario))}
      @axis=${({ detail }: CustomEvent<string>) => this.put({ axis: detail })}
      .here=${this.here()}
      .neighbours=${rowsOfOthers(this.answers.answers)}
      .engine=${this.engine}
      @hide=${({ detail }: CustomEvent<readonly RowName[]>) => look(this, { hidden: detail }, 'hidden')}
    ></he-curve>`;
  }

  /** The reader's own run as a point of its curve. */
  private here(): Here | undefined {
    const kind = curveKind(this.kind);
    const query = this.answers.query ?? this.query;
    if (!kind || !query) return undefined;
    const own = freshAnswer(this.answers, ownRow(this.state.scenario));
    const epsilon = own?.epsilon.upper ?? undefined;
    if (kind.name === 'delta-epsilon') return { x: epsilon, y: query.delta };
    const drawn = { query: this.runOf(query), phase: this.wish.phase };
    const x = placeOf(kind, drawn);
    if (kind.name !== 'noise-sampling') return { x, y: epsilon };
    const noise = curveKind('epsilon-noise');
    return { x, y: noise && placeOf(noise, drawn) };
  }
}

customElements.define('he-curves', Curves);
