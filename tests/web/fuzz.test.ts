import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { phaseFields, queryFields, samplers } from '../../wasm/generated/schema.js';
import { addressOf, readAddress, wholeAddressOf } from '../../web/src/state/address.js';
import { readScenario } from '../../web/src/state/question.js';
import { loaders } from '../../web/src/state/loaders.js';
import {
  defaultRelease,
  defaultScenario,
  defaultState,
  defaultPhase,
  defaultView,
  finds,
  phaseNames,
  releaseKinds,
  releaseNumbers,
  schedules,
} from '../../web/src/state/scenario.js';
import type {
  Entry,
  OtherRelease,
  QuestionField,
  State,
  PhaseEntry,
} from '../../web/src/state/scenario.js';
import { AskedEngine } from '../fuzz/engine.js';
import { isLong, runs } from '../fuzz/runs.js';

const choicesOf = (of: string): readonly string[] => {
  const field = [...phaseFields, ...queryFields].find(({ name }) => name === of);
  return field?.type === 'flag' ? ['true', 'false'] : (field?.choices ?? []);
};

/** What may be typed into a field: mostly as usual, else a number's text or anything at all. */
const typed = (usual: string) =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant(usual) },
    fc.double().map(String),
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('', ' ', ',', '=', '#', '%', '%2', '1/3', '60_000', '🙂', '+', '&'),
  );
const textsOf = <Name extends string>(
  names: readonly Name[],
  usual: Readonly<Record<Name, string>>,
) =>
  fc.record(
    Object.fromEntries(
      names.map((name) => {
        const choices = choicesOf(name);
        return [name, choices.length > 0 ? fc.constantFrom(...choices) : typed(usual[name])];
      }),
    ),
  ) as fc.Arbitrary<Record<Name, string>>;

const phaseEntry: fc.Arbitrary<PhaseEntry> = fc.record({
  kind: fc.constant('phase' as const),
  sampler: fc.constantFrom(...samplers.map(({ name }) => name)),
  loader: fc.constantFrom('', ...loaders.map(({ name }) => name)),
  schedule: fc.constantFrom(...schedules),
  texts: textsOf(phaseNames, defaultPhase.texts),
});

const releaseEntry: fc.Arbitrary<OtherRelease> = fc.record({
  kind: fc.constant('release' as const),
  by: fc.constantFrom(...(Object.keys(releaseKinds) as (keyof typeof releaseKinds)[])),
  texts: textsOf(releaseNumbers, defaultRelease.texts),
});

const rows = ['composition', ...samplers.map(({ name }) => name)] as const;

const state: fc.Arbitrary<State> = fc
  .tuple(
    fc.array(fc.oneof(phaseEntry, releaseEntry), { maxLength: 3 }),
    phaseEntry,
    fc.array(fc.oneof(phaseEntry, releaseEntry), { maxLength: 3 }),
    fc.nat(6),
    fc.constantFrom(...finds),
    textsOf(Object.keys(defaultScenario.texts) as QuestionField[], defaultScenario.texts),
    fc.record({
      more: fc.boolean(),
      hidden: fc.subarray([...rows]),
    }),
  )
  .map(([before, first, after, open, find, texts, view]) => {
    const entries: Entry[] = [...before, first, ...after];
    return {
      scenario: { entries, open: open % entries.length, find, texts },
      view: { ...defaultView, ...view },
    };
  });

describe('fuzz: the address', () => {
  test('any text is read, into a state that can be asked and written', (context) => {
    const part = fc.oneof(
      fc
        .tuple(
          fc.constantFrom(
            ...['sampler', 'by', 'noise-multiplier', 'and', 'at', 'open', 'hide', 'solve-for'],
            ...['accountant', 'mu', 'delta', 'constructor', '__proto__', 'a.b', 'panel'],
          ),
          fc.oneof(
            fc.string(),
            fc.constantFrom('phase', 'mu', 'rho', 'epsilon', '1', '3', 'shown'),
          ),
        )
        .map(([key, value]) => `${key}=${value}`),
      fc.string({ unit: 'binary' }),
    );
    const hash = fc.oneof(
      fc.array(part, { maxLength: 8 }).map((parts) => `#v1,${parts.join(',')}`),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(hash, (text) => {
        const { state, notes } = readAddress(text);
        expect(state.scenario.entries.some(({ kind }) => kind === 'phase')).toBe(true);
        expect(state.scenario.open).toBeLessThan(state.scenario.entries.length);
        expect(notes.every(({ why }) => !why.endsWith('.'))).toBe(true);
        readScenario(state.scenario);
        // What was understood survives; nothing is left to complain about.
        expect(readAddress(addressOf(state))).toEqual({ state, notes: [], run: 'whole' });
      }),
      runs(400, context),
    );
  });

  test('every state survives the way there and back', (context) => {
    fc.assert(
      fc.property(state, (there) => {
        for (const hash of [addressOf(there), wholeAddressOf(there)])
          expect(readAddress(hash)).toEqual({ state: there, notes: [], run: 'whole' });
      }),
      runs(400, context),
    );
  });

  test('the usual state has no address, and no other has none', (context) => {
    expect(addressOf(defaultState)).toBe('');
    fc.assert(
      fc.property(state, (there) => {
        if (addressOf(there) === '') expect(there).toEqual(defaultState);
      }),
      runs(100, context),
    );
  });
});

describe('fuzz: from an address to an answer', () => {
  let engine: AskedEngine;
  beforeAll(async () => {
    engine = await AskedEngine.load();
  });
  afterAll(() => {
    if (isLong) console.log(engine.summary());
  });

  const isTyped = (name: string) => choicesOf(name).length === 0;
  /** Usual texts, quickly answered, or one of them that may be anything. */
  const oneTyped = <Texts extends Readonly<Record<string, string>>>(usual: Texts) =>
    fc
      .tuple(fc.constantFrom(...Object.keys(usual).filter(isTyped)), typed('2'), fc.boolean())
      .map(([name, text, kept]): Texts => (kept ? usual : { ...usual, [name]: text }));
  const short = { ...defaultPhase.texts, datasetSize: '600', steps: '20', noiseMultiplier: '1.3' };
  const usually = <Value>(usual: Value, any: fc.Arbitrary<Value>) =>
    fc.oneof({ weight: 3, arbitrary: fc.constant(usual) }, any);
  const picked = ({ texts }: PhaseEntry): Record<string, string> =>
    Object.fromEntries(Object.entries(texts).filter(([name]) => !isTyped(name)));
  const phase = fc
    .tuple(phaseEntry, usually({}, phaseEntry.map(picked)), oneTyped(short))
    .map(([entry, choices, texts]) => ({ ...entry, texts: { ...texts, ...choices } }));
  const release = fc
    .tuple(releaseEntry, oneTyped(defaultRelease.texts))
    .map(([entry, texts]) => ({ ...entry, texts }));
  const asking = fc
    .tuple(
      usually(
        defaultState,
        state.map(({ view, scenario }) => ({ view, scenario: { ...scenario, open: 0 } })),
      ),
      fc.tuple(phase, fc.array(fc.oneof(phase, release), { maxLength: 1 })),
      oneTyped(defaultScenario.texts),
    )
    .map(([{ scenario, view }, [first, more], texts]): State => ({
      scenario: { ...scenario, entries: [first, ...more], texts },
      view,
    }));

  test('what an address asks is answered in order, or refused with one issue', (context) => {
    fc.assert(
      fc.property(asking, (there) => {
        const { state } = readAddress(addressOf(there));
        const read = readScenario(state.scenario);
        if ('problems' in read) {
          expect(read.problems.size).toBeGreaterThan(0);
          return;
        }
        const { question } = read.query;
        // A comparison is asked sampler by sampler.
        const asked = question === 'compare' ? 'epsilon' : question;
        engine.ask('answer', { ...read.query, question: asked });
      }),
      runs(20, context),
    );
    expect(engine.answers).toBeGreaterThan(10);
  });
});
