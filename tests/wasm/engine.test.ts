import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import createModule from '../../wasm/generated/engine.mjs';
import packageJson from '../../package.json' with { type: 'json' };
import {
  createEngine,
  phaseFields,
  QueryError,
  queryFields,
  releaseFields,
  samplers,
  version,
} from '../../wasm/node.js';
import type {
  Answer,
  Engine,
  MonteCarloQuery,
  Phase,
  Query,
  ShuffleModelQuery,
} from '../../wasm/node.js';
import { isRecord, isResult } from '../../wasm/protocol.js';
import { isAnswer } from './shapes.js';
import { references } from '../../wasm/words/references.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

const phase: Phase = {
  sampler: 'deterministic',
  noiseMultiplier: 1,
  datasetSize: 6400,
  batchSize: 100,
  epochs: 1,
};
const query: Query = { phases: [phase], delta: 1e-5 };

/** An answer less the time it took, which is no part of the mathematics. */
function timeless(answer: Answer): Answer {
  return { ...answer, work: { ...answer.work, milliseconds: 0 } };
}

let engine: Engine;
beforeAll(async () => {
  engine = await createEngine({ workers: 2 });
});
afterAll(() => {
  engine.close();
});

/** The error a question is refused with. */
async function refusal(question: unknown): Promise<QueryError> {
  try {
    await engine.answer(question as Query);
  } catch (error) {
    if (error instanceof QueryError) return error;
    throw error;
  }
  throw new Error('the question was answered');
}

describe('engine', () => {
  test('epsilon and delta answer each other', async () => {
    const forward = await engine.epsilon(query);
    expect(forward.sampler).toBe('deterministic');
    expect(forward.delta).toEqual({ lower: 1e-5, upper: 1e-5, kind: 'certified' });
    // The Gaussian mechanism at mu = 1, delta = 1e-5, from 30-digit arithmetic.
    expect(forward.epsilon.lower).toBeLessThanOrEqual(4.377178095681225);
    expect(forward.epsilon.upper).toBeGreaterThanOrEqual(4.377178095681224);
    const { upper } = forward.epsilon;
    if (upper === null) throw new Error('no upper end');
    const back = await engine.delta({ phases: [phase], epsilon: upper });
    expect(back.delta.lower).toBeLessThanOrEqual(1e-5);
    expect(back.delta.upper).toBeGreaterThan(1e-5 * (1 - 1e-6));
  });

  test('the worker fills in the time', async () => {
    const { work } = await engine.epsilon(query);
    expect(work.milliseconds).toBeGreaterThan(0);
  });

  test('every answer has exactly the shape of the generated types', async () => {
    const { answers } = await engine.compare(query);
    expect(answers.every(isAnswer)).toBe(true);
    const [first] = answers;
    expect(isAnswer({ ...first, method: 5 })).toBe(false);
    expect(isAnswer({ ...first, epsilon: { lower: 0, upper: 1, kind: 'guess' } })).toBe(false);
  });

  test.each([
    ['epsilons', { delta: 1e-5 }],
    ['deltas', { epsilon: 1 }],
  ])('compare gives the %s of a single call to the core, bit by bit', async (_, given) => {
    const question = { ...given, phases: [{ ...phase, epochs: 3 }] };
    const seen: string[] = [];
    const comparison = await engine.compare(question, {
      onAnswer: ({ sampler }) => seen.push(sampler),
    });
    expect(comparison.question).toBe('compare');
    expect(comparison.answers.map(({ sampler }) => sampler)).toEqual(
      samplers.map(({ name }) => name),
    );
    expect(seen.sort()).toEqual(samplers.map(({ name }) => name as string).sort());

    const wasmBinary = await readFile(`${root}wasm/generated/engine.wasm`);
    const outcome = (await createModule({ wasmBinary })).call('answer', {
      ...question,
      question: 'compare',
    });
    if (!isRecord(outcome) || !isResult('answer', outcome.result)) throw new Error('no answers');
    expect(comparison.answers.map(timeless)).toEqual(outcome.result.map(timeless));
  });

  const programme: Query['phases'] = [
    { ...phase, sampler: 'poisson' },
    { sampler: 'shuffle', noiseMultiplier: 2, stepsPerEpoch: 10, epochs: 2 },
    { mu: 0.3 },
    { epsilon: 0.1, delta: 1e-7 },
  ];

  test.each([
    ['phases and releases', programme],
    ['a cap below the batches of fixed size', [{ ...phase, maxBatchSize: 90 }]],
  ])('compare of %s gives what the core does, bit by bit', async (_, phases) => {
    // Wide, which is answered in a tenth of the time: other bits show it as well.
    const asked = { phases, delta: 1e-5, width: 0.1 };
    const comparison = await engine.compare(asked);
    expect(comparison.answers).toHaveLength(samplers.length);
    const wasmBinary = await readFile(`${root}wasm/generated/engine.wasm`);
    const module = await createModule({ wasmBinary });
    const outcome = module.call('answer', { question: 'compare', ...asked });
    if (!isRecord(outcome) || !isResult('answer', outcome.result)) throw new Error('no answers');
    expect(comparison.answers.map(timeless)).toEqual(outcome.result.map(timeless));
  });

  test('a comparison refuses what only one sampler can do', async () => {
    const phases: Phase[] = [{ ...phase, sampler: 'balls-and-bins', participations: 2 }];
    const error = await refusal({ question: 'compare', phases, delta: 1e-5 });
    expect(error.field).toBe('participations');
  });

  test('calibrate finds the value where it is left out, and the answer there', async () => {
    const open: Phase = { ...phase, noiseMultiplier: undefined };
    const phases = [open, { ...phase, sampler: 'poisson' as const }];
    const target = { epsilon: 3, delta: 1e-5, solveFor: 'noise' as const };
    const found = await engine.calibrate({ phases, ...target });
    expect(found.solution?.field).toBe('noiseMultiplier');
    const noiseMultiplier = found.solution?.value ?? NaN;
    const there = await engine.epsilon({
      phases: [
        { ...open, noiseMultiplier },
        { ...phase, sampler: 'poisson' },
      ],
      delta: 1e-5,
    });
    expect(there.epsilon).toEqual(found.epsilon);
    expect(there.epsilon.upper).toBeLessThanOrEqual(3);
    expect(await engine.answer({ question: 'calibrate', phases, ...target })).toHaveProperty(
      'solution.value',
      noiseMultiplier,
    );
  });

  test('of several phases, the one at fault is named', async () => {
    const bad = { ...phase, noiseMultiplier: -1 };
    const one = await refusal({ question: 'epsilon', phases: [phase, bad], delta: 1e-5 });
    expect(one).toMatchObject({ field: 'noiseMultiplier', entry: 1 });
    expect(one.toJSON()).toMatchObject({ entry: 1 });
    const strange = { ...phase, noiseMultiplier: 'much' } as unknown as Phase;
    const other = await refusal({ question: 'epsilon', phases: [phase, strange], delta: 1e-5 });
    expect(other).toMatchObject({ code: 'wrong-type', entry: 1 });
  });

  test('a target that cannot be met is refused', async () => {
    const phases = [{ ...phase, noiseMultiplier: 0.1 }];
    const error = await refusal({
      ...{ question: 'calibrate', solveFor: 'epochs', phases, epsilon: 0.1, delta: 1e-5 },
    });
    expect(error).toMatchObject({ code: 'unreachable', field: 'solveFor', nearest: 1 });
  });

  test('the digits do not depend on the number of workers', async () => {
    const single = await createEngine({ workers: 1 });
    try {
      const [one, two] = await Promise.all([single.compare(query), engine.compare(query)]);
      expect(one.answers.map(timeless)).toEqual(two.answers.map(timeless));
    } finally {
      single.close();
    }
  });

  test('compare needs no sampler of its own', async () => {
    const phases = [{ ...phase, sampler: undefined }];
    const { answers } = await engine.compare({ phases, delta: 1e-5 });
    expect(answers).toHaveLength(samplers.length);
  });

  test('answer asks what the question says', async () => {
    const epsilon = await engine.answer({ ...query, question: 'epsilon' });
    expect(timeless(epsilon as Answer)).toEqual(timeless(await engine.epsilon(query)));
    const comparison = await engine.answer({ ...query, question: 'compare' });
    expect(comparison).toHaveProperty('answers.length', samplers.length);
  });

  test('null and undefined count as absent', async () => {
    const odd = {
      ...query,
      width: null,
      phases: [{ ...phase, steps: undefined, reshuffle: null }],
    };
    const answer = await engine.epsilon(odd as unknown as Query);
    expect(timeless(answer)).toEqual(timeless(await engine.epsilon(query)));
  });

  test.each([
    ['a field that does not exist', { ...query, sigma: 1 }, 'unknown-field', 'sigma'],
    [
      'a phase field that does not exist',
      { ...query, phases: [{ ...phase, noise_multiplier: 1 }] },
      'unknown-field',
      'noise_multiplier',
    ],
    ['text for a number', { ...query, delta: '1e-5' }, 'wrong-type', 'delta'],
    [
      'a number for a name',
      { ...query, phases: [{ ...phase, sampler: 3 }] },
      'wrong-type',
      'sampler',
    ],
    ['a list for a number', { ...query, width: [1] }, 'wrong-type', 'width'],
    ['true for a number', { ...query, width: true }, 'wrong-type', 'width'],
    ['a large integer for a number', { ...query, width: 10n }, 'wrong-type', 'width'],
    ['a phase that is no object', { ...query, phases: [7] }, 'wrong-type', 'phases'],
    ['phases that are no list', { ...query, phases: phase }, 'wrong-type', 'phases'],
  ])('%s is refused, naming the field', async (_, bad, code, field) => {
    for (const question of ['epsilon', 'compare']) {
      const error = await refusal({ ...bad, question });
      expect(error.toJSON()).toEqual({ code, field, text: error.message });
      expect(error.message).toContain(code === 'unknown-field' ? 'the fields here are' : 'got');
    }
  });

  const halves = '\ud83dyz';
  test.each([
    [{ noiseMultiplier: 5n }, 'got the BigInt 5n'],
    [{ noiseMultiplier: `x${halves}` }, String.raw`got "x\ud83dyz"`],
    [{ sampler: `x${halves}` }, String.raw`got "x\ud83dyz"`],
    [{ [`x${halves}`]: 1 }, String.raw`no field "x\ud83dyz"`],
    [{ noiseMultiplier: '\u001b[31m\u0007\n' }, String.raw`got "\u001b[31m\u0007\n"`],
    [{ sampler: '\u001b[31m\u0007\n' }, String.raw`got "\u001b[31m\u0007\n"`],
    [{ sampler: '\u009b31m\u2028' }, String.raw`got "\u009b31m\u2028"`],
    [{ sampler: 'x'.repeat(100_000) }, `got "${'x'.repeat(40)}..."`],
    [{ noiseMultiplier: '😀'.repeat(50) }, `got "${'😀'.repeat(40)}..."`],
  ])('what is wrong in %o is echoed as it is, in one short line', async (changes, got) => {
    const bad = { question: 'epsilon', delta: 1e-5, phases: [{ ...phase, ...changes }] };
    const { message } = await refusal(bad);
    expect(message).toContain(got);
    expect(message).toMatch(/^[^\p{Cc}\p{Zl}]{1,600}$/u);
  });

  test('a question nested 100,000 levels deep is named as such', async () => {
    let deep: unknown = 1;
    for (let level = 0; level < 100_000; ++level) deep = [deep];
    const error = await refusal({ ...query, question: 'epsilon', delta: deep });
    expect(error.toJSON()).toMatchObject({ code: 'wrong-type', field: 'query' });
    expect(error.message).toContain('nested thousands of levels deep');
  });

  test('every method rejects, and throws nothing', async () => {
    const bad = {
      get delta(): number {
        throw new Error('a getter of the caller’s');
      },
    } as unknown as Query & MonteCarloQuery & ShuffleModelQuery;
    const unfit = null as never;
    const calls: (() => Promise<unknown>)[] = [
      ...[() => engine.epsilon(bad), () => engine.delta(bad), () => engine.compare(bad)],
      ...[() => engine.calibrate(bad), () => engine.tradeoff(bad), () => engine.audit(bad)],
      ...[() => engine.answer(bad), () => engine.monteCarlo(bad), () => engine.shuffleModel(bad)],
      ...[() => engine.initialisation(bad), () => engine.mixtures(bad)],
      () => engine.twoBatches(bad),
      ...[() => engine.curve(bad, { kind: 'delta-epsilon' }), () => engine.curve(query, unfit)],
      ...[() => engine.mergeTallies(unfit), () => engine.mergeTallies([], unfit)],
    ];
    for (const call of calls) {
      const promise = call();
      await expect(promise, String(call)).rejects.toThrow();
    }
    await expect((engine.curve as (of: Query) => Promise<unknown>)(query)).rejects.toThrow(
      'kind must be one of',
    );
  });

  test('a list that is too long is refused', async () => {
    const phases = Array.from({ length: 1001 }, () => ({ mu: 0.5 }));
    for (const question of ['epsilon', 'compare', 'calibrate', 'tradeoff', 'audit']) {
      const { message } = await refusal({ ...query, phases, question });
      expect(message).toBe('phases must be a list of 1 to 1000 phases; got 1001');
    }
    const numbers = { epsilons: Array.from({ length: 1001 }, () => 1) };
    await expect(engine.monteCarlo(numbers)).rejects.toThrow(
      'epsilons must be a list of at most 1000 numbers; got 1001',
    );
  });

  test.each([[null], [5], ['epsilon'], [[]]])('%j is no question', async (bad) => {
    const error = await refusal(bad);
    expect(error.code).toBe('wrong-type');
    expect(error.message).toContain('must be an object');
  });

  test('an abort rejects with its reason, and the engine goes on', async () => {
    const abort = new AbortController();
    const calls = [
      engine.epsilon(query, { signal: abort.signal }),
      engine.compare(query, { signal: abort.signal }),
    ];
    abort.abort();
    for (const call of calls) await expect(call).rejects.toMatchObject({ name: 'AbortError' });
    const answer = await engine.epsilon(query);
    expect(answer.epsilon.upper).not.toBeNull();
  });

  test('twenty calls at once are all answered, each its own', async () => {
    const sigmas = Array.from({ length: 20 }, (_, i) => 1 + i / 10);
    const answers = await Promise.all(
      sigmas.map((noiseMultiplier) =>
        engine.epsilon({ ...query, phases: [{ ...phase, noiseMultiplier }] }),
      ),
    );
    const uppers = answers.map(({ epsilon }) => epsilon.upper ?? Infinity);
    expect(uppers).toEqual([...uppers].sort((a, b) => b - a));
    expect(new Set(uppers).size).toBe(sigmas.length);
  });

  test('a program that forgets to close the engine ends all the same', async () => {
    const program = `
      import { createEngine } from 'honest-epsilon';
      const engine = await createEngine();
      const { epsilon } = await engine.epsilon(${JSON.stringify(query)});
      console.log(epsilon.upper > 4 && epsilon.upper < 5);`;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', program],
      { cwd: root, timeout: 30_000 },
    );
    expect(stdout.trim()).toBe('true');
  });
});

describe('what an answer cites', () => {
  const balls: Phase = { ...phase, sampler: 'balls-and-bins' };
  test.each<[string, Query['phases']]>([
    ...samplers.map(({ name }): [string, Phase[]] => [name, [{ ...phase, sampler: name }]]),
    ['a cap', [{ ...phase, sampler: 'poisson', maxBatchSize: 200 }]],
    ['substitution', [{ ...phase, sampler: 'poisson', adjacency: 'substitution' }]],
    ['groups of Poisson', [{ ...phase, sampler: 'poisson', recordsPerUser: 2 }]],
    ['groups of others', [{ ...phase, recordsPerUser: 2 }]],
    ['participations', [{ ...balls, participations: 2 }]],
    ['a release by epsilon', [phase, { epsilon: 0.1 }]],
    ['a release by mu', [phase, { mu: 0.1 }]],
    [
      'a release of a part',
      [
        { ...phase, partOfData: 1 },
        { boundedRange: 0.1, partOfData: 2 },
      ],
    ],
  ])('%s is known to the page by its title', async (_, phases) => {
    const { citations } = await engine.epsilon({ phases, delta: 1e-5 });
    expect(citations.length).toBeGreaterThan(0);
    expect(citations.filter((key) => !(key in references))).toEqual([]);
  });
});

describe('trade-offs', () => {
  test('a trade-off curve is a band between polygons, and is cancelled like any answer', async () => {
    const { remove, add, symmetric, knots, sampler, work } = await engine.tradeoff({
      phases: [{ ...phase, sampler: 'poisson' }],
      falsePositiveRates: [1e-3, 0.05],
      priors: 0.1,
    });
    expect(sampler).toBe('poisson');
    expect(work.milliseconds).toBeGreaterThan(0);
    for (const band of [remove, add, symmetric]) {
      for (const polygon of [band.lower, band.upper]) {
        expect(polygon[0]?.falsePositiveRate).toBe(0);
        expect(polygon.at(-1)).toEqual({ falsePositiveRate: 1, falseNegativeRate: 0 });
      }
      expect(band.attackRates.map(({ falsePositiveRate }) => falsePositiveRate)).toEqual([
        1e-3, 0.05,
      ]);
      expect(band.guesses.map(({ prior }) => prior)).toEqual([0.1]);
      expect(band.advantage.lower).toBeGreaterThan(0);
    }
    expect(knots[0]).toMatchObject({ epsilon: 0, remove: remove.advantage });
    const stop = new AbortController();
    const call = engine.tradeoff({ phases: [phase] }, { signal: stop.signal });
    stop.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
    expect(await engine.answer({ question: 'tradeoff', phases: [phase] })).toHaveProperty(
      'symmetric.gaussian.mu.kind',
      'certified',
    );
    await expect(engine.tradeoff({ phases: [phase], delta: 1e-5 })).rejects.toMatchObject({
      field: 'delta',
    });
  });

  test('the shuffle model, a random start and mixtures have methods of their own', async () => {
    const shuffled = await engine.shuffleModel({
      ...{ localEpsilon: 4.444, users: 1e4, clone: 'stronger' },
      ...{ epsilon: [0.4, 1], delta: 1e-6 },
    });
    expect(shuffled.deltas.map(({ closedForm }) => closedForm?.covered)).toEqual([false, true]);
    expect(shuffled.deltas[0]?.delta.upper).toBeCloseTo(4.6749e-5, 8);
    expect(shuffled.deltas[0]?.advancedJoint?.upper).toBeCloseTo(4.9467e-5, 8);
    expect(shuffled.epsilons).toHaveLength(1);
    expect(shuffled.advancedJoint?.upper).toEqual([]);
    expect(shuffled.advancedJoint?.advantage).toMatchObject({ lower: null, kind: 'bound' });
    const start = await engine.initialisation({ offset: 1, clip: 1, epsilon: 0.5 });
    expect(start.gdpMu).toBe(1);
    expect(start.renyi.at(-1)).toEqual({ order: 32, clipped: 16 });
    const mixed = await engine.mixtures({ weight: 0.5, p1: 1, p2: 0, q1: 0, q2: 0, epsilon: 0.1 });
    expect(mixed.deltas[0]?.remove.delta.upper).toBeLessThanOrEqual(
      mixed.deltas[0]?.remove.joint.upper ?? 0,
    );
    await expect(engine.shuffleModel({ localEpsilon: 1 })).rejects.toMatchObject({
      field: 'users',
    });
    await expect(
      engine.mixtures({ weight: 0.5, epsilon: 'x' } as unknown as { weight: number }),
    ).rejects.toMatchObject({ code: 'wrong-type', field: 'epsilon' });
  });
});

describe('generated lists', () => {
  test('the version is the package’s', () => {
    expect(version).toBe(packageJson.version);
  });

  test('every field of a phase is answered by the core under its name', async () => {
    for (const { name, type } of phaseFields) {
      const wrong = type === 'choice' || type === 'flag' ? 1 : 'x';
      const error = await refusal({ question: 'epsilon', phases: [{ [name]: wrong }] });
      expect(error).toMatchObject({ code: 'wrong-type', field: name });
    }
    for (const { name } of releaseFields) {
      const error = await refusal({ question: 'epsilon', phases: [{ [name]: 'x' }] });
      expect(error).toMatchObject({ code: 'wrong-type', field: name });
    }
    for (const { name, type } of queryFields) {
      const wrong = type === 'choice' || type === 'flag' ? 1 : 'x';
      const error = await refusal({ question: 'epsilon', phases: [phase], [name]: wrong });
      expect(error).toMatchObject({ code: 'wrong-type', field: name });
    }
  });

  test('every sampler of the catalog is a choice of the sampler field', () => {
    const field = phaseFields.find(({ name }) => name === 'sampler');
    expect([...(field?.choices ?? [])].sort()).toEqual(samplers.map(({ name }) => name).sort());
  });
});

test('engine: nothing in what is shipped says where it was built', async () => {
  const folders = [root, '/usr/include/', 'boost/math/'];
  for (const file of ['engine.wasm', 'engine.mjs']) {
    const bytes = await readFile(
      new URL(`../../wasm/generated/${file}`, import.meta.url),
      'latin1',
    );
    for (const folder of folders) expect(bytes.includes(folder), `${file}: ${folder}`).toBe(false);
  }
});
