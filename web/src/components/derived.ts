import { html, nothing } from 'lit';
import type { Answer } from '../../../wasm/generated/schema.js';
import { fieldInfo } from '../../../wasm/words/fields.js';
import { format, givenAs } from '../../../wasm/words/numbers.js';
import type { Entry } from '../state/scenario.js';
import { numberIn } from '../state/typed.js';
import { sizesSentence } from '../words/sentence.js';

/** What follows from what was typed: the reader sees at once when q is off by a factor. */
export function derivedLine(answer: Answer | undefined, entry: Entry, byPart: boolean) {
  if (!answer) return html`<p class="soft small derived">&nbsp;</p>`;
  const { steps, samplingProbability, stepsPerEpoch, batchSize, noiseMultiplier } = answer.derived;
  const counted = answer.privacyUnit === 'client' ? 'round' : 'step';
  const several =
    entry.kind === 'phase' &&
    (['accumulationSteps', 'devices'] as const).some(
      (name) => numberIn(fieldInfo(name), entry.texts[name]) !== 1,
    );
  const item = (symbol: string, value: number, title: string) =>
    html`<span title=${title}><i>${symbol}</i>${givenAs('', value)}</span>`;
  const number = html`${format(steps, { side: 'given' })} ${counted}${steps === 1 ? '' : 's'}`;
  const total = byPart
    ? html`At most ${number} on one part of the data.`
    : html`${number} in total.`;
  if (samplingProbability === undefined || stepsPerEpoch === undefined)
    return html`<p class="soft small derived">${total}</p>`;
  return html`<p class="soft small derived">
    ${noiseMultiplier === undefined ? nothing : html`${item('σ', noiseMultiplier, 'Noise multiplier')}, `}${several && batchSize !== undefined ? html`${item('b', batchSize, 'Batch size of a step')}, ` : nothing}${item('q', samplingProbability, 'Sampling probability')},
    ${format(stepsPerEpoch, { side: 'given' })} ${counted}s per epoch, ${total}
    ${answer.batchSizes ? sizesSentence(answer.batchSizes, answer.privacyUnit) : nothing}
  </p>`;
}
