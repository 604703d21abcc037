import { readAddress, unreadText, wholeAddressOf } from './address.js';
import { firstNotes } from './first-notes.js';
import { defaultView, type Scenario } from './scenario.js';

/** Most runs beside the form's own: the eye does not tell more apart. */
export const mostPins = 6;

/*
 * Pinned runs as one text for the address: each run's own address with `;` and `:` in the place of `,`
 * and `=`, which its values escape, and `;;` between runs. Each is spelt out whole.
 */
const between = ';;';

const pinOf = (scenario: Scenario) =>
  wholeAddressOf({ scenario, view: defaultView })
    .slice(1)
    .replaceAll(',', ';')
    .replaceAll('=', ':');

interface PinsReading {
  pins: Scenario[];
  /** The runs that could not be read, and why, as sentences: they are left out whole. */
  notes: string[];
}

export function readPins(text: string): PinsReading {
  const pins: Scenario[] = [];
  const notes: string[] = [];
  for (const pin of text === '' ? [] : text.split(between)) {
    const {
      state,
      run,
      notes: why,
    } = readAddress(`#${pin.replaceAll(';', ',').replaceAll(':', '=')}`);
    if (run !== 'whole' || pin === '')
      notes.push(`“${pin}”: ${firstNotes(why.map(unreadText)).join(' ') || 'it is empty.'}`);
    else if (pins.length === mostPins) notes.push(`“${pin}”: at most ${mostPins} runs are pinned.`);
    else pins.push(state.scenario);
  }
  return { pins, notes };
}

export const writePins = (pins: readonly Scenario[]) => pins.map(pinOf).join(between);

export const isPinned = (pins: readonly Scenario[], scenario: Scenario) =>
  pins.some((pin) => pinOf(pin) === pinOf(scenario));
