import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { phaseFields, queryFields } from '../../wasm/generated/schema.js';
import type * as Address from '../../web/src/state/address.js';
import { addressOf, wholeAddressOf } from '../../web/src/state/address.js';
import { presets } from '../../web/src/state/presets.js';
import { readScenario } from '../../web/src/state/question.js';
import {
  defaultPhase,
  defaultRelease,
  defaultScenario,
  defaultView,
  finds,
  withAsked,
  withPhase,
} from '../../web/src/state/scenario.js';
import type { PhaseEntry, Scenario } from '../../web/src/state/scenario.js';

const lastChoice = (name: string) =>
  [...phaseFields, ...queryFields].find((field) => field.name === name)?.choices.at(-1);

/** Every choice is the last there is, every number another, every flag set; what is empty stays so. */
const otherTexts = <Texts extends Readonly<Record<string, string>>>(texts: Texts): Texts =>
  Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [
      name,
      lastChoice(name) ?? (text === 'false' ? 'true' : text === '' ? '' : '0.77'),
    ]),
  ) as Texts;

const otherPhase: PhaseEntry = {
  kind: 'phase',
  sampler: 'balls-and-bins',
  loader: 'balls',
  schedule: 'steps',
  texts: otherTexts(defaultPhase.texts),
};

/** A page of a later version, all of whose defaults are others. */
let later: typeof Address;

beforeAll(async () => {
  vi.resetModules();
  vi.doMock('../../web/src/state/scenario.js', async (original) => ({
    ...(await original<object>()),
    defaultPhase: otherPhase,
    defaultRelease: { ...defaultRelease, texts: otherTexts(defaultRelease.texts) },
    defaultScenario: {
      ...defaultScenario,
      ...{ find: 'steps', texts: otherTexts(defaultScenario.texts) },
    },
  }));
  later = await import('../../web/src/state/address.js');
});

afterAll(() => {
  vi.doUnmock('../../web/src/state/scenario.js');
  vi.resetModules();
});

const questionOf = (scenario: Scenario) => readScenario(scenario);
const opened = (hash: string) => {
  const { state, notes } = later.readAddress(hash);
  expect(notes).toEqual([]);
  return questionOf(state.scenario);
};

const steps = withPhase(defaultScenario, { sampler: 'poisson', schedule: 'steps' });
const mixed: Scenario = {
  ...defaultScenario,
  entries: [defaultRelease, defaultPhase, { ...defaultRelease, by: 'rho' }, defaultPhase],
  open: 1,
};
const known = withPhase(defaultScenario, { sampler: 'poisson' });

const scenarios: [string, Scenario][] = [
  ['the first run', defaultScenario],
  ['a run by its steps', steps],
  ['several parts', mixed],
  ['a search', withAsked(known, 'tuning', 'negative-binomial')],
  ['another target', withAsked({ ...known, find: 'noise' }, 'target', 'accuracy')],
  ...finds.map((find): [string, Scenario] => [
    `solving for ${find}`,
    { ...(find === 'steps' || find === 'sampling-probability' ? steps : known), find },
  ]),
  ...presets.map(({ name, scenario }): [string, Scenario] => [name, scenario]),
];

describe('link: a later change of a default changes no link that left the page', () => {
  test.each(scenarios)('%s', (_, scenario) => {
    const question = questionOf(scenario);
    expect(question).toHaveProperty('query');
    expect(opened(wholeAddressOf({ scenario, view: defaultView }))).toEqual(question);
  });

  test('what the address bar shows is shorter, and hangs on the defaults', () => {
    const state = { scenario: known, view: defaultView };
    expect(addressOf(state)).toBe('#v1,sampler=poisson');
    expect(opened(addressOf(state))).not.toEqual(questionOf(known));
    expect(wholeAddressOf(state)).toMatch(
      /^#v1,sampler=poisson,by=counts,noise-multiplier=0\.7,dataset-size=60000,.*mechanism=gaussian,adjacency=zero-out,.*delta=1e-5,solve-for=epsilon,accountant=best/,
    );
  });
});
