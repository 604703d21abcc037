import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readFlags, withFile } from '../../wasm/command/flags.js';
import { claim, format, formatInterval } from '../../wasm/words/numbers.js';
import { kebab } from '../../wasm/words/kebab.js';
import { QueryError } from '../../wasm/errors.js';
import {
  initialisationQueryFields,
  mixturesQueryFields,
  privacyCurveQueryFields,
  monteCarloQueryFields,
  monteCarloShardFields,
  monteCarloSumsFields,
  phaseFields,
  queryFields,
  releaseFields,
  samplers,
  shuffleModelQueryFields,
  twoBatchesQueryFields,
} from '../../wasm/generated/schema.js';
import type { InputField, CallName } from '../../wasm/generated/schema.js';
import { parseNumber } from '../../wasm/words/number-forms.js';
import { isRecord } from '../../wasm/protocol.js';
import { AskedEngine } from '../fuzz/engine.js';
import { isLong, runs } from '../fuzz/runs.js';

let engine: AskedEngine;
beforeAll(async () => {
  engine = await AskedEngine.load();
});
afterAll(() => {
  if (isLong) console.log(engine.summary());
});

/** Numbers that people type, and those that nobody should. */
const anyNumber = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 300 }) },
  { weight: 3, arbitrary: fc.double({ min: 1e-9, max: 10, noNaN: true }) },
  fc.constantFrom(0, -0, -1, 1e-320, 5e-324, 1e308, NaN, Infinity, -Infinity, 2 ** 53, 0.5),
  fc.double(),
);

/** A value of the field's kind, and small: an ordinary question is answered in milliseconds. */
function fittingFor(field: InputField): fc.Arbitrary<unknown> {
  const number = fc.double({
    min: Math.max(field.least, 1e-3),
    max: Math.max(1e-3, Math.min(field.most, field.type === 'count' ? 400 : 20)),
    noNaN: true,
  });
  switch (field.type) {
    case 'choice':
      return fc.constantFrom(...field.choices);
    case 'flag':
      return fc.boolean();
    case 'count':
      return number.map(Math.round);
    case 'number':
      return number;
    case 'numbers':
      return fc.oneof(number, fc.array(number, { maxLength: 4 }));
    case 'ranks':
      return fc.oneof(fc.constant('auto'), fc.array(fc.nat(50), { maxLength: 4 }));
    case 'texts':
      return fc.array(
        fc.string({ unit: fc.constantFrom(...Array.from('0123456789abcdef')), maxLength: 33 }),
      );
  }
}

const valueFor = (field: InputField): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 12, arbitrary: fittingFor(field) },
    { weight: 2, arbitrary: anyNumber },
    fc.anything({ withBigInt: true, withSparseArray: true, withNullPrototype: true }),
  );

const objectOf = (fields: readonly InputField[]) =>
  fc.record(Object.fromEntries(fields.map((field) => [field.name, valueFor(field)])), {
    requiredKeys: [],
  });

/** A run that is answered as often as not, with a field or two that may be anything. */
const ordinaryPhase = fc.record({
  sampler: fc.constantFrom(...samplers.map(({ name }) => name)),
  noiseMultiplier: fc.double({ min: 0.5, max: 20, noNaN: true }),
  stepsPerEpoch: fc.integer({ min: 1, max: 100 }),
});
const aFewFields = fc
  .subarray([...phaseFields], { minLength: 0, maxLength: 2 })
  .chain((fields) => objectOf(fields));
const entry = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(ordinaryPhase, aFewFields).map(([a, b]) => ({ ...a, ...b })) },
  objectOf(phaseFields),
  objectOf(releaseFields),
  fc.anything(),
);
const question = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(
        fc.constantFrom(
          { question: 'epsilon', delta: 1e-6 },
          { question: 'delta', epsilon: 1 },
          { question: 'compare', delta: 1e-3 },
        ),
        fc
          .subarray([...queryFields], { minLength: 0, maxLength: 1 })
          .chain((fields) => objectOf(fields)),
        fc.array(entry, { minLength: 1, maxLength: 2 }),
      )
      .map(([asked, changed, phases]) => ({ width: 0.05, ...asked, ...changed, phases })),
  },
  fc
    .tuple(objectOf(queryFields), fc.array(entry, { maxLength: 3 }))
    .map(([fields, phases]) => ({ ...fields, phases })),
  fc.anything({ withBigInt: true, withDate: true, withMap: true, withTypedArray: true }),
);

describe('fuzz: the engine', () => {
  test('answers anything with an answer in order, or with one issue', (context) => {
    fc.assert(
      fc.property(question, (asked) => {
        engine.ask('answer', asked);
      }),
      runs(120, context),
    );
    // Neither road is left untried.
    expect(engine.answers).toBeGreaterThan(20);
    expect(engine.issues).toBeGreaterThan(20);
  });

  test('refuses or answers whatever is asked of its other methods', (context) => {
    const fields: Record<Exclude<CallName, 'answer'>, readonly InputField[]> = {
      tradeoff: queryFields,
      audit: queryFields,
      privacyCurve: privacyCurveQueryFields,
      shuffleModel: shuffleModelQueryFields,
      initialisation: initialisationQueryFields,
      mixtures: mixturesQueryFields,
      twoBatches: twoBatchesQueryFields,
      monteCarloPlan: monteCarloQueryFields,
      monteCarloChunks: monteCarloShardFields,
      monteCarloEstimates: monteCarloSumsFields,
    };
    const names = Object.keys(fields) as (keyof typeof fields)[];
    // What is answered may take seconds: a field or two are mostly refused, or answered at once.
    const asking = fc.constantFrom(...names).chain((method) =>
      fc
        .tuple(
          fc.subarray([...fields[method]], { maxLength: 2 }).chain((some) => objectOf(some)),
          fc.array(entry, { maxLength: 1 }),
        )
        .chain(([question, phases]) =>
          fc.oneof(
            { weight: 5, arbitrary: fc.constant(question) },
            { weight: 1, arbitrary: fc.constant({ ...question, phases }) },
            fc.anything(),
          ),
        )
        .map((question) => ({ method, question })),
    );
    fc.assert(
      fc.property(asking, ({ method, question }) => {
        engine.ask(method, question);
      }),
      runs(60, context),
    );
  });

  test('is not moved by a question it refused', (context) => {
    const plain = {
      question: 'epsilon',
      delta: 1e-6,
      phases: [{ sampler: 'poisson', noiseMultiplier: 1, stepsPerEpoch: 50 }],
    };
    const first = JSON.stringify(engine.module.call('answer', plain));
    fc.assert(
      fc.property(fc.anything(), (asked) => {
        engine.ask('answer', asked);
      }),
      runs(100, context),
    );
    expect(JSON.stringify(engine.module.call('answer', plain))).toBe(first);
  });
});

describe('fuzz: number forms', () => {
  test('any text is a number or is none, and none is read in part', (context) => {
    const digits = fc.string({
      unit: fc.constantFrom(...Array.from('0123456789._/eE+- inf')),
      maxLength: 12,
    });
    fc.assert(
      fc.property(fc.oneof(digits, fc.string({ unit: 'binary' })), (text) => {
        const value = parseNumber(text);
        if (value === undefined) return;
        expect(text.trim()).not.toBe('');
        // A plain decimal means what JavaScript takes it for.
        if (/^[\d.e+-]+$/i.test(text)) expect(value).toBe(Number(text));
      }),
      runs(800, context),
    );
  });

  test('every finite number written in full reads back', (context) => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (double) => {
        const value = double + 0; // No text says -0.
        expect(parseNumber(String(value))).toBe(value);
        expect(parseNumber(` ${value.toExponential()} `)).toBe(value);
      }),
      runs(800, context),
    );
  });

  test('whatever is shown is a text without NaN', (context) => {
    const finite = fc.double({ min: 0, noNaN: true, noDefaultInfinity: true });
    const end = fc.oneof(fc.constant(null), finite);
    const kind = fc.constantFrom('certified', 'bound', 'confidence', 'estimate');
    fc.assert(
      fc.property(end, end, kind, (a, b, kind) => {
        const [lower, upper] = a !== null && b !== null && a > b ? [b, a] : [a, b];
        const interval = { lower, upper, kind };
        for (const text of [
          formatInterval(interval),
          claim('ε', interval),
          format(upper, { side: 'given' }),
        ]) {
          expect(text).not.toMatch(/NaN|undefined|null/);
          expect(text).not.toBe('');
        }
      }),
      runs(800, context),
    );
  });
});

describe('fuzz: the command line', () => {
  const flag = fc.oneof(
    fc.constantFrom(
      ...[...phaseFields, ...queryFields].map(({ name }) => `--${kebab(name)}`),
      ...['--json', '--help', '-h', '--query', '--', '-', '--=', '--constructor', '--__proto__'],
    ),
    fc.string({ maxLength: 8 }),
    fc.double().map(String),
    fc
      .tuple(fc.constantFrom('--steps', '--delta', '--json', '--sampler'), fc.string())
      .map(([name, value]) => `${name}=${value}`),
  );

  test('any words are a question, or one complaint that says what is wrong', (context) => {
    const questions = fc.constantFrom('epsilon', 'delta', 'compare', 'calibrate');
    fc.assert(
      fc.property(questions, fc.array(flag, { maxLength: 8 }), (question, words) => {
        try {
          const { query } = readFlags(question, words);
          expect(query.question).toBe(question);
        } catch (error) {
          expect(error).toBeInstanceOf(QueryError);
          expect((error as QueryError).message).not.toBe('');
        }
      }),
      runs(1200, context),
    );
  });

  test('any file is a question, or one complaint', (context) => {
    const text = fc.oneof(fc.string(), fc.json());
    fc.assert(
      fc.property(text, (text) => {
        try {
          expect(isRecord(withFile(text, 'x', readFlags('epsilon', ['--query', 'x'])))).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(QueryError);
        }
      }),
      runs(800, context),
    );
  });
});
