import { html, nothing } from 'lit';
import { samplers } from '../../../wasm/generated/schema.js';
import { fieldInfo } from '../../../wasm/words/fields.js';
import { samplerInfo } from '../../../wasm/words/samplers.js';
import { mark } from '../charts/glyphs.js';
import { samplerPicture } from '../charts/sampler-picture.js';
import { loadedBy, loaderOf, loaders } from '../state/loaders.js';
import type { PhaseEntry } from '../state/scenario.js';
import { loaderNotes } from '../words/loaders.js';
import { methodsPage } from '../words/methods.js';
import { formField } from './fields.js';

/** Changes the open phase; `key` names what was edited. */
type Change = (change: Partial<Omit<PhaseEntry, 'kind'>>, key: string) => void;

/** How batches were loaded, and the sampler that this is: the five open from there. */
export function loaderChoice(entry: PhaseEntry, change: Change) {
  const loader = loaderOf(entry);
  const usual = loader?.name === loaders[0]?.name;
  const note = loader && !usual ? loaderNotes[loader.name] : undefined;
  const called = (name: string) => loaders.find((one) => one.name === name);
  return html`<div class="loader">
      ${formField({
        key: 'loader',
        info: {
          ...{ label: 'How did you load batches?', type: 'choice' },
          choices: loaders.map(({ name }) => name),
        },
        choiceName: (name) => called(name)?.label ?? name,
        value: loader?.name ?? '',
        set: (name) => {
          const picked = called(name);
          if (picked) change(loadedBy(entry, picked), 'loader');
        },
      })}
    </div>
    <details class=${`sampler-choice screen s-${entry.sampler}`}>
      <summary>
        <svg width="14" height="14" aria-hidden="true">${mark(entry.sampler, 7, 7, 5.5)}</svg>
        <b>${samplerInfo(entry.sampler).label}</b> · <span>change</span>
      </summary>
      <fieldset class="samplers">
        <legend>
          ${fieldInfo('sampler').meaning.replace(/\.$/, '')}
          <small
            title="One epoch with six records (columns) and three batches (rows); one record is marked."
            >each row is a batch</small
          >
        </legend>
        ${samplers.map((sampler) => samplerChoice(sampler, entry.sampler, change))}
      </fieldset>
      ${usual && loader ? html`<p class="loader-link">${loaderNotes[loader.name]}</p>` : nothing}
      <p class="loader-link">
        <a href=${`${methodsPage}#loaders`}>Loaders, and what is not covered</a>
      </p>
    </details>
    ${note === undefined ? nothing : html`<p class="consequence loader-note">${note}</p>`}`;
}

function samplerChoice(
  { name, label, sentence }: (typeof samplers)[number],
  chosen: string,
  change: Change,
) {
  return html`<label class=${`sampler s-${name}${name === chosen ? ' chosen' : ''}`}>
    <input
      type="radio"
      name="sampler"
      value=${name}
      .checked=${name === chosen}
      @change=${() => change({ sampler: name, loader: '' }, 'sampler')}
    />
    <svg width="14" height="14" aria-hidden="true">${mark(name, 7, 7, 5.5)}</svg>
    <b>${label}</b>
    <span class="fine sampler-sentence">${sentence}</span>
    ${samplerPicture(name)}
  </label>`;
}
