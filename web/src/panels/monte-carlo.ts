import { html, nothing, type PropertyValues } from 'lit';
import { monteCarloQueryFields, samplers } from '../../../wasm/generated/schema.js';
import type { InputField, MonteCarloQuery, Phase } from '../../../wasm/generated/schema.js';
import { button } from '../components/fields.js';
import { dataRow, dataTable } from '../components/table.js';
import '../components/sampled-plot.js';
import { LiveSampling, nothingSampled, resumes } from '../live/sampling.js';
import type { ProvedDelta, Sampled } from '../live/sampling.js';
import type { RowName } from '../state/scenario.js';
import { format, formatInterval } from '../../../wasm/words/numbers.js';
import { averageOf, meets } from '../words/sampled.js';
import { batchWords, markNote, markOf, restsOnOwnProofs } from '../../../wasm/words/claims.js';
import { meanHeading } from '../../../wasm/words/readings.js';
import { disjunction } from '../state/disjunction.js';
import { inFormWords } from '../state/question.js';
import { typedValue } from '../state/typed.js';
import layout from './explorable.css?inline';
import own from './monte-carlo.css?inline';
import { Panel } from './panel.js';
import { isPhase, isSo, samplerOf } from '../../../wasm/words/samplers.js';
import { timeLeft } from '../../../wasm/words/time-left.js';

export const styles = `${layout}\n${own}`;

/** Why the form asks nothing, and the field to correct; '' where it is the run. */
interface Problem {
  problem: string;
  field: string;
}

const problem = (field: string, text: string): Problem => ({ field, problem: text });

/** The own keys that make the question, and what the engine calls them. */
const asked = {
  ...{ samples: 'samples', seed: 'seed', direction: 'direction', method: 'method' },
  ...{ orders: 'orderStatistics', epsilons: 'epsilons', confidence: 'confidence' },
} as const;
type Key = keyof typeof asked;
const keys = Object.keys(asked) as Key[];

const labels: Partial<Record<Key, string>> = {
  method: 'Estimator',
  orders: 'Order statistics',
  epsilons: 'At ε',
};

function infoOf(key: Key): InputField {
  const info = monteCarloQueryFields.find(({ name }) => name === asked[key]);
  if (!info) throw new Error(`no field ${asked[key]}`);
  return { ...info, label: labels[key] ?? info.label };
}

/** Delta by sampling over the proved intervals: an independent check. */
export default class MonteCarlo extends Panel {
  override readonly defaults = {
    samples: '100000',
    seed: '1',
    direction: 'remove',
    method: '',
    orders: '',
    epsilons: '',
    confidence: '0.999',
  };
  protected override readonly asksItself = true;
  override readonly choices = {
    direction: infoOf('direction').choices,
    method: infoOf('method').choices,
  };

  private sampling: LiveSampling | undefined;
  private drawn: Sampled | undefined;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.sampling?.clear();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('engine') && this.engine) {
      this.sampling = new LiveSampling(this.engine, () => this.requestUpdate());
    }
    const { phase, tally } = this.sampling?.state ?? nothingSampled;
    // What was refused has no samples to keep.
    if (phase === 'failed' && !tally && this.isOther(this.read())) this.discard();
  }

  /** Whether what was drawn is of another run, or drawn in another way, than the form asks now. */
  private isOther(reading: ReturnType<MonteCarlo['read']>): boolean {
    const { drawn } = this;
    return drawn !== undefined && 'sampled' in reading && keyOf(reading.sampled) !== keyOf(drawn);
  }

  private discard(): void {
    this.drawn = undefined;
    this.sampling?.clear();
  }

  private phase(): Phase | Problem {
    const [phase, ...others] = this.query?.phases ?? [];
    if (!phase) return problem('', 'Nothing to sample until the run above has an answer.');
    if (others.length > 0 || !isPhase(phase)) {
      return problem('', 'Sampling works for runs of one phase; this one has several parts.');
    }
    const sampler = samplerOf(phase);
    if (isSo(sampler, 'canSample')) return phase;
    const drawn = samplers.filter(({ canSample }) => canSample).map(({ name }) => batchWords[name]);
    return problem(
      '',
      `Nothing to sample: ${batchWords[sampler]} have an exact formula. Sampling works for ${disjunction(drawn)}.`,
    );
  }

  private read(): { sampled: Sampled } | Problem {
    const phase = this.phase();
    if ('problem' in phase) return phase;
    const query: Record<string, unknown> = { ...phase };
    for (const key of keys) {
      const [text, info] = [this.text(key), infoOf(key)];
      if (key === 'orders' && text === 'all') continue;
      const read = text === 'auto' ? { value: text } : typedValue(info, text);
      if ('problem' in read) return problem(key, read.problem.replace(/\.$/, ''));
      if (read.value !== undefined) query[asked[key]] = read.value;
      else if (this.defaults[key] !== '')
        return problem(key, `${info.label} is missing; give a number`);
    }
    const { delta = 1e-6 } = this.query ?? {};
    // The core's reader checks names and domains again.
    const sampled = { query: query as unknown as MonteCarloQuery, run: { phases: [phase] }, delta };
    return { sampled };
  }

  protected override render() {
    const reading = this.read();
    if ('problem' in reading && reading.field === '') {
      return html`<p class="panel-note">${reading.problem}</p>`;
    }
    const state = this.sampling?.state ?? nothingSampled;
    return html`<div class="explorable sides mc">
      <section aria-label="What is sampled">
        <p class="panel-note">
          An independent check by simulation: δ with a confidence interval at the level you choose.
          Report the proved interval; sampling only checks it.
        </p>
        ${this.form('problem' in reading ? reading : undefined)} ${this.controls(reading)}
      </section>
      <section class="explorable-result mc-result" aria-label="Result of sampling">
        ${this.otherNote(reading)} ${this.progress()}
        <p class="mc-sentence" aria-live="polite">${this.sentence()}</p>
        <he-sampled-plot
          .proved=${state.proved}
          .estimates=${state.estimates}
          colour=${`s-${this.sampler}`}
        ></he-sampled-plot>
        ${state.estimates.length > 0 ? this.table() : nothing}
      </section>
    </div>`;
  }

  /** Asks before samples that took long are lost. */
  private otherNote(reading: ReturnType<MonteCarlo['read']>) {
    if (!this.isOther(reading)) return nothing;
    return html`<p class="mc-other" role="alert">
      <strong>These samples belong to the previous settings.</strong> Undo the change to keep them.
      ${button('Discard them', () => {
        this.discard();
        this.requestUpdate();
      })}
    </p>`;
  }

  private get sampler(): RowName {
    const [phase] = (this.drawn?.run ?? this.query)?.phases ?? [];
    return (phase && isPhase(phase) ? phase.sampler : undefined) ?? 'composition';
  }

  private form(wrong: Problem | undefined) {
    return html`<div class="fields">${keys.map((key) => this.field(key, wrong))}</div>`;
  }

  private field(key: Key, wrong: Problem | undefined) {
    const { choices, ...info } = infoOf(key);
    const hints: Partial<Record<Key, string>> = {
      orders: 'all; or auto; or 1, 2, 4',
      epsilons: '12, automatic',
    };
    return this.ownField(
      key,
      { ...info, symbol: '', choices: key === 'method' ? ['', ...choices] : choices },
      {
        hint: hints[key] ?? '',
        choiceName: (choice) => choice || 'the best known',
        problem: wrong?.field === key ? wrong.problem : undefined,
      },
    );
  }

  private controls(reading: ReturnType<MonteCarlo['read']>) {
    const { sampling } = this;
    const state = sampling?.state ?? nothingSampled;
    const { phase } = state;
    const busy = phase === 'running' || phase === 'starting';
    const held = resumes(state);
    const idle = !busy && !held;
    const ready = 'sampled' in reading && !this.isOther(reading) ? reading.sampled : undefined;
    const run = () => {
      if (!ready) return;
      this.drawn = ready;
      void sampling?.start(ready);
    };
    const [name, does] = held
      ? ['Resume', () => void sampling?.resume()]
      : busy
        ? ['Pause', () => sampling?.pause()]
        : [phase === 'done' ? 'Run again' : 'Run', run];
    const disabled = phase === 'starting' || (idle && (!sampling || !ready));
    return html`<p class="row middle mc-controls screen">
      ${button(name, does, { classes: 'action mc-go', disabled })}
      ${idle ? nothing : button('Cancel', () => this.discard())}
    </p>`;
  }

  private progress() {
    const { phase, samples, of, samplesPerSecond, secondsLeft } =
      this.sampling?.state ?? nothingSampled;
    if (phase === 'idle' || phase === 'failed') return nothing;
    const pace =
      phase === 'running' && samplesPerSecond > 0
        ? `, ${format(samplesPerSecond, { side: 'nearest' })} a second, ${timeLeft(secondsLeft)}`
        : phase === 'paused'
          ? ', paused'
          : '';
    return html`<div class="row middle soft small mc-progress screen">
      <progress
        aria-label="Samples so far"
        max="1"
        .value=${of > 0 ? Math.min(1, samples / of) : 0}
      ></progress>
      <span
        >${format(samples, { side: 'given' })} of ${of > 0 ? format(of, { side: 'given' }) : '…'}
        samples${pace}</span
      >
    </div>`;
  }

  private sentence() {
    const { phase, estimates, proved, otherNeighbours, samples, trouble } =
      this.sampling?.state ?? nothingSampled;
    if (phase === 'failed')
      return inFormWords(
        '',
        trouble.replace(
          /^\w+/,
          (name) => keys.map(infoOf).find((one) => one.name === name)?.label ?? name,
        ),
      );
    if (estimates.length === 0) {
      return phase === 'idle' ? 'No samples yet.' : 'Drawing the first samples …';
    }
    const both = estimates.flatMap((one) => {
      const certain = proved.get(one.epsilon);
      return certain ? [meets(one.delta, certain)] : [];
    });
    const agree = both.filter(Boolean).length;
    const verdict =
      both.length === 0
        ? 'the proved intervals are still being computed'
        : agree === both.length
          ? `${both.length === 1 ? 'its interval overlaps the proved one' : `all ${String(both.length)} intervals overlap the proved ones`}: no contradiction`
          : `${String(both.length - agree)} of ${String(both.length)} intervals do not overlap the proved ones: one of the two is wrong`;
    const whom = otherNeighbours === undefined ? '' : ` (${otherNeighbours})`;
    return `After ${format(samples, { side: 'given' })} samples, ${verdict}${whom}.`;
  }

  private table() {
    const { estimates, proved, otherNeighbours } = this.sampling?.state ?? nothingSampled;
    // Of what was drawn, whatever the form says by now.
    const confidence = this.drawn?.query.confidence;
    const small =
      otherNeighbours === undefined ? nothing : html`<small> ${otherNeighbours}</small>`;
    return html`${dataTable({
      label: 'δ at each ε, sampled and proved',
      figures: false,
      head: [
        'ε',
        html`sampled δ, confidence ${confidence}${small}`,
        meanHeading(estimates),
        html`proved δ${small}`,
      ],
      body: estimates.map((one) =>
        dataRow(
          format(one.epsilon, { side: 'given' }),
          [formatInterval(one.delta), averageOf(one), shown(proved.get(one.epsilon))],
          { figures: false },
        ),
      ),
    })}
    ${[...proved.values()].some(restsOnOwnProofs) ? html`<p class="panel-note">${markNote({ ownProofs: true })}</p>` : nothing}`;
  }
}

/** Everything that samples depend on: all but the delta that chooses epsilons. */
const keyOf = ({ query, run }: Sampled) => JSON.stringify({ query, run });

const shown = (proved: ProvedDelta | undefined) =>
  proved ? `${formatInterval(proved)}${markOf(proved)}` : '…';

customElements.define('he-monte-carlo', MonteCarlo);
