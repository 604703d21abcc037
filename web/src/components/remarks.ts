import { html, nothing } from 'lit';
import type { Grounds } from '../../../wasm/generated/schema.js';
import { inFormWords } from '../state/question.js';

/** What is to be known about a number: its warnings, and what it assumes. */
export function remarks(
  { warnings, assumptions }: Pick<Grounds, 'warnings' | 'assumptions'>,
  whose: string,
) {
  const sentences = warnings.map(({ text }) => {
    const words = inFormWords('', text);
    return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
  });
  return html`${
    sentences.length === 0
      ? nothing
      : html`<ul class="prose warnings" aria-label="Warnings">
          ${sentences.map((sentence) => html`<li>${sentence}</li>`)}
        </ul>`
  }${
    assumptions.length === 0
      ? nothing
      : html`<p class="prose assumptions">
          <b>${whose} assumes.</b> ${assumptions.map((text) => inFormWords('', text)).join(' ')}
        </p>`
  }`;
}
