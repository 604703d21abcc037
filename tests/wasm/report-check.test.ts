import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Engine } from '../../wasm/client.js';
import type { Interval, Phase, Query } from '../../wasm/generated/schema.js';
import { createEngine } from '../../wasm/node.js';
import { QueryError } from '../../wasm/errors.js';
import { isRecord } from '../../wasm/protocol.js';
import { checkReport } from '../../wasm/report/check.js';
import { gather } from '../../wasm/report/gather.js';
import type { Facts } from '../../wasm/report/gather.js';
import { buildReport, formats } from '../../wasm/report/index.js';
import { facts } from './report-facts.js';
import { root, runCommand } from './run-command.js';

const run = (words: readonly string[], input?: string) => runCommand(['report', ...words], input);

const schema = JSON.parse(readFileSync(`${root}wasm/report/report-v1.schema.json`, 'utf8')) as Rule;

interface Rule {
  $ref?: string;
  const?: unknown;
  enum?: unknown[];
  type?: string | string[];
  pattern?: string;
  required?: string[];
  properties?: Record<string, Rule>;
  items?: Rule;
  $defs?: Record<string, Rule>;
}

const typeOf = (value: unknown) =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;

/** What of a value breaks a rule, by path: as much of JSON Schema as the report's schema uses. */
function broken(value: unknown, rule: Rule, path = ''): string[] {
  if (rule.$ref !== undefined) {
    const name = rule.$ref.replace('#/$defs/', '');
    return broken(value, schema.$defs?.[name] ?? { enum: [] }, path);
  }
  if ('const' in rule && value !== rule.const) return [`${path} is not the constant`];
  if (rule.enum && !rule.enum.includes(value)) return [`${path} is none of the choices`];
  if (rule.type !== undefined && ![rule.type].flat().includes(typeOf(value)))
    return [`${path} is no ${String(rule.type)}`];
  if (rule.pattern !== undefined && !new RegExp(rule.pattern).test(String(value)))
    return [`${path} has not the form`];
  if (Array.isArray(value))
    return value.flatMap((item, i) => broken(item, rule.items ?? {}, `${path}/${String(i)}`));
  if (!isRecord(value)) return [];
  const absent = (rule.required ?? []).filter((name) => !(name in value));
  return [
    ...absent.map((name) => `${path}/${name} is missing`),
    ...Object.entries(rule.properties ?? {}).flatMap(([name, inner]) =>
      name in value ? broken(value[name], inner, `${path}/${name}`) : [],
    ),
  ];
}

const flags = ['--sampler=deterministic', '--noise-multiplier=1', '--dataset-size=6400'];
const known = [...flags, '--batch-size', '100', '--delta', '1e-5', '--json'];

interface Written {
  reportVersion: unknown;
  answer: { epsilon: Record<keyof Interval, unknown> };
}

describe('report check', () => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await createEngine({ workers: 1 });
  });
  afterAll(() => {
    engine.close();
  });

  test('a report follows its schema, and the schema notices what does not', () => {
    const written = JSON.parse(formats.json.render(buildReport(facts))) as Written;
    expect(broken(written, schema)).toEqual([]);
    written.answer.epsilon.upper = '6.65';
    expect(broken(written, schema)).toEqual(['/answer/epsilon/upper is no number,null']);
    expect(broken({}, schema)).toContain('/reportVersion is missing');
  });

  test('confirms what it wrote, and nothing better than that', async () => {
    const { out } = await run(known);
    const checked = await run(['--check', '-'], out);
    expect([checked.code, checked.err]).toEqual([0, '']);
    expect(checked.out).toMatch(/^confirmed {2}epsilon: /m);
    expect(broken(JSON.parse(out), schema)).toEqual([]);
    const better = JSON.parse(out) as Written;
    better.answer.epsilon.upper = 4.3;
    const refuted = await run(['--check', '-'], JSON.stringify(better));
    expect(refuted.code).toBe(1);
    expect(refuted.out).toMatch(/^NOT confirmed {2}epsilon: .*, found .*4\.37/m);
  });

  test.each<[Partial<Interval>, boolean]>([
    [{}, true],
    [{ lower: 4, upper: 5 }, true],
    [{ lower: null, upper: null }, true],
    [{ upper: 4.3 }, false],
    [{ lower: 4.5 }, false],
    [{ kind: 'estimate' }, false],
  ])('what %j claims in place of what was found is confirmed: %s', async (claimed, confirmed) => {
    const phase: Phase = { sampler: 'deterministic', noiseMultiplier: 1, stepsPerEpoch: 64 };
    const query: Query = { phases: [phase], delta: 1e-5 };
    const model = buildReport(await gather(engine, query, { date: '2025-11-30' }));
    const report = JSON.parse(formats.json.render(model)) as Written;
    report.answer.epsilon = { ...report.answer.epsilon, ...claimed };
    const checked = await checkReport(engine, report);
    expect(checked.find(({ name }) => name === 'epsilon')?.confirmed).toBe(confirmed);
  });

  test('an epsilon of nothing is confirmed, and a number that the question lacks is refused', async () => {
    const phase: Phase = { sampler: 'deterministic', noiseMultiplier: 1e6, stepsPerEpoch: 64 };
    const query: Query = { phases: [phase], delta: 0.1 };
    const model = buildReport(await gather(engine, query, { date: '2025-11-30' }));
    const report = JSON.parse(formats.json.render(model)) as { epsilons: unknown[] };
    const checked = await checkReport(engine, report);
    expect(checked.every(({ confirmed }) => confirmed)).toBe(true);
    const epsilon = { lower: 0, upper: 1, kind: 'certified' };
    const more = { ...report, epsilons: [...report.epsilons, { delta: 0.123, epsilon }] };
    await expect(checkReport(engine, more)).rejects.toMatchObject({ field: 'epsilons' });
  });

  const interval = { lower: 1, upper: 2, kind: 'certified' };
  const whole = {
    reportVersion: 1,
    query: {},
    answer: { epsilon: interval, delta: interval, directions: { remove: interval, add: interval } },
    epsilons: [{ delta: 1e-5, epsilon: interval }],
  };
  test.each([
    [null, 'check', 'got null'],
    [{ ...whole, reportVersion: 2 }, 'reportVersion', 'got 2'],
    [{ ...whole, answer: undefined }, 'answer.epsilon', 'must be an object; got nothing'],
    [
      { ...whole, answer: { ...whole.answer, directions: 3 } },
      'answer.directions.remove',
      'got nothing',
    ],
    [{ ...whole, answer: { ...whole.answer, epsilon: null } }, 'answer.epsilon', 'got null'],
    [{ ...whole, answer: { ...whole.answer, published: 1 } }, 'answer.published', 'got 1'],
    [
      { ...whole, answer: { ...whole.answer, delta: { ...interval, upper: '2' } } },
      'answer.delta.upper',
      'must be a number or null; got "2"',
    ],
    [{ ...whole, epsilons: {} }, 'epsilons', 'must be a list; got {}'],
    [{ ...whole, epsilons: [3] }, 'epsilons.0.delta', 'must be a number'],
    [
      { ...whole, epsilons: [{ delta: '1e-5', epsilon: interval }] },
      'epsilons.0.delta',
      'a number',
    ],
    [{ ...whole, query: 'x'.repeat(80) }, 'query', `got "${'x'.repeat(59)}`],
  ])('a report that is none is refused by field: %#', async (report, field, words) => {
    const refused = checkReport(engine, report);
    await expect(refused).rejects.toBeInstanceOf(QueryError);
    await expect(refused).rejects.toMatchObject({ field });
    await expect(refused).rejects.toThrow(words);
    await expect(refused).rejects.not.toThrow('x'.repeat(60));
  });

  test('smaller upper ends are refuted, and the others are confirmed', async () => {
    const phase: Phase = { sampler: 'shuffle', noiseMultiplier: 4, stepsPerEpoch: 10 };
    const facts = await gather(engine, { phases: [phase], delta: 1e-5 }, { date: '2025-11-30' });
    const written = formats.json.render(buildReport(facts));
    for (const forged of [['epsilon', 'remove', 'published'] as const, ['delta', 'add'] as const]) {
      const report = JSON.parse(written) as Pick<Facts, 'answer'>;
      const stated = { ...report.answer, ...report.answer.directions };
      for (const name of forged) {
        const interval = stated[name];
        if (interval) interval.upper = 0.9 * (interval.upper ?? NaN);
      }
      const found = await checkReport(engine, report);
      const refuted = found.filter(({ confirmed }) => !confirmed).map(({ name }) => name);
      expect(refuted).toEqual(
        forged.map((name) => (name === 'published' ? 'by published theorems alone' : name)),
      );
    }
  });

  test.each([
    [{ reportVersion: 2 }, 'reportVersion must be 1'],
    [{ reportVersion: 1, answer: { directions: {}, epsilon: { lower: '1' } } }, 'got "1"'],
    [[], 'a report must be an object'],
  ])('%j is refused in one sentence', async (report, words) => {
    const { code, out, err } = await run(['--check', '-'], JSON.stringify(report));
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(words);
    expect(err.trimEnd().split('\n')).toHaveLength(1);
  });
});
