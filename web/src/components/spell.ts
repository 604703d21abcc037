import { html } from 'lit';
import type { Piece } from '../words/sentence.js';

/** A sentence's pieces, its numbers as buttons that say how they are known; not of a run that was. */
export const spell = (pieces: readonly Piece[], stale = false) =>
  pieces.map(({ lead, text, number, note }) => {
    if (note) return html`<small>${text}</small>`;
    const body =
      number && !stale
        ? html`<button
            class=${number.beside ? 'number beside' : 'number'}
            data-sampler=${number.sampler}
          >
            ${text}
          </button>`
        : text;
    return lead === undefined ? body : html`<span class="together">${lead}${body}</span>`;
  });
