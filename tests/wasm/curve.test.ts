import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { QueryError, createEngine, curveKinds, version } from '../../wasm/node.js';
import { drawCurve } from '../../wasm/curve.js';
import { runCommand } from './run-command.js';
import type {
  Answer,
  CurveKind,
  CurveOptions,
  Engine,
  Interval,
  Phase,
  Query,
} from '../../wasm/node.js';

let engine: Engine;
beforeAll(async () => {
  engine = await createEngine({ workers: 2 });
});
afterAll(() => {
  engine.close();
});

const phase: Phase = {
  sampler: 'deterministic',
  noiseMultiplier: 1,
  datasetSize: 6400,
  batchSize: 100,
  epochs: 4,
};
const query: Query = { phases: [phase], delta: 1e-5, epsilon: 2 };
const withPhase = (change: Phase): Query => ({ ...query, phases: [{ ...phase, ...change }] });
const few = (kind: CurveKind): CurveOptions => ({ kind, points: 5 });

const closed = ({ lower, upper }: Interval) => [lower ?? NaN, upper ?? NaN] as const;

async function refusal(asked: unknown, options: CurveOptions): Promise<QueryError> {
  try {
    await engine.curve(asked as Query, options);
  } catch (error) {
    if (error instanceof QueryError) return error;
    throw error;
  }
  throw new Error('the curve was drawn');
}

describe('curve', () => {
  test.each(curveKinds.map(({ name, x, y }) => [name, x({ query }), y] as const))(
    '%s over %s is one of %s, each point as it was handed out',
    async (kind, x, y) => {
      const handed: number[] = [];
      const onPoint = (point: { x: number }) => handed.push(point.x);
      const curve = await engine.curve(query, { ...few(kind), onPoint });
      expect(curve).toMatchObject({ question: 'curve', kind, x, y });
      const places = curve.points.map((point) => point.x);
      expect(places).toHaveLength(5);
      expect([...handed].sort((a, b) => a - b)).toEqual(places);
      for (const { y: value, method } of curve.points) {
        const [lower, upper] = closed(value);
        expect(lower).toBeLessThanOrEqual(upper);
        expect(upper).toBeGreaterThan(0);
        expect(method).not.toBe('');
      }
    },
  );

  test('coarse places are asked first; points come as their workers finish', async () => {
    const begun: (() => void)[] = [];
    const asked: (number | undefined)[] = [];
    const run = async ({ phases }: Query) => {
      const [only] = phases as Phase[];
      asked.push(only?.noiseMultiplier);
      await new Promise<void>((resolve) => begun.push(resolve));
      return { epsilon: { lower: 1, upper: 2, kind: 'certified' }, method: 'none' } as Answer;
    };
    const handed: number[] = [];
    const curve = drawCurve(
      { one: run, deltas: () => Promise.reject(new Error('asked by another kind')) },
      query,
      { ...few('epsilon-noise'), from: 1, to: 16 },
      {
        onPoint: ({ x }) => handed.push(x),
      },
    );
    await expect.poll(() => asked).toEqual([1, 16, 4, 2, 8]);
    // The last one asked finishes first.
    for (const finish of begun.reverse()) {
      finish();
      await new Promise((resolve) => setTimeout(resolve));
    }
    expect((await curve).points.map(({ x }) => x)).toEqual([1, 2, 4, 8, 16]);
    expect(handed).toEqual([8, 2, 4, 16, 1]);
  });

  test('a point asks for no other accountant, but for the one that the run names', async () => {
    const accountants = async (asked: Query) => {
      const seen: unknown[] = [];
      const one = ({ accountant }: Query) => {
        seen.push(accountant);
        const epsilon = { lower: 1, upper: 2, kind: 'certified' };
        return Promise.resolve({ epsilon, method: 'none' } as Answer);
      };
      const deltas = () => Promise.reject(new Error('asked by another kind'));
      await drawCurve({ one, deltas }, asked, { ...few('epsilon-noise'), from: 1, to: 16 });
      return [...new Set(seen)];
    };
    expect(await accountants(query)).toEqual(['pld']);
    expect(await accountants({ ...query, accountant: 'best' })).toEqual(['pld']);
    expect(await accountants({ ...query, accountant: 'rdp' })).toEqual(['rdp']);
  });

  test('more points than one question takes are several questions', async () => {
    const many = { kind: 'delta-epsilon', points: 1010, from: 1, to: 9 } as const;
    const { points } = await engine.curve(query, many);
    expect(points).toHaveLength(1010);
    const sorted = points.map(({ x }) => x).sort((a, b) => a - b);
    expect(points.map(({ x }) => x)).toEqual(sorted);
  });

  test('a point is what the question says that it stands for', async () => {
    const noise = await engine.curve(query, { ...few('epsilon-noise'), from: 1, to: 4 });
    const there = await engine.epsilon({
      ...withPhase({ noiseMultiplier: 4 }),
      epsilon: undefined,
    });
    expect(noise.points[4]).toEqual({ x: 4, y: there.epsilon, method: there.method });
    // One pass at a quarter of the epochs is one at half the noise: mu = sqrt(k) / sigma.
    const length = await engine.curve(query, { ...few('epsilon-epochs'), from: 1, to: 16 });
    expect(length.points.map(({ x }) => x)).toEqual([1, 2, 4, 8, 16]);
    expect(length.points[0]?.y.upper).toBeCloseTo(noise.points[2]?.y.upper ?? NaN, 6);
    const profile = await engine.curve(query, { ...few('delta-epsilon'), from: 1, to: 9 });
    expect(profile.points.map(({ x }) => x)).toEqual([1, 3, 5, 7, 9]);
    const deltas = profile.points.map(({ y }) => y.upper ?? NaN);
    expect([...deltas].sort((a, b) => b - a)).toEqual(deltas);
  });

  test('the noise that is found meets the target, and less than its lower end does not', async () => {
    const curve = await engine.curve(query, { ...few('noise-sampling'), from: 50, to: 200 });
    for (const { x, y } of curve.points) {
      const [lower, upper] = closed(y);
      expect(lower).toBeGreaterThan(0.99 * upper);
      const epsilonAt = async (noiseMultiplier: number) =>
        (
          await engine.epsilon({
            ...withPhase({ batchSize: x, noiseMultiplier }),
            epsilon: undefined,
          })
        ).epsilon;
      expect((await epsilonAt(upper)).upper).toBeLessThanOrEqual(2);
      expect((await epsilonAt(lower)).lower).toBeGreaterThan(2);
    }
  });

  test('where epsilon itself is known badly, so is the noise: no lower end is claimed in the gap', async () => {
    const shuffled = withPhase({ sampler: 'shuffle', epochs: 1 });
    const options = { kind: 'noise-sampling', from: 64, to: 128, points: 2 } as const;
    const { points } = await engine.curve(shuffled, options);
    const [lower, upper] = closed(points[0]?.y ?? { lower: null, upper: null, kind: 'bound' });
    expect(lower).toBeLessThan(0.99 * upper);
    expect(lower).toBeGreaterThan(0.1 * upper);
  });

  test('a phase that leaves the field out is the one that is drawn over', async () => {
    const other: Phase = { ...phase, noiseMultiplier: 3 };
    const open: Query = { delta: 1e-5, phases: [{ ...phase, noiseMultiplier: undefined }, other] };
    const { points } = await engine.curve(open, {
      kind: 'epsilon-noise',
      points: 2,
      from: 3,
      to: 6,
    });
    const both = await engine.epsilon({ delta: 1e-5, phases: [other, other] });
    expect(points[0]?.y).toEqual(both.epsilon);
  });

  test('a phase that is named is drawn over, whatever it says; one point is at the start', async () => {
    const other: Phase = { ...phase, noiseMultiplier: 3 };
    const both: Query = { delta: 1e-5, phases: [{ mu: 0.5 }, phase, other] };
    const options = { kind: 'epsilon-noise', phase: 2, from: 5, points: 1 } as const;
    const { points } = await engine.curve(both, options);
    const phases = [{ mu: 0.5 }, phase, { ...phase, noiseMultiplier: 5 }];
    const { epsilon } = await engine.epsilon({ delta: 1e-5, phases });
    expect(points.map(({ x, y }) => [x, y])).toEqual([[5, epsilon]]);
  });

  test('whole numbers are asked once each, and steps where the run states steps', async () => {
    const steps = withPhase({ datasetSize: undefined, batchSize: undefined, epochs: undefined });
    const phases = [{ ...steps.phases[0], samplingProbability: 0.5, steps: 4 }];
    const options = { kind: 'epsilon-epochs', from: 2, to: 6 } as const;
    const curve = await engine.curve({ ...query, phases }, options);
    expect(curve.x).toBe('steps');
    expect(curve.points.map(({ x }) => x)).toEqual([2, 3, 4, 5, 6]);
  });

  test.each([
    [{ ...query, delta: undefined }, few('epsilon-noise'), 'delta'],
    [withPhase({ epochs: -1 }), few('epsilon-noise'), 'epochs'],
    [{ ...query, phases: 'none' }, few('delta-epsilon'), 'phases'],
    [{ ...query, phases: [] }, few('epsilon-epochs'), 'phases'],
    [{ delta: 1e-5, phases: [{ mu: 1 }] }, few('epsilon-noise'), 'phases'],
    [{ delta: 1e-5, phases: [phase, { mu: 1 }] }, { ...few('epsilon-noise'), phase: 1 }, 'phases'],
    [query, { ...few('epsilon-noise'), phase: 7 }, 'phases'],
    [query, { ...few('epsilon-noise'), from: 2, to: 1 }, 'to'],
    [query, { ...few('epsilon-noise'), from: 0 }, 'from'],
    [query, { ...few('epsilon-noise'), from: 5 }, 'from'],
    [query, { ...few('epsilon-noise'), from: 0, points: 1 }, 'from'],
    [query, { ...few('delta-epsilon'), floor: 0.5 }, 'floor'],
    [query, { ...few('delta-epsilon'), floor: NaN }, 'floor'],
    [query, { ...few('epsilon-noise'), to: Infinity }, 'to'],
    [query, { ...few('delta-epsilon'), points: 0 }, 'points'],
    [query, { ...few('delta-epsilon'), points: NaN }, 'points'],
    [query, { ...few('noise-sampling'), to: 7000 }, 'batchSize'],
    [query, { kind: 'epsilon-sigma' as CurveKind }, 'kind'],
  ])('a bad question names its field: %j %j', async (asked, options, field) => {
    const error = await refusal(asked, options);
    expect(error.field).toBe(field);
    expect(error.message).not.toMatch(/undefined|\[object/);
  });

  test('aborting stops it with the reason given', async () => {
    const stop = new AbortController();
    const reason = new Error('enough');
    let seen = 0;
    const drawn = engine.curve(query, {
      kind: 'delta-epsilon',
      signal: stop.signal,
      onPoint: () => {
        if (++seen === 3) stop.abort(reason);
      },
    });
    await expect(drawn).rejects.toBe(reason);
    expect(seen).toBe(3);
  });
});

const run = (...words: string[]) => runCommand(['curve', ...words]);

const flags = ['--sampler', 'deterministic', '--steps-per-epoch', '64', '--epochs', '1'];
const short = [...flags, '--delta', '1e-5', '--from', '1', '--to=2', '--points', '3'];

describe('command: curve', () => {
  test('prints text, CSV and JSON of the same points', async () => {
    const [text, csv, json] = await Promise.all([
      run('epsilon-noise', ...short),
      run('epsilon-noise', ...short, '--csv'),
      run('epsilon-noise', ...short, '--json'),
    ]);
    expect([text.code, csv.code, json.code]).toEqual([0, 0, 0]);
    expect(text.out).toMatch(/^ {2}Noise multiplier +Epsilon\n {2}1 +\[4\.377, 4\.378\]\n/);
    const curve = JSON.parse(json.out) as Awaited<ReturnType<Engine['curve']>>;
    expect(curve).toMatchObject({ question: 'curve', x: 'noiseMultiplier', y: 'epsilon' });
    expect(csv.out.split('\n')).toEqual([
      `# epsilon-noise, honest-epsilon ${version}`,
      expect.stringMatching(/^# \{.*"stepsPerEpoch":64/),
      'noise_multiplier,epsilon_lower,epsilon_upper,kind',
      ...curve.points.map(({ x, y }) => [x, y.lower, y.upper, y.kind].join()),
      '',
    ]);
    expect(text.err + csv.err + json.err).toBe('');
  });

  test('says why a curve of delta ends above where it is drawn to', async () => {
    const phases = [
      { sampler: 'deterministic', noiseMultiplier: 1, stepsPerEpoch: 64, epochs: 1 },
      { epsilon: 0.5, delta: 1e-4 },
    ];
    const ends = await runCommand(
      ['curve', 'delta-epsilon', '--query', '-', '--points', '3'],
      JSON.stringify({ phases, delta: 1e-3 }),
    );
    expect(ends.err).toBe('');
    expect(ends.out).toMatch(
      /\n\nThe curve ends at epsilon ≈ 3\.95\d: no epsilon that can be asked is proved at a delta of 10⁻⁷\.\n$/,
    );
    const whole = await run(
      'delta-epsilon',
      ...flags,
      '--noise-multiplier',
      '1',
      '--delta',
      '1e-5',
      '--points',
      '3',
    );
    expect(whole.out).not.toContain('The curve ends');
  });

  test('help lists every kind and flag', async () => {
    const { code, out } = await run('--help');
    expect(code).toBe(0);
    for (const { name } of curveKinds) expect(out).toContain(name);
    for (const flag of ['--from', '--to', '--points', '--csv', '--json', '--noise-multiplier']) {
      expect(out).toContain(flag);
    }
  });

  test.each([
    [[], 'kind', /one of delta-epsilon/],
    [['delta-epsilom', ...short], 'kind', /did you mean delta-epsilon/],
    [['epsilon-noise', ...short, '--from', '2'], 'from', /more than once/],
    [['epsilon-noise', ...flags, '--delta', '1e-5', '--points'], 'points', /needs a value/],
    [['epsilon-noise', ...flags, '--delta', '1e-5', '--to', 'far'], 'to', /must be a number/],
    [['epsilon-noise', ...short, '--epsilon', '1'], 'epsilon', /what is drawn/],
    [['epsilon-noise', ...flags], 'delta', /required/],
    [['epsilon-noise', ...short, '--csv=yes'], 'csv', /takes no value/],
  ])('refuses %j', async (words, field, why) => {
    const { code, out, err } = await run(...words, '--json');
    expect(code).toBe(2);
    expect(err).toMatch(why);
    expect(JSON.parse(out)).toMatchObject({ error: { field } });
  });

  test('two ways to print at once are refused', async () => {
    const { code, err } = await run('epsilon-noise', ...short, '--csv', '--json');
    expect(code).toBe(2);
    expect(err).toContain('use --csv or --json');
  });
});
