import { addressOf, readAddress } from './address.js';
import { defaultView } from './scenario.js';
import type { Scenario } from './scenario.js';

/** More than this many runs beside the form's own are not told apart. */
export const mostPins = 6;

/*
 * Pinned runs as one text for the address: each run's own address with `;` and `:` in the place of `,`
 * and `=`, which its values escape, and `;;` between runs.
 */
const between = ';;';

const pinOf = (scenario: Scenario) => {
  const address = addressOf({ scenario, view: defaultView });
  return (address === '' ? 'v1' : address.slice(1)).replaceAll(',', ';').replaceAll('=', ':');
};

const scenarioOf = (pin: string) =>
  readAddress(`#${pin.replaceAll(';', ',').replaceAll(':', '=')}`).state.scenario;

export function readPins(text: string): Scenario[] {
  if (text === '') return [];
  return text.split(between).slice(0, mostPins).map(scenarioOf);
}

export const writePins = (pins: readonly Scenario[]) => pins.map(pinOf).join(between);

/** Whether a run is pinned as it is now. */
export const isPinned = (pins: readonly Scenario[], scenario: Scenario) =>
  pins.some((pin) => pinOf(pin) === pinOf(scenario));
