import { html, nothing, type PropertyValues } from 'lit';
import { state } from 'lit/decorators.js';
import { curveKind, curveKinds, placeOf, type CurveKind } from '../../../wasm/curve-kinds.js';
import type { Answer, Query } from '../../../wasm/generated/schema.js';
import { mark } from '../charts/glyphs.js';
import '../components/curve.js';
import type { Here, SetDetail } from '../components/curve.js';
import { symbolOf } from '../components/curve/view.js';
import { button, radios } from '../components/fields.js';
import { freshAnswer } from '../live/answers.js';
import { LiveCurves, floorFor, noCurves } from '../live/curves.js';
import type { Beside, CurvesState, Wish } from '../live/curves.js';
import { endLabels, endNames, inEndWords, readEnds } from '../state/curve-ends.js';
import type { EndName, EndsReading, EndTexts } from '../state/curve-ends.js';
import { isPinned, mostPins, readPins, writePins } from '../state/pins.js';
import { inFormWords, readScenario } from '../state/question.js';
import { rowsOf } from '../state/rows.js';
import { ownRow, withAsked, withText } from '../state/scenario.js';
import type { PhaseField, RowName, Scenario } from '../state/scenario.js';
import { describeRun } from '../words/entries.js';
import { otherNeighbours, rowsOfOthers } from '../../../wasm/words/neighbours.js';
import { parseNumber } from '../../../wasm/words/number-forms.js';
import { markOf } from '../../../wasm/words/claims.js';
import { format, formatInterval } from '../../../wasm/words/numbers.js';
import { headingOf } from '../words/curves.js';
import { doingOf, headline, sentenceText, settingParts } from '../words/sentence.js';
import type { AxisKind } from '../charts/scale.js';
import { ladderTitle } from '../words/ladder.js';
import { toCorrect } from '../words/to-correct.js';
import { dataTable } from '../components/table.js';
import { Panel } from './panel.js';

const choices: Readonly<Record<CurveKind, string>> = {
  'delta-epsilon': 'δ vs ε',
  'epsilon-noise': 'ε vs noise',
  'epsilon-epochs': 'ε vs epochs',
  'noise-sampling': 'noise vs batch size',
};

const letters = 'ABCDEF';

/** The ends that the reader may set; only curves of delta have a least delta. */
const endsOf = (kind: CurveKind): readonly EndName[] =>
  kind === 'delta-epsilon' ? endNames : endNames.filter((name) => name !== 'floor');

interface Pin {
  name: string;
  letter: string;
  scenario: Scenario;
  row: RowName;
  /** Nothing when the run is not a valid one. */
  query: Query | undefined;
}

/** Curves of every row of the answer, and of pinned runs. */
export default class Curves extends Panel {
  /** Epsilon of each pinned run, by its question. */
  @state() pinned: ReadonlyMap<string, Answer> = new Map();
  /** The curve that the pointer is on, when it is a pinned one. */
  @state() lit: string | undefined;

  override readonly defaults = {
    ...{ kind: 'delta-epsilon', from: '', to: '', floor: '' },
    ...{ axis: '', pins: '' },
  };
  override readonly choices = { kind: curveKinds.map(({ name }) => name), axis: ['linear', 'log'] };

  private curves: LiveCurves | undefined;
  private heading = '';
  private readonly asking = new Set<string>();
  private readonly stop = new AbortController();
  private lastPins: { text: string; pins: readonly Pin[]; notes: readonly string[] } = {
    text: '',
    pins: [],
    notes: [],
  };

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
    this.stop.abort();
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

  private get readPins() {
    const text = this.text('pins');
    if (text !== this.lastPins.text) {
      const { pins, notes } = readPins(text);
      this.lastPins = { text, pins: pins.map(pinOf), notes };
    }
    return this.lastPins;
  }

  private get pins(): readonly Pin[] {
    return this.readPins.pins;
  }

  override get unread(): string[] {
    return [...super.unread, ...this.readPins.notes.map((note) => `Pinned run ${note}`)];
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
    const beside = this.pins.flatMap(({ name, row, query, scenario }): Beside[] => {
      const [own] = query ? rowsOf(query) : [];
      const phase = scenario.entries.length > 1 ? scenario.open : undefined;
      return own ? [{ name, sampler: row, run: { ...own.query, ...this.target }, phase }] : [];
    });
    const phase = entries.length > 1 ? open : undefined;
    const leftOut = this.state.view.hidden;
    return { kind: this.kind, phase, ends: this.endsReading.ends, leftOut, beside };
  }

  private get endTexts(): EndTexts {
    const has = (name: EndName) => (endsOf(this.kind).includes(name) ? this.text(name) : '');
    return { from: has('from'), to: has('to'), floor: has('floor') };
  }

  private get endsReading(): EndsReading {
    return readEnds(this.kind, this.endTexts);
  }

  /** Problems with the ends, found by the panel or the engine. */
  private get endProblems(): ReadonlyMap<EndName, string> {
    const { problems } = this.endsReading;
    const refused = this.curves?.state.refused;
    if (problems.size > 0 || !refused) return problems;
    const { end, field, text } = refused;
    return new Map([[end, field === end ? inEndWords(end, text) : inFormWords(field, text)]]);
  }

  private get target(): Partial<Query> {
    const epsilon = this.answers.query && this.runOf(this.answers.query).epsilon;
    return epsilon === undefined ? {} : { epsilon };
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
      void this.askPins();
    } else if (!fits) this.curves?.outdate();
  }

  private async askPins(): Promise<void> {
    for (const { query } of this.pins) {
      const key = JSON.stringify(query);
      if (!query || !this.engine || this.asking.has(key)) continue;
      this.asking.add(key);
      const [own] = rowsOf(query);
      const { signal } = this.stop;
      const answer = await this.engine
        .epsilon(own?.query ?? query, { signal, background: true })
        .catch(() => undefined);
      if (answer) this.pinned = new Map(this.pinned).set(key, answer);
    }
  }

  protected override render() {
    const state = this.curves?.state ?? noCurves;
    return html`
      ${radios({
        ...{ legend: 'What is drawn', classes: 'small screen', name: 'curves-kind' },
        values: curveKinds.map(({ name }) => name),
        chosen: this.kind,
        label: (kind) => choices[kind],
        title: (kind) => curveKind(kind)?.meaning ?? '',
        pick: (kind) => {
          // Ends belong to the kind that they were typed for.
          this.put({ kind, from: '', to: '', floor: '', axis: '' });
        },
      })}
      ${this.ends(symbolOf(state.field))} ${this.emptyNote()} ${this.drawing(state)}
      ${this.pinTable()}
    `;
  }

  /** Where curves begin and end, empty for what the run suggests. */
  private ends(symbol: string) {
    const { endTexts, endProblems } = this;
    return html`<div
      class="fields curve-ends screen"
      role="group"
      aria-label=${`Ends of the curves over ${symbol}`}
    >
      ${endsOf(this.kind).map((name) =>
        this.ownField(
          name,
          {
            type: 'number',
            label: endLabels[name],
            symbol: name === 'floor' ? 'δ' : symbol,
          },
          { hint: 'automatic', value: endTexts[name], problem: endProblems.get(name) },
        ),
      )}
    </div>`;
  }

  private drawing(curves: CurvesState) {
    const { scenario, view } = this.state;
    return html`<he-curve
      .curves=${curves}
      own=${ownRow(scenario)}
      .leftOut=${view.hidden}
      .highlight=${this.lit ?? this.highlight}
      heading=${this.heading}
      .link=${this.link}
      .axis=${this.axis}
      finding=${this.finding}
      ladder=${ladderTitle(this.answers.answers, ownRow(scenario))}
      @axis=${({ detail }: CustomEvent<string>) => this.put({ axis: detail })}
      .here=${this.here()}
      .neighbours=${rowsOfOthers(this.answers.answers)}
      .beside=${new Map(this.pins.map(({ name, letter }) => [name, letter]))}
      .reader=${(name: string, x: number) => this.curves?.read(name, x)}
      @light=${(event: CustomEvent<string | null>) => this.lights(event)}
      @set=${({ detail }: CustomEvent<SetDetail>) => this.setField(detail)}
      @hide=${({ detail }: CustomEvent<readonly RowName[]>) => this.edit({ ...this.state, view: { ...view, hidden: detail } }, 'hidden')}
    ></he-curve>`;
  }

  private emptyNote() {
    const text =
      this.broken !== undefined
        ? 'Curves need WebAssembly, which is blocked here.'
        : this.query === undefined && !this.answers.working
          ? `There is no run to draw. ${toCorrect(this.problems.keys())}`
          : undefined;
    return text === undefined ? nothing : html`<p class="panel-note" role="status">${text}</p>`;
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

  /** A pinned curve lights here alone; a row's lights on the whole page. */
  private lights(event: CustomEvent<string | null>): void {
    const pin = this.pins.find(({ name }) => name === event.detail);
    this.lit = pin?.name;
    if (pin) event.stopPropagation();
  }

  private setField({ field, value }: SetDetail): void {
    const { state } = this;
    const text = field === 'delta' ? value.toExponential() : String(value);
    const scenario =
      field === 'delta'
        ? withAsked(state.scenario, field, text)
        : withText(state.scenario, field as PhaseField, text);
    this.edit({ ...state, scenario }, field, 'typed');
  }

  private keep(pins: readonly Scenario[]): void {
    this.lit = undefined;
    this.put({ pins: writePins(pins) });
  }

  private pinTable() {
    const { pins } = this;
    const scenarios = pins.map(({ scenario }) => scenario);
    const { scenario } = this.state;
    const already = isPinned(scenarios, scenario);
    const full = pins.length >= mostPins;
    return html`<div class="pins">
      <p class="row screen">
        ${button('Pin this run', () => this.keep([...scenarios, scenario]), {
          disabled: already || full || this.query === undefined,
        })}
        <span class="panel-note"
          >${full ? 'Six runs are pinned; remove one to pin another.' : already ? 'This run is pinned.' : pins.length > 0 ? '' : 'Pinned runs stay on the chart and in the link when you edit the form.'}</span
        >
      </p>
      ${pins.length === 0 ? nothing : this.pinRows()}
    </div>`;
  }

  private pinRows() {
    return dataTable({
      ...{ label: 'Pinned runs', classes: 'bounds pin-table', figures: false },
      head: ['Pinned', 'Run', 'ε', html`<span class="sr">Actions</span>`],
      body: this.pins.map((pin) => this.pinRow(pin)),
    });
  }

  private pinRow(pin: Pin) {
    const { name, letter, scenario, row, query } = pin;
    const answer = this.pinned.get(JSON.stringify(query));
    const neighbours = answer && otherNeighbours(answer);
    const others = this.pins.filter((other) => other !== pin);
    const light = (lit: string | undefined) => () => {
      this.lit = lit;
    };
    const act = (text: string, does: () => void) =>
      button(text, does, { label: `${text} run ${letter}` });
    return html`<tr
      class=${`s-${row}${this.lit === name ? ' lit' : ''}`}
      @pointerenter=${light(name)}
      @pointerleave=${light(undefined)}
      @focusin=${light(name)}
      @focusout=${light(undefined)}
    >
      <th scope="row">
        <svg width="12" height="12" aria-hidden="true">${mark(row, 6, 6, 4.5)}</svg> ${letter}
      </th>
      <td>
        ${describeRun(scenario)}
        ${neighbours === undefined ? nothing : html`<small>${neighbours}</small>`}
      </td>
      <td class="figure">
        ${answer ? `${formatInterval(answer.epsilon)}${markOf(answer)}` : query ? '…' : 'not a valid run'}
      </td>
      <td class="nowrap pin-acts">
        ${act('Open', () => this.openScenario({ ...this.state, scenario }))}
        ${act('Remove', () => this.keep(others.map((other) => other.scenario)))}
      </td>
    </tr>`;
  }
}

function pinOf(scenario: Scenario, index: number): Pin {
  const reading = readScenario({ ...scenario, find: 'epsilon' });
  return {
    name: `pin-${index}`,
    letter: letters.charAt(index),
    scenario,
    row: ownRow(scenario),
    query: 'query' in reading ? reading.query : undefined,
  };
}

customElements.define('he-curves', Curves);
