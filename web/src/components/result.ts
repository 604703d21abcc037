import { html, nothing } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { Answer, Query } from '../../../wasm/generated/schema.js';
import { reportedVerdict } from '../../../wasm/words/claims.js';
import { commandNeeds, commandPath } from '../../../wasm/words/command-name.js';
import { choiceLabel, fieldInfo } from '../../../wasm/words/fields.js';
import { drawnSampler, isPhase, reportedSampler } from '../../../wasm/words/samplers.js';
import { Copying } from '../export/clipboard.js';
import { freshAnswer } from '../live/answers.js';
import type { LiveRun } from '../live/run.js';
import { inFormWords } from '../state/question.js';
import { withAsked, withText } from '../state/scenario.js';
import type { PhaseField, RowName, State } from '../state/scenario.js';
import { linkWords } from '../words/link.js';
import { toCorrect } from '../words/to-correct.js';
import {
  briefly,
  doingOf,
  foundSentence,
  foundText,
  headline,
  thereSentence,
  unmetReason,
  unmetSentence,
} from '../words/sentence.js';
import type { Piece } from '../words/sentence.js';
import { edit } from './edit.js';
import { button, radios } from './fields.js';
import { Plain } from './plain.js';
import { spell } from './spell.js';

/** What the result is about: made afresh whenever something has changed. */
export interface Shown {
  state: State;
  name: RowName;
  own: Answer | undefined;
  query: Query | undefined;
  reported: number | undefined;
  /** Whether others can open the page's links. */
  isPublic: boolean;
}

interface Saying {
  sentence: unknown;
  tone: string;
  aside?: unknown;
  alert?: boolean;
}

/** The result: its sentence, what it rests on, and how to take it along. It stays while the page scrolls. */
export class Result extends Plain {
  @property({ attribute: false }) run!: LiveRun;
  @property({ attribute: false }) shown!: Shown;
  @property({ attribute: false }) link!: () => string;
  /** Whether its place has been scrolled out of sight. */
  @state() away = false;

  private readonly copying = new Copying(this);
  /** The last headline, shown while the next one is computed. */
  private said: readonly Piece[] = [];
  private readonly sight = new IntersectionObserver(([entry]) => {
    if (entry) this.away = !entry.isIntersecting && entry.boundingClientRect.bottom <= 0;
  });
  private tallest = { width: 0, height: 0 };
  /** Its place keeps the greatest height that it had at its width: nothing below moves back and forth. */
  private readonly growth = new ResizeObserver(([entry]) => {
    const { width = 0, height = 0 } = entry?.target.getBoundingClientRect() ?? {};
    if (this.away || (width === this.tallest.width && height <= this.tallest.height)) return;
    this.tallest = { width, height };
    this.style.setProperty('min-height', `${height}px`);
  });

  override connectedCallback(): void {
    super.connectedCallback();
    this.sight.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.sight.disconnect();
    this.growth.disconnect();
  }

  protected override firstUpdated(): void {
    if (this.firstElementChild) this.growth.observe(this.firstElementChild);
  }

  get begun(): boolean {
    return this.said.length > 0;
  }

  protected override render() {
    const { run } = this;
    const { sentence, tone, aside = nothing, alert } = this.saying();
    const claim = run.problems.size > 0 ? toCorrect(run.problems.keys()) : briefly(this.said);
    return html`<div class=${this.away ? 'result away' : 'result'}>
      <p class=${`in-sight screen ${tone}`} aria-hidden="true">${claim}</p>
      <div class="say">
        <p class=${`sentence ${tone}`} aria-live="polite">${sentence}</p>
        <p class="aside" role=${alert ? 'alert' : nothing}>${aside}</p>
      </div>
      ${run.broken === undefined ? this.foot() : nothing}
    </div>`;
  }

  private foot() {
    const { state, isPublic, query, own } = this.shown;
    const { scenario } = state;
    const { label, choices } = fieldInfo('proofs');
    return html`<div class="row middle small result-foot screen">
      ${radios({
        ...{ classes: 'basis', legend: label, name: 'proofs' },
        values: choices,
        chosen: scenario.texts.proofs,
        label: (choice) => choiceLabel('proofs', choice),
        pick: (proofs) => edit(this, withAsked(scenario, 'proofs', proofs), 'proofs'),
      })}
      ${button(
        this.copying.words('citation', 'Copy citation', 'Citation copied'),
        () => void this.copyCitation(),
        { disabled: !query || !own || this.run.behind },
      )}
      ${button(
        this.copying.words(
          'link',
          'Copy link',
          isPublic ? linkWords.copied : linkWords.copiedLocal,
        ),
        () => void this.copying.copy('link', this.link()),
        { title: isPublic ? undefined : linkWords.local },
      )}
    </div>`;
  }

  private async copyCitation(): Promise<void> {
    const { state, query } = this.shown;
    const { citationOf } = await import('./citation.js');
    const text = query && citationOf(state, query, this.run.state);
    if (text !== undefined) await this.copying.copy('citation', text);
  }

  /** The headline, or the reason why there is none; then a line about it. */
  private saying(): Saying {
    const { run } = this;
    if (run.broken !== undefined) return this.sayBroken(run.broken);
    return run.behind ? this.sayBefore() : this.say();
  }

  private say(): Saying {
    const { own, name, reported } = this.shown;
    const { problems, state } = this.run;
    if (problems.size > 0) {
      const whole = problems.get('run');
      return {
        ...{ sentence: 'No answer yet.', tone: 'muted' },
        ...{ aside: whole ?? toCorrect(problems.keys()), alert: whole !== undefined },
      };
    }
    if (state.found) return this.sayFound(state.found, name);
    if (state.trouble?.nearest !== undefined && state.asked) {
      const sentence = this.spell(unmetSentence(state.asked, name));
      return {
        sentence,
        tone: '',
        aside: inFormWords('solveFor', unmetReason(state.trouble.text)),
      };
    }
    const { query, working } = state;
    const poisson = freshAnswer(state, reportedSampler);
    // Waits for its figure only where the sentence has an earlier one.
    const waits = working && state.answers.has(reportedSampler) && !poisson;
    if (!own || query?.delta === undefined || waits) return this.sayBefore();
    const doing = doingOf(query, name, own);
    const pieces = headline(doing, own, poisson, freshAnswer(state, drawnSampler), query.delta);
    const verdict =
      reported === undefined
        ? working && 'refining'
        : reportedVerdict({
            ...{ reported, answer: own },
            poisson: name === reportedSampler ? undefined : poisson,
            releases: query.phases.filter((entry) => !isPhase(entry)).length,
          });
    return { sentence: this.spell(pieces), tone: '', aside: verdict || nothing };
  }

  private sayBefore(): Saying {
    if (this.begun) return { sentence: spell(this.said, true), tone: 'stale', aside: 'refining' };
    const sentence = this.run.engine ? 'Computing …' : 'Loading the calculator (0.4 MB) …';
    return { sentence, tone: 'muted' };
  }

  /** The value found, large, with its epsilon and a button that puts it into the run. */
  private sayFound(found: Answer, name: RowName): Saying {
    const { scenario } = this.shown.state;
    const { asked } = this.run.state;
    const { solution } = found;
    if (!solution || !asked) return this.sayBefore();
    const phase = scenario.entries.length > 1 ? scenario.open + 1 : undefined;
    const limits = found.warnings.filter(({ code }) => code === 'any-value-meets');
    return {
      sentence: this.spell(foundSentence(solution, asked, name, phase, found)),
      tone: '',
      aside: html`${thereSentence(found, solution)}
      ${limits.map(({ text }) => inFormWords(solution.field, text))}
      ${button('Use this value', () => this.take(solution))}`,
    };
  }

  private spell(pieces: readonly Piece[]) {
    this.said = pieces;
    return spell(pieces);
  }

  /** Puts the value found into the run, and asks for epsilon again. */
  private take(solution: NonNullable<Answer['solution']>): void {
    const { scenario } = this.shown.state;
    const text = foundText(solution);
    const taken =
      solution.field === 'delta'
        ? withAsked(scenario, 'delta', text)
        : withText(scenario, solution.field as PhaseField, text);
    edit(this, { ...taken, find: 'epsilon' }, 'use');
  }

  private sayBroken(reason: string): Saying {
    const why = runsWebAssembly()
      ? reason
      : 'The accountant is a WebAssembly program, and this browser did not run it. Hardened modes, some extensions and site policies block WebAssembly; allowing it for this site is enough.';
    return {
      ...{ sentence: 'This page cannot compute here.', tone: 'muted', alert: true },
      aside: html`${why} The same numbers come from the command <code>${commandPath}</code>, where
        ${commandNeeds}`,
    };
  }
}

/** Whether the browser takes the smallest possible module: if so, the trouble is with ours. */
function runsWebAssembly(): boolean {
  try {
    return new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0)) instanceof Object;
  } catch {
    return false;
  }
}

customElements.define('he-result', Result);
