import { describe, expect, test } from 'vitest';
import type { Answer, Query } from '../../wasm/generated/schema.js';
import { exhibits } from '../../wasm/papers/index.js';
import { createEngine } from '../../wasm/node.js';
import { buildReport, erratumOf, formats, gather, quotationOf } from '../../wasm/report/index.js';
import { markOf, ownProofsMark } from '../../wasm/words/claims.js';
import { format } from '../../wasm/words/numbers.js';
import { runCommand as run } from './run-command.js';

/** One whose two values are far apart, and whose report is made in a second. */
const phase = {
  sampler: 'shuffle',
  noiseMultiplier: 4,
  datasetSize: 1000,
  batchSize: 100,
  epochs: 1,
} as const;
const query: Query = { phases: [phase], delta: 1e-5 };
const engine = await createEngine();
const day = { date: '2026-11-28' };
const flags =
  '--sampler shuffle --noise-multiplier 4 --dataset-size 1000 --batch-size 100 --epochs 1'.split(
    ' ',
  );

const all = await engine.epsilon(query);
const upper = all.published?.upper ?? 0;
const text = format(upper, { side: 'up' });
const gathered = await gather(engine, query, day);
const report = buildReport(gathered);
const gatheredAlone = await gather(engine, { ...query, proofs: 'published' }, day);

describe('own proofs: an answer has both values', () => {
  test('by all proofs, and by published theorems alone', async () => {
    const alone = await engine.epsilon({ ...query, proofs: 'published' });
    const known = await engine.epsilon({
      ...query,
      phases: [{ ...phase, sampler: 'deterministic' }],
    });
    expect(upper).toBeGreaterThan(1.5 * (all.epsilon.upper ?? 0));
    expect(upper).toBe(alone.epsilon.upper);
    expect(upper).toBe(known.epsilon.upper);
    expect(alone.published).toBeUndefined();
    expect([markOf(all), markOf(alone), markOf(known)]).toEqual([ownProofsMark, '', '']);
  });

  test('in a comparison the row of shuffled batches alone is marked', async () => {
    const { answers } = await engine.compare(query);
    expect(answers.filter((answer) => markOf(answer) !== '').map(({ sampler }) => sampler)).toEqual(
      ['shuffle'],
    );
  });
});

describe('own proofs: texts', () => {
  test('quotation and erratum give both values', () => {
    const facts = { ...gathered, reported: 0.1 };
    const sentence = `The upper bound uses a theorem that is not yet peer-reviewed [HE26]; published theorems alone give ε ≤ ${text}.`;
    expect(quotationOf(facts)).toContain(sentence);
    expect(erratumOf(facts)).toContain(sentence);
    expect(quotationOf(gatheredAlone).join(' ')).toContain(`training is (${text}, 10⁻⁵)`);
    expect(quotationOf(gatheredAlone).join(' ')).not.toContain('peer-reviewed');
  });

  test('every format of the report marks it, and states the basis', () => {
    for (const [name, mark] of [
      ['text', ownProofsMark],
      ['markdown', ownProofsMark],
      ['latex', '\\dag{}'],
    ] as const) {
      const words = formats[name].render(report).replaceAll(/\s+/g, ' ');
      expect(words.split(mark).length).toBeGreaterThan(8);
      expect(words).toContain('not yet peer-reviewed');
      expect(words).toContain(text);
    }
    const json = JSON.parse(formats.json.render(report)) as { answer: Answer; attacks: unknown };
    expect(json.answer.published).toEqual(all.published);
    expect(json.attacks).toMatchObject({ ownProofs: true });
    const alone = buildReport(gatheredAlone);
    const words = formats.text.render(alone);
    expect(words).toContain('published theorems only');
    expect(words).not.toContain(ownProofsMark);
  });
});

test('own proofs: the papers’ figures rest on published theorems alone, as their captions say', () => {
  const asked = exhibits.flatMap(({ panels, claims }) =>
    [...claims, ...panels.flatMap(({ series }) => series)].map(({ ask }) => ask.query),
  );
  const texts = asked.map((question) => JSON.stringify(question));
  const shuffled = texts.filter((text) => text.includes('"sampler":"shuffle"'));
  expect(shuffled.length).toBeGreaterThan(10);
  for (const text of shuffled) expect(text).toContain('"proofs":"published"');
});

describe('own proofs: the command', () => {
  const out = async (...words: string[]) => (await run([...words, ...flags])).out;

  test('marks answers, comparisons, trade-offs, audits and curves, and says what the mark means', async () => {
    const delta = ['--delta', '1e-5'];
    const audit = ['--canaries', '1000', '--guesses', '100', '--correct', '60'];
    const answer = await out('epsilon', ...delta);
    for (const words of [
      answer,
      await out('compare', ...delta),
      await out('tradeoff'),
      await out('audit', ...delta, ...audit),
      await out('curve', 'epsilon-noise', '--from', '1', '--to', '2', '--points', '2', ...delta),
      await out('curve', 'delta-epsilon', '--from', '1', '--to', '2', '--points', '2'),
    ]) {
      expect(words).toContain(ownProofsMark);
      expect(words.replaceAll(/\s+/g, ' ')).toContain('not yet peer-reviewed');
    }
    expect(answer.replaceAll(/\s+/g, ' ')).toContain(`published theorems alone give ε ≤ ${text}`);
    const csv = await out('curve', 'delta-epsilon', '--to', '2', '--points', '3', '--csv');
    expect(csv).toMatch(/^# .*not yet peer-reviewed/m);
    expect(await out('tradeoff', '--csv')).toMatch(/^# .*not yet peer-reviewed/m);
  });

  test('--proofs published asks for published theorems alone', async () => {
    const words = ['--delta', '1e-5', '--proofs', 'published'];
    const answer = JSON.parse(await out('epsilon', ...words, '--json')) as Answer;
    expect(answer.epsilon.upper).toBe(upper);
    expect(await out('epsilon', ...words)).not.toContain(ownProofsMark);
  });
});
