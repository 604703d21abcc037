import { html, nothing } from 'lit';
import type { Answer } from '../../../wasm/generated/schema.js';
import { markOf } from '../../../wasm/words/claims.js';
import { otherNeighbours } from '../../../wasm/words/neighbours.js';
import { formatInterval } from '../../../wasm/words/numbers.js';
import { samplerInfo } from '../../../wasm/words/samplers.js';
import { mark } from '../charts/glyphs.js';
import type { Problems } from '../state/question.js';
import { canRemove, openEntry, withAdded, withMoved, withoutOpen } from '../state/scenario.js';
import type { Entry, Scenario } from '../state/scenario.js';
import { describe } from '../words/entries.js';
import { button } from './fields.js';

interface Entries {
  scenario: Scenario;
  problems: Problems;
  /** Each entry's answer alone, where it is known. */
  alone: readonly (Answer | undefined)[];
  edit: (scenario: Scenario, key: string) => void;
}

/** The phases and releases of a run that has several, and what can be done to the open one. */
export function entryList(all: Entries) {
  const { scenario, edit } = all;
  const { entries, open } = scenario;
  const tool = (text: string, next: Scenario, possible = true) =>
    button(text, () => edit(next, text), { disabled: !possible });
  return html`<div class="entries" role="group" aria-label="Phases and releases of the run">
    <ol>
      ${entries.map((entry, index) => entryRow(all, entry, index))}
    </ol>
    <p class="row small entry-tools screen" role="group" aria-label=${`Entry ${open + 1}`}>
      ${tool('Up', withMoved(scenario, -1), open > 0)}
      ${tool('Down', withMoved(scenario, 1), open < entries.length - 1)}
      ${tool('Duplicate', withAdded(scenario, openEntry(scenario)))}
      ${tool('Remove', withoutOpen(scenario), canRemove(scenario))}
    </p>
  </div>`;
}

function entryRow({ scenario, problems, alone, edit }: Entries, entry: Entry, index: number) {
  const chosen = index === scenario.open;
  const [name, label] =
    entry.kind === 'phase'
      ? [entry.sampler, samplerInfo(entry.sampler).label]
      : ['release', 'Release'];
  const answer = alone[index];
  const other = answer && otherNeighbours(answer);
  const wrong = [...problems.keys()].some((key) => key.startsWith(`${index + 1}:`));
  return html`<li class=${`entry s-${name}${chosen ? ' chosen' : ''}${wrong ? ' wrong' : ''}`}>
    <button
      class="entry-open"
      aria-current=${chosen ? 'true' : 'false'}
      @click=${() => edit({ ...scenario, open: index }, `open ${index}`)}
    >
      <span class="fine">${index + 1}</span>
      <svg width="14" height="14" aria-hidden="true">${mark(name, 7, 7, 5)}</svg>
      <span
        ><b>${label}</b> <small>${describe(entry)}${wrong ? ' – has an error' : ''}</small></span
      >
    </button>
    <span class="fine nowrap" title=${['ε of this phase alone', other].filter(Boolean).join(', ')}
      >${answer ? html`<i>ε</i> ${formatInterval(answer.epsilon)}${markOf(answer)}` : nothing}</span
    >
  </li>`;
}
