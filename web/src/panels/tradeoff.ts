import { html, nothing } from 'lit';
import { gaussianWords, readingRows, usualRates } from '../../../wasm/words/readings.js';
import type { Band, Query, TradeOffAnswer } from '../../../wasm/generated/schema.js';
import { mark } from '../charts/glyphs.js';
import { auditDefaults, type AuditTexts } from '../components/audit.js';
import { button, radios } from '../components/fields.js';
import { styles as plotStyles, type NamedBand } from '../components/tradeoff-plot.js';
import { dataRow, dataTable } from '../components/table.js';
import { LiveAsking } from '../live/asking.js';
import type { Trouble } from '../live/trouble.js';
import { inFormWords, outOfDomain } from '../state/question.js';
import { rowsOf, unasked, type Row } from '../state/rows.js';
import { rowNames, type RowName } from '../state/scenario.js';
import { typedValue } from '../state/typed.js';
import { attackWords, attacks, errorWords, type Attack } from '../words/attack.js';
import { auditFields } from '../../../wasm/words/audit.js';
import { fieldInfo } from '../../../wasm/words/fields.js';
import { otherNeighbours } from '../../../wasm/words/neighbours.js';
import { markNote, markOf, restsOnOwnProofs } from '../../../wasm/words/claims.js';
import { formatInterval } from '../../../wasm/words/numbers.js';
import { asksOfClients } from '../../../wasm/words/record.js';
import { rowLabel, setting } from '../words/sentence.js';
import { Panel } from './panel.js';
import own from './tradeoff.css?inline';

export const styles = `${plotStyles}\n${own}`;

/** The lists that the reader may change, by the question's own field. */
const lists = { falsePositiveRates: 'rates', priors: 'priors' } as const;
type List = keyof typeof lists;
const listNames = Object.keys(lists) as List[];
type ListProblems = ReadonlyMap<List, string>;

/** One row's trade-off function, and the question that it answers. */
interface TradeOff {
  name: RowName;
  query: Query;
  answer: TradeOffAnswer;
}

/** How well an attacker tells one record: the run's trade-off function, with readings. */
export default class TradeOffPanel extends Panel {
  override readonly defaults = {
    samplers: '',
    direction: 'symmetric',
    axis: 'linear',
    rates: usualRates.join(', '),
    priors: '0.5',
    ...auditDefaults,
  };
  override readonly choices = { direction: attacks, axis: ['linear', 'log'] };

  private readonly asking = new Map(
    rowNames.map((name) => [
      name,
      new LiveAsking<Query, TradeOff>(this, async (engine, query, options) => ({
        ...{ name, query },
        answer: await engine.tradeoff(query, options),
      })),
    ]),
  );
  /** The rows that are shown or asked, the form's own first. */
  private names: readonly RowName[] = [];
  /** Whether they belong to what the form says. */
  private current = false;

  override get unread(): string[] {
    const unknown = this.added.filter(
      (name) => name !== '' && !rowNames.some((row) => row === name),
    );
    const notes = unknown.map((name) => `“samplers=${name}”: no sampler has this name.`);
    return [...super.unread, ...notes];
  }

  protected override willUpdate(): void {
    if (this.active) this.follow();
  }

  /** The answer above comes first. */
  private follow(): void {
    const { query } = this;
    const reading = this.read();
    const waits = this.answers.working;
    const rows =
      query && !waits && 'lists' in reading ? this.rows(query, reading.lists) : undefined;
    this.current = rows !== undefined;
    if (rows) this.names = rows.map(({ name }) => name);
    for (const [name, asking] of this.asking) {
      const row = rows?.find((one) => one.name === name);
      if (row) asking.ask(row.query);
      else if (rows || !(query || waits)) asking.clear();
      else asking.outdate();
    }
  }

  private again(): void {
    for (const asking of this.asking.values()) asking.end();
    this.requestUpdate();
  }

  /** The lists as they were typed; one that is empty is left to the engine. */
  private read(): { lists: Partial<Query> } | { problems: ListProblems } {
    const problems = new Map<List, string>();
    const read: Partial<Record<List, number[]>> = {};
    for (const name of listNames) {
      const info = fieldInfo(name);
      const typed = typedValue(info, this.text(lists[name]));
      const values = 'value' in typed ? ((typed.value ?? []) as readonly number[]) : [];
      const problem =
        'problem' in typed
          ? typed.problem
          : values.map((one) => outOfDomain(info, one)).find(Boolean);
      if (problem !== undefined) problems.set(name, problem);
      else if (values.length > 0) read[name] = [...values];
    }
    return problems.size > 0 ? { problems } : { lists: read };
  }

  /** The form's own run, then what the reader has added, in the answer's order. */
  private rows(query: Query, asked: Partial<Query>): Row[] {
    const added = this.added;
    return rowsOf(query)
      .filter(({ name }, index) => index === 0 || added.includes(name))
      .map(({ name, query: { phases, proofs } }) => ({
        name,
        query: { phases, ...(proofs ? { proofs } : {}), ...asked },
      }));
  }

  private get added(): readonly string[] {
    return this.text('samplers').split('+');
  }

  private get attack(): Attack {
    return attacks.find((name) => name === this.text('direction')) ?? 'symmetric';
  }

  private get audit(): AuditTexts {
    return Object.fromEntries(auditFields.map((name) => [name, this.text(name)])) as AuditTexts;
  }

  private get states() {
    return this.names.flatMap((name) => {
      const asking = this.asking.get(name);
      return asking ? [{ name, ...asking.state }] : [];
    });
  }

  private get curves(): TradeOff[] {
    return this.states.flatMap(({ answer }) => answer ?? []);
  }

  private get working(): boolean {
    return this.states.some(({ working }) => working);
  }

  /** Problems with the lists, found by the panel or the engine. */
  private get listProblems(): ListProblems {
    const reading = this.read();
    if ('problems' in reading) return reading.problems;
    return new Map(
      this.states.flatMap(({ refusal }) => {
        const name = listOf(refusal);
        return refusal && name ? [[name, inFormWords(name, refusal.text)] as const] : [];
      }),
    );
  }

  protected override render() {
    const { query } = this;
    const undrawn = this.undrawn('Trade-offs', 'trade-off');
    if (undrawn) return undrawn;
    const curves = this.curves;
    const shown = this.states.filter(({ answer }) => answer !== undefined);
    const stale = shown.length > 0 && (!this.current || shown.every(({ working }) => working));
    return html`<div class="attack">
      <div class="row attack-tools screen">
        ${this.directions()} ${query ? this.samplers(query) : nothing}
      </div>
      ${this.status()}
      ${query?.tuning === undefined ? nothing : html`<p class="panel-note">These are the attacks on one of the runs, not on the whole search.</p>`}
      <div class=${stale ? 'stale' : ''} aria-busy=${stale ? 'true' : 'false'}>
        ${this.plot(curves)}
      </div>
      <section class="attack-readings" aria-labelledby="tradeoff-readings">
        <h2 id="tradeoff-readings">What the best attack achieves</h2>
        <div class="fields">${this.field('falsePositiveRates')} ${this.field('priors')}</div>
        <div class=${stale ? 'stale' : ''}>${this.table(curves)}</div>
      </section>
      <he-audit
        .engine=${this.engine}
        .query=${query}
        .texts=${this.audit}
        ?idle=${query !== undefined && !this.answers.working && !this.working}
        @audit=${({ detail }: CustomEvent<Partial<AuditTexts>>) => this.put(detail)}
      ></he-audit>
    </div>`;
  }

  private plot(curves: readonly TradeOff[]) {
    const { attack } = this;
    const [first] = curves;
    const bands = curves.map(({ name, answer }): NamedBand => ({
      name,
      label: [rowLabel(name), markOf(answer), otherNeighbours(answer)].filter(Boolean).join(' '),
      colour: `s-${name}`,
      ...answer[attack],
    }));
    const runs = Object.fromEntries(curves.map(({ name, query }) => [name, query]));
    const run = first
      ? [rowLabel(first.name), setting(first.query, first.answer.derived), attackWords[attack]]
      : [];
    return html`<he-tradeoff-plot
      .bands=${bands}
      heading=${run.filter(Boolean).join(', ')}
      name="tradeoff"
      finding=${[...curves.map((curve) => foundIn(curve, attack)), ...markNotes(curves)].join(' ')}
      .link=${this.link}
      .log=${this.text('axis') === 'log'}
      .about=${{ direction: attack, ...runs }}
      .errors=${errorWords(first?.query ?? { phases: [] }, attack)}
      @scale=${({ detail }: CustomEvent<boolean>) => this.put({ axis: detail ? 'log' : 'linear' })}
    ></he-tradeoff-plot>`;
  }

  private directions() {
    return radios({
      ...{ legend: 'The attack', classes: 'small', name: 'tradeoff-direction' },
      ...{ values: attacks, chosen: this.attack },
      label: (name) => attackWords[name],
      pick: (direction) => this.put({ direction }),
    });
  }

  /** The run's own batches are always drawn; others may be added. */
  private samplers(query: Query) {
    const why = unasked(query);
    const rows = rowsOf(query).map(({ name }) => name);
    return html`<fieldset class="row choices small attack-samplers">
      <legend class="sr">Samplers</legend>
      ${[...rows, ...why.keys()].map((name, index) => this.sampler(name, index === 0, why.get(name)))}
    </fieldset>`;
  }

  private sampler(name: RowName, isOwn: boolean, why: string | undefined) {
    const asked = isOwn || this.added.includes(name);
    return html`<label class=${`s-${name}`} title=${why ?? nothing}>
      <input
        type="checkbox"
        value=${name}
        .checked=${asked && why === undefined}
        ?disabled=${isOwn || why !== undefined}
        @change=${({ target }: Event) => {
          const on = (target as HTMLInputElement).checked;
          const others = this.added.filter((other) => other !== name && other !== '');
          this.put({ samplers: [...others, ...(on ? [name] : [])].join('+') });
        }}
      />
      <svg width="14" height="14" aria-hidden="true">${mark(name, 7, 7, 5)}</svg>
      <span>${rowLabel(name)}</span>
    </label>`;
  }

  /** That something is computed, or what went wrong beside the lists. */
  private status() {
    const other = this.states.find(({ refusal }) => refusal && listOf(refusal) === undefined);
    const waits = this.working || this.answers.working || !this.engine;
    if (!other?.refusal)
      return html`<p class="refining" role="status">${waits ? 'computing' : ''}</p>`;
    const { field, text, entry } = other.refusal;
    const words = field === undefined ? text : inFormWords(field, text);
    const where = entry === undefined ? '' : `entry ${entry + 1} of the run: `;
    return html`<p class="panel-note" role="alert">
      ${rowLabel(other.name)}: ${where}${words} ${button('Try again', () => this.again())}
    </p>`;
  }

  private field(name: List) {
    return this.ownField(lists[name], fieldInfo(name), { problem: this.listProblems.get(name) });
  }

  /** The readings that the command lists, a column for each curve. */
  private table(curves: readonly TradeOff[]) {
    const { attack } = this;
    const bands = curves.map(({ answer }) => answer[attack]);
    const [first] = bands;
    if (!first) return nothing;
    return html`${dataTable({
      label: 'Readings of each curve',
      classes: 'readings',
      head: [
        html`<span class="sr">Reading</span>`,
        ...curves.map(({ name, answer }) =>
          columnHead(name, [markOf(answer), otherNeighbours(answer)].filter(Boolean).join(' ')),
        ),
      ],
      body: readingRows(bands).map(([name = '', ...cells]) => dataRow(name, cells)),
    })}
    ${markNotes(curves).map((note) => html`<p class="panel-note">${note}</p>`)}
    ${this.remarks(first)}`;
  }

  private remarks({ gaussian }: Band) {
    const unit = this.query && asksOfClients(this.query) ? 'client' : 'record';
    return html`<p class="panel-note">
      The attacker knows every ${unit} except one, and sees every step. Advantage: largest
      difference between true- and false-positive rate. Accuracy: of the best guess, given the prior
      probability that the ${unit} was used. ${gaussianWords(gaussian)}
    </p>`;
  }
}

/** The list that a refusal blames. */
const listOf = (refusal: Trouble | undefined): List | undefined =>
  listNames.find((list) => list === refusal?.field);

/** A curve's finding in one number. */
const foundIn = ({ name, answer }: TradeOff, attack: Attack): string => {
  const { advantage } = answer[attack];
  return `${rowLabel(name)}: advantage of the best attack ${formatInterval(advantage)}${markOf(answer)}.`;
};

/** What the mark means, where some curve has it. */
const markNotes = (curves: readonly TradeOff[]): string[] => {
  const own = curves.find(({ answer }) => restsOnOwnProofs(answer));
  return own ? [markNote(own.answer)] : [];
};

const columnHead = (name: RowName, other: string) =>
  html`<span class=${`s-${name}`}
    ><svg width="12" height="12" aria-hidden="true">${mark(name, 6, 6, 4.5)}</svg> ${rowLabel(name)}
    ${other === '' ? nothing : html`<small>${other}</small>`}</span
  >`;

customElements.define('he-tradeoff', TradeOffPanel);
