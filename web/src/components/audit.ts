import { html, nothing } from 'lit';
import { property } from 'lit/decorators.js';
import {
  auditFields,
  auditLowerWords,
  auditVerdict,
  countFields,
  guessFields,
} from '../../../wasm/words/audit.js';
import type { AuditAnswer, Query } from '../../../wasm/generated/schema.js';
import { markNote, restsOnOwnProofs } from '../../../wasm/words/claims.js';
import { LiveAsking } from '../live/asking.js';
import type { Engine } from '../../../wasm/client.js';
import { numberKind, typedNumber } from '../state/typed.js';
import { inFormWords } from '../state/question.js';
import { formField } from './fields.js';
import { Plain } from './plain.js';
import { fieldInfo } from '../../../wasm/words/fields.js';

type AuditField = (typeof auditFields)[number];

export const auditDefaults: Readonly<Record<AuditField, string>> = {
  canaries: '',
  guesses: '',
  correct: '',
  ...{ members: '', truePositives: '', nonMembers: '', falsePositives: '' },
  confidence: '0.95',
};

export type AuditTexts = Readonly<Record<AuditField, string>>;

/** "I ran m canaries, guessed r of them, got v right": what that proves, and of which run. */
class AuditForm extends Plain {
  @property({ attribute: false }) engine: Engine | undefined;
  /** The run: its phases and its delta. */
  @property({ attribute: false }) query: Query | undefined;
  @property({ attribute: false }) texts!: AuditTexts;
  /** Whether the answer above has come: this question must not delay it. */
  @property({ type: Boolean }) idle = false;

  private readonly asking = new LiveAsking<Query, AuditAnswer>(this, (engine, query, options) =>
    engine.audit(query, options),
  );

  private get countsRuns(): boolean {
    return countFields.some((name) => this.texts[name].trim() !== '');
  }

  /** The question once every field of its kind has a number, or the field that has none. */
  private read(): Query | { field: AuditField; text: string } | undefined {
    const { query, texts } = this;
    const fields = [...(this.countsRuns ? countFields : guessFields), 'confidence'] as const;
    if (!query || fields.some((name) => texts[name].trim() === '')) return undefined;
    const delta = query.delta ?? 1e-5;
    const { phases, proofs } = query;
    const asked: Query = { question: 'audit', phases, delta, ...(proofs ? { proofs } : {}) };
    for (const name of fields) {
      const field = fieldInfo(name);
      const kind = field.type === 'numbers' ? 'count' : numberKind(field);
      const value = typedNumber(texts[name], field.label, kind);
      if (typeof value === 'string') return { field: name, text: value };
      asked[name] = value;
    }
    return asked;
  }

  protected override willUpdate(): void {
    const read = this.read();
    if (!read || 'field' in read) this.asking.clear();
    else if (this.idle) this.asking.ask(read);
  }

  protected override render() {
    const read = this.read();
    const asked = read !== undefined && !('field' in read);
    const { answer, working, refusal } = this.asking.state;
    const waits = asked && (working || (!answer && !refusal));
    const said = refusal && { ...refusal, text: inFormWords(refusal.field, refusal.text) };
    const trouble = asked ? said : read;
    return html`<section class="attack-readings audit" aria-labelledby="tradeoff-audit">
      <h2 id="tradeoff-audit">An audit of this run</h2>
      <p class="panel-note">
        Each canary was included with probability 1/2. After training you guessed, for some, whether
        it was.
      </p>
      <div class="fields">
        ${[...guessFields, 'confidence' as const].map((name) => this.field(name, trouble))}
      </div>
      <details ?open=${this.countsRuns}>
        <summary>True and false positives over many runs instead</summary>
        <p class="panel-note">
          Each run was trained with your record or without it, and an attack with a fixed threshold
          said which.
        </p>
        <div class="fields">${countFields.map((name) => this.field(name, trouble))}</div>
      </details>
      <div aria-live="polite" aria-busy=${waits ? 'true' : 'false'}>
        ${waits ? html`<p class="refining">computing</p>` : nothing}
        ${trouble && !auditFields.some((name) => name === trouble.field) ? html`<p class="problem">${trouble.text}</p>` : nothing}
        ${answer && !waits ? this.outcome(answer) : nothing}
      </div>
    </section>`;
  }

  private field(
    name: AuditField,
    trouble: { field: string | undefined; text: string } | undefined,
  ) {
    return formField({
      ...{ key: name, id: `tradeoff-${name}`, info: fieldInfo(name), value: this.texts[name] },
      problem: trouble?.field === name ? trouble.text : undefined,
      set: (text) => this.tell('audit', { [name]: text }),
    });
  }

  private outcome(answer: AuditAnswer) {
    const note = restsOnOwnProofs(answer) ? html`<p>${markNote(answer)}</p>` : nothing;
    return html`<p class="audit-claim"><b>By the audit, ${auditLowerWords(answer)}.</b></p>
      <p>${auditVerdict(answer)}</p>
      ${note}`;
  }
}

customElements.define('he-audit', AuditForm);
